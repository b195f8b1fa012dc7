"""What people settled about items that stand alone, as a query over decisions, whatever the kind. (Gold of
concepts, where an answer may name another concept and a closed passage says that the rest is absent: `gold`.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from core.kinds import KINDS
from core.records import JUDGEMENTS, Action, Decision
from core.store.decisions import pinned, standing
from core.store.gold import parse_reviewed
from core.store.workspace import Workspace

ANY = "any"
"""Policy: whoever answered, one curator or more, provided that all who did agree."""


@dataclass(slots=True)
class Settled:
    """What decisions up to one number say about the items of a kind in a corpus, under one policy. Items by
    their subject; one that nobody looked at is in none of the sets."""

    number: int
    policy: str
    answers: dict[str, Any] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    """Judged not to be usable: a pair leaves a release."""
    disputed: set[str] = field(default_factory=set)
    """Curators differ, or too few have answered for the policy."""
    unsure: set[str] = field(default_factory=set)
    curators: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Who has answered each item, sorted; also those whose answer the policy leaves out."""
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def reference(self) -> str:
        """Pinned to its decision number."""
        return f"reviewed@{self.number}:{self.policy}"


def settled(
    workspace: Workspace, corpus: str, kind: str, policy: str = ANY, number: int | None = None
) -> Settled:
    """What decisions up to `number` (None: all) say about the items of a kind in a corpus.

    Args:
        policy: `curator=ID`: that curator's answers; `agreed`: at least two curators answered alike;
            `adjudicated`: the adjudication where there is one, else what was agreed; `any`: see `ANY`.

    Raises:
        NotFoundError: no such decision or curator.
    """
    found = Settled(pinned(workspace, policy, number), policy)
    states, rulings = _standing(workspace, corpus, kind, found)
    for subject, by in states.items():
        found.curators[subject] = tuple(sorted(by))
        ruling = rulings.get(subject) if policy in ("adjudicated", ANY) else None
        if ruling is not None:
            answers = [ruling]
        elif policy.startswith("curator="):
            answers = [d for who, d in by.items() if policy == f"curator={who}"]
        else:
            answers = list(by.values())
        if ruling is None and policy in ("agreed", "adjudicated") and len(by) < 2:
            found.disputed.add(subject)
        else:
            _settle(found, subject, answers, KINDS[kind].said)
    return found


def by_reference(workspace: Workspace, corpus: str, kind: str, reference: str | None = None) -> Settled:
    """The same for `reviewed@NUMBER:POLICY`; None: `reviewed@now:any`.

    Raises:
        InputError: no such form of reference.
        NotFoundError: no such decision or curator.
    """
    given, _, policy = (reference or f"reviewed@now:{ANY}").rpartition(":")
    number, known = parse_reviewed(f"{given}:agreed" if policy == ANY else f"{given}:{policy}")
    return settled(workspace, corpus, kind, ANY if policy == ANY else known, number)


def _settle(found: Settled, subject: str, answers: list[Decision], said: Callable[[Any], object]) -> None:
    """Alike answers settle an item; the last of them speaks, since it is the one that saw most."""
    if not answers:
        return
    last = max(answers, key=lambda d: d.number)
    if all(d.action is Action.UNSURE for d in answers):
        found.unsure.add(subject)
    elif any(d.action is Action.UNSURE for d in answers):
        found.disputed.add(subject)
    elif all(d.action is Action.REJECT or _is_empty_ruling(d) for d in answers):
        found.rejected.add(subject)
    elif all(d.answer is not None for d in answers) and len({said(d.answer) for d in answers}) == 1:
        found.answers[subject] = last.answer
    else:
        found.disputed.add(subject)


def _is_empty_ruling(d: Decision) -> bool:
    """An adjudication without an answer says that the item is not usable."""
    return d.action is Action.ADJUDICATE and d.answer is None


def _standing(
    workspace: Workspace, corpus: str, kind: str, found: Settled
) -> tuple[dict[str, dict[str, Decision]], dict[str, Decision]]:
    """Subject -> curator -> the judgement that holds; subject -> the last adjudication."""
    here = {
        row[0]
        for row in workspace.db.execute(
            "SELECT i.id FROM items i JOIN passages p ON p.id = i.passage_id JOIN corpora c"
            " ON c.id = p.corpus_id WHERE i.kind = ? AND c.name = ?",
            (kind, corpus),
        )
    }
    states: dict[str, dict[str, Decision]] = {}
    rulings: dict[str, Decision] = {}
    for d in standing(workspace, found.number):
        if d.item_id not in here or d.subject is None:
            continue
        if d.note:
            found.notes[d.subject] = (*found.notes.get(d.subject, ()), d.note)
        if d.action is Action.ADJUDICATE:
            rulings[d.subject] = d
            states.setdefault(d.subject, {})
        elif d.action in JUDGEMENTS:
            states.setdefault(d.subject, {})[d.curator] = d
    return states, rulings
