"""A topic brief over a run of 20,000 made-up claims and 50,000 pairs: processor time of one question.

    python tests/benchmarks/bench_brief.py [CLAIMS]

A claim names one of 100 made-up drugs and one of ten outcomes, a pair joins two claims on one drug. Asked are
a drug with an outcome, a drug, and an outcome. Baseline, in the same run: reading the records of all claims
of the run, without looking at one. Printed: findings and pairs of the brief, CPU seconds, ratio.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.conflicts.identity import claim_id, pair_id
from core.evaluate.brief import brief
from core.records import Article, CandidatePair, Claim, ClaimType, Document, Normalised, Scores, Tier
from core.store import Workspace, claims, corpora, open_workspace, pairs, runs

STARTS = ("bex", "cor", "dal", "fen", "gal", "hel", "jor", "kav", "lum", "mor")
ENDS = ("adol", "ibine", "oran", "ulast", "ezil", "ovir", "aprin", "itox", "emab", "ustat")
DRUGS = tuple(start + end for start in STARTS for end in ENDS)
OUTCOMES = (
    "mortality",
    "relapse",
    "pain",
    "fever",
    "stroke",
    "falls",
    "fracture",
    "nausea",
    "sepsis",
    "cough",
)
FINDINGS = ("reduced", "increased", "did not reduce")
QUESTIONS = (f"{DRUGS[0]} {OUTCOMES[0]}", DRUGS[0], OUTCOMES[0])
PAIRS = 2.5
"""For each claim."""


def build(workspace: Workspace, count: int) -> None:
    chance = random.Random(7)
    texts = [
        f"{DRUGS[n % len(DRUGS)].capitalize()} {chance.choice(FINDINGS)} {chance.choice(OUTCOMES)} in "
        f"{n + 40} adults compared with placebo."
        for n in range(count)
    ]
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "bench")
        documents = (Document(f"a{n:06}", text, meta={"year": 2000}) for n, text in enumerate(texts))
        passages = [row for row, _ in corpora.insert_passages(db, corpus, documents)]
        runs.begin_run(
            db, "bench", kind="conflicts", source="bench", corpus_id=corpus, ontology_id=None, settings={},
            fingerprint="",
        )  # fmt: skip
        articles = [Article(f"a{n:06}", text, "d", passages[n]) for n, text in enumerate(texts)]
        kept = claims.insert_texts(
            db, (Normalised(a, a.text, ((0, len(a.text), 0, len(a.text)),)) for a in articles)
        )
        claims.insert_claims(db, "bench", (claim(one, kept[one.passage_id]) for one in articles))
    stored = list(claims.claims(workspace, "bench"))
    with workspace.write() as db:
        pairs.insert_pairs(db, "bench", candidates(stored, chance))
        runs.finish_run(db, "bench")


def claim(article: Article, text_id: int) -> Claim:
    end = len(article.text)
    return Claim(
        claim_id=claim_id(article.uid, article.text, 0, end),
        article_uid=article.uid,
        domain="d",
        start=0,
        end=end,
        text=article.text,
        sentence_start=0,
        sentence_end=end,
        claim_type=ClaimType.EFFICACY,
        confidence=0.7,
        passage_id=article.passage_id,
        text_id=text_id,
    )


def candidates(stored: list[Claim], chance: random.Random) -> list[CandidatePair]:
    """Claims of one drug stand as many places apart as there are drugs."""
    found: dict[tuple[int, int], CandidatePair] = {}
    last = (len(stored) - 1) // len(DRUGS)
    while len(found) < PAIRS * len(stored):
        drug, (one, two) = chance.randrange(len(DRUGS)), sorted(chance.sample(range(last), 2))
        a, b = stored[drug + one * len(DRUGS)], stored[drug + two * len(DRUGS)]
        scores = Scores(0.8, 0.7, 0.5, 1.0, 0.02, chance.random())
        found[a.id, b.id] = CandidatePair(pair_id(a, b), "d", a, b, scores, (), Tier.FULL)
    return list(found.values())


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """CPU seconds, the middle one of a few."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return sorted(taken)[times // 2]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with (
        tempfile.TemporaryDirectory() as folder,
        open_workspace(Path(folder) / "brief.db") as workspace,
    ):
        build(workspace, count)
        baseline = seconds(lambda: list(claims.claims(workspace, "bench")))
        print(f"{count:,} claims; to read all of them: {baseline:.2f} CPU s (baseline)")
        for asked in QUESTIONS:
            found = brief(workspace, "bench", asked)
            taken = seconds(lambda asked=asked: brief(workspace, "bench", asked))
            print(
                f"{asked:20} {sum(found.counts.values()):6,} findings {len(found.items):6,} pairs "
                f"{taken:6.2f} CPU s {taken / baseline:6.2f} of the baseline"
            )


if __name__ == "__main__":
    main()
