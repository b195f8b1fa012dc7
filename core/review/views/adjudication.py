"""What curators disagree on, as an adjudicator sees it: differences only, and nobody's name.

Whoever adjudicates sees answers of others, which nobody else may before giving one: this view alone shows
them. A ruling is one answer of theirs, or a field from each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field

from core.conflicts.guide import AXES, TYPES
from core.errors import InputError
from core.kinds import kind_of
from core.kinds.pair import NONE
from core.records import Action, Answer, Axis, Cause, ConflictType, Decision, ItemKind, NewDecision, Passage
from core.review.disputes import PRESENT, YES, Dispute, State, Voice, ruled
from core.review.events import Said, new_decision, not_as_shown
from core.review.terms import ontology_of, terms_of
from core.review.views.concept import ConceptView
from core.review.views.pair import PairView
from core.review.views.view import View, own_words
from core.review.walks.adjudication import AdjudicationFilters, Bench, bench_of
from core.review.walks.walk import Ids
from core.store import Workspace, corpora, pairs, queue
from core.store.queue import ItemRow
from core.text.addressing import addresses_reader

FAST = 2000
"""Milliseconds: who answered sooner is marked, for the adjudicator alone."""
FIELDS = {
    PRESENT: "Does it stand?",
    "concept": "Concept",
    "assertion": "Status",
    "class": "Class",
    "conflict_type": "Conflict type",
    "comparable": "Comparable",
    "axes": "Divergence axes",
    "confounder": "Dominant confounder",
}
KINDS = (ConceptView(), PairView())
"""Views of the kinds whose items are adjudicated."""


class Event(Said):
    """A ruling: `chosen` names the value of each field in which curators differ."""

    kind: str = AdjudicationFilters.kind
    chosen: dict[str, str] = Field(default={}, max_length=len(FIELDS))
    heard: int = 0
    """Number of the last decision among the answers on the screen."""
    cause: Cause | None = None
    update_guideline: bool = False


class AdjudicationView(View):
    kind: ClassVar[str] = AdjudicationFilters.kind
    told: ClassVar[tuple[str, ...]] = tuple(view.kind for view in KINDS)
    rules: ClassVar[bool] = True
    Event: ClassVar[type[Said]] = Event

    # --- which ones ---------------------------------------------------------------------------------------

    def walk(self, workspace: Workspace) -> Bench:
        return bench_of(workspace)

    def order(self, workspace: Workspace, walk: Bench, filters: AdjudicationFilters, curator: str) -> Ids:
        return walk.order_of(workspace, filters)

    def items_of(self, workspace: Workspace, passage: int) -> list[int]:
        return [item for view in KINDS for item in view.items_of(workspace, passage)]

    def visible(self, workspace: Workspace, items: Iterable[int], curator: str) -> set[int]:
        """Those on which curators differ, or somebody has ruled."""
        found = self._disputes(workspace, self._rows(workspace, items))
        return {
            item for item, one in found.items() if one.unruled is State.DISAGREE or one.ruling is not None
        }

    def pace(self, workspace: Workspace, curator: str) -> list[int]:
        return queue.pace(workspace, curator, kinds=self.told, actions=(Action.ADJUDICATE,))

    # --- what is shown ------------------------------------------------------------------------------------

    def sheets(self, workspace: Workspace, items: list[int]) -> list[int]:
        """Only what may be seen, since each holds what others answered."""
        seen = self.visible(workspace, items, "")
        return list(dict.fromkeys(item for item in items if item in seen))

    def views(self, workspace: Workspace, curator: str, sheets: list[int]) -> list[dict[str, Any]]:
        rows = self._rows(workspace, sheets)
        found = self._disputes(workspace, rows)
        mine = own_words(workspace, curator, list(found))
        return [
            _sheet(
                workspace, rows[item], found[item], self._worst(workspace, found[item]), mine.get(item, [])
            )
            for item in sheets
            if item in found
        ]

    def held(self, workspace: Workspace, items: list[int]) -> dict[int, list[Any]]:
        return {}

    def named(self, workspace: Workspace, last: list[Decision]) -> dict[int, str]:
        found: dict[int, str] = {}
        for view in KINDS:
            found |= view.named(workspace, [d for d in last if d.kind == view.kind])
        return found

    def said(self, decision: Decision, held: list[Any]) -> dict[str, Any]:
        view = next(view for view in KINDS if view.kind == decision.kind)
        if decision.answer is None:
            return {"label": f"Does not stand: {decision.subject}"}
        return {"label": view.said(decision, [])["label"]}

    # --- what is answered ---------------------------------------------------------------------------------

    def decision(self, workspace: Workspace, event: Any) -> NewDecision:
        rows = self._rows(workspace, [event.item] if event.item else [])
        row = rows.get(event.item or 0)
        if row is None or row.passage_id != event.passage or row.subject != event.concept:
            raise not_as_shown(event)
        if event.action is not Action.ADJUDICATE:
            return new_decision(workspace, event, event.action, None)
        dispute = self._disputes(workspace, rows)[row.id]
        if _heard(dispute) != event.heard:
            raise InputError(
                "Somebody answered this item after it was shown here. Nothing was stored; look at it again."
            )
        made = new_decision(workspace, event, Action.ADJUDICATE, ruled(dispute, event.chosen))
        return replace(made, shown=(), cause=event.cause, update_guideline=event.update_guideline)

    def proposed(self, workspace: Workspace, chosen: Any) -> Any:
        raise TypeError(f"Nothing is proposed to an adjudicator: {chosen!r}")

    def given(self, workspace: Workspace, event: Any, row: ItemRow | None, shown: Mapping[int, Any]) -> Any:
        raise TypeError("A ruling is made of what curators answered.")

    # --- reading ------------------------------------------------------------------------------------------

    def _rows(self, workspace: Workspace, items: Iterable[int]) -> dict[int, ItemRow]:
        wanted = list(items)
        return {
            item: row for view in KINDS for item, row in queue.items(workspace, wanted, view.kind).items()
        }

    def _worst(self, workspace: Workspace, dispute: Dispute) -> list[str]:
        """Fields, the one with the least agreement in the corpus first."""
        corpus = corpora.passage(workspace, dispute.passage).corpus
        return self.walk(workspace).disputes(workspace, corpus, dispute.kind).fields

    def _disputes(self, workspace: Workspace, rows: Mapping[int, ItemRow]) -> dict[int, Dispute]:
        bench, found = self.walk(workspace), {}
        for item, row in rows.items():
            corpus = corpora.passage(workspace, row.passage_id).corpus
            held = bench.disputes(workspace, corpus, kind_of(row.subject).name)
            if (one := held.of(item)) is not None:
                found[item] = one
        return found


# --- one item as plain JSON -------------------------------------------------------------------------------


def _heard(dispute: Dispute) -> int:
    return max(voice.number for voice in dispute.voices)


def _sheet(
    workspace: Workspace, row: ItemRow, dispute: Dispute, fields: list[str], mine: list[dict[str, Any]]
) -> dict[str, Any]:
    passage = corpora.passage(workspace, row.passage_id)
    answers = sorted(dispute.answers, key=lambda one: _shuffled(row.id, one[0]))  # nobody's place tells who
    names = _names(workspace, passage, dispute)
    unsure = sum(voice.says is None for voice in dispute.voices)
    texts = _texts(workspace, row, passage, answers)
    said = {"item": row.id, "passage": row.passage_id, "concept": row.subject}
    return {
        "id": row.id,
        "doc": " / ".join(text["doc"] for text in texts),
        "corpus": passage.corpus,
        "texts": texts,
        "items": [
            {
                **said,
                "id": row.id,
                "sheet": row.id,
                "of": dispute.kind,
                "label": _label(dispute, names),
                "proposals": [],
                "mine": [one for one in mine if one["action"] in (Action.ADJUDICATE, Action.NOTE)],
                "state": dispute.state.value,
                "why": _why(dispute, unsure),
                "heard": _heard(dispute),
                "answers": [_answer(*one, names) for one in answers],
                "unsure": [voice.note or "" for voice in dispute.voices if voice.says is None],
                "fields": [
                    {"name": name, "heading": FIELDS[name], "options": _options(name, answers, names)}
                    for name in sorted(dispute.differing, key=fields.index)
                ],
            }
        ],
    }


Given = list[tuple[dict[str, str], list[Voice]]]
"""Answers with those who give them."""


def _shuffled(item: int, says: dict[str, str]) -> str:
    return hashlib.sha256(f"{item} {sorted(says.items())}".encode()).hexdigest()


def _answer(says: dict[str, str], voices: list[Voice], names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "says": says,
        "words": {name: _word(name, value, names) for name, value in says.items()},
        "count": len(voices),
        "notes": [voice.note for voice in voices if voice.note],
        "fast": sum(voice.milliseconds is not None and voice.milliseconds < FAST for voice in voices),
        "reconciliation": [text for voice in voices if (text := getattr(voice.answer, "reconciliation", ""))],
    }


def _options(name: str, answers: Given, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Each value once, with the places of the answers that give it."""
    values = list(dict.fromkeys(says[name] for says, _ in answers if name in says))
    return [
        {
            "value": value,
            "name": _word(name, value, names),
            "answers": [at for at, (says, _) in enumerate(answers) if says.get(name) == value],
        }
        for value in values
    ]


def _word(name: str, value: str, names: Mapping[str, str]) -> str:
    if name == PRESENT:
        return "It stands" if value == YES else "It does not stand"
    if name == "concept":
        return f"{names.get(value, value)} ({value})" if value in names else value
    if name == "conflict_type":
        return TYPES[ConflictType(value)].name
    if name in ("axes", "confounder") and value != NONE:
        return ", ".join(AXES[Axis(one)].name for one in value.split(", "))
    return value.replace("_", " ")


def _names(workspace: Workspace, passage: Passage, dispute: Dispute) -> dict[str, str]:
    """Concept -> name, of all that are named."""
    said = (voice.answer for voice in dispute.voices if isinstance(voice.answer, Answer))
    told = {dispute.subject: dispute.subject} | {answer.concept: answer.label for answer in said}
    ontology = ontology_of(workspace, passage.corpus)
    known = terms_of(workspace, ontology).names if ontology is not None else {}
    return {concept: known.get(concept, label) for concept, label in told.items()}


def _label(dispute: Dispute, names: Mapping[str, str]) -> str:
    return names.get(dispute.subject, dispute.subject) if dispute.kind == ItemKind.CONCEPT else "Claim pair"


def _why(dispute: Dispute, unsure: int) -> str:
    n = len(dispute.voices)
    most = max((len(by) for _, by in dispute.answers), default=0)
    said = f"{most} of {n} curators agree." if most > 1 else f"{n} curators, {len(dispute.answers)} answers."
    return f"{said} {unsure} unsure." if unsure else said


def _texts(workspace: Workspace, row: ItemRow, passage: Passage, answers: Given) -> list[dict[str, Any]]:
    """The texts that are judged, with the evidence of each answer: `[start, end, place of the answer]`."""

    def marks(field: str) -> list[list[int]]:
        return [
            [span.start, span.end, at]
            for at, (_, by) in enumerate(answers)
            for voice in by
            for span in getattr(voice.answer, field, ())
        ]

    if kind_of(row.subject).name != ItemKind.PAIR:
        return [_text(passage.doc_id, passage.title, passage.text, marks("spans"))]
    pair = pairs.pairs_of_items(workspace, [row.id])[row.id][-1][1]
    [task] = pairs.tasks(workspace, [pair])
    return [
        _text(claim.article_uid, side.title, side.text, marks(field), (claim.start, claim.end))
        for claim, side, field in ((pair.a, task.a, "spans_a"), (pair.b, task.b, "spans_b"))
    ]


def _text(
    doc: str, title: str | None, text: str, marks: list[list[int]], claim: tuple[int, int] | None = None
) -> dict[str, Any]:
    return {
        "doc": doc,
        "title": title,
        "text": text,
        "addresses": addresses_reader(text),
        "marks": marks,
        "claim": claim,
    }
