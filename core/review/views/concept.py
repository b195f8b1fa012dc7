"""Concept labels on the desk: passages with their items, proposals and this curator's own answers.

Blindness: nothing here ever holds another curator's answer, nor an item that only another curator added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, TypeAdapter, ValidationError

from core.errors import InputError
from core.kinds.concept import answer_of
from core.records import (
    JUDGEMENTS,
    Action,
    Answer,
    Assertion,
    ConceptClass,
    Decision,
    ItemKind,
    Proposal,
    Span,
)
from core.review import muted
from core.review.alike import Asked, alike
from core.review.answers import CODES
from core.review.events import Question, Said, Strict, no_answer
from core.review.lists import Passages
from core.review.terms import ontology_of, terms_of
from core.review.views.blind import BlindView
from core.review.views.passages import passage_views
from core.review.views.view import asked_again
from core.review.walks.concept import Filters, Index, index_of
from core.review.walks.walk import Ids, Show
from core.store import Workspace, corpora, documents, proposals, queue
from core.store.blind import decoys_among, unlisted_among, wholes
from core.store.queue import ItemRow
from core.store.repeats import originals


class LookUp(Question):
    """What the fix panel asks for."""

    kind: Literal["around", "search"]
    corpus: str
    text: str = Field(default="", max_length=1000)


QUESTION: TypeAdapter[LookUp | Asked] = TypeAdapter(LookUp | Asked)


class AnswerSent(Strict):
    """Spans as (start, end) in code points; quotes and the label are taken from the store."""

    concept: str = Field(min_length=1, max_length=200)
    assertion: Assertion
    concept_class: ConceptClass = Field(alias="class")
    spans: tuple[tuple[int, int], ...] = ()


class Event(Said):
    answer: AnswerSent | None = None


class ConceptView(BlindView):
    kind: ClassVar[str] = ItemKind.CONCEPT
    told: ClassVar[tuple[str, ...]] = (ItemKind.CONCEPT, ItemKind.PASSAGE, ItemKind.CONCEPT_REPEAT)
    Event: ClassVar[type[Said]] = Event
    adds: ClassVar[bool] = True
    accepts: ClassVar[bool] = True
    guided: ClassVar[bool] = True

    def walk(self, workspace: Workspace) -> Index:
        return index_of(workspace)

    def order(self, workspace: Workspace, walk: Index, filters: Filters, curator: str) -> Ids:
        found = self._order(workspace, walk, filters, curator)
        return muted.without(workspace, walk, found, filters, curator)

    def silenced(self, workspace: Workspace, walk: Index, filters: Filters, curator: str) -> int:
        asked = workspace, walk, filters, curator
        return len(self._order(*asked)) - len(self.order(*asked))

    def muted(
        self,
        workspace: Workspace,
        walk: Index,
        order: Ids,
        sheets: Sequence[int],
        curator: str,
        history: Sequence[dict[str, Any]],
    ) -> dict[str, Any]:
        return muted.told(workspace, walk, order, sheets, curator, next(iter(history), None))

    def _order(self, workspace: Workspace, walk: Index, filters: Filters, curator: str) -> Ids:
        if filters.show is Show.ADDED:
            return _added(workspace, walk, filters, curator)

        def branch(concept: str) -> frozenset[str]:
            return _branch(workspace, filters.corpus, concept)

        with walk.lock:
            unlisted = sorted(walk.unseen.unlisted(workspace, curator, filters.corpus))
        if (filters.band, filters.concept_class, filters.assertion) == (None, None, None):
            within = branch(filters.branch) if filters.branch is not None else None
            beside = walk.decoys(workspace, filters.corpus)
            if within is not None:
                beside = tuple(one for one in beside if one.concept in within)
            asked = [p for p in unlisted if within is None and filters.passage in (None, p)]
            if not walk.varies(filters):  # else its items may lack more answers than filters say
                closed = queue.closed_by_others(workspace, curator, asked)
                asked = [p for p in asked if closed.get(p, 0) < filters.answers]
            stand = tuple(sorted(walk.unseen.wholes(workspace, asked).items()))
            return walk.order(filters, branch, beside, tuple(unlisted), stand)
        found = walk.order(filters, branch, without=tuple(unlisted))
        return self.without_blind(workspace, found, curator)

    def passages(
        self, workspace: Workspace, walk: Index, passages: Sequence[int], corpus: str, curator: str
    ) -> Passages:
        here = documents.passages_among(workspace, corpus, passages)
        asked = [passage for passage in dict.fromkeys(passages) if passage in here]
        whole = wholes(workspace, asked)
        unlisted = unlisted_among(workspace, curator, asked)
        closed = queue.closed_by(workspace, curator, asked)
        rows = queue.items_of_passages(workspace, [passage for passage in asked if passage not in unlisted])
        inside = {row.id: row.passage_id for row in rows}
        seen = self.visible(workspace, inside, curator)
        said = {one.item_id for one in queue.said_by(workspace, curator, [*seen]) if one.action in JUDGEMENTS}
        found: dict[int, list[int]] = {passage: [] for passage in asked}
        for item in walk.inside(seen, walk.decoys(workspace, corpus)).tolist():
            if item not in said:
                found[inside[item]].append(item)
        for passage in asked:
            if passage in whole and passage not in closed:
                found[passage].append(whole[passage])
        shown = {p: rest for p, rest in found.items() if rest or p in closed}
        return Passages(shown, whole, len(passages) - len(shown))

    def items_of(self, workspace: Workspace, passage: int) -> list[int]:
        kinds = (ItemKind.CONCEPT, ItemKind.PASSAGE)
        return [row.id for kind in kinds for row in queue.items_of_passages(workspace, [passage], kind)]

    def visible(self, workspace: Workspace, items: Iterable[int], curator: str) -> set[int]:
        asked = list(items)
        found = super().visible(workspace, asked, curator) | decoys_among(workspace, asked)
        return found | queue.items(workspace, asked, ItemKind.PASSAGE).keys()

    def instead(self, workspace: Workspace, items: Iterable[int], order: Ids, curator: str) -> list[int]:
        """A passage that is unlisted as a whole, whichever of its items is asked for. For any other passage
        as a whole its items that are open to this curator, else one of them, if there is one."""
        asked = list(items)
        whole = queue.items(workspace, asked, ItemKind.PASSAGE)
        rows = self.rows(workspace, asked) | whole
        unlisted = unlisted_among(workspace, curator, {row.passage_id for row in rows.values()})
        stand = wholes(workspace, unlisted)
        found: list[int] = []
        for item in asked:
            passage = rows[item].passage_id if item in rows else None
            if passage in unlisted:
                found += [stand[passage]] if passage in stand else []
            elif passage is None or item not in whole:
                found.append(item)
            else:
                found += self._opened(workspace, passage, order, curator) or [item]
        return list(dict.fromkeys(found))

    def _opened(self, workspace: Workspace, passage: int, order: Ids, curator: str) -> list[int]:
        inside = [row.id for row in queue.items_of_passages(workspace, [passage])]
        held = self.visible(workspace, inside, curator)
        said = {one.item_id for one in queue.said_by(workspace, curator, inside) if one.action in JUDGEMENTS}
        queued = order[np.isin(order, list(held - said))].tolist()
        return queued or sorted(held)[:1]

    def unclosed(self, workspace: Workspace, walk: Index, order: Ids, curator: str) -> list[int]:
        decided = walk.decided_passages(order, curator)
        closed = queue.closed_by(workspace, curator, list(decided))
        return [item for passage, item in decided.items() if passage not in closed]

    def sheets(self, workspace: Workspace, items: list[int]) -> list[int]:
        """Items come with their passages; one that is asked again, in a sheet of its own, under its id below
        zero."""
        rows, again = self.rows(workspace, items), originals(workspace.db, items)
        rows |= queue.items(workspace, items, ItemKind.PASSAGE)
        return list(
            dict.fromkeys(-item if item in again else rows[item].passage_id for item in items if item in rows)
        )

    def views(self, workspace: Workspace, curator: str, sheets: list[int]) -> list[dict[str, Any]]:
        again = originals(workspace.db, [-sheet for sheet in sheets if sheet < 0])
        rows = self.rows(workspace, again)
        passage = {s: s if s > 0 else rows[-s].passage_id for s in sheets}
        views = passage_views(workspace, curator, list(dict.fromkeys(passage.values())))
        found = {one["id"]: one for one in views}
        return [
            one if s > 0 else asked_again(workspace, curator, one, s, again[-s], -s)
            for s, one in ((s, found[passage[s]]) for s in sheets)
        ]

    def look(
        self, workspace: Workspace, asked: Any, walk: Any, filters: Any, order: Ids, curator: str
    ) -> dict[str, Any] | None:
        try:
            question = QUESTION.validate_python(asked)
        except ValidationError:
            return None
        if isinstance(question, Asked):
            found = alike(workspace, walk, filters, order, int(question.text), curator)
            return {"id": question.id, "complete": True, "more": False, **found}
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

    def named(self, workspace: Workspace, last: list[Decision]) -> dict[int, str]:
        return {d.item_id: corpora.passage(workspace, d.passage_id).doc_id for d in last}

    def said(self, decision: Decision, held: list[Proposal]) -> dict[str, Any]:
        """The concept's name, and class and status where the decision gives them."""
        if decision.action in (Action.CLOSE, Action.REOPEN):
            return {"label": "passage", "answer": None}
        if isinstance(answer := decision.answer, Answer):
            said = {"class": answer.concept_class.value, "assertion": answer.assertion.value}
            return {"label": answer.label, "answer": said}
        return {"label": held[-1].label if held else "", "answer": None}

    def is_blind(self, workspace: Workspace, event: Any) -> bool:
        """An addition, or the end of a list, says itself that it was: else it was given before the frame was
        opened."""
        if event.item is not None:
            return super().is_blind(workspace, event)
        listing = event.blind and event.action in (Action.ADD, Action.REOPEN)
        return listing and bool(unlisted_among(workspace, event.curator, [event.passage]))

    def proposed(self, workspace: Workspace, chosen: Proposal) -> Answer:
        return answer_of(chosen)

    def given(
        self, workspace: Workspace, event: Any, row: ItemRow | None, shown: Mapping[int, Proposal]
    ) -> Answer:
        sent = event.answer
        if sent is None:
            raise no_answer(event)
        passage = corpora.passage(workspace, event.passage)
        spans = []
        for start, end in sorted(set(sent.spans)):
            if not 0 <= start < end <= len(passage.text):
                raise InputError(f"The evidence {start}-{end} lies outside the passage. Mark it again.")
            spans.append(Span(start, end, passage.text[start:end]))
        held = self.held(workspace, [row.id]).get(row.id, []) if row and event.blind else shown.values()
        label = next((p.label for p in held if p.concept == sent.concept), None)
        if label is None:
            ontology = ontology_of(workspace, passage.corpus)
            if ontology is not None:
                label = terms_of(workspace, ontology).names.get(sent.concept)
            elif event.blind:
                label = proposals.label_of(workspace, sent.concept)
            if label is None:
                raise InputError(
                    f"The ontology of this corpus holds no concept {sent.concept}. Choose another."
                )
        return Answer(sent.concept, label, sent.assertion, sent.concept_class, tuple(spans))


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
