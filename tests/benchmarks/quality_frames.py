"""Whether the interval of an estimated precision keeps its promise, on the offline annotator's proposals.

    python tests/benchmarks/quality_frames.py [FOLDER OF THE CORPORA] [--draws 1000]

Every open corpus with gold is a frame of its affirmed and uncertain proposals; the gold answers. Of so many
draws of the first n units: in how many the 95 % interval holds the precision of the whole frame, how wide it
is, and the mean error. Goal for random draws: 93 to 97 %; exits with 1 if one misses it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.concepts.lexicon import Lexicon
from core.metrics.draw import by_doubt, inclusion
from core.metrics.whole_set import precision
from core.ontology.lineage import Lineage
from core.ontology.load import load
from core.records import Assertion
from tests.benchmarks.quality_lexicon import BRANCH, CORPORA, ROOT, documents

SIZES = (60, 100, 200, 400)
LEAST, MOST = 0.93, 0.97


def proposals(lexicon: Lexicon, path: Path, mapped: dict[str, str]) -> tuple[np.ndarray, np.ndarray]:
    """(whether each proposal is in the gold, its confidence)."""
    found = [
        (draft.concept in document.gold, draft.confidence or 0.0)
        for document in documents(path, mapped)
        for draft in lexicon.annotate(document.text)
        if draft.assertion is not Assertion.NEGATED
    ]
    y, f = zip(*found, strict=True)
    return np.array(y), np.array(f)


def coverage(y: np.ndarray, f: np.ndarray, n: int, active: bool, draws: int) -> tuple[float, float, float]:
    """(share of intervals that hold, mean half-width, mean error) over so many draws."""
    size, truth = len(y), float(y.mean())
    q = by_doubt(f) if active else np.ones(size)
    rng = np.random.default_rng(13)
    held, width, error = 0, [], []
    for _ in range(draws):
        u = rng.random(size)
        queue = np.argsort(u / q)[: n + 1]
        pi = inclusion(u[queue], q[queue], n, size, not active)
        drawn = queue[:n]
        found = precision(y[drawn].tolist(), f[drawn].tolist(), pi, size, float(f.mean()))
        error.append((found.value or 0.0) - truth)
        if found.low is not None and found.high is not None:
            held += found.low <= truth <= found.high
            width.append((found.high - found.low) / 2)
    return held / draws, float(np.mean(width)), float(np.mean(error))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--draws", type=int, default=1000)
    given = parser.parse_args()
    ontology = load(given.folder / "ontology" / "hp-2024-02-08-rebuilt.obo.gz", name="hp")
    below = Lineage.of(ontology).descendants(BRANCH)
    branch = [c for c in ontology.concepts if not c.obsolete and c.curie in below]
    mapped = {old: c.curie for c in branch for old in (c.curie, *c.alt_ids)}
    lexicon = Lexicon.build(ontology.concepts, root=BRANCH)
    missed = 0
    print(f"{'corpus':<20}{'N':>6}{'P':>7}{'n':>6}  {'draw':<8}{'coverage':>9}{'half-width':>12}{'error':>9}")
    for name, file in CORPORA.items():
        y, f = proposals(lexicon, given.folder / file, mapped)
        for n in (n for n in SIZES if n <= len(y) * 0.8):
            for active in (False, True):
                held, width, error = coverage(y, f, n, active, given.draws)
                bad = not active and not LEAST <= held <= MOST
                missed += bad
                draw = "active" if active else "random"
                print(
                    f"{name:<20}{len(y):>6}{y.mean():>7.3f}{n:>6}  {draw:<8}{held:>9.3f}{width:>12.3f}"
                    f"{error:>+9.4f}{'  MISSED' if bad else ''}"
                )
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
