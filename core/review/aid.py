"""What the machine can show about an apparent false positive, step by step, and what it proposes.

    found = aid(workspace, item, "ada")
    found.supported                     # what the passage supports, for this curator
    found.lineage                       # E-1 is proposed exactly where this is not None
    found.other_branch                  # a hint, never a proposal
    found.triggers                      # where words of the concept's names stand

Missing gold comes first, since it changes what the passage supports: a confirmed change counts for all, a
curator's own `missing_gold` for that curator alone, so that nobody sees what another one answered. Source:
paper 000, A.7; metric-definitions R46.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from core.metrics.errors_lineage import Kin, elsewhere, nearest
from core.records import Curie, ErrorType, GoldSet, Span
from core.review.search.folding import telling
from core.review.terms import ontology_of, terms_of
from core.review.walks.kept import Recent, file_of
from core.store import Workspace, audits, changes, corpora, doubts
from core.store.audits import ErrorItem
from core.store.changes import SUPPORTS
from core.store.decisions import chain_head
from core.store.gold import gold_set
from core.text.spans import words

Named = tuple[Curie, str]
"""A concept and its name. From outside: text, never markup."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """The nearest supported concept on one is_a path with the proposed one."""

    relation: str
    """What the proposed concept is to the supported one: `ancestor` or `descendant`."""
    path: tuple[Named, ...]
    """From the proposed concept to the supported one, both included."""


@dataclass(frozen=True, slots=True)
class Aid:
    """What is known about one apparent false positive."""

    concept: Curie
    label: str
    gold: str
    """The pinned reference that lacks it."""
    supported: tuple[Named, ...]
    """By name."""
    lineage: Lineage | None
    other_branch: bool
    """No supported concept shares a top branch with it. A hint: alone it is not E-2."""
    triggers: tuple[Span, ...]
    """In order of place; none overlap."""

    @property
    def proposed(self) -> ErrorType | None:
        """The machine's proposal."""
        return ErrorType.GRANULARITY if self.lineage else None

    def to_json(self) -> dict[str, Any]:
        return {
            "concept": self.concept,
            "label": self.label,
            "gold": self.gold,
            "supported": [list(one) for one in self.supported],
            "lineage": self.lineage
            and {"relation": self.lineage.relation, "path": [list(one) for one in self.lineage.path]},
            "proposed": self.proposed,
            "other_branch": self.other_branch,
            "triggers": [[one.start, one.end, one.quote] for one in self.triggers],
        }


def aid(workspace: Workspace, item: int, curator: str) -> Aid:
    """What a curator may know about an apparent false positive now.

    Raises:
        NotFoundError: there is no such item, or it is of another kind.
    """
    error = audits.error_item(workspace, item)
    passage = corpora.passage(workspace, error.passage_id)
    climb = Climb(workspace, _ontology(workspace, error, passage.corpus))
    number = chain_head(workspace)[0]
    supported = supports(workspace, error, passage.corpus, passage.doc_id, number, curator)
    quotes = audits.quotes(workspace, error.passage_id, error.concept)
    names = doubts.names(workspace, climb.current(error.concept))
    return Aid(
        error.concept,
        climb.label(error.concept),
        error.gold,
        tuple(sorted(climb.named(supported), key=lambda one: (one[1].casefold(), one[0]))),
        climb.lineage(error.concept, supported),
        climb.other_branch(error.concept, supported),
        triggers(passage.text, names, quotes),
    )


def _ontology(workspace: Workspace, error: ErrorItem, corpus: str) -> int | None:
    own = audits.ontology_of(workspace, error.passage_id, error.concept)
    return own if own is not None else ontology_of(workspace, corpus)


def supports(
    workspace: Workspace, error: ErrorItem, corpus: str, doc_id: str, number: int, curator: str | None = None
) -> dict[Curie, str | None]:
    """Concept -> its name as gold gives it, of what a passage supports at a decision number.

    Args:
        curator: whose own `missing_gold` counts besides; None: nobody's.
    """
    imported = changes.imported_of(error.gold)
    if imported is None:
        held = _reviewed(workspace, error.gold, corpus).documents.get(doc_id, {})
        return dict.fromkeys(concept for concept, status in held.items() if status in SUPPORTS)
    found: dict[Curie, str | None] = {
        concept: label
        for concept, label, status in audits.imported_in(workspace, imported, error.passage_id)
        if status in SUPPORTS
    }
    for change, answer in changes.confirmed(workspace, number, passage_id=error.passage_id).items():
        if change.gold == imported and answer.assertion in SUPPORTS:
            found[change.concept] = answer.label
    if curator is not None:
        for change, who in changes.missing(workspace, number, passage_id=error.passage_id).items():
            if change.gold == imported and curator in who:
                found.setdefault(change.concept, None)
    return found


KEPT = 4
_golds: Recent[GoldSet] = Recent(KEPT)


def _reviewed(workspace: Workspace, reference: str, corpus: str) -> GoldSet:
    """Reviewed gold by its pinned reference, which always says the same, so the last few are kept."""
    key = (*file_of(workspace), reference, corpus)
    return _golds.of(key, lambda: gold_set(workspace, reference, corpus))


class Climb:
    """One ontology, asked about concepts under any of their ids; or none, which knows nothing."""

    def __init__(self, workspace: Workspace, ontology: int | None):
        self.terms = None if ontology is None else terms_of(workspace, ontology)

    def current(self, concept: Curie) -> Curie:
        return self.terms.alt_ids.get(concept, concept) if self.terms else concept

    def label(self, concept: Curie, given: str | None = None) -> str:
        names = self.terms.names if self.terms else {}
        return names.get(self.current(concept)) or given or concept

    def named(self, supported: dict[Curie, str | None]) -> list[Named]:
        """Each concept once, under its current id."""
        known = {self.current(concept): self.label(concept, label) for concept, label in supported.items()}
        return list(known.items())

    def lineage(self, concept: Curie, supported: Iterable[Curie]) -> Lineage | None:
        if self.terms is None:
            return None
        kin: Kin | None = nearest(
            self.current(concept), {self.current(one) for one in supported}, self.terms.lineage
        )
        return kin and Lineage(kin.relation, tuple((one, self.label(one)) for one in kin.path))

    def branches(self, concept: Curie) -> tuple[Curie, ...]:
        return self.terms.branches(self.current(concept)) if self.terms else ()

    def other_branch(self, concept: Curie, supported: Iterable[Curie]) -> bool:
        held = list(supported)
        if self.lineage(concept, held) is not None or self.current(concept) in map(self.current, held):
            return False
        return elsewhere(self.branches(concept), map(self.branches, held))


def triggers(text: str, names: Iterable[str], quotes: Iterable[Span] = ()) -> tuple[Span, ...]:
    """Words of a text that a concept's names hold, too, whatever their case and number, and quotes that
    somebody gave as evidence for it; what touches or overlaps is one span.

    Words that tell nothing ("of the") are left out unless a quote holds them.
    """
    wanted = {word for name in names for word in telling(words(name).words)}
    read = words(text)
    places = [(one.start, one.end) for one in quotes]
    for at, word in enumerate(read.words):
        if wanted.intersection(telling([word])):
            places.append((read.starts[at], read.end(at)))
    joined: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(Span(start, end, text[start:end]) for start, end in joined)
