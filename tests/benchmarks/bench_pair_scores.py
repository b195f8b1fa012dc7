"""The five conflict tasks on claim pairs against the libraries that define their numbers, in one run.

    python tests/benchmarks/bench_pair_scores.py [PAIRS ...]

Made-up pairs (12,500 as in BioDivergence, and 50,000): claims of 30 words, quotes in both, explanations of 25
words, three labels in four right. Ours: two files read, every family with 1,000 resamples and the tables, no
sentence encoder. Baseline: scikit-learn, sacrebleu and rouge-score called on the same labels and texts, read
before, values alone, no interval and no items. CPU seconds of this process, nothing kept from one size to
the next. Values that both know must agree to 1e-9, else it exits with 1.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.evaluate import Settings
from core.evaluate.families import EVALUATORS
from core.evaluate.families.pair_inputs import SILENT, PairInputs, ScoredPair
from core.evaluate.inputs.claim_pairs import read_gold, read_said
from core.evaluate.score_pairs import score_pairs
from core.metrics import PAIR_FAMILIES, reconciliation
from core.metrics.bootstrap import forget
from core.records import Axis, ConflictType

SIZES = (12_500, 50_000)
TYPES, AXES = [c.value for c in ConflictType], [a.value for a in Axis]
WORDS = [f"{a}{b}{c}" for a in "bdfgklmn" for b in ("an", "el", "or", "ist") for c in ("", "al", "ion", "er")]
SETTINGS = Settings(about="pairs")


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def words(r: random.Random, n: int) -> str:
    return " ".join(r.choices(WORDS, k=n)) + "."


def label(r: random.Random) -> dict[str, Any]:
    kind = r.choice(TYPES)
    axes = [] if kind == "no_conflict" else sorted(r.sample(AXES, r.randint(1, 3)))
    return {"conflict_type": kind, "divergence_axes": axes, "dominant_confounder": axes[0] if axes else None}


def changed(r: random.Random, text: str) -> str:
    return " ".join(w if r.random() < 0.7 else r.choice(WORDS) for w in text.split())


def quotes(r: random.Random, claims: dict[str, str]) -> list[dict[str, Any]]:
    found = []
    for side, text in claims.items():
        parts = text.split(" ")
        first = r.randrange(len(parts) - 8)
        start = len(" ".join(parts[:first])) + bool(first)
        quote = " ".join(parts[first : first + 8])
        place = {"start": start, "end": start + len(quote), "text": quote, "side": side}
        found.append({"article_uid": f"u{side}", **place, "level": "claim"})
    return found


def write(folder: Path, pairs: int) -> tuple[Path, Path]:
    r = random.Random(11)
    said, gold = folder / "said.jsonl", folder / "gold.jsonl"
    with said.open("w", encoding="utf-8") as s, gold.open("w", encoding="utf-8") as g:
        for i in range(pairs):
            claims = {"a": words(r, 30), "b": words(r, 30)}
            right, explained = label(r), words(r, 25)
            row = {
                "pair_id": f"p{i:06}",
                "domain": f"domain-{i % 5}",
                **{f"claim_{side}_text": text for side, text in claims.items()},
                **{f"claim_{side}_article_uid": f"u{side}" for side in claims},
                **right,
                "reconciliation": explained,
                "evidence_spans": quotes(r, claims),
                "label_origin": "person",
            }
            g.write(json.dumps(row) + "\n")
            guess = right if r.random() < 0.75 else label(r)
            answer = {"reconciliation": changed(r, explained), "evidence_spans": quotes(r, claims)}
            s.write(json.dumps({"pair_id": row["pair_id"], **guess, **answer}) + "\n")
    return said, gold


def by_libraries(pairs: tuple[ScoredPair, ...]) -> dict[str, float]:
    from rouge_score.rouge_scorer import RougeScorer
    from sacrebleu.metrics.bleu import BLEU
    from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score, precision_recall_fscore_support
    from sklearn.preprocessing import MultiLabelBinarizer

    sides = [(p.gold.said, p.predicted) for p in pairs]
    gold, said = ([side[i].label.conflict_type.value for side in sides] for i in (0, 1))
    precision_recall_fscore_support(gold, said, labels=TYPES, zero_division=0)
    binary = MultiLabelBinarizer(classes=AXES)
    axes = [binary.fit_transform([[a.value for a in s[i].label.axes] for s in sides]) for i in (0, 1)]
    precision_recall_fscore_support(*axes, zero_division=0)
    named = [(a.label.confounder, b.label.confounder) for a, b in sides if a.label.confounder]
    right, texts = [a.reconciliation for a, _ in sides], [b.reconciliation for _, b in sides]
    rouge, bleu = RougeScorer(["rougeL"]), BLEU(effective_order=True)
    for a, b in zip(right, texts, strict=True):
        bleu.sentence_score(b, [a])
    overlaps = [rouge.score(a, b)["rougeL"].fmeasure for a, b in zip(right, texts, strict=True)]
    return {
        "conflict_types.macro_f1": f1_score(gold, said, labels=TYPES, average="macro", zero_division=0),
        "conflict_types.kappa": cohen_kappa_score(gold, said),
        "divergence_axes.micro_f1": f1_score(*axes, average="micro", zero_division=0),
        "divergence_axes.exact_match": accuracy_score(*axes),
        "confounders.accuracy": sum(a == b for a, b in named) / len(named),
        "reconciliation.bleu": BLEU().corpus_score(texts, [right]).score / 100,
        "reconciliation.rouge_l": sum(overlaps) / len(overlaps),
    }


def measure(pairs: int) -> tuple[float, float]:
    """(CPU seconds of ours, largest difference to the libraries); prints the rest."""
    with tempfile.TemporaryDirectory() as folder:
        said, gold = write(Path(folder), pairs)
        reading, (right, starts) = seconds(lambda: read_gold(gold))
        other, answers = seconds(lambda: read_said(said, right, starts))
    chosen = tuple(
        ScoredPair(found, answers.said.get(pair_id, SILENT), True) for pair_id, found in right.pairs.items()
    )
    theirs, values = seconds(lambda: by_libraries(chosen))
    forget()
    reconciliation._bleu.cache_clear()
    scoring, result = seconds(lambda: score_pairs(right, answers, SETTINGS))
    ours = reading + other + scoring
    parts = f"gold read {reading:.2f}, predictions {other:.2f}, scored {scoring:.2f}"
    print(f"{pairs:,} pairs: {ours:.2f} ({parts})")
    inputs = PairInputs(chosen, SETTINGS)
    for name in PAIR_FAMILIES:
        evaluate = EVALUATORS[name]
        reconciliation._bleu.cache_clear()
        print(f"  {name:16} {seconds(partial(evaluate, inputs))[0]:6.2f}")
    families = result.families.items()
    found = {f"{family}.{name}": e.value for family, held in families for name, e in held.estimates.items()}
    apart = max(abs((found[name] or 0) - value) for name, value in values.items())
    print(
        f"  libraries {theirs:.2f}: ratio of scoring {scoring / theirs:.2f}; largest difference {apart:.1e}"
    )
    return ours, apart


def main() -> int:
    sizes = [int(word) for word in sys.argv[1:]] or SIZES
    found = [measure(size) for size in sizes]
    if len(found) > 1:
        print(f"growth from {sizes[0]:,} to {sizes[-1]:,}: {found[-1][0] / found[0][0]:.1f} x")
    return int(max(apart for _, apart in found) > 1e-9)


if __name__ == "__main__":
    sys.exit(main())
