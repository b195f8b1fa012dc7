"""Two checkouts on the same inputs: what one says otherwise than the other.

    python tests/compare/checkouts.py BEFORE AFTER [--data FOLDER] [--parts verify,exports] [--keep FOLDER]

    git worktree add ../before COMMIT && python tests/compare/checkouts.py ../before .

BEFORE makes the inputs: a workspace with runs of both kinds and two curators' decisions, and files of every
kind that can be scored. Each checkout then answers with its own code, in a process of its own, and all that
comes out is recorded: estimates, intervals, tables, opened items, reports, exports, releases, `verify`, and
the first screen of every page. Prints every difference and a count for each part; exits with 1 if there is
any. `differences.py` names what is allowed to differ.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.compare.differences import count, differences

RECORDER = Path(__file__).with_name("recorder.py")
PUBLISHED = Path("bioner") / "NCBI-disease"
SHOWN = 160
"""Characters of a value that a difference shows, from a little before the place where the two part."""


def start(checkout: Path, *words: object) -> subprocess.Popen[str]:
    """The recorder on a checkout's own code."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("TOUCHSTONE", "PYTHON"))}
    return subprocess.Popen(
        [sys.executable, str(RECORDER), *map(str, words)],
        cwd=checkout,
        env=kept | {"PYTHONPATH": str(checkout), "OMP_NUM_THREADS": "1"},
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(*processes: subprocess.Popen[str]) -> None:
    """Wait for all of them.

    Raises:
        SystemExit: one failed; the message is the end of what it said.
    """
    said = [process.communicate()[1] for process in processes]
    for process, messages in zip(processes, said, strict=True):
        if process.returncode:
            raise SystemExit(f"A checkout could not be recorded:\n{messages[-3000:]}")


def recorded(
    before: Path, after: Path, folder: Path, parts: list[str], *, data: Path | None = None, whole: bool = True
) -> tuple[Any, Any]:
    """The records of both checkouts, part -> values, which are also kept in the folder as JSON.

    Args:
        parts: names of `parts.PARTS`; empty: all.
        data: corpora to score besides; None: the inputs made here alone.
        whole: with runs of all stages, which need the sentence encoder.
    """
    given = folder / "inputs"
    given.mkdir(parents=True)
    finish(start(before, "make", given, *(["--whole"] if whole else [])))
    if data is not None:
        found = [*(data / PUBLISHED).glob("*.txt.gz"), data / PUBLISHED / "biobert" / "predictions.txt.gz"]
        for file in found:
            shutil.copyfile(file, given / file.name)
    outs = [folder / "before.json", folder / "after.json"]
    started = [start(c, "record", given, out, *parts) for c, out in zip((before, after), outs, strict=True)]
    finish(*started)
    first, second = (json.loads(out.read_text("utf-8")) for out in outs)
    return first, second


def excerpt(value: Any, other: Any) -> str:
    """A value in one line, long ones from where they part."""
    text, against = (side if isinstance(side, str) else json.dumps(side) for side in (value, other))
    pairs = enumerate(zip(text, against, strict=False))
    alike = next((i for i, (one, two) in pairs if one != two), min(len(text), len(against)))
    begin = max(0, alike - SHOWN // 4) if len(text) > SHOWN else 0
    cut = text[begin : begin + SHOWN]
    return f"{'…' if begin else ''}{cut!r}{'…' if begin + SHOWN < len(text) else ''}"


def report(before: dict[str, Any], after: dict[str, Any]) -> int:
    """Print every difference and a count for each part; returns how many there are."""
    found = list(differences(before, after))
    for one in found:
        print(one.path)
        print(f"    before  {excerpt(one.before, one.after)}")
        print(f"    after   {excerpt(one.after, one.before)}")
    counts = Counter(one.path.partition("/")[0] for one in found)
    for part, held in before.items():
        print(f"{part:12} {count(held):>9,} values, {counts[part]:>6,} differ")
    return len(found)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("before", type=Path, help="checkout that makes the inputs")
    parser.add_argument("after", type=Path, help="checkout to compare with it")
    parser.add_argument(
        "--data", type=Path, help="folder of corpora (../shared/data): scores some of them, too"
    )
    parser.add_argument("--parts", default="", help="only these, comma-separated")
    parser.add_argument("--keep", type=Path, help="new folder that keeps inputs and records")
    chosen = parser.parse_args(words)
    parts = chosen.parts.split(",") if chosen.parts else []
    with tempfile.TemporaryDirectory() as made:
        folder = chosen.keep or Path(made) / "records"
        sides = [side.resolve() for side in (chosen.before, chosen.after)]
        return 1 if report(*recorded(*sides, folder.resolve(), parts, data=chosen.data)) else 0


if __name__ == "__main__":
    sys.exit(main())
