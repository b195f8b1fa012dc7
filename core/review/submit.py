"""From what a browser sends to decisions in the store.

The browser keeps each event until its client id comes back, so an event may arrive any number of times, late,
after a restart, or in another session. What is stored is told by the database alone. What cannot be stored is
refused with a sentence for the curator, and never holds up the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import InputError, NotFoundError
from core.records import (
    Action,
    Answer,
    Assertion,
    ConceptClass,
    Curie,
    NewDecision,
    Proposal,
    Span,
)
from core.review.terms import terms_of
from core.store import Workspace, corpora, decisions, queue, runs

Id = Annotated[int, Field(gt=0)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AnswerSent(Strict):
    """Spans as (start, end) in code points; quotes and the label are taken from the store."""

    concept: str = Field(min_length=1, max_length=200)
    assertion: Assertion
    concept_class: ConceptClass = Field(alias="class")
    spans: tuple[tuple[int, int], ...] = ()


class Event(Strict):
    """One thing a curator did. Item, passage and concept are all sent, so that an event from a screen that
    shows another workspace, or another state of this one, is noticed."""

    cid: str = Field(min_length=1, max_length=100)
    workspace: str
    curator: str
    action: Action
    passage: Id
    item: Id | None = None
    """None where a concept is added or the passage as a whole is meant."""
    concept: Curie | None = None
    shown: tuple[Id, ...] = ()
    proposal: Id | None = None
    """The one of `shown` that is accepted or fixed."""
    answer: AnswerSent | None = None
    note: str | None = Field(default=None, max_length=10_000)
    undoes: Id | None = None
    undoes_cid: str | None = None
    """Names the decision to undo where the browser does not know its number yet."""
    blind: bool = False
    ms: int | None = Field(default=None, ge=0)


@dataclass(slots=True)
class Submission:
    stored: dict[str, queue.Answering] = field(default_factory=dict)
    """Client ids that the database holds now, whenever they came."""
    refused: dict[str, str] = field(default_factory=dict)
    """Client id -> why nothing was stored."""


def identity(workspace: Workspace) -> str:
    """What events name the workspace by: another file, or this one before a restore, is not it."""
    key = workspace.key()
    return f"{key.uuid}.{key.restore_nonce}"


def submit(workspace: Workspace, sent: list[Any], *, curator: str) -> Submission:
    """Store what is new in `sent`, in its order.

    Raises:
        WorkspaceError: the store cannot be written (disk full...). Ask `stored_of` what is in it.
    """
    outcome = Submission()
    events = [event for raw in sent if (event := _parsed(raw, outcome)) is not None]
    known = queue.answering(workspace, (e.cid for e in events))
    waiting: list[NewDecision] = []
    here = identity(workspace)
    for event in events:
        if event.cid in known:
            continue
        try:
            if event.undoes_cid is not None:  # its number is only known once it is stored
                _store(workspace, waiting, outcome)
            waiting.append(_decision(workspace, event, here, curator))
        except (InputError, NotFoundError) as error:
            outcome.refused[event.cid] = str(error)
    _store(workspace, waiting, outcome)
    outcome.stored = stored_of(workspace, sent)
    return outcome


def stored_of(workspace: Workspace, sent: list[Any]) -> dict[str, queue.Answering]:
    """Client ids among these events that the database holds."""
    cids = [raw["cid"] for raw in sent if isinstance(raw, dict) and isinstance(raw.get("cid"), str)]
    return queue.answering(workspace, cids)


def _parsed(raw: Any, outcome: Submission) -> Event | None:
    try:
        return Event.model_validate(raw)
    except ValidationError as error:
        cid = raw.get("cid") if isinstance(raw, dict) else None
        if isinstance(cid, str):
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            outcome.refused[cid] = f"The page sent something unreadable ({where}). Reload it and decide anew."
        return None


def _store(workspace: Workspace, waiting: list[NewDecision], outcome: Submission) -> None:
    for done in decisions.append(workspace, waiting):
        if done.refused is not None:
            outcome.refused[done.client_id] = done.refused
    waiting.clear()


def _decision(workspace: Workspace, event: Event, here: str, curator: str) -> NewDecision:
    if event.workspace != here:
        raise InputError(
            "This was decided on a screen of another workspace, or of this one before a backup was restored. "
            "Nothing was stored; reload the page and decide anew."
        )
    if event.curator != curator:
        raise InputError(
            f"This was decided by {event.curator!r}, but the curator here is {curator!r}. Nothing was stored;"
            " choose the curator again and decide anew."
        )
    shown = _check_item(workspace, event)
    action, answer = event.action, None
    if action is Action.ACCEPT:
        answer = answer_of(_chosen(event, shown))
    elif action in (Action.FIX, Action.ADD):
        answer = _given(workspace, event, shown)
        if action is Action.FIX and shown and answer == answer_of(_chosen(event, shown)):
            action = Action.ACCEPT  # nothing was changed after all
    return NewDecision(
        client_id=event.cid,
        curator=curator,
        action=action,
        item_id=event.item,
        passage_id=None if event.item else event.passage,
        concept=None if event.item else event.concept,
        shown=() if event.blind else event.shown,
        answer=answer,
        note=event.note,
        undoes=_undone(workspace, event),
        blind=event.blind,
        milliseconds=event.ms,
    )


def _check_item(workspace: Workspace, event: Event) -> dict[int, Proposal]:
    """The proposals shown, by id, after checking that item, passage and concept belong together."""
    if event.item is None:
        return {}
    row = queue.items(workspace, [event.item]).get(event.item)
    if event.action in (Action.CLOSE, Action.REOPEN, Action.UNDO) and row is None:
        return {}  # of a passage; the store checks it
    if row is None or row.passage_id != event.passage or row.concept != event.concept:
        raise InputError(
            f"Item {event.item} is not what the screen showed. Nothing was stored; reload the page."
        )
    known = {p.id: p for p in runs.proposals_of_items(workspace, [event.item]).get(event.item, [])}
    return {i: known[i] for i in event.shown if i in known}


def _chosen(event: Event, shown: dict[int, Proposal]) -> Proposal:
    if event.proposal is None or event.proposal not in shown:
        raise InputError(
            f"The proposal on the screen does not belong to item {event.item}. Nothing was stored; reload the"
            " page."
        )
    return shown[event.proposal]


def answer_of(proposal: Proposal) -> Answer:
    """What accepting a proposal says: its fields, and its evidence as far as it stands in the text."""
    spans = {
        (e.start, e.end): Span(e.start, e.end, e.quote)
        for e in proposal.evidence
        if e.grounded and e.start is not None and e.end is not None
    }
    return Answer(
        proposal.concept,
        proposal.label,
        proposal.assertion,
        proposal.concept_class,
        tuple(spans[key] for key in sorted(spans)),
    )


def _given(workspace: Workspace, event: Event, shown: dict[int, Proposal]) -> Answer:
    sent = event.answer
    if sent is None:
        raise InputError(f"'{event.action}' came without the answer it gives. Reload the page.")
    passage = corpora.passage(workspace, event.passage)
    spans = []
    for start, end in sorted(set(sent.spans)):
        if not 0 <= start < end <= len(passage.text):
            raise InputError(f"The evidence {start}-{end} lies outside the passage. Mark it again.")
        spans.append(Span(start, end, passage.text[start:end]))
    label = next((p.label for p in shown.values() if p.concept == sent.concept), None)
    if label is None:
        ontology = ontology_of(workspace, passage.corpus)
        names = terms_of(workspace, ontology).names if ontology is not None else {}
        if sent.concept not in names:
            raise InputError(f"The ontology of this corpus holds no concept {sent.concept}. Choose another.")
        label = names[sent.concept]
    return Answer(sent.concept, label, sent.assertion, sent.concept_class, tuple(spans))


def _undone(workspace: Workspace, event: Event) -> int | None:
    if event.action is not Action.UNDO:
        return None
    number = event.undoes
    if number is None and event.undoes_cid is not None:
        found = queue.answering(workspace, [event.undoes_cid]).get(event.undoes_cid)
        number = found.number if found else None
    if number is None:
        raise InputError("The decision to undo was not stored, so there is nothing to undo.")
    if event.item is not None and queue.item_of(workspace, number) != event.item:
        raise InputError(f"Decision {number} is not about item {event.item}. Nothing was undone.")
    return number


def ontology_of(workspace: Workspace, corpus: str) -> int | None:
    """Ontology to choose from in a corpus: that of its newest run, else the one added last, else None."""
    of_runs = [r.ontology_id for r in queue.run_names(workspace) if r.corpus == corpus and r.ontology_id]
    if of_runs:
        return of_runs[-1]
    return queue.newest_ontology(workspace)


__all__ = ["Event", "Submission", "answer_of", "identity", "ontology_of", "stored_of", "submit"]
