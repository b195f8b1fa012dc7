"""Power cuts, simulated: nothing that was acknowledged is lost, and what is left is a sound workspace."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from core.records import Action
from core.store import decisions, open_workspace
from core.store.chain import verify
from core.store.decisions import append
from tests.repeats import times
from tests.store.disk import AfterPowerLoss, Entry, RecordingDisk, through
from tests.store.making import furnish, new

APPENDS = times(120, 400)
CUTS = times(300, 5000)
CONTROL_CUTS = times(40, 1000)


def recorded(path: Path, vfs: str, *pragmas: str) -> tuple[bytes, list[Entry]]:
    """A workspace's bytes before, and the log of a sitting of decisions on it."""
    with open_workspace(path) as opened:
        items = list(furnish(opened, 8).items.values())
    base = path.read_bytes()
    disk = RecordingDisk(vfs, path)
    try:
        # small logs, so that there are many checkpoints to be cut through
        with through(path, vfs, "wal_autocheckpoint = 40", *pragmas) as opened:
            for n in range(APPENDS):
                batch = [
                    new(
                        "alpha", Action.UNSURE, items[(n + i) % len(items)], client_id=f"{n}-{i}", note=f"{n}"
                    )
                    for i in range(n % 3 + 1)
                ]
                outcomes = append(opened, batch)
                assert all(o.refused is None and not o.repeat for o in outcomes)
                disk.log.append(("acknowledged", [o.client_id for o in outcomes]))
            log = list(disk.log)  # without the tidying up of an orderly end
    finally:
        disk.unregister()
    return base, log


def losses(tmp_path: Path, base: bytes, log: list[Entry], cuts: int) -> tuple[list[set[str]], list[str]]:
    """Acknowledged client ids that each cut lost, and what was found damaged."""
    chance = random.Random(11)
    lost, damaged = [], []
    state = AfterPowerLoss(log, {"": base})
    for n, at in enumerate(sorted(chance.sample(range(len(log)), cuts))):
        state.advance(at)
        folder = tmp_path / "cut"
        folder.mkdir()
        path = folder / "w.db"
        state.cut(path, chance)
        with open_workspace(path, check=True) as opened:
            found = {d.client_id for d in decisions.decisions(opened)}
            lost.append(state.acknowledged - found)
            if n % 10 == 0:
                damaged += verify(opened).problems
                # a batch is there whole or not at all
                halves = {c.split("-")[0]: [] for c in found}
                for c in found:
                    halves[c.split("-")[0]].append(c)
                damaged += [f"half of {b}" for b, ids in halves.items() if len(ids) != int(b) % 3 + 1]
        shutil.rmtree(folder)
    return lost, damaged


def test_power_loss_takes_no_acknowledged_decision(tmp_path: Path) -> None:
    base, log = recorded(tmp_path / "w.db", "recording")
    kinds = [entry[:2] for entry in log]
    assert kinds.count(("sync", "-wal")) >= APPENDS  # every write is synced before it is acknowledged
    assert kinds.count(("sync", "")) >= 3  # and there were checkpoints
    lost, damaged = losses(tmp_path, base, log, CUTS)
    assert len(lost) == CUTS
    assert not any(lost)
    assert damaged == []


def test_the_simulation_would_notice_a_lost_decision(tmp_path: Path) -> None:
    """The same with synchronous=NORMAL, which may roll back what was acknowledged: the test must see it."""
    base, log = recorded(tmp_path / "w.db", "recording-normal", "synchronous = NORMAL")
    lost, damaged = losses(tmp_path, base, log, CONTROL_CUTS)
    assert sum(map(bool, lost)) > CONTROL_CUTS / 2
    assert damaged == []
