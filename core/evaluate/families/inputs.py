"""What the metric families score: both sides, and whatever else is known.

Everything here is already read by one rule for both sides: alternative ids replaced, concepts outside the
scope gone. Families other than `corpus` score complete documents and decided predictions only, so that gold
which is still being made never counts its gaps as errors.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from core.evaluate.readings import Readings
from core.metrics.documents import Outcome, Sets
from core.records import Assertion, Curie

if TYPE_CHECKING:
    from core.evaluate.concept_scope import Scope
    from core.evaluate.curators import Ratings
    from core.evaluate.inputs.stages import Stages
    from core.evaluate.settings import Settings
    from core.index.tree import LabelTree
    from core.metrics.mem_syn_con import Training
    from core.ontology.lineage import Lineage

T = TypeVar("T")
Statuses = Mapping[str, Mapping[Curie, Assertion]]
"""doc_id -> concept -> document-level status."""


class Mention(NamedTuple):
    """One place in a text that a side says speaks of a concept."""

    start: int | None
    end: int | None
    """0-based, end exclusive, Unicode code points; both None for a label of the whole document."""
    concept: Curie
    assertion: Assertion
    quote: str | None = None


Mentions = Mapping[str, Sequence[Mention]]
"""doc_id -> mentions, in the order of the source."""
Labels = Mapping[str, frozenset[tuple[Curie, Assertion]]]
"""doc_id -> (concept, status): a concept may have several statuses."""
Confidences = Mapping[str, Mapping[Curie, float]]
"""doc_id -> concept -> confidence in [0, 1], the highest where there are several."""


@dataclass(frozen=True)
class Known:
    """What a family may ask for beyond concepts and statuses. A reader is called only if one does, and reads
    once; None: not known, and the family says what to give. Call readers while scoring, never in `open`:
    what they read from may be closed by then."""

    gold_mentions: Callable[[], Mentions] | None = None
    predicted_mentions: Callable[[], Mentions] | None = None
    gold_by_mention: bool = False
    """Whether the gold gives a concept every status that a mention of it has; else the document's one."""
    predicted_by_mention: bool = False
    confidences: Callable[[], Confidences] | None = None
    """Of the predictions, those that state one."""
    lineage: Callable[[], Lineage] | None = None
    """is_a of the ontology, current ids."""
    root: Curie | None = None
    """The concept that branches hang from."""
    texts: Callable[[], Mapping[str, str]] | None = None
    """doc_id -> text."""
    training: Training | None = None
    """What the model under test was trained on."""
    tree: LabelTree | None = None
    """The index whose closeness is measured."""
    ratings: Callable[[], Ratings] | None = None
    """What the curators who made the gold said of each item; None: it is not made by review."""
    stages: Callable[[], Stages | None] | None = None
    """What each stage of the run did with each concept, for the attribution of errors; None: it has none."""

    def of_scored(
        self,
        gold: Statuses,
        predicted: Statuses,
        scope: Scope,
        readings: Readings | None = None,
        name: str = "predictions",
    ) -> Known:
        """What is known of the labels that are scored: of these documents and concepts only, each under the
        id that now stands for it. Every document of `gold` is a key of either side's mentions.

        Args:
            gold: complete documents, their concepts by current ids.
            predicted: the same documents, decided predictions.
            readings: of this gold and of predictions of this name.
        """
        readings = readings or Readings()

        def reader(what: Hashable, read: Callable[[], T] | None) -> Callable[[], T] | None:
            return readings.reader((what, scope.name), read) if read else None

        return replace(
            self,
            gold_mentions=reader("gold mentions", _chosen(self.gold_mentions, gold, scope)),
            predicted_mentions=reader(("mentions", name), _chosen(self.predicted_mentions, predicted, scope)),
            confidences=reader(("confidences", name), _highest(self.confidences, predicted, scope)),
            lineage=reader("lineage", self.lineage or scope.lineage),
            root=self.root or scope.root,
            training=self.training.current(scope.alt_ids) if self.training else None,
            tree=self.tree.current(scope.alt_ids) if self.tree else None,
        )


def _chosen(
    read: Callable[[], Mentions] | None, kept: Statuses, scope: Scope
) -> Callable[[], Mentions] | None:
    if read is None:
        return None

    def mentions() -> Mentions:
        held, now = read(), scope.alt_ids
        found: dict[str, Sequence[Mention]] = {}
        for doc_id, concepts in kept.items():
            mentions = held.get(doc_id) or []
            named = [m.concept for m in mentions]
            if not now.keys().isdisjoint(named):
                mentions = [m._replace(concept=now.get(m.concept, m.concept)) for m in mentions]
            elif concepts.keys() >= set(named):
                found[doc_id] = mentions
                continue
            found[doc_id] = [m for m in mentions if m.concept in concepts]
        return found

    return mentions


def _highest(
    read: Callable[[], Confidences] | None, kept: Statuses, scope: Scope
) -> Callable[[], Confidences] | None:
    if read is None:
        return None

    def confidences() -> Confidences:
        held = read()
        found: dict[str, Mapping[Curie, float]] = {}
        nothing: dict[Curie, float] = {}
        for doc_id, concepts in kept.items():
            stated = held.get(doc_id, nothing)
            if concepts.keys() >= stated.keys() and scope.alt_ids.keys().isdisjoint(stated):
                found[doc_id] = stated
                continue
            mine: dict[Curie, float] = {}
            for concept, confidence in stated.items():
                now = scope.alt_ids.get(concept, concept)
                if now in concepts:
                    mine[now] = max(confidence, mine.get(now, confidence))
            found[doc_id] = mine
        return found

    return confidences


@dataclass(frozen=True)
class Inputs:
    settings: Settings
    outcomes: tuple[Outcome, ...]
    """Exact matching of the statuses that count, sorted by doc_id; the corpus family's own input."""
    gold_statuses: Statuses
    predicted_statuses: Statuses
    """All that `Settings.statuses` tells apart; decided predictions only. Every scored document is a key."""
    labels: Mapping[Curie, str] = field(default_factory=dict)
    """Names of concepts, as far as known. From outside: text, never markup."""
    known: Known = field(default_factory=Known)
    exhaustive: bool | None = None
    """Whether the gold is marked exhaustively annotated; None: it does not say."""

    @cached_property
    def gold_labels(self) -> Labels:
        """All statuses of all concepts, of every scored document."""
        by_mention = self.known.gold_mentions if self.known.gold_by_mention else None
        return _labels(self.gold_statuses, by_mention, self.settings.statuses)

    @cached_property
    def predicted_labels(self) -> Labels:
        """All statuses of all concepts, of every scored document; decided predictions only."""
        by_mention = self.known.predicted_mentions if self.known.predicted_by_mention else None
        return _labels(self.predicted_statuses, by_mention, self.settings.statuses)

    @cached_property
    def complete(self) -> tuple[Outcome, ...]:
        """Documents whose gold is complete: those that recall is known of."""
        return tuple(o for o in self.outcomes if o.complete)

    @cached_property
    def gold(self) -> Sets:
        """Ids of the statuses that count, complete documents only."""
        return {o.doc_id: frozenset((*o.tp, *o.fn)) for o in self.complete}

    @cached_property
    def predicted(self) -> Sets:
        """Decided ids of the statuses that count, complete documents only."""
        return {o.doc_id: frozenset((*o.tp, *o.fp)) for o in self.complete}


def _labels(
    statuses: Statuses, by_mention: Callable[[], Mentions] | None, looked_at: Sequence[Assertion]
) -> Labels:
    mentions = by_mention() if by_mention else {}
    return {
        doc_id: frozenset(held.items())
        | {
            (m.concept, m.assertion)
            for m in mentions.get(doc_id, ())
            if m.concept in held and m.assertion in looked_at
        }
        for doc_id, held in statuses.items()
    }
