"""Eight processes that write to one workspace in tight loops: by turns, against SQLite's own waiting.

    python tests/benchmarks/bench_writers.py [seconds]

Each write is `Workspace.write` with one row, fsync and all. Alternating rounds in one run; for both, writes
of all processes a second, and how long a write took from asking to committed: median, 99th percentile and
longest, and the slowest writer's share of the fastest's. Goal: 99 of 100 within 250 ms. Exits with 1 if it is
missed on a machine that is otherwise idle (load below its number of cores at the start).
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
import time
from contextlib import nullcontext
from multiprocessing.queues import Queue
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.store import open_workspace, workspace

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 4.0
WRITERS, ROUNDS, GOAL = 8, 3, 250.0


def sqlites_own() -> None:
    """As if there were no turns."""
    workspace.in_turn = lambda *_: nullcontext()
    workspace.begin = lambda db, _: db.execute("BEGIN IMMEDIATE")


def write(path: Path, turns: bool, times: Queue[list[float]], number: int) -> None:
    if not turns:
        sqlites_own()
    taken = []
    with open_workspace(path) as opened:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            start = time.perf_counter()
            with opened.write() as db:
                db.execute("INSERT INTO vectors VALUES (?, ?, x'00')", (f"{number}-{len(taken)}", "0" * 64))
            taken.append((time.perf_counter() - start) * 1000)
    times.put(taken)


def round_of(turns: bool, folder: Path) -> list[list[float]]:
    path = folder / f"{time.time_ns()}.db"
    open_workspace(path).close()
    times: Queue[list[float]] = multiprocessing.Queue()
    writers = [multiprocessing.Process(target=write, args=(path, turns, times, n)) for n in range(WRITERS)]
    for writer in writers:
        writer.start()
    found = [times.get() for _ in writers]
    for writer in writers:
        writer.join()
    return found


def main() -> int:
    idle = not hasattr(os, "getloadavg") or os.getloadavg()[0] < (os.cpu_count() or 1)
    rounds: dict[bool, list[list[list[float]]]] = {True: [], False: []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            for turns, found in rounds.items():
                found.append(round_of(turns, Path(folder)))
    print(f"{WRITERS} writers, {ROUNDS} rounds of {SECONDS:g} s each\n")
    print(f"{'':<16} {'writes/s':>9} {'p50 ms':>8} {'p99 ms':>8} {'longest':>8} {'slowest/fastest':>16}")
    p99 = {}
    for turns, name in ((True, "by turns"), (False, "SQLite's own")):
        every = sorted(ms for found in rounds[turns] for writer in found for ms in writer)
        counts = [sum(len(found[n]) for found in rounds[turns]) for n in range(WRITERS)]
        p99[turns] = every[int(len(every) * 0.99)]
        print(
            f"{name:<16} {len(every) / SECONDS / ROUNDS:>9,.0f} {every[len(every) // 2]:>8.1f}"
            f" {p99[turns]:>8.1f} {every[-1]:>8,.0f} {min(counts) / max(counts):>16.2f}"
        )
    print(f"\np99 by turns is {p99[True] / p99[False]:.2f} of SQLite's own; goal {GOAL:g} ms")
    return int(idle and p99[True] > GOAL)


if __name__ == "__main__":
    raise SystemExit(main())
