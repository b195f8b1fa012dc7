"""Several processes on one workspace, and processes that are killed."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from core.errors import WorkspaceError
from core.store import decisions, open_workspace
from core.store.chain import verify
from core.store.workspace import file_lock
from tests.patience import SECONDS
from tests.repeats import times
from tests.store.making import CURATORS, Furniture, furnish, furniture, judge
from tests.store.writers import (
    PROCESSES,
    children,
    furnished,
    open_new,
    result_of,
    write_decisions,
    write_until_killed,
)

KILLS = times(50, 1000)
WRITERS = 8
DECISIONS_EACH = times(40, 5000)
OPENERS = 4
NEW_FILES = times(20, 500)


def numbers_of(path: Path) -> dict[str, int]:
    """client id -> number, of every decision in a workspace whose integrity was verified."""
    with open_workspace(path, check=True) as opened:
        assert verify(opened).problems == ()
        return {d.client_id: d.number for d in decisions.decisions(opened)}


@pytest.mark.parametrize("unfixed", [False, True], ids=["fixed SQLite", "single writer"])
def test_many_writers_lose_nothing_and_are_never_locked_out(tmp_path: Path, unfixed: bool) -> None:
    """Every process reads the log's end before it appends to it: the read-then-write that loses updates."""
    path = tmp_path / "w.db"
    each = DECISIONS_EACH // 4 if unfixed else DECISIONS_EACH
    items = furnished(path, each)[:each]
    with open_workspace(path) as opened:
        names = [decisions.add_curator(opened, f"curator-{n}", f"Curator {n}").id for n in range(WRITERS)]
    jobs = [(write_decisions, path, name, items) for name in names]
    if unfixed:
        jobs = [(_write_unfixed, *job[1:]) for job in jobs]
    with children(*jobs) as pipes:
        for pipe in pipes:
            pipe.send("go")
        told = dict(pair for pipe in pipes for pair in result_of(pipe))
    assert len(told) == WRITERS * each
    assert numbers_of(path) == told
    assert sorted(told.values()) == list(range(1, len(told) + 1))


def _write_unfixed(*arguments: object) -> object:
    return write_decisions(*arguments, unfixed=True)  # type: ignore[arg-type]


@pytest.mark.parametrize("unfixed", [False, True], ids=["fixed SQLite", "single writer"])
def test_many_processes_open_a_new_file_at_once(tmp_path: Path, unfixed: bool) -> None:
    for attempt in range(NEW_FILES // 4 if unfixed else NEW_FILES):
        path = tmp_path / f"{attempt}.db"
        with children(*[(open_new, path, unfixed)] * OPENERS) as pipes:
            for pipe in pipes:
                pipe.send("go")
            seen = {result_of(pipe) for pipe in pipes}
        with open_workspace(path, check=True) as opened:
            assert seen == {opened.uuid}
            assert len(decisions.list_curators(opened)) == OPENERS


def test_writers_and_openers_of_a_new_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    items = furnished(path, 5)
    new_path = tmp_path / "new.db"
    writers = [(write_decisions, path, CURATORS[n % 3], items[n::WRITERS]) for n in range(WRITERS)]
    openers = [(open_new, new_path)] * OPENERS
    with children(*writers, *openers) as pipes:
        for pipe in pipes:
            pipe.send("go")
        results = [result_of(pipe) for pipe in pipes]
    told = dict(pair for result in results[:WRITERS] for pair in result)
    assert numbers_of(path) == told
    assert len(told) == len(items)
    assert len(set(results[WRITERS:])) == 1


def test_kill_9_at_any_moment_loses_no_acknowledged_decision(tmp_path: Path) -> None:
    """One workspace, killed again and again, each time reopened with whatever -wal was left behind."""
    path = tmp_path / "w.db"
    items = furnished(path, 10)
    chance = random.Random(7)
    acknowledged: set[str] = set()
    hot = 0
    for kill in range(KILLS):
        here, there = PROCESSES.Pipe()
        process = PROCESSES.Process(
            target=write_until_killed, args=(there, path, CURATORS[kill % 3], f"kill-{kill}", items)
        )
        process.start()
        there.close()
        assert here.poll(SECONDS)
        time.sleep(chance.uniform(0, 0.03))
        process.kill()
        process.join()
        try:
            while True:
                acknowledged.update(here.recv())
        except EOFError:
            here.close()
        hot += path.with_name(path.name + "-wal").exists()
        if kill % 10 == 9:
            missing = acknowledged - numbers_of(path).keys()
            assert not missing, f"lost after kill {kill}: {sorted(missing)}"
    assert acknowledged <= numbers_of(path).keys()
    assert len(acknowledged) >= 2 * KILLS  # the writer was at work each time
    assert hot > KILLS / 2  # and most often died with a log that had to be recovered


def test_writer_that_dies_in_a_write_leaves_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    house = _house(path)
    before = numbers_of(path)
    process = PROCESSES.Process(target=_die_in_a_write, args=(path, house.item()))
    process.start()
    process.join(SECONDS)
    assert process.exitcode == -9 or process.exitcode == 1
    assert numbers_of(path) == before
    with open_workspace(path) as opened:
        assert len(decisions.list_curators(opened)) == len(CURATORS)
        assert judge(opened, [house.item(1)], "beta") == [len(before) + 1]


def _house(path: Path) -> Furniture:
    with open_workspace(path) as opened:
        house = furnish(opened)
        judge(opened, list(house.items.values())[:3])
        return furniture(opened, house.corpus_id)


def _die_in_a_write(path: Path, item: int) -> None:
    import os

    with open_workspace(path) as opened, opened.write() as db:
        db.execute("INSERT INTO curators VALUES ('ghost', 'Ghost', NULL, 'now')")
        db.execute("PRAGMA cache_size = 1")  # changed pages go to the -wal before the end
        db.execute("UPDATE concepts SET name = name")
        os.kill(os.getpid(), 9) if hasattr(os, "kill") else os._exit(1)


def test_single_writer_waits_for_the_lock_file_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.store import workspace as module

    path = tmp_path / "w.db"
    house = _house(path)
    monkeypatch.setattr(module, "sqlite_is_fixed", lambda: False)
    monkeypatch.setattr(module, "LOCK_SECONDS", 0.2)
    with open_workspace(path) as opened:
        with file_lock(path), pytest.raises(WorkspaceError, match=r"Not saved .* has held its lock"):
            judge(opened, [house.item(1)], "beta")
        assert judge(opened, [house.item(1)], "beta") == [4]


def test_fixed_sqlite_needs_no_lock_file_to_write(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    house = _house(path)
    with open_workspace(path) as opened, file_lock(path):
        assert judge(opened, [house.item(1)], "beta") == [4]


def test_writer_waits_for_a_long_write_of_another_process(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    house = _house(path)
    with children((_hold, path, 1.0)) as [pipe]:
        assert pipe.poll(SECONDS)
        assert pipe.recv() == "holding"
        with open_workspace(path) as opened:
            assert judge(opened, [house.item(1)], "beta") == [4]
            assert len(decisions.list_curators(opened)) == len(CURATORS) + 1  # the long one came first
        result_of(pipe)


def _hold(pipe: object, path: Path, seconds: float) -> None:
    with open_workspace(path) as opened, opened.write() as db:
        db.execute("INSERT INTO curators VALUES ('slow', 'Slow', NULL, 'now')")
        pipe.send("holding")  # type: ignore[attr-defined]
        time.sleep(seconds)
