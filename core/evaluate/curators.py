"""Agreement between the curators of a workspace, from what they decided.

    ratings = concept_ratings(workspace, "cases")             # concepts of documents
    ratings = pair_ratings(workspace, "abstracts")            # claim pairs
    curator_agreement(ratings)                                # see core.evaluate.curator_agreement

An item is a concept of a document, or a claim pair (metric-definitions, section 8). A curator's label of a
concept is the status that they give it, or `absent`: rejected, or not named in a passage that they closed.
What they marked unsure, left open, or had not been asked about when they closed the passage is missing. Of a
pair it is the field asked for, or `rejected`.

Two universes of concepts: `named`, what at least one of the raters compared says is there, as the
specification has it; and `judged`, which adds what somebody rejected. On `named` every item is positive for
somebody, so kappa is pessimistic. Pairs are proposed by a run and never absent: for them the two are one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal

from core.errors import InputError
from core.evaluate.addresses import concept_items
from core.metrics.near_agreement import ABSENT
from core.records import Curie, ItemKind, PairAnswer
from core.store import corpora
from core.store.decisions import decisions, list_curators
from core.store.settled import settled
from core.store.votes import UNSURE, votes
from core.store.workspace import Workspace

Kind = Literal["concepts", "pairs"]
Universe = Literal["named", "judged"]
UNIVERSES: tuple[Universe, ...] = ("named", "judged")
Unit = tuple[str, Any, tuple[str | None, ...]]
"""doc_id, item, the label of each curator; None: missing."""
Field = Literal["conflict_type", "comparable", "confounder", "axes"]
FIELDS: tuple[Field, ...] = ("conflict_type", "comparable", "confounder", "axes")
REJECTED, NONE = "rejected", "none"


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
    items: Mapping[str, int] = field(default_factory=dict)
    """Of pairs: pair id -> item, for the address of its review."""
    people: Mapping[str, str] = field(default_factory=dict)
    """Curator -> name, each once."""

    def label(self, curator: str, doc_id: str, item: Any) -> str | None:
        """None: missing."""
        said = self.labels.get(curator, {}).get(doc_id, {}).get(item)
        if said is not None:
            return said
        if item in self.unsettled.get(curator, {}).get(doc_id, ()):
            return None
        return ABSENT if doc_id in self.closed.get(curator, ()) else None

    def universe(self, curators: tuple[str, ...], universe: Universe) -> list[Unit]:
        """Everything that one of them names, or judges, in order, with what each of them says."""
        found: list[Unit] = []
        sides = [
            (self.labels.get(c, {}), self.unsettled.get(c, {}), self.closed.get(c, ())) for c in curators
        ]
        for doc_id in sorted({doc_id for said, _, _ in sides for doc_id in said}):
            held = [said.get(doc_id, {}) for said, _, _ in sides]
            left = [unsettled.get(doc_id, ()) for _, unsettled, _ in sides]
            silent = [ABSENT if doc_id in closed else None for _, _, closed in sides]
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


def concept_ratings(
    workspace: Workspace,
    corpus: str,
    alt_ids: Mapping[Curie, Curie] | None = None,
    names: Mapping[Curie, str] | None = None,
    number: int | None = None,
) -> Ratings:
    """What curators say of the concepts of a corpus.

    Args:
        alt_ids: old id -> the id that now stands for it.
        names: of concepts; more than needed is fine.
        number: of the last decision that counts; None: all.

    Raises:
        NotFoundError: no such corpus or decision.
    """
    now, names = alt_ids or {}, names or {}
    labels: dict[str, dict[str, dict[Curie, str]]] = {}
    unsettled: dict[str, dict[str, set[Curie]]] = {}
    closed: dict[str, frozenset[str]] = {}
    unsure: dict[str, int] = {}
    for curator, mine in sorted(votes(workspace, corpus, number).items()):
        ours = labels[curator] = {}
        left = unsettled[curator] = {
            doc_id: {now.get(c, c) for c in concepts} for doc_id, concepts in mine.unasked.items()
        }
        unsure[curator] = 0
        for doc_id, said in mine.said.items():
            held: dict[Curie, str] = {}
            for concept, label in sorted(said.items()):
                current = now.get(concept, concept)
                if label == UNSURE:
                    unsure[curator] += 1
                    left.setdefault(doc_id, set()).add(current)
                elif label == ABSENT:
                    held.setdefault(current, label)
                else:
                    held[current] = label
            if held:
                ours[doc_id] = held
        closed[curator] = frozenset(mine.closed)
    active = tuple(c for c in labels if closed[c] or labels[c] or unsure[c])
    named = {c for ours in labels.values() for held in ours.values() for c in held}
    return Ratings(
        corpus,
        "concepts",
        active,
        labels,
        unsettled,
        closed,
        unsure,
        {c: names[c] for c in named if c in names},
        people=_people(workspace),
    )


def pair_ratings(workspace: Workspace, corpus: str, field: Field = "conflict_type") -> Ratings:
    """What curators say of the claim pairs of a corpus, in one field of their answers.

    Raises:
        InputError: no such field.
        NotFoundError: no such corpus.
    """
    if field not in FIELDS:
        raise InputError(f"{field!r} is no field of a pair's answer. Choose from {', '.join(FIELDS)}.")
    corpora.corpus(workspace, corpus)
    doc_ids = {p: d for d, p in corpora.passage_ids(workspace, corpus).items()}
    places: dict[str, tuple[str, int]] = {}
    for d in decisions(workspace):
        if d.kind == ItemKind.PAIR and d.subject is not None and d.passage_id in doc_ids:
            places[d.subject] = doc_ids[d.passage_id], d.item_id
    labels: dict[str, dict[str, dict[str, str]]] = {}
    unsure: dict[str, int] = {}
    for curator in list_curators(workspace) if places else ():
        said = settled(workspace, corpus, ItemKind.PAIR, f"curator={curator.id}")
        given = {pair: _label(answer, field) for pair, answer in said.answers.items()}
        given |= dict.fromkeys(said.rejected, REJECTED)
        if given or said.unsure:
            mine = labels[curator.id] = {}
            for pair, label in given.items():
                mine.setdefault(places[pair][0], {})[pair] = label
            unsure[curator.id] = len(said.unsure)
    return Ratings(
        corpus,
        "pairs",
        tuple(sorted(labels)),
        labels,
        unsure=unsure,
        items={pair: item for pair, (_, item) in places.items()},
        people=_people(workspace),
    )


def review_items(
    workspace: Workspace, ratings: Ratings, wanted: Sequence[tuple[str, Any]], curator: str | None = None
) -> list[int | None]:
    """Under which item each (doc_id, concept or pair id) is reviewed; None where there is nothing to review.

    Args:
        curator: only what this curator may see counts; None: all.
    """
    if ratings.kind == "pairs":
        return [ratings.items.get(str(item)) for _, item in wanted]
    return concept_items(workspace, ratings.corpus, wanted, curator=curator)


def _people(workspace: Workspace) -> dict[str, str]:
    known = list_curators(workspace)
    often = Counter(curator.name for curator in known)
    return {c.id: c.name if often[c.name] == 1 else f"{c.name} ({c.id})" for c in known}


def _label(answer: PairAnswer, field: Field) -> str:
    if field == "comparable":
        return "comparable" if answer.comparable else "not comparable"
    if field == "confounder":
        return answer.confounder.value if answer.confounder else NONE
    if field == "axes":
        return ", ".join(sorted({axis.value for axis in answer.axes})) or NONE
    return answer.conflict_type.value
