"""How long claims take to become pairs, against a bare blocked matrix product of the same vectors.

    python tests/benchmarks/bench_mine.py [--claims 100000] [--domains 5] [--growth 20000,50000]

Synthetic claims (about 2.6 an article) with synthetic vectors of 384 dimensions: clusters of uneven size, as
claims lie around their subjects, some sentences word for word in many articles, and slots, entities, cues,
directions and years drawn at random. They say nothing of quality; `--seed` draws others.

For each domain: the baseline is numpy's product of the vectors with themselves, tile by tile of the same
size, every product made and none looked at; right before and right after the mining, and their mean is what
the mining is held against, so that other work on the machine slows both. Printed: wall and CPU seconds of
both, memory over what claims and vectors took before (peak of the process, watched from a thread), pairs.
First the sizes of `--growth`, one domain each, then `--domains` of `--claims`.

Exits with 1 if mining takes more than 1.3 times as long as the bare product, or more than 1.3 times the
memory of one domain's vectors, in any domain of full size; if it takes more than 1.2 times the CPU
seconds or the memory of mining as it was before likelihoods (`as_before`); or if a sample of 1,000
claims has a neighbour that a plain sort gives and mining does not. On a busy machine, `--share 8` makes
an eighth of the baseline's products, before and after, and counts them eightfold; trust the CPU seconds
there.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

DIMENSIONS, PER_ARTICLE, SAMPLE, TILE = 384, 2.6, 1_000, 2_048
GOAL_TIME, GOAL_MEMORY, GOAL_PAPER = 1.3, 1.3, 1.2
SYLLABLES = tuple(f"{a}{b}" for a in "bdfgklmnprstvz" for b in "aeiou")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--claims", type=int, default=100_000, help="of a domain")
    parser.add_argument("--domains", type=int, default=5)
    parser.add_argument("--growth", default="20000,50000", help="smaller domains to run before; none: -")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--share", type=int, default=1, help="make every n-th row of baseline tiles only")
    parser.add_argument("--seed", type=int, default=11)
    return parser.parse_args()


if __name__ == "__main__":  # read by the libraries when they are loaded
    given = arguments()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(given.threads)

import numpy as np  # noqa: E402
import psutil  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from core.conflicts.identity import pair_id  # noqa: E402
from core.conflicts.mine import PAPER, Mined, Mining, mine, run  # noqa: E402
from core.conflicts.mine.disagreement import signals  # noqa: E402
from core.conflicts.mine.neighbours import nearest  # noqa: E402
from core.conflicts.mine.score import Scorer  # noqa: E402
from core.records import Axis, CandidatePair, Claim, ClaimType, Cue, Direction, Scores  # noqa: E402

Vectors = NDArray[np.float32]
_WORDS = [f"{a}{b}{c}" for a in ("kar", "mel", "tos", "vin") for b in SYLLABLES for c in SYLLABLES]
"""Made-up words: drawn by Zipf's law, 25 a claim, of which trials hold 14 that name a subject."""


def vectors_of(size: int, rng: np.random.Generator) -> Vectors:
    """Unit rows around a centre for every 25 claims or so, of uneven size; one in 50 is a copy."""
    centres = rng.normal(size=(max(1, size // 25), DIMENSIONS)).astype(np.float32)
    subjects = rng.normal(size=(20, DIMENSIONS)).astype(np.float32)
    centres += 1.2 * subjects[rng.integers(20, size=len(centres))]  # of one domain: not at right angles
    weights = rng.pareto(1.5, size=len(centres)) + 0.2
    own = rng.choice(len(centres), size=size, p=weights / weights.sum())
    rows = np.empty((size, DIMENSIONS), dtype=np.float32)
    for start in range(0, size, 4_096):
        part = own[start : start + 4_096]
        rows[start : start + 4_096] = centres[part] + 0.9 * rng.normal(size=(len(part), DIMENSIONS))
    copies = rng.choice(size, size=size // 50, replace=False)
    rows[copies] = rows[rng.integers(max(1, size // 500), size=len(copies))]
    for start in range(0, size, 4_096):
        part = rows[start : start + 4_096]
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    return rows


def claims_of(size: int, domain: str, rng: np.random.Generator) -> list[Claim]:
    articles = rng.integers(max(1, int(size / PER_ARTICLE)), size=size).tolist()
    types, directions = list(ClaimType), list(Direction)
    names = [f"name {n}" for n in range(2_000)]
    slots = [[f"{slot} {n}" for n in range(300)] for slot in ("intervention", "outcome", "population")]
    values = [
        Cue(axis, 0, 5, "words", f"{kind}: {n}") for axis in Axis for kind in ("one", "two") for n in range(6)
    ]
    some = rng.integers(1 << 30, size=(size, 12)).tolist()
    drawn_words = np.minimum(rng.zipf(1.15, size=(size, 25)), len(_WORDS)).astype(int) - 1
    found = []
    for place, (article, drawn) in enumerate(zip(articles, some, strict=True)):
        found.append(
            Claim(
                claim_id=f"claim-{domain}-{place:09d}",
                article_uid=f"article {article:07d}",
                domain=domain,
                start=place,
                end=place + 100,
                text=" ".join(_WORDS[n] for n in drawn_words[place]),
                sentence_start=place,
                sentence_end=place + 100,
                claim_type=types[drawn[0] % 8],
                confidence=0.5,
                direction=directions[drawn[1] % 4],
                negated=drawn[2] % 6 == 0,
                entities=tuple(sorted({names[n % 2_000] for n in drawn[3 : 3 + drawn[0] % 5]})),
                slots={
                    slot: slots[n][drawn[7 + n] % 300] if drawn[7 + n] % 3 else None
                    for n, slot in enumerate(("intervention", "outcome", "population"))
                },
                cues=tuple(values[n % len(values)] for n in drawn[10 : 10 + drawn[2] % 3]),
                year=1990 + drawn[9] % 35 if drawn[9] % 20 else None,
            )
        )
    return found


def bare(vectors: Vectors, share: int = 1) -> float:
    """The share of the products that was made: 1 / `share` or a little more."""
    out = np.empty((min(TILE, len(vectors)),) * 2, dtype=np.float32)
    made = 0
    for i in range(0, len(vectors), TILE * share):
        left = vectors[i : i + TILE]
        made += len(left)
        for j in range(0, len(vectors), TILE):
            right = vectors[j : j + TILE]
            np.matmul(left, right.T, out=out[: len(left), : len(right)])
    return made / len(vectors)


def timed(work: Callable[[], object]) -> tuple[float, float, object]:
    """(wall seconds, CPU seconds, what it gives)."""
    wall, cpu = time.perf_counter(), time.process_time()
    made = work()
    return time.perf_counter() - wall, time.process_time() - cpu, made


@contextmanager
def memory() -> Iterator[list[int]]:
    """Bytes that the process grew by at most, in a list that is filled at the end."""
    process, found, over = psutil.Process(), [0], threading.Event()
    before = process.memory_info().rss

    def watch() -> None:
        while not over.wait(0.02):
            found[0] = max(found[0], process.memory_info().rss - before)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield found
    finally:
        over.set()
        thread.join()


def misses(claims: list[Claim], vectors: Vectors, rng: np.random.Generator) -> int:
    """Neighbours of a sample that are not those of a plain sort of all products, or the other way round."""
    k, least = Mining().neighbours, Mining().least_sim
    order = np.array(sorted(range(len(claims)), key=lambda place: claims[place].key()), dtype=np.intp)
    uids = [claims[place].article_uid for place in order]
    groups = np.unique(uids, return_inverse=True)[1].astype(np.int32)
    near = nearest(vectors, order, groups, k, least)
    pairs = near.first.astype(np.int64) * len(claims) + near.second
    rows, wrong = vectors[order], 0
    sample = rng.choice(len(claims), size=min(SAMPLE, len(claims)), replace=False)
    drawn = (
        pair for some in np.array_split(sample, 20) for pair in zip(some, rows[some] @ rows.T, strict=True)
    )
    for i, sims in drawn:
        sims[groups == groups[i]] = -1
        likely = np.flatnonzero(sims >= np.sort(sims)[-k] - 1e-4) if len(sims) >= k else np.arange(len(sims))
        exact = np.sum(rows[likely].astype(np.float64) * rows[i], axis=1)
        best = likely[np.lexsort((likely, -exact))[:k]]
        best = best[exact[np.searchsorted(likely, best)] >= least]
        keys = np.minimum(best, i).astype(np.int64) * len(claims) + np.maximum(best, i)
        wrong += int(np.count_nonzero(~np.isin(keys, pairs)))
    return wrong


def as_before(claims: list[Claim], vectors: Vectors) -> int:
    """Mining as it was when it took near claims alone, every pair was scored, and articles had a limit of
    pairs: the settings of the paper with two pairs an article, and nothing told of likelihood."""
    mining = Mining(**{**PAPER, "per_article": 2})
    ordered = sorted(claims, key=lambda claim: claim.key())
    order = np.array(sorted(range(len(claims)), key=lambda place: claims[place].key()), dtype=np.intp)
    articles = mine._numbered(ordered)
    near = nearest(vectors, order, articles, mining.neighbours, mining.least_sim)
    scorer = Scorer(ordered, mining.weights, year_step=mining.year_step, year_most=mining.year_most)
    score = scorer.scores(*near).combined
    good = np.flatnonzero(score >= mining.least_score)
    good = good[np.argsort(-score[good], kind="stable")]
    counts = Counter(articles=int(articles[-1]) + 1)
    chosen = mine._chosen(ordered, articles, near.at(good), score[good], mining, counts)
    pairs = near.at(good[np.array(chosen, dtype=np.intp)])
    parts = scorer.scores(*pairs)
    found = []
    for at, (i, j) in enumerate(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)):
        a, b = ordered[i], ordered[j]
        scores = Scores(*(float(part[at]) for part in parts[:-1]))
        told = signals(int(parts.signals[at]))
        found.append(CandidatePair(pair_id(a, b), a.domain, a, b, scores, told))
    return len(found)


def mined(claims: list[Claim], vectors: Vectors) -> Mined:
    """Pairs are handed on one by one, as a run stores them."""
    found = run(claims, vectors)
    assert sum(1 for _ in found.pairs) == len(found.pairs)
    return found


def one(size: int, domain: str, rng: np.random.Generator, share: int) -> tuple[float, float, float]:
    """Print a row; (time, memory) against the bare product and the vectors, and the larger of the ratios of
    CPU seconds and of memory to mining as it was."""
    vectors = vectors_of(size, rng)
    claims = claims_of(size, domain, rng)
    bare(vectors[:4_096])
    with memory() as held:
        _, was, _ = timed(lambda: as_before(claims, vectors))
    before = timed(lambda: bare(vectors, share))
    with memory() as grown:
        wall, cpu, made = timed(lambda: mined(claims, vectors))
    after = timed(lambda: bare(vectors, share))
    assert isinstance(made, Mined)
    assert isinstance(before[2], float)
    plain = mean((before[0], after[0])) / before[2], mean((before[1], after[1])) / before[2]
    extra = grown[0] / vectors.nbytes
    counts = " ".join(f"{name} {count:,}" for name, count in made.counts.items() if name != "claims")
    print(
        f"{domain:10}{size:9,}{plain[0]:9.1f}{plain[1]:9.1f}{wall:9.1f}{cpu:9.1f}"
        f"{wall / plain[0]:8.2f}{cpu / plain[1]:8.2f}{grown[0] / 1e6:9.0f}{extra:8.2f}"
        f"{cpu / was:9.2f}{grown[0] / held[0]:8.2f}  {counts}",
        flush=True,
    )
    return wall / plain[0], extra, max(cpu / was, grown[0] / held[0])


def main(given: argparse.Namespace) -> int:
    rng = np.random.default_rng(given.seed)
    print(f"{given.threads} threads, load {os.getloadavg()[0]:.1f}")
    print(
        f"{'':10}{'claims':>9}{'bare s':>9}{'CPU-s':>9}{'mined s':>9}{'CPU-s':>9}{'wall /':>8}{'CPU /':>8}"
        f"{'MB more':>9}{'/ vec.':>8}{'CPU/was':>9}{'MB/was':>8}"
    )
    sizes = [int(size) for size in given.growth.split(",") if size.isdigit()]
    for size in sizes:
        one(size, "growth", rng, given.share)
    started = time.perf_counter()
    found = [one(given.claims, f"domain {n}", rng, given.share) for n in range(1, given.domains + 1)]
    print(f"all domains, baselines and drawing included: {time.perf_counter() - started:.0f} s")
    size = min(given.claims, 20_000)
    wrong = misses(claims_of(size, "sample", rng), vectors_of(size, rng), rng)
    print(f"neighbours of {SAMPLE:,} of {size:,} claims that a plain sort gives and mining does not: {wrong}")
    missed = []
    if max(ratio for ratio, *_ in found) > GOAL_TIME:
        missed.append(f"time: goal {GOAL_TIME} of the bare product")
    if max(ratio for *_, ratio in found) > GOAL_PAPER:
        missed.append(f"time or memory: goal {GOAL_PAPER} of mining as it was")
    if max(extra for _, extra, _ in found) > GOAL_MEMORY:
        missed.append(f"memory: goal {GOAL_MEMORY} of the vectors")
    if wrong:
        missed.append("neighbours are not exact")
    for said in missed:
        print(f"MISSED: {said}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(given))
