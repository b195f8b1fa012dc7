"""Concept labels as the desk serves them: the `Kind` of `core.review.desk`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from pydantic import Field, ValidationError

from core.errors import InputError
from core.kinds.concept import answer_of
from core.records import Action, Answer, Assertion, ConceptClass, NewDecision, Proposal, Span
from core.review.answers import CODES
from core.review.events import Said, Strict, new_decision, no_answer, not_as_shown, not_of_item
from core.review.index import Filters, Index, index_of
from core.review.terms import ontology_of, terms_of
from core.review.view import history as history
from core.review.view import passage_views
from core.review.walk import Ids, Show
from core.store import Workspace, corpora, documents, proposals, queue


class LookUp(Strict):
    """What the fix panel asks for. `id` comes back with the answer."""

    id: str = Field(max_length=100)
    kind: Literal["around", "search"]
    corpus: str
    concept: str = ""
    text: str = Field(default="", max_length=1000)
    final: bool = False
    """Whether rows that take longer are wanted, too: asked again after a first answer."""


def walk(workspace: Workspace) -> Index:
    return index_of(workspace)


def order(workspace: Workspace, walk: Index, filters: Filters, curator: str) -> Ids:
    if filters.show is Show.ADDED:
        return _added(workspace, walk, filters, curator)
    return walk.order(filters, lambda concept: _branch(workspace, filters.corpus, concept))


def _added(workspace: Workspace, walk: Index, filters: Filters, curator: str) -> Ids:
    """What this curator added, as answered; no run proposed it, nobody is more or less sure of it."""
    ids = np.flatnonzero(walk.answers.by(curator) == CODES[Action.ADD]).tolist()
    rows = documents.in_corpus(workspace, filters.corpus, ids)
    if filters.run is not None or filters.band is not None:
        return np.empty(0, np.int64)
    if filters.passage is not None:
        rows = [row for row in rows if row.passage_id == filters.passage]
    if filters.branch is not None:
        branch = _branch(workspace, filters.corpus, filters.branch)
        rows = [row for row in rows if row.subject in branch]
    if filters.concept_class is not None or filters.assertion is not None:
        said = queue.said_by(workspace, curator, [row.id for row in rows])
        answers = {one.item_id: one.answer for one in said if one.answer}
        wanted = {"class": filters.concept_class, "assertion": filters.assertion}
        rows = [
            row
            for row in rows
            if all(value in (None, answers.get(row.id, {}).get(name)) for name, value in wanted.items())
        ]
    return np.array([row.id for row in rows], np.int64)


def _branch(workspace: Workspace, corpus: str, concept: str) -> frozenset[str]:
    ontology = ontology_of(workspace, corpus)
    return terms_of(workspace, ontology).branch(concept) if ontology is not None else frozenset()


def visible(workspace: Workspace, items: Iterable[int], curator: str) -> set[int]:
    return queue.visible(workspace, items, curator)


def sheets(workspace: Workspace, items: list[int]) -> list[int]:
    """Items come with their passages."""
    rows = queue.items(workspace, items)
    return list(dict.fromkeys(rows[item].passage_id for item in items if item in rows))


def views(workspace: Workspace, curator: str, sheets: list[int]) -> list[dict[str, Any]]:
    return passage_views(workspace, curator, sheets)


def items_of(workspace: Workspace, passage: int) -> list[int]:
    return [row.id for row in queue.items_of_passages(workspace, [passage])]


def unclosed(workspace: Workspace, walk: Index, order: Ids, curator: str) -> list[int]:
    decided = walk.decided_passages(order, curator)
    closed = queue.closed_by(workspace, curator, list(decided))
    return [item for passage, item in decided.items() if passage not in closed]


def pace(workspace: Workspace, curator: str) -> list[int]:
    return queue.pace(workspace, curator)


def look(workspace: Workspace, asked: Any) -> dict[str, Any] | None:
    try:
        question = LookUp.model_validate(asked)
    except ValidationError:
        return None
    ontology = ontology_of(workspace, question.corpus)
    if ontology is None:
        return {"id": question.id, "rows": [], "ontology": None, "complete": True, "more": False}
    terms = terms_of(workspace, ontology)
    if question.kind == "around":
        rows = terms.around(workspace, question.concept, question.text)
        answer = {"rows": rows, "complete": True, "more": False}
    else:
        answer = terms.find(workspace, question.text, final=question.final)
    return {"id": question.id, "ontology": terms.row.reference, **answer}


# --- what is answered ------------------------------------------------------------------------------------


class AnswerSent(Strict):
    """Spans as (start, end) in code points; quotes and the label are taken from the store."""

    concept: str = Field(min_length=1, max_length=200)
    assertion: Assertion
    concept_class: ConceptClass = Field(alias="class")
    spans: tuple[tuple[int, int], ...] = ()


class Event(Said):
    answer: AnswerSent | None = None


def decision(workspace: Workspace, event: Event) -> NewDecision:
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
    if row is None or row.passage_id != event.passage or row.subject != event.concept:
        raise not_as_shown(event)
    known = {p.id: p for p in proposals.of_items(workspace, [event.item]).get(event.item, [])}
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
