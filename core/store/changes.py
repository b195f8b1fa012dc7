"""Changes of imported gold: who found a concept missing in an audit, who accepted the change, which hold.

Nothing is stored but decisions. A change is confirmed while one curator's `missing_gold` and another one's
`accept` both stand, so that taking either back takes the change back.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from core.kinds.concept import status
from core.kinds.error import spoken_of
from core.records import Action, Answer, Assertion, Curie, ErrorType, ItemKind
from core.store.judged import is_judgement, stands
from core.store.link import chain_head
from core.store.workspace import Workspace

IMPORTED, CORRECTED = "imported:", "corrected@"
SUPPORTS = (Assertion.AFFIRMED, Assertion.UNCERTAIN)
"""Statuses of gold by which a passage supports a concept."""


class Change(NamedTuple):
    """A concept that imported gold may lack in a passage."""

    passage_id: int
    gold: str
    """`imported:NAME@VERSION`"""
    concept: Curie


class Vote(NamedTuple):
    """What one curator's judgement says that holds on one item."""

    number: int
    action: Action
    error: ErrorType | None
    answer: Answer | None


Votes = dict[Change, dict[str, Vote]]
"""Change -> curator -> judgement."""


def imported_of(gold: str) -> str | None:
    """The imported gold that a pinned reference rests on; None for reviewed gold, which is changed by
    reviewing."""
    if gold.startswith(CORRECTED):
        return IMPORTED + gold.partition(":")[2]
    return gold if gold.startswith(IMPORTED) else None


def votes(workspace: Workspace, kind: ItemKind, number: int, *, passage_id: int | None = None) -> Votes:
    """Judgements that hold at a decision number on errors, or on gold changes, of imported gold.

    Args:
        passage_id: of this passage alone; None: of all.
    """
    # the shorter way leads from the few items of a passage, or from all decisions, which are fewer than items
    if passage_id is None:
        tables, within = "decisions d CROSS JOIN items i ON i.id = d.item_id", "i.kind = ?1"
    else:
        tables, within = (
            "items i CROSS JOIN decisions d ON d.item_id = i.id",
            "i.kind = ?1 AND i.passage_id = ?2",
        )
    found: Votes = {}
    for passage, subject, curator, at, action, payload in workspace.db.execute(
        "SELECT i.passage_id, i.subject, d.curator_id, d.number, d.action, d.payload"
        f" FROM {tables} WHERE {within} AND {is_judgement()} AND d.number <= ?3 AND {stands(upto='?3')}"
        " ORDER BY d.number",
        (kind.value, passage_id, number),
    ):
        gold, concept = spoken_of(subject)
        imported = imported_of(gold)
        if imported is None:
            continue
        said = json.loads(payload).get("answer")
        error = ErrorType(said["error"]) if said and kind is ItemKind.ERROR else None
        answer = Answer.from_json(said) if said and kind is ItemKind.GOLD_CHANGE else None
        vote = Vote(at, Action(action), error, answer)
        found.setdefault(Change(passage, imported, concept), {})[curator] = vote
    return found


def missing(workspace: Workspace, number: int, *, passage_id: int | None = None) -> dict[Change, set[str]]:
    """Change -> curators who say that gold lacks it, at a decision number."""
    found: dict[Change, set[str]] = {}
    for change, by in votes(workspace, ItemKind.ERROR, number, passage_id=passage_id).items():
        who = {curator for curator, vote in by.items() if vote.error is ErrorType.MISSING_GOLD}
        if who:
            found[change] = who
    return found


def changed_sets(workspace: Workspace) -> set[str]:
    """Imported gold, `imported:NAME@VERSION`, that confirmed changes are of now. Asks at first whether there
    is a change at all, since most workspaces hold none."""
    asked = "SELECT EXISTS (SELECT 1 FROM decisions WHERE action = 'classify_error')"
    if not workspace.db.execute(asked).fetchone()[0]:
        return set()
    return {change.gold for change in confirmed(workspace, chain_head(workspace)[0])}


def confirmed(workspace: Workspace, number: int, *, passage_id: int | None = None) -> dict[Change, Answer]:
    """Changes that hold at a decision number, with the answer of who accepted them last: somebody else than
    at least one of those who say that gold lacks the concept."""
    found: dict[Change, Answer] = {}
    asked = missing(workspace, number, passage_id=passage_id)
    for change, by in votes(workspace, ItemKind.GOLD_CHANGE, number, passage_id=passage_id).items():
        accepted = [
            (vote.number, vote.answer)
            for curator, vote in by.items()
            if vote.action is Action.ACCEPT and vote.answer and asked.get(change, set()) - {curator}
        ]
        if accepted:
            answer = max(accepted, key=lambda one: one[0])[1]
            if status(answer) is not None:
                found[change] = answer
    return found
