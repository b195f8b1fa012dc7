"""Stage annotate: every pair has the heuristic's label; in an asked run a model is asked besides, queue by
queue. Where the model gives no usable answer, the heuristic's label stands."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from core.pipeline import start
from core.pipeline.pulse import Pulse
from core.records import CandidatePair, Origin, PairLabel, PairTask, StageRecord, Tier
from core.store import pair_tally, pairs, runs
from core.store.rows import chunks

if TYPE_CHECKING:
    from core.llm import Asker, ReplyFailure
    from core.pipeline.conflicts.plan import ConflictsPlan
    from core.store.connect import sqlite3
    from core.store.workspace import Workspace

STAGE = "annotate"
CHUNK = 100
"""Pairs per write."""


def label_offline(
    workspace: Workspace, planned: ConflictsPlan, pulse: Pulse, seconds: dict[str, float]
) -> bool:
    """The heuristic's labels, until none is missing or somebody asks for a pause; returns whether none is."""
    total = sum(pairs.pair_counts(workspace, planned.run).values())
    waiting = pairs.pairs(workspace, planned.run, lacking=Origin.HEURISTIC)
    first = next(waiting, None)
    if first is None:
        return True
    from core.conflicts.annotate import offline

    done = total - pair_tally.unlabelled(workspace, planned.run, Origin.HEURISTIC)
    pulse.turn_to(workspace, "Labelling pairs by rule", total=total, resumed=done)
    for chunk in chunks(_first_and(first, waiting), CHUNK):
        begun = time.perf_counter()
        made = list(offline.run(pairs.tasks(workspace, chunk)))
        ended = [_Ended(pair, label) for pair, label in zip(chunk, made, strict=True)]
        seconds[STAGE] = seconds.get(STAGE, 0.0) + time.perf_counter() - begun
        if not start.keep(workspace, pulse, partial(store, run=planned.run, ended=ended), len(chunk)):
            break
    return pulse.done == pulse.total


def _first_and(first: CandidatePair, others: Iterator[CandidatePair]) -> Iterator[CandidatePair]:
    yield first
    yield from others


def to_ask(
    workspace: Workspace, run: str, tiers: Sequence[Tier], over: Collection[int]
) -> Iterator[PairTask]:
    """Pairs of these queues that have no label of the model and are not in `over` (pair rows)."""
    for tier in tiers:
        waiting = pairs.pairs(workspace, run, tier=tier, lacking=Origin.MODEL)
        for chunk in chunks((pair for pair in waiting if pair.id not in over), CHUNK):
            yield from pairs.tasks(workspace, chunk)


@dataclass(frozen=True, slots=True)
class _Ended:
    """A pair with a label, or with the failure to get one."""

    pair: CandidatePair
    label: PairLabel | None
    call: int | None = None
    failure: ReplyFailure | None = None


class Asking:
    """The pairs of one run (`core.pipeline.asked.Work`)."""

    def __init__(self, run: str, *, swapped: bool = False) -> None:
        self._run, self._swapped = run, swapped

    async def label(self, item: PairTask, asker: Asker) -> _Ended:
        from core.conflicts.annotate import ask
        from core.llm import ReplyFailure

        try:
            label, call = await ask(item, asker, swapped=self._swapped)
        except ReplyFailure as failure:
            return _Ended(item.pair, None, failure.call, failure)
        return _Ended(item.pair, label, call)

    def store(self, db: sqlite3.Connection, ended: Sequence[_Ended]) -> None:
        store(db, self._run, ended)


def store(db: sqlite3.Connection, run: str, ended: Sequence[_Ended]) -> None:
    """Labels and what is recorded of each pair, in one write."""
    pairs.insert_labels(db, run, [(one.pair, one.label, one.call) for one in ended if one.label is not None])
    runs.add_stage_records(db, run, (_record(one) for one in ended))


def _record(one: _Ended) -> StageRecord:
    pair, label = one.pair, one.label
    if label is None:
        kind = str(one.failure.kind) if one.failure else None
        reason = one.failure.message if one.failure else None
        said: dict[str, object] = {"origin": Origin.MODEL.value, "kind": kind}
        return StageRecord(STAGE, pair.a.passage_id, pair.pair_id, "failed", reason, one.call, said)
    said = {"origin": label.origin.value, "conflict_type": label.conflict_type.value}
    if label.repaired:
        said["repairs"] = list(label.repairs)
    verdict = "repaired" if label.repaired else "done"
    return StageRecord(STAGE, pair.a.passage_id, pair.pair_id, verdict, None, one.call, said)
