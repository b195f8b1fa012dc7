"""What the mark of a workspace that is written to costs: visits with it, against visits without it.

    python tests/benchmarks/bench_mark.py [rounds]

Each round opens, reads and closes a workspace; opens, writes one row and closes it; the same beside another
open connection; and writes in one that stays open. With and without the mark in turn, in one run;
medians in milliseconds, fsync and all.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.store import Workspace, open_workspace
from core.store.mark import Mark

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 200


def write(opened: Workspace) -> None:
    with opened.write() as db:
        db.execute("UPDATE workspace SET created_at = created_at")


def read(opened: Workspace) -> None:
    opened.key()


def visit(path: Path, work: Callable[[Workspace], None]) -> None:
    with open_workspace(path) as opened:
        work(opened)


def timed(work: Callable[[], None], marked: bool) -> float:
    nothing = {name: lambda *_: None for name in ("set", "bring", "leave")}
    with nullcontext() if marked else patch.multiple(Mark, **nothing):
        start = time.perf_counter()
        work()
        return (time.perf_counter() - start) * 1000


def compare(what: str, work: Callable[[], None]) -> None:
    found: dict[bool, list[float]] = {True: [], False: []}
    for n in range(ROUNDS):
        for marked in (n % 2 == 0, n % 2 == 1):
            found[marked].append(timed(work, marked))
    with_it, without = (statistics.median(found[marked]) for marked in (True, False))
    print(f"{what:<44} {with_it:8.2f} ms  without {without:8.2f} ms  ratio {with_it / without:5.2f}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "w.db"
        open_workspace(path).close()
        compare("open, read, close", lambda: visit(path, read))
        compare("open, write, close", lambda: visit(path, write))
        with open_workspace(path):
            compare("open, write, close beside an open reader", lambda: visit(path, write))
        with open_workspace(path) as opened:
            write(opened)
            compare("write, while it stays open", lambda: write(opened))


if __name__ == "__main__":
    main()
