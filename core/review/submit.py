"""From what a browser sends to decisions in the store; what concept labels add to it.

The browser keeps each event until its client id comes back, so an event may arrive any number of times, late,
after a restart, or in another session. What is stored is told by the database alone. What cannot be stored is
refused with a sentence for the curator, and never holds up the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import Field, ValidationError

from core.errors import InputError, NotFoundError
from core.kinds.concept import answer_of
from core.records import (
    Action,
    Answer,
    Assertion,
    ConceptClass,
    NewDecision,
    Proposal,
    Span,
)
from core.review.events import (
    Said,
    Strict,
    Submission,
    check_origin,
    identity,
    new_decision,
    no_answer,
    not_as_shown,
    not_of_item,
    stored_of,
)
from core.review.pairs import submit as pairs
from core.review.terms import terms_of
from core.store import Workspace, corpora, decisions, queue, runs


class AnswerSent(Strict):
    """Spans as (start, end) in code points; quotes and the label are taken from the store."""

    concept: str = Field(min_length=1, max_length=200)
    assertion: Assertion
    concept_class: ConceptClass = Field(alias="class")
    spans: tuple[tuple[int, int], ...] = ()


class Event(Said):
    answer: AnswerSent | None = None


KINDS: dict[str, tuple[type[Said], Callable[[Workspace, Any], NewDecision]]] = {
    "concept": (Event, lambda workspace, event: _decision(workspace, event)),
    "pair": (pairs.Event, pairs.decision),
}
"""Kind of item -> (form of its events, how one becomes a decision). Any page takes events of every kind:
what one page could not send before it was left, the next one sends."""


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
            check_origin(event, here, curator)
            waiting.append(KINDS[event.kind][1](workspace, event))
        except (InputError, NotFoundError) as error:
            outcome.refused[event.cid] = str(error)
    _store(workspace, waiting, outcome)
    outcome.stored = stored_of(workspace, sent)
    return outcome


def _parsed(raw: Any, outcome: Submission) -> Said | None:
    kind = raw.get("kind", "concept") if isinstance(raw, dict) else None
    form = KINDS[kind][0] if isinstance(kind, str) and kind in KINDS else Event
    try:
        return form.model_validate(raw)
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


def _decision(workspace: Workspace, event: Event) -> NewDecision:
    shown = _check_item(workspace, event)
    action, answer = event.action, None
    if action is Action.ACCEPT:
        answer = answer_of(_chosen(event, shown))
    elif action in (Action.FIX, Action.ADD):
        answer = _given(workspace, event, shown)
        if action is Action.FIX and shown and answer == answer_of(_chosen(event, shown)):
            action = Action.ACCEPT  # nothing was changed after all
    return new_decision(workspace, event, action, answer)


def _check_item(workspace: Workspace, event: Event) -> dict[int, Proposal]:
    """The proposals shown, by id, after checking that item, passage and concept belong together."""
    if event.item is None:
        return {}
    row = queue.items(workspace, [event.item]).get(event.item)
    if event.action in (Action.CLOSE, Action.REOPEN, Action.UNDO) and row is None:
        return {}  # of a passage; the store checks it
    if row is None or row.passage_id != event.passage or row.concept != event.concept:
        raise not_as_shown(event)
    known = {p.id: p for p in runs.proposals_of_items(workspace, [event.item]).get(event.item, [])}
    return {i: known[i] for i in event.shown if i in known}


def _chosen(event: Event, shown: dict[int, Proposal]) -> Proposal:
    if event.proposal is None or event.proposal not in shown:
        raise not_of_item(event)
    return shown[event.proposal]


def _given(workspace: Workspace, event: Event, shown: dict[int, Proposal]) -> Answer:
    sent = event.answer
    if sent is None:
        raise no_answer(event)
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


def ontology_of(workspace: Workspace, corpus: str) -> int | None:
    """Ontology to choose from in a corpus: that of its newest run, else the one added last, else None."""
    of_runs = [r.ontology_id for r in queue.run_names(workspace) if r.corpus == corpus and r.ontology_id]
    if of_runs:
        return of_runs[-1]
    return queue.newest_ontology(workspace)


__all__ = ["Event", "Submission", "identity", "ontology_of", "stored_of", "submit"]
