"""Bootstrap intervals of micro, macro and weighted P / R / F1 against a scikit-learn loop, in one run.

    python tests/benchmarks/bench_bootstrap.py

228 documents x 436 labels, 10,000 resamples over documents, CPU seconds (this process and its threads). The
first loop calls scikit-learn once per average and resample on the transposed indicator matrices, so that its
`macro` and `weighted` run over documents as ours do; the second adds up documents in plain Python. Both are
timed on fewer resamples and scaled. All sides use the same index lists, and every resampled value must agree
to 1e-9. Paired differences of two systems may cost at most twice what one system costs. Exits with 1 if a
goal is missed.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.metrics import precision_recall_fscore_support

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.metrics.bootstrap import draws, forget
from core.metrics.corpus import VALUES, score
from core.metrics.documents import Outcome, compare
from core.metrics.paired import corpus_differences

DOCUMENTS, LABELS, RESAMPLES, LOOP, NAIVE = 228, 436, 10_000, 40, 400
GOAL_SECONDS, GOAL_RATIO, GOAL_PAIRED = 0.5, 300, 2


def corpus(documents: int, labels: int, per_document: float, seed: int = 7):
    """Random gold with about `per_document` labels a document, and predictions that find 3 in 4."""
    generator = np.random.default_rng(seed)
    gold = generator.random((documents, labels)) < per_document / labels
    gold[np.arange(documents), generator.integers(0, labels, documents)] = True
    missed = gold & (generator.random(gold.shape) < 0.25)
    spurious = generator.random(gold.shape) < 0.25 * per_document / labels
    return gold, (gold & ~missed) | spurious


def as_sets(matrix) -> dict[str, frozenset[int]]:
    return {f"{i:06}": frozenset(np.flatnonzero(row).tolist()) for i, row in enumerate(matrix)}


def seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """Median CPU seconds, the drawing and counting of resamples included each time."""
    times = []
    for _ in range(repeats):
        forget()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def resampled(outcomes, index_lists):
    """Ours, (resamples, 9)."""
    found = score(outcomes, index_lists=index_lists).resampled
    return np.column_stack([found[name] for name in VALUES])


def scikit_learn(gold, predicted, index_lists):
    """(resamples, 9): values of each resample, columns as in `VALUES`."""
    rows = []
    for indices in index_lists:
        g, p = gold[indices].T, predicted[indices].T
        rows.append(
            [
                value
                for average in ("micro", "macro", "weighted")
                for value in precision_recall_fscore_support(g, p, average=average, zero_division=0)[:3]
            ]
        )
    return np.array(rows)


def naive(outcomes, index_lists):
    """The same, document by document; every document has gold."""
    counts = [(len(o.tp), len(o.fp), len(o.fn)) for o in outcomes]
    rows = []
    for indices in index_lists:
        tp = fp = fn = weights = 0
        sums, weighted = [0.0] * 3, [0.0] * 3
        for i in indices:
            right, spurious, missed = counts[i]
            tp, fp, fn = tp + right, fp + spurious, fn + missed
            weight = right + missed
            weights += weight
            values = parts(right, spurious, missed)
            for k in range(3):
                sums[k] += values[k]
                weighted[k] += weight * values[k]
        n = len(indices)
        rows.append([*parts(tp, fp, fn), *(v / n for v in sums), *(v / weights for v in weighted)])
    return np.array(rows)


def parts(tp: int, fp: int, fn: int) -> tuple[float, float, float]:
    """P, R, F1; a zero denominator: 0."""
    return tp / max(tp + fp, 1), tp / max(tp + fn, 1), 2 * tp / max(2 * tp + fp + fn, 1)


def many_documents(n: int, labels: int) -> tuple[Outcome, ...]:
    generator = np.random.default_rng(3)
    gold = {f"{i:06}": set() for i in range(n)}
    predicted = {f"{i:06}": set() for i in range(n)}
    for side in (gold, predicted):
        for document, concept in zip(
            generator.integers(0, n, labels), generator.integers(0, 500, labels), strict=True
        ):
            side[f"{document:06}"].add(int(concept))
    return compare(gold, predicted)


def main() -> int:
    gold, predicted = corpus(DOCUMENTS, LABELS, 6.3)
    gold_sets, predicted_sets = as_sets(gold), as_sets(predicted)
    outcomes = compare(gold_sets, predicted_sets)

    ours = seconds(lambda: score(compare(gold_sets, predicted_sets), index_lists=draws(DOCUMENTS, RESAMPLES)))
    lists = np.concatenate(list(draws(DOCUMENTS, LOOP)))
    theirs = seconds(lambda: scikit_learn(gold, predicted, lists), repeats=1) * RESAMPLES / LOOP
    apart = float(np.abs(resampled(outcomes, lists) - scikit_learn(gold, predicted, lists)).max())
    lists = np.concatenate(list(draws(DOCUMENTS, NAIVE)))
    plain = seconds(lambda: naive(outcomes, lists), repeats=1) * RESAMPLES / NAIVE
    apart_naive = float(np.abs(resampled(outcomes, lists) - naive(outcomes, lists)).max())
    other = compare(gold_sets, as_sets(corpus(DOCUMENTS, LABELS, 6.3, seed=9)[1]))
    one = seconds(lambda: score(outcomes, index_lists=draws(DOCUMENTS, RESAMPLES)), repeats=9)
    paired = seconds(lambda: corpus_differences(outcomes, other, resamples=RESAMPLES), repeats=9) / one
    twice = seconds(lambda: score(outcomes, index_lists=draws(DOCUMENTS, 2 * RESAMPLES)))

    print(f"{DOCUMENTS} documents x {LABELS} labels, {RESAMPLES:,} resamples, {len(VALUES)} values")
    print(f"  ours, sets to intervals     {ours:9.3f} CPU-s   (goal {GOAL_SECONDS})")
    print(f"  scikit-learn loop           {theirs:9.1f} CPU-s   (from {LOOP} resamples)")
    print(f"  ratio                       {theirs / ours:9.0f} x       (goal {GOAL_RATIO})")
    print(f"  largest difference          {apart:9.1e}         (goal 1e-9, {LOOP} shared resamples)")
    print(f"  plain loop over documents   {plain:9.1f} CPU-s   (from {NAIVE} resamples)")
    print(f"  ratio                       {plain / ours:9.0f} x")
    print(f"  largest difference          {apart_naive:9.1e}         (goal 1e-9, {NAIVE} shared resamples)")
    print(f"  paired differences and p    {paired:9.2f} x       of one system's cost (goal {GOAL_PAIRED})")
    print(f"  twice the resamples         {twice / one:9.2f} x the time")

    for n, labels in ((5_000, 18_500), (54_000, 200_000)):
        large = many_documents(n, labels)
        took = seconds(lambda large=large, n=n: score(large, index_lists=draws(n, 1000)), repeats=1)
        print(f"{n:,} documents, {labels:,} labels, 1,000 resamples: {took:.2f} CPU-s")
    return int(
        ours > GOAL_SECONDS
        or theirs / ours < GOAL_RATIO
        or max(apart, apart_naive) > 1e-9
        or paired > GOAL_PAIRED
    )


if __name__ == "__main__":
    sys.exit(main())
