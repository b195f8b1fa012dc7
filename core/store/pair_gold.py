"""Reviewed gold of claim pairs: what people decided about them, as a query over decisions."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.errors import NotFoundError
from core.kinds.pair import said
from core.records import JUDGEMENTS, Action, Decision, ItemKind, PairAnswer
from core.store.decisions import chain_head, decisions, find_curator
from core.store.workspace import Workspace

ANY = "any"
"""Policy: whoever answered, one curator or more, provided that all who did agree."""


@dataclass(slots=True)
class PairVerdicts:
    """What decisions up to one number say about the pairs of a corpus, under one policy. Pairs by their
    pair id; a pair that nobody looked at is in none of the sets."""

    number: int
    policy: str
    settled: dict[str, PairAnswer] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    """Judged not to be usable: it leaves a release."""
    disputed: set[str] = field(default_factory=set)
    """Curators differ in comparability, type, axes or confounder, or too few have answered for the policy."""
    unsure: set[str] = field(default_factory=set)
    curators: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Who has answered each pair, sorted; also those whose answer the policy leaves out."""
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)


def pair_verdicts(
    workspace: Workspace, corpus: str, policy: str = ANY, number: int | None = None
) -> PairVerdicts:
    """What decisions up to `number` (None: all) say about the pairs of a corpus.

    Args:
        policy: `curator=ID`: that curator's answers; `agreed`: at least two curators answered alike;
            `adjudicated`: the adjudication where there is one, else what was agreed; `any`: see `ANY`.

    Raises:
        NotFoundError: no such decision or curator.
    """
    head = chain_head(workspace)[0]
    if number is not None and number > head:
        raise NotFoundError("decision", number, [f"1 to {head}"])
    number = head if number is None else number
    if policy.startswith("curator="):
        find_curator(workspace, policy.removeprefix("curator="))
    found = PairVerdicts(number, policy)
    states, rulings = _standing(workspace, corpus, number, found)
    for pair_id, by in states.items():
        found.curators[pair_id] = tuple(sorted(by))
        ruling = rulings.get(pair_id) if policy in ("adjudicated", ANY) else None
        if ruling is not None:
            _settle(found, pair_id, [ruling])
        elif policy.startswith("curator="):
            _settle(found, pair_id, [d for who, d in by.items() if policy == f"curator={who}"])
        elif policy != ANY and len(by) < 2:
            found.disputed.add(pair_id)
        else:
            _settle(found, pair_id, list(by.values()))
    return found


def _settle(found: PairVerdicts, pair_id: str, answers: list[Decision]) -> None:
    """Alike answers settle a pair; the last of them speaks, since it is the one that saw most."""
    if not answers:
        return
    last = max(answers, key=lambda d: d.number)
    if all(d.action is Action.UNSURE for d in answers):
        found.unsure.add(pair_id)
    elif any(d.action is Action.UNSURE for d in answers):
        found.disputed.add(pair_id)
    elif all(d.action is Action.REJECT or _is_empty_ruling(d) for d in answers):
        found.rejected.add(pair_id)
    elif (
        all(isinstance(d.answer, PairAnswer) for d in answers)
        and len({said(d.answer) for d in answers if isinstance(d.answer, PairAnswer)}) == 1
        and isinstance(last.answer, PairAnswer)
    ):
        found.settled[pair_id] = last.answer
    else:
        found.disputed.add(pair_id)


def _is_empty_ruling(d: Decision) -> bool:
    """An adjudication without an answer says that the pair is not usable."""
    return d.action is Action.ADJUDICATE and d.answer is None


def _standing(
    workspace: Workspace, corpus: str, number: int, found: PairVerdicts
) -> tuple[dict[str, dict[str, Decision]], dict[str, Decision]]:
    """Pair id -> curator -> the judgement that holds; pair id -> the last adjudication."""
    here = {
        row[0]
        for row in workspace.db.execute(
            "SELECT i.id FROM items i JOIN passages p ON p.id = i.passage_id JOIN corpora c"
            " ON c.id = p.corpus_id WHERE i.kind = 'pair' AND c.name = ?",
            (corpus,),
        )
    }
    log = [d for d in decisions(workspace, upto=number) if d.kind is ItemKind.PAIR and d.item_id in here]
    cancelled = {d.undoes for d in log if d.undoes is not None}
    states: dict[str, dict[str, Decision]] = {}
    rulings: dict[str, Decision] = {}
    for d in log:
        if d.number in cancelled or d.subject is None:
            continue
        if d.note:
            found.notes[d.subject] = (*found.notes.get(d.subject, ()), d.note)
        if d.action is Action.ADJUDICATE:
            rulings[d.subject] = d
            states.setdefault(d.subject, {})
        elif d.action in JUDGEMENTS:
            states.setdefault(d.subject, {})[d.curator] = d
    return states, rulings
