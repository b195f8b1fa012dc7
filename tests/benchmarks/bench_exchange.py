"""Reading and adding documents against the bare library calls: `python tests/benchmarks/bench_exchange.py`.

CPU seconds, and ratios within this run: checked reading over `json.loads` (or `csv.reader`) of the same file,
adding a corpus over inserting its texts with their search index and nothing else.
"""

from __future__ import annotations

import csv
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.exchange import add_corpus, add_proposals, export
from core.formats import read_documents
from core.store import open_workspace

DOCUMENTS = 10_000
WORDS = (
    "seizure",
    "short",
    "stature",
    "of",
    "the",
    "girl",
    "with",
    "fever",
    "was",
    "seen",
    "in",
    "café",
    "😀",
)


def make(path: Path) -> None:
    draw = random.Random(1)
    with path.open("w", encoding="utf-8") as file:
        for i in range(DOCUMENTS):
            text = " ".join(draw.choices(WORDS, k=150))
            annotations = []
            for _ in range(6):
                start = draw.randrange(len(text) - 20)
                end = start + draw.randint(3, 20)
                annotations.append(
                    {
                        "concept_id": f"HP:{draw.randrange(10**7):07}",
                        "assertion_status": "affirmed",
                        "text_span": text[start:end],
                        "start_offset": start,
                        "end_offset": end,
                    }
                )
            file.write(json.dumps({"doc_id": str(i), "text": text, "annotations": annotations}) + "\n")


def seconds(work: Callable[[], object], times: int = 3) -> float:
    best = float("inf")
    for _ in range(times):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def line(what: str, taken: float, baseline: str, base: float) -> None:
    rate = DOCUMENTS / taken
    print(f"{what:34} {taken:7.2f} s {rate:9,.0f} documents/s   {taken / base:5.1f} x {baseline}", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        make(there / "a.jsonl")

        def bare_json() -> None:
            for row in (there / "a.jsonl").open(encoding="utf-8"):
                json.loads(row)

        def exhaust(name: str) -> None:
            for _ in read_documents(there / name).documents():
                pass

        base = seconds(bare_json)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        line("read JSONL, every quote checked", seconds(lambda: exhaust("a.jsonl")), "json.loads", base)
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        size = (there / "a.jsonl").stat().st_size / 2**20
        print(
            f"{'memory for that, streaming':34} {(after - before) / 1024:7.1f} MB for a file of {size:.0f} MB"
        )

        with open_workspace(there / "texts.db") as workspace:
            rows = [(f"{i:064}", json.loads(r)["text"]) for i, r in enumerate((there / "a.jsonl").open())]

            def bare_insert() -> None:
                with workspace.write() as db:
                    db.executemany("INSERT INTO texts (sha256, body) VALUES (?, ?)", rows)

            inserted = seconds(bare_insert, 1)
        with open_workspace(there / "a.db") as workspace:
            add = seconds(lambda: add_corpus(workspace, there / "a.jsonl", name="a"), 1)
            line("add corpus with gold", add, "inserting the texts alone", inserted)
            silver = seconds(
                lambda: add_proposals(workspace, there / "a.jsonl", run="r", source="s", corpus="a"), 1
            )
            line("add proposals", silver, "adding the corpus", add)
            for name in ("out.json", "out.jsonl", "out.csv"):
                out = seconds(lambda name=name: export(workspace, "proposals", there / name), 1)
                line(f"export proposals as {name[4:]}", out, "json.loads", base)

        def bare_csv() -> None:
            for _ in csv.reader((there / "out.csv").open(encoding="utf-8", newline="")):
                pass

        line(
            "read CSV, every quote checked",
            seconds(lambda: exhaust("out.csv")),
            "csv.reader",
            seconds(bare_csv),
        )


if __name__ == "__main__":
    main()
