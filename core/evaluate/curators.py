"""What each curator of a workspace says of each item, in one field of their answers.

    ratings = concept_ratings(workspace, "cases")             # see core.evaluate.curator_answers
    curator_agreement(ratings)                                # see core.evaluate.curator_agreement

An item is a concept of a document, or a claim pair (metric-definitions, section 8). A curator's label of a
concept is the status that they give it, or `absent`: rejected, or not named in a passage that they closed.
What they marked unsure, left open, or had not been asked about when they closed the passage is missing. Other
fields of concepts: `presence`, whether it is there in any status; `class`, how the passage expresses it; and
`concept`, which one a proposal should have named: there an item is a proposal that the curator judged, and
silence is no answer. Of a pair the label is the field asked for, or `rejected`.

Two universes of concepts: `named`, what at least one of the raters compared says is there, as the
specification has it; and `judged`, which adds what somebody rejected. On `named` every item is positive for
somebody, so kappa is pessimistic. Pairs are proposed by a run and never absent: for them the two are one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal

from core.evaluate.addresses import concept_items
from core.metrics.near_agreement import ABSENT
from core.store.workspace import Workspace

Kind = Literal["concepts", "pairs"]
Universe = Literal["named", "judged"]
UNIVERSES: tuple[Universe, ...] = ("named", "judged")
Place = tuple[str, Any]
"""doc_id, and a concept or pair id."""
Unit = tuple[str, Any, tuple[str | None, ...]]
"""doc_id, item, the label of each curator; None: missing."""
Field = Literal["status", "presence", "class", "concept", "conflict_type", "comparable", "confounder", "axes"]
FIELDS: dict[Kind, tuple[Field, ...]] = {
    "concepts": ("status", "presence", "class", "concept"),
    "pairs": ("conflict_type", "comparable", "confounder", "axes"),
}
"""Kind -> what can be compared; the first where none is named."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """What each curator says of each item. Plain data: pickles, and holds no workspace."""

    corpus: str
    kind: Kind
    curators: tuple[str, ...]
    """Ids of those who have decided something here, sorted."""
    labels: Mapping[str, Mapping[str, Mapping[Any, str]]]
    """Curator -> doc_id -> concept or pair id -> label; what is missing is not there. What a curator has
    closed a document without naming is not there either, and absent: see `label`."""
    unsettled: Mapping[str, Mapping[str, AbstractSet[Any]]] = field(default_factory=dict)
    """Curator -> doc_id -> what they looked at without settling it, or were not asked about."""
    closed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Curator -> documents that they closed."""
    unsure: Mapping[str, int] = field(default_factory=dict)
    """Curator -> items marked unsure, or open in a closed passage."""
    names: Mapping[Any, str] = field(default_factory=dict)
    """Names of concepts. From outside: text, never markup."""
    people: Mapping[str, str] = field(default_factory=dict)
    """Curator -> name, each once."""
    items: Mapping[Place, int] = field(default_factory=dict)
    """The item of the workspace that was answered."""
    asked: Field = "status"
    """What the labels say."""

    def label(self, curator: str, doc_id: str, item: Any) -> str | None:
        """None: missing."""
        said = self.labels.get(curator, {}).get(doc_id, {}).get(item)
        if said is not None:
            return said
        if item in self.unsettled.get(curator, {}).get(doc_id, ()):
            return None
        return self._silence(curator, doc_id)

    def _silence(self, curator: str, doc_id: str) -> str | None:
        """What it says of a document's concepts that a curator has not spoken of them."""
        said = self.asked != "concept" and doc_id in self.closed.get(curator, ())
        return ABSENT if said else None

    def universe(self, curators: tuple[str, ...], universe: Universe) -> list[Unit]:
        """Everything that one of them names, or judges, in order, with what each of them says."""
        found: list[Unit] = []
        sides = [(self.labels.get(c, {}), self.unsettled.get(c, {})) for c in curators]
        for doc_id in sorted({doc_id for said, _ in sides for doc_id in said}):
            held = [said.get(doc_id, {}) for said, _ in sides]
            left = [unsettled.get(doc_id, ()) for _, unsettled in sides]
            silent = [self._silence(c, doc_id) for c in curators]
            everything = {
                item
                for mine in held
                for item, label in mine.items()
                if universe == "judged" or label != ABSENT
            }
            for item in sorted(everything, key=str):
                said = tuple(
                    mine.get(item, None if item in unsaid else default)
                    for mine, unsaid, default in zip(held, left, silent, strict=True)
                )
                found.append((doc_id, item, said))
        return found

    def looked(self, curators: tuple[str, ...]) -> list[str]:
        """Documents that all of them have closed, or in which they have all judged something; in order."""
        each = [
            {*self.closed.get(c, ()), *(d for d, held in self.labels.get(c, {}).items() if held)}
            for c in curators
        ]
        return sorted(set.intersection(*each)) if each else []

    def answered(self, curator: str, doc_id: str, item: Any) -> bool:
        """Whether this curator may see what others say about an item: only after settling it."""
        return self.label(curator, doc_id, item) is not None

    def pairs(self) -> list[tuple[str, str]]:
        return list(combinations(self.curators, 2))


def review_items(
    workspace: Workspace, ratings: Ratings, wanted: Sequence[Place], curator: str | None = None
) -> list[int | None]:
    """Under which item each (doc_id, concept or pair id) is reviewed; None where there is nothing to review.

    Args:
        curator: only what this curator may see counts; None: all.
    """
    if ratings.kind == "pairs":
        return [ratings.items.get(place) for place in wanted]
    return concept_items(workspace, ratings.corpus, wanted, curator=curator)
