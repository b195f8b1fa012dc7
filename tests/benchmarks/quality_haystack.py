"""How soon pairs that really disagree are seen among all that mining finds, and how many of them it finds.

    python tests/benchmarks/quality_haystack.py [FOLDER OF THE DATA] [VECTORS] [--read N [--about WORDS]]

VECTORS is a file that keeps vectors between two runs; to encode all claims once takes minutes. Three haystacks
of the claims of 3,001 trials, each with

- *HealthVer*: claims and evidence of known stance (`haystack`), of the questions of one half, then the other:
  the formula was tried on the first half (tuned) and never looked at with the second (judged);
- *planted*: for every 40th claim that tells an effect, a sentence that denies it, as an article without a
  title; made by rule, so it is easier than life.

Told for mining as it is, and as it was (the settings of the paper, two pairs an article, by score): pairs of
the first 50 of the queue that contradict each other and of how many questions; contradicting pairs of articles
among all that were mined. Intervals: percentile bootstrap over questions. Trials disagree with each other, too:
the first 50 hold such pairs, and count them as none. Then how often a stated likelihood comes true, among pairs
of HealthVer. `--read N` prints the first N pairs of the trials (with WORDS, a pattern, those about them), now and before.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

from haystack import DOMAIN, FIRST, Haystack, VectorFile, half, haystack, stances  # noqa: E402
from quality_claims import TRIALS, articles  # noqa: E402

from core.conflicts import extract, normalise  # noqa: E402
from core.conflicts.mine import PAPER, Mining, run  # noqa: E402
from core.encode import Encoder  # noqa: E402
from core.records import Article, CandidatePair, Direction, Normalised  # noqa: E402
from core.review.walks.spread import spread  # noqa: E402

ROOT = Path(__file__).parents[2]
RESAMPLES = 1_000
NOW, BEFORE = Mining(), Mining(**{**PAPER, "per_article": 2})
_DENY = (
    (re.compile(r"\b(?:significantly |markedly )?(?:reduced|decreased|lowered)\b"), "did not reduce"),
    (re.compile(r"\b(?:significantly |markedly )?(?:increased|raised)\b"), "did not increase"),
    (re.compile(r"\b(?:significantly |markedly )?improved\b"), "did not improve"),
    (re.compile(r"\bwas (?:significantly |markedly )?(?:higher|lower|greater)\b"), "was not different"),
)


def queue(found: list[CandidatePair]) -> list[CandidatePair]:
    """The first pairs of the queue, of which no claim takes more than a few places."""
    ids: dict[str, int] = {}
    sides = [[ids.setdefault(getattr(p, s).claim_id, len(ids)) for p in found] for s in ("a", "b")]
    return [found[at] for at in spread(*map(np.array, sides))]


def measured(name: str, hay: Haystack, mining: Mining, places: list[int]) -> None:
    claims, titles = [hay.claims[at] for at in places], [hay.titles[at] for at in places]
    mined = run(claims, hay.vectors[places], mining, titles=titles).pairs
    ranked = queue(mined)
    uids = {claim.article_uid for claim in claims}
    wanted = {pair for pair, conflict in hay.known.items() if conflict and uids.issuperset(pair)}
    names = [(pair.a.article_uid, pair.b.article_uid) for pair in ranked]
    rows = [hay.question.get(a) if hay.known.get(tuple(sorted((a, b)))) else None for a, b in names]
    met = {tuple(sorted(pair)) for pair in names} & wanted
    questions = sorted({hay.question[a] for a, _ in wanted})
    whose = [{hay.question[uid] for uid in pair if uid in hay.question} for pair in names]
    first, share = [], []
    rng = np.random.default_rng(13)
    for _ in range(RESAMPLES):
        drawn = rng.choice(questions, len(questions))
        times = {question: int((drawn == question).sum()) for question in questions}
        seen = hits = 0
        for row, of in zip(rows[: 4 * FIRST], whose, strict=False):
            count = 1 if not of else min(times.get(one, 0) for one in of)
            take = min(count, FIRST - seen)
            seen, hits = seen + take, hits + take * (row is not None)
            if seen == FIRST:
                break
        first.append(hits / FIRST)
        total = sum(times[hay.question[a]] for a, _ in wanted)
        share.append(sum(times[hay.question[a]] for a, _ in met) / max(1, total))
    low, high = np.percentile([first, share], (2.5, 97.5), axis=1)
    told = [row for row in rows[:FIRST] if row is not None]
    print(
        f"  {name:7} {len(claims):6,} claims, {len(mined):6,} pairs; first {FIRST}: {len(told) / FIRST:.0%}"
        f" [{low[0]:.0%}, {high[0]:.0%}] contradict, of {len(set(told))} questions; mined"
        f" {len(met) / max(1, len(wanted)):.2f} [{low[1]:.2f}, {high[1]:.2f}] of {len(wanted)}"
    )
    if mining is NOW:
        reliability(hay, ranked)


def reliability(hay: Haystack, ranked: list[CandidatePair]) -> None:
    told: dict[int, list[tuple[float, bool]]] = {}
    for pair in ranked:
        known = hay.known.get(tuple(sorted((pair.a.article_uid, pair.b.article_uid))))
        if known is not None and pair.likelihood:
            value = pair.likelihood.value
            told.setdefault(sum(value >= at for at in (0.01, 0.05, 0.2, 0.5)), []).append((value, known))
    for _, cells in sorted(told.items()):
        values, came = map(np.array, zip(*cells, strict=True))
        print(f"          stated {values.mean():.3f}: {came.mean():.3f} of {len(cells)} contradict")


def planted(trials: list[Article], encoder: Encoder) -> Haystack:
    """Claims of trials, and denials of some of them."""
    found = [one for one in normalise.run(trials) if isinstance(one, Normalised)]
    claims = [claim for _, some in extract.run(found) for claim in some if not claim.boilerplate]
    telling = [claim for claim in claims if claim.direction in (Direction.INCREASED, Direction.DECREASED)]
    needles, question, known = [], {}, {}
    for claim in telling[::40]:
        for pattern, words in _DENY:
            text, count = pattern.subn(words, claim.alone, count=1)
            if count:
                uid = f"planted-{len(needles):04}"
                needles.append(Article(uid, text, DOMAIN))
                question[uid] = question[claim.article_uid] = f"question {len(needles)}"
                known[tuple(sorted((uid, claim.article_uid)))] = True
                break
    made = haystack([], [*trials, *needles], encoder)
    return replace(made, question=question, known=known)  # type: ignore[arg-type]


def read_aloud(hay: Haystack, trials: list[int], count: int) -> None:
    claims, titles = [hay.claims[at] for at in trials], [hay.titles[at] for at in trials]
    for name, mining in (("now", NOW), ("before", BEFORE)):
        print(f"\nthe first {count} pairs of the trials, {name}")
        found = run(claims, hay.vectors[trials], mining, titles=titles).pairs
        for number, pair in enumerate((queue(found) if mining is NOW else found)[:count], 1):
            word = f"{pair.likelihood.word} {pair.likelihood.value:.2f}" if pair.likelihood else ""
            print(
                f"{number}. {word} score {pair.scores.combined:.2f}\n   A {pair.a.alone}\n   B {pair.b.alone}"
            )


def main(folder: Path, vectors: str, read: int, about: Callable[[str], bool]) -> int:
    if not (folder / "claims").is_dir():
        print(f"no data in {folder}: nothing is measured")
        return 0
    encoder = Encoder(threads=1, cache=VectorFile(vectors))
    trials = list(articles(folder, TRIALS).values())
    hay = haystack(stances(folder), trials, encoder)
    every = range(len(hay.claims))
    if read:
        own = [at for at in every if hay.claims[at].article_uid not in hay.question]
        read_aloud(hay, [at for at in own if about(f"{hay.titles[at]} {hay.claims[at].alone}")], read)
        return 0
    for name, chosen in (("tuned", 0), ("judged", 1), ("all", None)):
        print(f"\nHealthVer, {name}")
        questions = {uid for uid, asked in hay.question.items() if chosen in (None, half(asked))}
        uids = [claim.article_uid for claim in hay.claims]
        places = [at for at in every if uids[at] in questions or uids[at] not in hay.question]
        for said, mining in (("now", NOW), ("before", BEFORE)):
            measured(said, hay, mining, places)
    print("\nplanted")
    hay = planted(trials, encoder)
    for said, mining in (("now", NOW), ("before", BEFORE)):
        measured(said, hay, mining, list(range(len(hay.claims))))
    return 0


if __name__ == "__main__":
    given = sys.argv[1:]
    reading = int(given[given.index("--read") + 1]) if "--read" in given else 0
    topic = given[given.index("--about") + 1] if "--about" in given else ""
    plain = [one for one in given if not one.startswith("--") and one not in (str(reading), topic)]
    default = ROOT.parent / "shared" / "data"
    wanted = re.compile(topic, re.IGNORECASE)
    sys.exit(
        main(
            Path(plain[0]) if plain else default,
            plain[1] if len(plain) > 1 else ":memory:",
            reading,
            lambda text: bool(wanted.search(text)),
        )
    )
