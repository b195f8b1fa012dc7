"""How well it is told that two claims of one question disagree: by learned weights and by simpler means.

    python tests/benchmarks/quality_stance.py [FOLDER OF THE DATA] [VECTORS]

VECTORS is a file that keeps vectors between two runs. Judged apart from what was learned:

- *HealthVer dev*: every pair of texts whose stance follows from the labels (`haystack.known_pairs`). Weights
  are learned again without the questions that they judge (`FOLDS` parts), for less, none and more from
  Evidence Inference alone.
- *Evidence Inference*: sentences of different trials on one outcome, which differ in whether it was less, no
  different or more. Weights are learned again without the articles that they judge.
- *written*: the 40 later pairs of `tests/conflicts`, conflict or none. Nothing was learned from them.
- *direction*: less, none or more of single sentences, by rules and by the weights, in parts by article.

Baselines in the same run: the rules of `finding` (both read, and read otherwise); exactly one of two has "no,
not, without, neither, nor"; the similarity of MiniLM vectors, below its median. Intervals: percentile
bootstrap over questions (outcomes; single pairs where written). Then how often a stated chance comes true.
Last, the mean F1 and MCC of the three sets, each with the same weight, and by how much the weights are ahead.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

from haystack import VectorFile, known_pairs, stances  # noqa: E402
from quality_pairs import evidence  # noqa: E402

from core.conflicts.finding import read  # noqa: E402
from core.conflicts.stance import train  # noqa: E402
from core.conflicts.stance.learned import SURE, conflict  # noqa: E402
from core.conflicts.stance.train import Pair, Sentence  # noqa: E402
from core.conflicts.stance.words import says_no  # noqa: E402
from core.encode import Encoder  # noqa: E402
from core.records import Direction  # noqa: E402

ROOT = Path(__file__).parents[2]
FOLDS, RESAMPLES = 5, 1_000
MEASURES = ("F1", "MCC")
CODES = {Direction.DECREASED: -1, Direction.UNCHANGED: 0, Direction.INCREASED: 1}
Flags = NDArray[np.bool_]


def fold(name: str) -> int:
    return zlib.crc32(name.encode()) % FOLDS


def figures(gold: Flags, said: Flags) -> tuple[float, float, float, float]:
    """P, R, F1, MCC; 0 where undefined, for drawing intervals."""
    tp, fp = int((gold & said).sum()), int((~gold & said).sum())
    fn, tn = int((gold & ~said).sum()), int((~gold & ~said).sum())
    under = ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5
    return (
        tp / max(1, tp + fp),
        tp / max(1, tp + fn),
        2 * tp / max(1, 2 * tp + fp + fn),
        (tp * tn - fp * fn) / under if under else 0.0,
    )


def show(
    what: str, pairs: Sequence[Pair], chance: NDArray[np.float64], others: dict[str, Flags]
) -> dict[str, NDArray[np.float64]]:
    """Print how good each means is. Returns F1 and MCC of each (two rows): as measured, then of every
    resample."""
    gold = np.array([one.conflict for one in pairs])
    units: dict[str, list[int]] = defaultdict(list)
    for at, one in enumerate(pairs):
        units[one.question].append(at)
    groups = [np.array(held) for held in units.values()]
    rng = np.random.default_rng(13)
    resamples = [
        np.concatenate([groups[i] for i in rng.integers(len(groups), size=len(groups))])
        for _ in range(RESAMPLES)
    ]
    print(f"\n{what}: {len(pairs)} pairs of {len(groups)} questions, {gold.sum()} in conflict")
    found: dict[str, NDArray[np.float64]] = {}
    for name, said in {"learned": chance >= 0.5, **others}.items():
        p, r, f1, mcc = measured = figures(gold, said)
        drawn = np.array([figures(gold[some], said[some]) for some in resamples])
        found[name] = np.array([measured, *drawn])[:, 2:].T
        low, high = np.percentile(drawn, (2.5, 97.5), axis=0)
        print(
            f"  {name:12} P {p:.2f} R {r:.2f} F1 {f1:.2f} [{low[2]:.2f}, {high[2]:.2f}]"
            f" MCC {mcc:.2f} [{low[3]:.2f}, {high[3]:.2f}]",
            end="",
        )
        print("" if name == "learned" else ahead(found["learned"], found[name]))
    reliability(gold, chance)
    return found


def ahead(learned: NDArray[np.float64], other: NDArray[np.float64]) -> str:
    """By how much in each measure."""
    low, high = np.percentile((learned - other)[:, 1:], (2.5, 97.5), axis=1)
    told = [f"in {name} by [{low[i]:.2f}, {high[i]:.2f}]" for i, name in enumerate(MEASURES)]
    return f"   learned ahead {', '.join(told)}"


def together(sets: Sequence[dict[str, NDArray[np.float64]]]) -> None:
    """Each set was resampled by itself: what it drew is paired with what the others drew by chance."""
    rng = np.random.default_rng(13)
    orders = [rng.permutation(RESAMPLES) for _ in sets]
    print("\nall three sets, means")
    means: dict[str, NDArray[np.float64]] = {}
    for name in sets[0]:
        rows = [held[name][:, [0, *(order + 1)]] for held, order in zip(sets, orders, strict=True)]
        means[name] = np.mean(rows, axis=0)
        f1, mcc = means[name][:, 0]
        told = "" if name == "learned" else ahead(means["learned"], means[name])
        print(f"  {name:12} F1 {f1:.2f} MCC {mcc:.2f}{told}")


def reliability(gold: Flags, chance: NDArray[np.float64]) -> None:
    cells = []
    for low in np.arange(0, 1, 0.2):
        inside = (chance >= low) & (chance < low + 0.2)
        if inside.any():
            cells.append(f"{chance[inside].mean():.2f}: {gold[inside].mean():.2f} of {inside.sum()}")
    print(f"  stated chance: share that conflict   {'   '.join(cells)}")


def plain(pairs: Sequence[Pair]) -> dict[str, Flags]:
    five = [says_no(one.a) != says_no(one.b) for one in pairs]
    ways = [(read(one.a).direction, read(one.b).direction) for one in pairs]
    rules = [a is not b and Direction.UNCLEAR not in (a, b) for a, b in ways]
    return {"rules": np.array(rules), "five words": np.array(five)}


def unlike(pairs: Sequence[Pair], encoder: Encoder) -> dict[str, Flags]:
    a, b = (encoder.encode([getattr(one, side) for one in pairs]) for side in "ab")
    sim = (a * b).sum(axis=1)
    return {"similarity": sim < np.median(sim)}


def of_questions(folder: Path, some: list[Sentence], encoder: Encoder) -> dict[str, NDArray[np.float64]]:
    """HealthVer. Returns what `show` finds of all its pairs."""
    found: dict[str, NDArray[np.float64]] = {}
    known = train.claims(folder)
    table = train.learn_effect(some)
    chances = train.told_by(train.unseen(some), table)
    drawn = list(train.drawn(some))
    tables = [
        train.learn_conflict([one for one in known if fold(one.question) != at], drawn, chances)
        for at in range(FOLDS)
    ]
    every = known_pairs(stances(folder))
    for kind in ("claim-evidence", "claim-claim", "evidence-evidence", ""):
        held = [Pair(one.question, one.a, one.b, one.conflict) for one in every if kind in ("", one.kind)]
        told = [conflict(one.a, one.b, tables[fold(one.question)], chances) for one in held]
        found = show(f"HealthVer {kind or 'all'}", held, np.array(told), plain(held) | unlike(held, encoder))
    return found


def of_outcomes(folder: Path, encoder: Encoder) -> dict[str, NDArray[np.float64]]:
    """Evidence Inference."""
    prompts: dict[str, list[tuple[Sentence, str]]] = defaultdict(list)
    for one, outcome in outcomes(folder):
        prompts[outcome].append((one, outcome))
    every = [one for held in prompts.values() for one, _ in held]
    chances = train.unseen(every)
    told_by = train.told_by(chances, train.learn_effect(every))
    table = train.learn_conflict(train.claims(folder), list(train.drawn(every)), told_by)
    held = [
        Pair(outcome, a.text, b.text, a.code != b.code)
        for outcome, some in prompts.items()
        for (a, _), (b, _) in combinations(some, 2)
        if a.article != b.article
    ]
    told = [conflict(one.a, one.b, table, chances.__getitem__) for one in held]
    return show("Evidence Inference, one outcome", held, np.array(told), plain(held) | unlike(held, encoder))


def outcomes(folder: Path) -> list[tuple[Sentence, str]]:
    return [(Sentence(row.article, row.text, row.code), row.outcome) for row in evidence(folder)]


def written(encoder: Encoder) -> dict[str, NDArray[np.float64]]:
    path = ROOT / "tests" / "conflicts" / "pairs_labelled_later.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    held = [
        Pair(str(at), row["claim_a"], row["claim_b"], row["type"] != "no_conflict")
        for at, row in enumerate(rows)
    ]
    told = np.array([conflict(one.a, one.b) for one in held])
    return show("written later (some are of two questions)", held, told, plain(held) | unlike(held, encoder))


def direction(some: list[Sentence]) -> None:
    seen = train.unseen(some)
    gold = np.array([one.code for one in some])
    by_rule = np.array([CODES.get(read(one.text).direction, 9) for one in some])
    chances = np.array([seen[one.text] for one in some])
    best = chances.argmax(axis=1) - 1
    sure = np.where((by_rule == 9) & (chances.max(axis=1) < SURE), 9, best)
    articles = sorted({one.article for one in some})
    groups = [np.flatnonzero([one.article == uid for one in some]) for uid in articles]
    rng = np.random.default_rng(13)
    print(f"\ndirection: {len(some)} sentences of {len(articles)} articles")
    for name, said in {"rules": by_rule, "weights": best, "corrected": sure}.items():
        right = said == gold
        told = said != 9
        drawn = [
            right[np.concatenate([groups[i] for i in rng.integers(len(groups), size=len(groups))])].mean()
            for _ in range(200)
        ]
        low, high = np.percentile(drawn, (2.5, 97.5))
        effect = ((said != 0) == (gold != 0)).mean()
        shares = f"where told {right[told].mean():.3f}, effect or none {effect:.3f}"
        print(f"  {name:10} right {right.mean():.3f} [{low:.3f}, {high:.3f}], {shares}")


def main(folder: Path, vectors: str) -> int:
    if not (folder / "claims").is_dir():
        print(f"no data in {folder}: nothing is measured")
        return 0
    encoder = Encoder(threads=1, cache=VectorFile(vectors))
    some = train.sentences(folder)
    direction(some)
    together([of_outcomes(folder, encoder), of_questions(folder, some, encoder), written(encoder)])
    return 0


if __name__ == "__main__":
    given = sys.argv[1:]
    default = ROOT.parent / "shared" / "data"
    sys.exit(main(Path(given[0]) if given else default, given[1] if len(given) > 1 else ":memory:"))
