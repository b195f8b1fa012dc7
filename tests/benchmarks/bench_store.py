"""The store against bare SQLite doing the same work, in one run.

    python tests/benchmarks/bench_store.py [passages]

Every ratio is a speed: how many times as fast as the baseline, so that more is better.
Bulk: `proposals.add` against one `executemany` a table of the same rows, ready-made, without the columns that
no row fills, on the same schema with the same pragmas, by CPU time (goal: 0.7 or more). Decisions:
`decisions.append`, each in its own write, against a bare one-row commit with synchronous=FULL. Search: over
the passages, against a LIKE scan (over names: bench_search.py). Opening, verifying and backing up against
what SQLite alone takes for it. Medians of alternating repeats, wall-clock but for the bulk. Exits with 1 if
that goal is missed.
"""

from __future__ import annotations

import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.records import (
    Action,
    Assertion,
    Concept,
    ConceptClass,
    Document,
    Draft,
    Evidence,
    NewDecision,
    Ontology,
    Synonym,
)
from core.review.explore import Asked, look
from core.store import Workspace, corpora, decisions, ontologies, open_workspace, proposals, runs
from core.store.backup import backup
from core.store.chain import verify
from core.store.connect import connect, sqlite3

PASSAGES = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
PROPOSALS_EACH = 6
CONCEPTS = 18_000
REPEATS = 5
APPENDS = 300
GOAL = 0.7
PARTS = [
    *("abnormal", "chronic", "acute", "progressive", "bilateral", "distal", "proximal", "congenital"),
    *("recurrent", "juvenile", "spinal", "renal", "hepatic", "cardiac", "cerebral", "retinal", "muscular"),
    *("skeletal", "dental", "digital", "facial", "nasal", "ocular", "aural", "pulmonary", "weakness"),
    *("atrophy", "stenosis", "dysplasia", "anomaly", "hypoplasia", "agenesis", "seizure", "ataxia", "fever"),
    *("pain", "tremor", "delay", "palsy", "cyst", "tumour", "fracture", "oedema", "rash", "effusion"),
]
chance = random.Random(1)


def median_ms(
    work: Callable[[], object], repeats: int = REPEATS, clock: Callable[[], float] = time.perf_counter
) -> float:
    times = []
    for _ in range(repeats):
        start = clock()
        work()
        times.append(clock() - start)
    return statistics.median(times) * 1000


def line(what: str, ours: str, baseline: str, ratio: float, note: str = "") -> None:
    print(f"{what:<28} {ours:>18} {baseline:>30} {ratio:>9.2f}  {note}")


def name() -> str:
    return " ".join(chance.sample(PARTS, 3)).capitalize()


def concepts(count: int) -> tuple[Concept, ...]:
    return tuple(
        Concept(f"HP:{n:07}", name(), synonyms=(Synonym(name(), "EXACT"), Synonym(name(), "EXACT")))
        for n in range(count)
    )


def text() -> str:
    return ". ".join(" ".join(chance.choices(PARTS, k=12)).capitalize() for _ in range(8)) + "."


def drafts_for(passages: list[tuple[int, str]]) -> list[tuple[int, list[Draft]]]:
    found = []
    for passage, body in passages:
        curies = chance.sample(range(CONCEPTS), PROPOSALS_EACH)
        found.append(
            (
                passage,
                [
                    Draft(
                        f"HP:{c:07}",
                        "a label of usual length",
                        Assertion.AFFIRMED,
                        ConceptClass.EXPLICIT,
                        0.9,
                        "matched the exact synonym",
                        (Evidence(body[n * 40 : n * 40 + 18], n * 40, n * 40 + 18, True),),
                    )
                    for n, c in enumerate(curies)
                ],
            )
        )
    return found


def begin(db: Any, run: str) -> None:
    runs.begin_run(
        db, run, kind="concepts", source="b", corpus_id=1, ontology_id=None, settings={}, fingerprint="f"
    )


def filled(db: Any, table: str) -> list[str]:
    """Columns, quoted, that some row fills: to bind a None costs SQLite's driver more than a value."""
    names = [f'"{row["name"]}"' for row in db.execute(f"PRAGMA table_info({table})")]
    counts = db.execute(f"SELECT {', '.join(f'count({name})' for name in names)} FROM {table}").fetchone()
    return [name for name, count in zip(names, counts, strict=True) if count]


def bulk(base: Path, drafts: list[tuple[int, list[Draft]]], folder: Path) -> float:
    """Rows/s of `proposals.add` over those of bare executemany."""
    with open_workspace(_copy(base, folder / "rows.db")) as opened:
        with opened.write() as db:
            begin(db, "bulk")
            proposals.add(db, "bulk", drafts)
        names = {table: filled(opened.db, table) for table in ("items", "proposals", "evidence")}
        rows = {
            table: [tuple(row) for row in opened.db.execute(f"SELECT {', '.join(of)} FROM {table}")]
            for table, of in names.items()
        }
    count = sum(map(len, rows.values()))

    def ours(opened: Workspace) -> None:
        with opened.write() as db:
            begin(db, "bulk")
            proposals.add(db, "bulk", drafts)

    def bare(opened: Workspace) -> None:
        db = opened.db
        db.execute("BEGIN IMMEDIATE")
        begin(db, "bulk")
        for table, values in rows.items():
            marks = ", ".join("?" * len(values[0]))
            db.executemany(f"INSERT INTO {table} ({', '.join(names[table])}) VALUES ({marks})", values)
        db.execute("COMMIT")

    times: dict[str, list[float]] = {"ours": [], "bare": []}
    for _ in range(REPEATS):
        for which, work in (("ours", ours), ("bare", bare)):
            path = _copy(base, folder / f"{which}.db")
            with open_workspace(path) as opened:
                times[which].append(
                    median_ms(lambda work=work, opened=opened: work(opened), 1, time.process_time)
                )
    mine, theirs = (statistics.median(times[w]) / 1000 for w in ("ours", "bare"))
    speed = statistics.median(b / o for o, b in zip(times["ours"], times["bare"], strict=True))
    line(
        f"add {len(rows['proposals']):,} proposals",
        f"{count / mine:,.0f} rows/s",
        f"executemany {count / theirs:,.0f}",
        speed,
        f"goal {GOAL} or more",
    )
    return speed


def _copy(base: Path, path: Path) -> Path:
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    shutil.copy(base, path)
    return path


def appending(opened: Workspace, folder: Path) -> None:
    items = [r[0] for r in opened.db.execute("SELECT id FROM items ORDER BY id LIMIT ?", (APPENDS * 3,))]
    shown = dict(
        opened.db.execute("SELECT item_id, id FROM proposals WHERE item_id <= ?", (items[-1],)).fetchall()
    )
    bare = connect(folder / "bare.db", "rwc")
    bare.execute("PRAGMA journal_mode = WAL")
    bare.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT) STRICT")
    ours, theirs = [], []
    for n in range(APPENDS):
        sent = NewDecision(f"c{n}", "alpha", Action.UNSURE, item_id=items[n], shown=(shown[items[n]],))
        ours.append(median_ms(lambda sent=sent: decisions.append(opened, [sent]), 1))

        def commit() -> None:
            bare.execute("BEGIN IMMEDIATE")
            bare.execute("INSERT INTO t (a, b) VALUES (?, ?)", ("x" * 100, "y" * 64))
            bare.execute("COMMIT")

        theirs.append(median_ms(commit, 1))
    bare.close()
    mine, plain = statistics.median(ours), statistics.median(theirs)
    p95 = sorted(ours)[int(len(ours) * 0.95)]
    line(
        "append a decision",
        f"{1000 / mine:,.0f}/s",
        f"bare commit {1000 / plain:,.0f}/s",
        plain / mine,
        f"{mine:.2f} ms, p95 {p95:.2f} ms",
    )
    batch = [NewDecision(f"b{n}", "alpha", Action.UNSURE, item_id=i) for n, i in enumerate(items[APPENDS:])]
    all_at_once = median_ms(lambda: decisions.append(opened, batch), 1)
    rate = len(batch) / all_at_once * 1000
    line(
        f"append {len(batch)} in one write",
        f"{rate:,.0f}/s",
        f"bare commit {1000 / plain:,.0f}/s",
        rate * plain / 1000,
    )


def searching(opened: Workspace) -> None:
    queries = [f"family {chance.randrange(PASSAGES)} {chance.choice(PARTS)}" for _ in range(40)]

    def scan(query: str) -> None:
        words = query.split()
        where = " AND ".join("body LIKE ?" for _ in words)
        opened.db.execute(f"SELECT * FROM texts WHERE {where} LIMIT 10", [f"%{w}%" for w in words]).fetchall()

    look(opened, Asked("warm"), None, first=0, most=20)
    mine = sorted(median_ms(lambda q=q: look(opened, Asked(q), None, first=0, most=20), 1) for q in queries)
    plain = statistics.median(median_ms(lambda q=q: scan(q), 1) for q in queries)
    half = statistics.median(mine)
    line(
        f"search {PASSAGES:,} passages",
        f"{half:.2f} ms",
        f"LIKE scan {plain:.2f} ms",
        plain / half,
        f"p95 {mine[int(len(mine) * 0.95)]:.2f} ms",
    )


def whole_files(opened: Workspace, folder: Path) -> None:
    path = opened.path
    mine = median_ms(lambda: open_workspace(path).close(), 50)

    def plain_open() -> None:
        db = sqlite3.connect(path)
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        db.close()

    plain = median_ms(plain_open, 50)
    line("open", f"{mine:.2f} ms", f"sqlite3.connect {plain:.2f} ms", plain / mine)
    size = path.stat().st_size / 2**20
    check = median_ms(lambda: opened.db.execute("PRAGMA integrity_check").fetchall(), 1)
    proof = median_ms(lambda: verify(opened), 1)
    line(f"verify {size:,.0f} MB", f"{proof:,.0f} ms", f"integrity_check {check:,.0f} ms", check / proof)
    copied = median_ms(lambda: shutil.copy(path, folder / "plain-copy.db"), 3)
    backed = median_ms(lambda: backup(opened, folder / "backup.db", force=True), 3)
    line(
        f"back up {size:,.0f} MB",
        f"{backed:,.0f} ms",
        f"file copy {copied:,.0f} ms",
        copied / backed,
        "with sha256, page check, sync",
    )


def main() -> int:
    with tempfile.TemporaryDirectory() as name_:
        folder = Path(name_)
        base = folder / "base.db"
        with open_workspace(base) as opened:
            with opened.write() as db:
                corpora.create_corpus(db, "bench")
                stored = corpora.insert_passages(
                    db, 1, (Document(f"d{n}", f"Family {n}. {text()}") for n in range(PASSAGES))
                )
                passages = [(i, d.text) for i, d in stored]
            ontologies.add_ontology(opened, Ontology("HP", "1", None, "0" * 64, concepts(CONCEPTS)))
            decisions.add_curator(opened, "alpha", "Alpha")
        drafts = drafts_for(passages)
        print(f"SQLite {sqlite3.sqlite_version}; times as fast as the baseline: more is better\n")
        print(f"{'':<28} {'Touchstone':>18} {'baseline':>30} {'as fast':>9}")
        ratio = bulk(base, drafts, folder)
        with open_workspace(_copy(base, folder / "full.db")) as opened:
            with opened.write() as db:
                begin(db, "bulk")
                proposals.add(db, "bulk", drafts)
                runs.finish_run(db, "bulk")
            appending(opened, folder)
            searching(opened)
            whole_files(opened, folder)
    return 0 if ratio >= GOAL else 1


if __name__ == "__main__":
    raise SystemExit(main())
