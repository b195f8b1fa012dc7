"""What an offline release of one topic holds: classes in each split, pairs left out, and how far to trust it.

    python tests/benchmarks/quality_topic.py [FOLDER OF THE DATA] [VECTORS] [--about PATTERN] [--first N]

Takes the trials whose title or abstract matches PATTERN (default: diabetes, obesity, insulin), runs the four
stages without a model, and releases the run twice, article-disjoint: as it is by default, and with labels of
rules let into dev and test. Of each it prints labels by split and type, pairs left out, articles that stand
in two splits (counted here from the files), and the part of the card that says who looked at the labels and
how sure they are. Nothing here says how many labels are right: nobody has judged these pairs
(`quality_pairs.py` and `quality_stance.py` measure that on pairs whose answer is known). VECTORS is a file
that keeps vectors between two runs. With `--first N` nothing is released: the first N pairs that a curator
sees are printed to be read. `--about .` takes all trials.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from itertools import combinations, islice
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

from haystack import VectorFile  # noqa: E402
from quality_claims import TRIALS, articles  # noqa: E402

from core.conflicts.package import SPLITS  # noqa: E402
from core.encode import Encoder  # noqa: E402
from core.errors import InputError  # noqa: E402
from core.exchange import export, release  # noqa: E402
from core.pipeline.conflicts import ConflictsSettings, run_conflicts  # noqa: E402
from core.records import Article, ConflictType, Document  # noqa: E402
from core.store import Workspace, corpora, open_workspace  # noqa: E402

ROOT = Path(__file__).parents[2]
TOPIC = r"diabet|obes|insulin"
TRUST = "## Who looked at it"
"""Heading of the part of the card that says how far to trust the labels."""


def document(article: Article) -> Document:
    sections = [{"label": s.label, "start": s.start, "end": s.end} for s in article.sections]
    meta = {"domain": article.domain, "source": "Evidence Inference", "sections": sections}
    return Document(article.uid, article.text, title=article.title, meta=meta)


def released(workspace: Workspace, folder: Path, *, allow_heuristic: bool) -> None:
    try:
        report = release(workspace, "topic", folder, allow_heuristic=allow_heuristic)
    except InputError as refused:
        print(f"  refused: {refused}")
        return
    types: dict[str, Counter[str]] = {}
    uids: dict[str, set[str]] = {}
    for split in SPLITS:
        rows = [json.loads(line) for line in (folder / f"{split}.jsonl").read_bytes().splitlines()]
        types[split] = Counter(row["conflict_type"] for row in rows)
        uids[split] = {row[f"claim_{side}_article_uid"] for row in rows for side in "ab"}
    print(f"  {'':30}", *(f"{split:>7}" for split in SPLITS))
    for kind in map(str, ConflictType):
        print(f"  {kind:30}", *(f"{types[split][kind]:7,}" for split in SPLITS))
    print(f"  {'pairs':30}", *(f"{types[split].total():7,}" for split in SPLITS))
    print(f"  {'classes':30}", *(f"{len(types[split]):7,}" for split in SPLITS))
    shared = sum(len(uids[one] & uids[other]) for one, other in combinations(SPLITS, 2))
    print(f"  articles in two splits {shared}; pairs left out for that {report.left_out:,},")
    print(f"  for too little confidence {report.too_unsure:,}, beyond what a domain gives {report.surplus:,}")
    card = (folder / "README.md").read_text("utf-8")
    warning = [line for line in card.splitlines() if line.startswith("> ")]
    part = card.split(TRUST)[1].split("\n## ")[0].strip()
    print("  the card says:\n")
    print("\n".join(f"    {line}" for line in [*warning, *part.splitlines()]))


def read_first(workspace: Workspace, most: int, made: Path) -> None:
    """The head of the queue: how likely a conflict is, its label, and both claims."""
    export(workspace, "proposals", made, run="topic")
    with made.open(encoding="utf-8") as rows:
        for number, row in enumerate(map(json.loads, islice(rows, most)), 1):
            print(f"\n{number}. likelihood {row['conflict_likelihood']:.2f}; {row['conflict_type']}")
            for side in "ab":
                print(f"  {row[f'claim_{side}_article_uid']}: {row[f'claim_{side}_text']}")


def main(folder: Path, vectors: str, about: re.Pattern[str], first: int | None) -> int:
    if not (folder / "abstracts").is_dir():
        print(f"no data in {folder}: nothing is measured")
        return 0
    found = articles(folder, TRIALS).values()
    topic = [document(one) for one in found if about.search(f"{one.title} {one.text}")]
    encoder = Encoder(threads=1, cache=VectorFile(vectors))
    with tempfile.TemporaryDirectory() as made:
        workspace = open_workspace(Path(made) / "topic.db")
        with workspace, workspace.write() as db:
            for _ in corpora.insert_passages(db, corpora.create_corpus(db, "topic"), topic):
                pass
        with open_workspace(Path(made) / "topic.db") as workspace:
            settings = ConflictsSettings(corpus="topic", run="topic", offline=True)
            report = run_conflicts(workspace, settings, embed=encoder.encode)
            print(f"{len(topic)} of {len(found):,} trials match {about.pattern!r}: {report.claims:,} claims,")
            print(f"{report.pairs:,} pairs, all labelled by rule ({report.status})")
            if first is not None:
                read_first(workspace, first, Path(made) / "queue.jsonl")
                return 0
            for name, allow in (("by default", False), ("with labels of rules in dev and test", True)):
                print(f"\nReleased {name}")
                released(workspace, Path(made) / f"release-{allow}", allow_heuristic=allow)
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("vectors", nargs="?", default=":memory:")
    parser.add_argument("--about", default=TOPIC)
    parser.add_argument("--first", type=int)
    given = parser.parse_args()
    sys.exit(main(given.folder, given.vectors, re.compile(given.about, re.IGNORECASE), given.first))
