"""Writers get in one after the other: nobody who comes later goes before one who waits."""

from __future__ import annotations

import time
from multiprocessing.connection import Connection
from pathlib import Path

import filelock

from core.store import open_workspace
from core.store.connect import connect
from tests.store.writers import PROCESSES, children, result_of, single_writer

MORE = 40


def _hold_and_go_on(pipe: Connection, path: Path, unfixed: bool = False) -> None:
    """Hold a write until told, then write on and on."""
    if unfixed:
        single_writer()
    with open_workspace(path) as opened:
        with opened.write() as db:
            pipe.send("holding")
            pipe.recv()
            _sign(db, "held")
        for n in range(MORE):
            with opened.write() as db:
                _sign(db, f"more-{n}")


def _wait(pipe: Connection, path: Path, unfixed: bool = False) -> None:
    if unfixed:
        single_writer()
    with open_workspace(path) as opened:
        pipe.send("here")
        pipe.recv()  # somebody holds a write by now
        with opened.write() as db:
            _sign(db, "waited")


def _sign(db: object, name: str) -> None:
    db.execute("INSERT INTO curators VALUES (?, ?, NULL, 'now')", (name, name))  # type: ignore[attr-defined]


def _somebody_waits(path: Path) -> None:
    """Return when somebody has the turn; or after a minute, as where there are none."""
    turn = filelock.FileLock(path.with_name(path.name + ".turn"))
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up:
        try:
            with turn.acquire(timeout=0):
                time.sleep(0.002)
        except filelock.Timeout:
            return


def signed(path: Path) -> list[str]:
    db = connect(path, "ro")
    try:
        return [row[0] for row in db.execute("SELECT id FROM curators ORDER BY rowid")]
    finally:
        db.close()


def test_whoever_has_just_written_goes_behind_one_who_waits(tmp_path: Path) -> None:
    for unfixed in (False, True):
        path = tmp_path / f"{unfixed}.db"
        open_workspace(path).close()
        with children((_hold_and_go_on, path, unfixed), (_wait, path, unfixed)) as [holder, waiter]:
            assert holder.recv() == "holding"
            assert waiter.recv() == "here"
            waiter.send("write")
            _somebody_waits(path)
            holder.send("go on")
            result_of(waiter)
            result_of(holder)
        assert signed(path)[:2] == ["held", "waited"]
        assert len(signed(path)) == MORE + 2


def test_one_who_is_killed_while_it_has_the_turn_holds_up_nobody(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as opened:
        with opened.write() as db:
            here, there = PROCESSES.Pipe()
            waiter = PROCESSES.Process(target=_wait, args=(there, path))
            waiter.start()
            there.close()
            assert here.recv() == "here"
            here.send("write")
            _somebody_waits(path)
            waiter.kill()
            waiter.join()
            here.close()
            _sign(db, "held")
        with opened.write() as db:
            _sign(db, "next")
    assert signed(path) == ["held", "next"]
