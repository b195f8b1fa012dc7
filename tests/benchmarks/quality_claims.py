"""How well claims are told from other sentences, against taking every sentence of results and conclusions.

    python tests/benchmarks/quality_claims.py [FOLDER OF THE DATA] [--counts-only]

Sentence-level P / R / F1 and the share of right types on two sets of labelled sentences, whole abstracts
each. `tests/conflicts/claims_labelled.jsonl` was labelled before the extractor existed, by the reader who
then wrote its rules and may remember them; `claims_labelled_later.jsonl` was read after the rules were
written and before they ran on it. Each file says by which rule. Intervals: percentile bootstrap over
abstracts (2,000 resamples); the difference to the baseline on the same resamples. A second row hides the
section labels of the abstracts. Right types: of the sentences that are claims by both, against always naming
the commonest type.

Then the share of texts that people chose as evidence that hold a claim, of two kinds: in the abstracts of
trials, the words marked by annotators of Evidence Inference whose reading was found valid, a claim being one
that overlaps them; and the evidence of HealthVer, each a text of its own, mostly from general abstracts.
Neither was set apart while the rules were written. The interval resamples abstracts, or questions; how many
claims are found where nobody would see one is told by P above.

Then counts over all trial abstracts there are: claims, abstracts with one, types, claims a second on one
core, beside the figures of the paper's own corpus (paper 004, Table 23 and section H: 69.1 % of abstracts,
2.61 claims an abstract). That one holds other domains and kinds of study, so they need not agree.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parent)]

from haystack import stances  # noqa: E402

from core.conflicts.extract import claims_of  # noqa: E402
from core.conflicts.extract.sections import in_sections  # noqa: E402
from core.metrics.bootstrap import draws, interval, resample  # noqa: E402
from core.records import Article, Claim, ClaimType, Section  # noqa: E402

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"
LABELLED = ("claims_labelled.jsonl", "claims_labelled_later.jsonl")
TRIALS = "rct_abstracts_open.jsonl.gz"
RESAMPLES = 2000
PAPER = {
    "factual": 23.0, "efficacy": 14.2, "prognostic": 14.2, "correlational": 14.1,
    "prevalence": 12.6, "causal": 9.8, "mechanistic": 7.2, "recommendation": 4.9,
}  # fmt: skip
"""Shares of types in the paper's corpus, in per cent (paper 004, Table 23)."""

Row = dict[str, Any]
Finder = Callable[[Article], Sequence[tuple[int, int, ClaimType | None]]]


def articles(folder: Path, name: str) -> dict[str, Article]:
    """doc_id -> article, its text put together as the labelled offsets mean it."""
    found = {}
    with gzip.open(folder / "abstracts" / name, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            parts = [(part.get("label") or "", part["text"]) for part in row["abstract_sections"]]
            if row.get("conclusion"):
                parts.append(("CONCLUSION", row["conclusion"]))
            sections, start = [], 0
            for label, text in parts:
                if label and text:
                    sections.append(Section(label, start, start + len(text)))
                start += len(text) + 1
            text = "\n".join(text for _, text in parts)
            found[row["doc_id"]] = Article(
                row["doc_id"], text, "trials", title=row.get("title") or row.get("question"),
                sections=tuple(sections),
            )  # fmt: skip
    return found


def labelled(name: str) -> list[Row]:
    path = ROOT / "tests" / "conflicts" / name
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def extracted(article: Article) -> list[tuple[int, int, ClaimType | None]]:
    return [(claim.start, claim.end, claim.claim_type) for claim in claims_of(article)]


def unlabelled(article: Article) -> list[tuple[int, int, ClaimType | None]]:
    bare = Article(article.uid, article.text, article.domain, title=article.title)
    return extracted(bare)


def by_section(article: Article) -> list[tuple[int, int, ClaimType | None]]:
    """The baseline: every sentence of results and conclusions; all of an abstract without sections."""
    return [
        (sentence.start, sentence.end, None)
        for sentence in in_sections(article.text, article.sections)
        if sentence.section in ("results", "conclusions") or not article.sections
    ]


def judged(rows: Iterable[Row], texts: dict[str, Article], find: Finder) -> tuple[np.ndarray, Counter[str]]:
    """Per abstract (true positives, false positives, misses, types right), and (gold, found) type pairs."""
    counts: dict[str, list[int]] = {}
    pairs: Counter[str] = Counter()
    found: dict[str, Sequence[tuple[int, int, ClaimType | None]]] = {}
    for row in rows:
        article = texts[row["doc_id"]]
        quote = article.text[row["start"] : row["end"]]
        if hashlib.sha256(quote.encode()).hexdigest()[:16] != row["digest"]:
            sys.exit(f"{row['doc_id']}: the text at {row['start']} is not the one that was labelled")
        if article.uid not in found:
            found[article.uid] = find(article)
        hits = [
            kind for start, end, kind in found[article.uid] if row["start"] <= start and end <= row["end"]
        ]
        tally = counts.setdefault(article.uid, [0, 0, 0, 0])
        if row["claim"] and hits:
            tally[0] += 1
            tally[3] += hits[0] == row["type"]
            pairs[f"{row['type']} as {hits[0]}"] += 1
        elif hits:
            tally[1] += 1
        elif row["claim"]:
            tally[2] += 1
    return np.array(list(counts.values()), dtype=float), pairs


def scores(sums: np.ndarray) -> np.ndarray:
    """(P, R, F1, share of right types) of sums over abstracts."""
    tp, fp, fn, right = sums.T

    def share(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.divide(a, b, out=np.full_like(a, np.nan), where=b > 0)

    return np.stack(
        [share(tp, tp + fp), share(tp, tp + fn), share(2 * tp, 2 * tp + fp + fn), share(right, tp)], axis=1
    )


def line(name: str, table: np.ndarray, *, types: bool) -> None:
    values = scores(table.sum(axis=0, keepdims=True))[0]
    drawn = resample(table, scores, draws(len(table), RESAMPLES))
    cells = []
    for number, (title, value) in enumerate(zip(("P", "R", "F1", "type"), values, strict=True)):
        if title != "type" or types:
            low, high, _ = interval(drawn[:, number])
            cells.append(f"{title} {value:.3f} [{low:.3f}, {high:.3f}]")
    print(f"{name:24}", "  ".join(cells))


def against(table: np.ndarray, other: np.ndarray) -> None:
    lists = list(draws(len(table), RESAMPLES))
    values = resample(table, scores, lists)[:, 2] - resample(other, scores, lists)[:, 2]
    low, high, _ = interval(values)
    print(f"{'F1 over the baseline':24} [{low:+.3f}, {high:+.3f}]")


def judge(folder: Path, name: str) -> None:
    rows = labelled(name)
    texts: dict[str, Article] = {}
    for source in sorted({row["source"] for row in rows}):
        texts |= articles(folder, source)
    claims = [row for row in rows if row["claim"]]
    commonest, times = Counter(row["type"] for row in claims).most_common(1)[0]
    abstracts = len({row["doc_id"] for row in rows})
    print(f"\n{name}: {len(rows)} sentences of {abstracts} abstracts, {len(claims)} of them claims")
    table, pairs = judged(rows, texts, extracted)
    line("extractor", table, types=True)
    line("extractor, no labels", judged(rows, texts, unlabelled)[0], types=True)
    baseline = judged(rows, texts, by_section)[0]
    line("results and conclusions", baseline, types=False)
    against(table, baseline)
    print(f"always {commonest}: {times / len(claims):.3f} of the types right")
    wrong = [f"{pair} {n}" for pair, n in pairs.most_common() if len(set(pair.split(" as "))) > 1]
    print("types mistaken:", ", ".join(wrong) or "none")


def evidence(folder: Path) -> None:
    """Texts that people chose as evidence, and how many of them hold a claim."""
    trials = articles(folder, TRIALS)
    marked: dict[str, set[str]] = {}
    with gzip.open(folder / "abstracts" / "rct_evidence_open.jsonl.gz", "rt", encoding="utf-8") as lines:
        for prompt in map(json.loads, lines):
            for one in prompt["annotations"]:
                if one["valid_label"] and one["evidence_in_abstract"] and prompt["doc_id"] in trials:
                    marked.setdefault(prompt["doc_id"], set()).add(one["evidence"])
    rows = []
    for uid, texts in marked.items():
        places = [(at, at + len(text)) for text in texts if (at := trials[uid].text.find(text)) >= 0]
        found = [(start, end) for start, end, _ in extracted(trials[uid])]
        hits = [any(start < b and a < end for a, b in found) for start, end in places]
        rows.append((sum(hits), len(hits)))
    share("trials, in their abstracts", rows)
    asked: dict[str, set[str]] = {}
    for row in stances(folder):
        asked.setdefault(row["question"], set()).add(row["evidence"])
    rows = []
    for texts in asked.values():
        hits = [bool(extracted(Article(text, text, "covid"))) for text in texts]
        rows.append((sum(hits), len(hits)))
    share("HealthVer, by itself", rows)


def share(name: str, rows: Sequence[tuple[int, int]]) -> None:
    """Rows are (texts with a claim, texts) of one abstract or question."""
    table = np.array(rows, dtype=float)
    drawn = resample(table, lambda sums: sums[:, :1] / sums[:, 1:], draws(len(table), RESAMPLES))
    low, high, _ = interval(drawn[:, 0])
    hits, total = table.sum(axis=0)
    print(f"{name:28} {hits / total:.3f} [{low:.3f}, {high:.3f}] of {total:.0f} texts, {len(table)} groups")


def count(folder: Path) -> None:
    found = list(articles(folder, TRIALS).values())
    claims_of(found[0])  # tables read
    started = time.process_time()
    claims: list[Sequence[Claim]] = [claims_of(article) for article in found]
    seconds = time.process_time() - started
    total = sum(map(len, claims))
    some = sum(1 for of in claims if of)
    print(
        f"\n{len(found)} trial abstracts: {total} claims, {total / len(found):.2f} an abstract (paper 2.61);"
    )
    print(f"{some} abstracts with one ({some / len(found):.1%}; paper 69.1%), {total / some:.2f} each;")
    print(
        f"{seconds:.1f} s on one core: {len(found) / seconds:.0f} abstracts/s, {total / seconds:.0f} claims/s"
    )
    kinds = Counter(claim.claim_type.value for of in claims for claim in of)
    for kind, share in PAPER.items():
        print(f"  {kind:16} {kinds[kind]:6} {kinds[kind] / total:6.1%}   (paper {share:.1f}%)")


def main() -> None:
    given = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    folder = Path(given[0]) if given else DATA
    if not folder.is_dir():
        sys.exit(f"{folder}: no such folder; give that of the data")
    if "--counts-only" not in sys.argv:
        for name in LABELLED:
            judge(folder, name)
        print("\ntexts that people chose as evidence and that hold a claim")
        evidence(folder)
    count(folder)


if __name__ == "__main__":
    main()
