"""One document with all that is said of it: what runs propose, curators answer, gold holds; its claims.

A layer is one voice: a run, a curator, the rulings, an imported set. What a reader may not see (`sight`) is
left out, and told as a number where the number itself tells nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from core.conflicts.normalise.offsets import original_span
from core.records import Action, Answer, Claim, Curie, Direction, OffsetMap, Passage, Proposal
from core.review.confidence import band
from core.review.explore.sight import Sight, sight
from core.review.terms import Terms, ontology_of, terms_of
from core.store import Workspace, claims, corpora, curators, documents, proposals, queue
from core.store import passage_labels as labels
from core.store.passage_labels import Said
from core.store.queue import ItemRow

RULINGS, CLAIMS = "rulings", "claims"
DONE = {
    Action.ACCEPT: "accepted",
    Action.FIX: "fixed",
    Action.REJECT: "rejected",
    Action.ADD: "added",
    Action.UNSURE: "unsure",
    Action.ADJUDICATE: "ruled",
}
REFUSED = {Action.ADJUDICATE: "ruled: not there"}
"""An answer that names no concept, where it says more than the action."""
Spans = tuple[tuple[int, int], ...]
"""[start, end) in code points."""


class Voice(StrEnum):
    MACHINE = "machine"
    PERSON = "person"
    GOLD = "gold"
    CLAIM = "claim"


class Layer(NamedTuple):
    id: str
    voice: Voice
    name: str
    """From outside: text, never markup."""


class Label(NamedTuple):
    """What one layer says of one concept of the document, or of one claim."""

    layer: str
    said: str
    """In a word or two: "proposed", "fixed to Seizure"."""
    detail: tuple[str, ...]
    """Status, class, confidence, as far as they are stated."""
    reason: str
    spans: Spans
    """Where it says the concept stands, in code points."""


class Row(NamedTuple):
    """A concept, or the kind of a claim."""

    concept: Curie | None
    name: str
    item: int | None
    """Under which it is reviewed."""
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    passage: Passage
    ontology: str | None
    """`NAME@VERSION` of that in which its concepts are looked up."""
    layers: tuple[Layer, ...]
    """Each that may speak of it, also those that say nothing."""
    rows: tuple[Row, ...]
    """In the order in which they stand in the text."""
    unlisted: bool
    """Whether the reader has yet to list its concepts, before they see what others say."""
    blind: int
    """Concepts of which nothing is told, since they are to be answered blind."""
    withheld: int
    """Answers of others to what the reader has not answered."""
    pairs: tuple[int, ...]
    """Items of the claim pairs that it is part of."""


def sheet(workspace: Workspace, passage_id: int, curator: str | None) -> Sheet:
    """
    Raises:
        NotFoundError: no such passage.
    """
    passage = corpora.passage(workspace, passage_id)
    items = queue.items_of_passages(workspace, [passage_id])
    view = sight(workspace, curator, [row.id for row in items], [passage_id])
    unlisted, blind = passage_id in view.unlisted, {row.subject for row in items if row.id in view.blind}
    said = labels.said_in(workspace, passage_id)
    if unlisted:
        said = [one for one in said if one.curator == curator and one.action is Action.ADD]
    shown, withheld = _parted(view, said, unlisted=unlisted)
    ontology = ontology_of(workspace, passage.corpus)
    terms = terms_of(workspace, ontology) if ontology is not None else None
    page = Collected(passage.text, terms)
    if not unlisted:
        held = proposals.of_items(workspace, [row.id for row in items if row.id not in view.blind])
        for proposal in (one for row in items for one in held.get(row.id, [])):
            page.propose(proposal)
        for one in labels.gold_in(workspace, passage_id):
            if one.concept not in blind:
                page.hold(one)
    for answer in shown:
        page.answer(answer)
    found = claims.claims_in(workspace, passage_id)
    return Sheet(
        passage,
        terms.row.reference if terms else None,
        tuple(_layers(workspace, passage, shown, claimed=bool(found))),
        (*page.rows(items), *_claims(found, passage.text)),
        unlisted,
        0 if unlisted else len(blind),
        withheld,
        tuple(documents.pairs_of(workspace, passage_id)),
    )


def _parted(view: Sight, said: list[Said], *, unlisted: bool) -> tuple[list[Said], int]:
    """The answers that may be seen, and how many may not. What another added is not there yet."""
    open_to = view.of_others((one.item_id, one.curator) for one in said)
    shown = [one for one in said if one.item_id in open_to and (unlisted or one.item_id not in view.blind)]
    hidden = [one for one in said if one.item_id not in open_to and one.item_id not in view.blind]
    return shown, sum(one.action is not Action.ADD for one in hidden)


def _layers(workspace: Workspace, passage: Passage, said: list[Said], *, claimed: bool) -> Iterator[Layer]:
    for run in queue.run_names(workspace):
        if run.corpus == passage.corpus:
            yield Layer(f"run:{run.id}", Voice.MACHINE, run.id)
    names = {one.id: one.name for one in curators.list_curators(workspace)}
    for who in sorted({one.curator for one in said if one.action is not Action.ADJUDICATE}):
        yield Layer(f"curator:{who}", Voice.PERSON, names.get(who, who))
    if any(one.action is Action.ADJUDICATE for one in said):
        yield Layer(RULINGS, Voice.PERSON, "Adjudication")
    for reference in labels.gold_sets_of(workspace, passage.id):
        name, _, version = reference.rpartition("@")
        yield Layer(f"gold:{reference}", Voice.GOLD, f"{name}, version {version}")
    if claimed:
        yield Layer(CLAIMS, Voice.CLAIM, "Claims")


class Collected:
    """What is said of each concept of a text, under the id that it bears now."""

    def __init__(self, text: str, terms: Terms | None):
        self._text, self._terms = text, terms
        self._labels: defaultdict[Curie, list[Label]] = defaultdict(list)
        self._names: dict[Curie, str] = {}
        """As runs and people call them."""

    def _add(self, concept: Curie, name: str | None, label: Label) -> None:
        own = self._now(concept)
        self._labels[own].append(label)
        if name and name != concept:
            self._names.setdefault(own, name)

    def _now(self, concept: Curie) -> Curie:
        return self._terms.alt_ids.get(concept, concept) if self._terms else concept

    def _name(self, concept: Curie) -> str:
        known = self._terms.names if self._terms else {}
        return known.get(concept) or self._names.get(concept) or concept

    def _standing(self, places: Iterable[tuple[int | None, int | None, str | None]]) -> Spans:
        """Places where the quote stands, each once; where a quote does not stand, nothing is marked."""
        found = {
            (start, end)
            for start, end, quote in places
            if start is not None
            and end is not None
            and 0 <= start < end <= len(self._text)
            and quote in (None, self._text[start:end])
        }
        return tuple(sorted(found))

    def propose(self, one: Proposal) -> None:
        spans = self._standing((e.start, e.end, e.quote) for e in one.evidence)
        detail = _detail(one.assertion, one.concept_class, one.confidence)
        label = Label(f"run:{one.run}", "proposed", detail, one.reason or "", spans)
        self._add(one.concept, one.label, label)

    def hold(self, one: labels.InGold) -> None:
        spans = self._standing([(one.start, one.end, None)])
        label = Label(f"gold:{one.reference}", "in gold", _detail(one.assertion), "", spans)
        self._add(one.concept, one.label, label)

    def answer(self, one: Said) -> None:
        """An answer that names another concept than was proposed is said of both."""
        layer = RULINGS if one.action is Action.ADJUDICATE else f"curator:{one.curator}"
        note = one.note or ""
        if one.answer is None:
            self._add(
                one.concept, None, Label(layer, REFUSED.get(one.action, DONE[one.action]), (), note, ())
            )
            return
        given = Answer.from_json(one.answer)
        spans = self._standing((span.start, span.end, span.quote) for span in given.spans)
        detail = _detail(given.assertion, given.concept_class)
        if self._now(given.concept) == self._now(one.concept):
            self._add(one.concept, given.label, Label(layer, DONE[one.action], detail, note, spans))
            return
        self._add(one.concept, None, Label(layer, f"{DONE[one.action]} to {given.label}", (), note, ()))
        said = f"{DONE[one.action]} from {self._name(self._now(one.concept))}"
        self._add(given.concept, given.label, Label(layer, said, detail, note, spans))

    def rows(self, items: list[ItemRow]) -> list[Row]:
        """One a concept, in the order in which they stand in the text; those that stand nowhere come last."""
        item_of = {self._now(row.subject): row.id for row in items}
        found = [
            Row(concept, self._name(concept), item_of.get(concept), tuple(said))
            for concept, said in self._labels.items()
        ]
        return sorted(found, key=lambda row: (_first(row), row.name.casefold()))


def _first(row: Row) -> tuple[bool, int]:
    starts = [start for label in row.labels for start, _ in label.spans]
    return not starts, min(starts, default=0)


def _detail(
    assertion: str, concept_class: str | None = None, confidence: float | None = None
) -> tuple[str, ...]:
    found = [str(assertion)]
    if concept_class:
        found.append(concept_class.replace("_", " "))
    if confidence is not None:
        found.append(f"{band(confidence)} confidence")
    return tuple(found)


def _claims(found: list[tuple[str, Claim, OffsetMap | None]], text: str) -> Iterator[Row]:
    """Each claim once, whichever runs found it, where it stands in the document's own text."""
    seen: set[tuple[int, int]] = set()
    for _, claim, offsets in found:
        place = original_span(offsets, claim.start, claim.end) if offsets else (claim.start, claim.end)
        if place in seen or not 0 <= place[0] < place[1] <= len(text):
            continue
        seen.add(place)
        known = [] if claim.direction is Direction.UNCLEAR else [f"direction {claim.direction}"]
        detail = (*known, *(["negated"] if claim.negated else []))
        label = Label(CLAIMS, f"{claim.claim_type} claim", detail, "", (place,))
        yield Row(None, text[place[0] : place[1]], None, (label,))
