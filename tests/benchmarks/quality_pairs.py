"""How far the heuristic annotator of pairs can be trusted, against the most frequent label in the same run.

    python tests/benchmarks/quality_pairs.py [FOLDER OF THE DATA]

Nobody has labelled pairs of claims for us by six types, so four things are measured, each with its limits:

- *demonstration*: 12 pairs with invented findings, written and labelled by hand, which the rules were written
  beside. In sample, and far too few: it shows that the rules do what they say, and nothing on real pairs.
- *findings*: Evidence Inference, sentences of trial reports with the finding that experts read off them
  (outcome decreased, not different, increased). Is the direction of a sentence read rightly?
- *opposition*: pairs of those sentences from different articles on the same outcome. Same label: nothing
  speaks against the other; other label: something does. Interventions differ, so it is no conflict label.
- *HealthVer*: evidence and claim, Supports / Refutes / Neutral. Does an opposition mean Refutes? Rows with an
  even id were looked at while rules were changed; those with an odd one were not.

Intervals: 95 %, percentile bootstrap over rows (2,000 resamples; over articles' pairs where rows share them it
flatters).
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.conflicts.annotate import run
from core.conflicts.annotate.facts import facts
from core.conflicts.annotate.stance import Effect, stance
from core.conflicts.identity import claim_id, pair_id
from core.records import CandidatePair, Claim, ClaimType, ConflictType, PairLabel, PairTask, Scores, Side

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "data" / "demo" / "abstract_pairs.jsonl"
SCORES = Scores(0.7, 0.5, 0.5, 1.0, 0.0, 0.62)
"""Nothing that the heuristic reads."""
RESAMPLES = 2_000


# --- pairs ------------------------------------------------------------------------------------------------


def claim(uid: str, abstract: str, text: str, kind: str = "factual") -> Claim:
    start = abstract.find(text)
    end = start + len(text)
    return Claim(
        claim_id(uid, abstract, start, end), uid, "all", start, end, text, start, end, ClaimType(kind), 0.5
    )


def paired(a: str, b: str, around_a: str = "", around_b: str = "", kinds: Sequence[str] = ()) -> PairTask:
    """Two claims; without an abstract a claim stands alone."""
    around_a, around_b = around_a or a, around_b or b
    kind_a, kind_b = kinds or ("factual", "factual")
    one, two = claim("a", around_a, a, kind_a), claim("b", around_b, b, kind_b)
    return PairTask(CandidatePair(pair_id(one, two), "all", one, two, SCORES), Side(around_a), Side(around_b))


def lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


# --- figures ----------------------------------------------------------------------------------------------


def bounds(values: Sequence[float]) -> str:
    if not values:
        return "[none]"
    drawn = np.random.default_rng(13).choice(np.array(values, dtype=float), (RESAMPLES, len(values)))
    low, high = np.percentile(drawn.mean(axis=1), (2.5, 97.5))
    return f"[{low:.3f}, {high:.3f}]"


def accuracy(gold: Sequence[Any], predicted: Sequence[Any], what: str) -> None:
    """Share that is right, beside the share of the most frequent gold label."""
    right = [float(g == p) for g, p in zip(gold, predicted, strict=True)]
    label, count = Counter(gold).most_common(1)[0]
    share, base = float(np.mean(right)), count / len(gold)
    print(
        f"  {what}: {share:.3f} {bounds(right)} of {len(gold)}; always “{label}”: {base:.3f}; "
        f"ratio {share / base:.2f}"
    )


def two_way(gold: Sequence[bool], predicted: Sequence[bool], what: str) -> None:
    tp = sum(g and p for g, p in zip(gold, predicted, strict=True))
    p = tp / max(1, sum(predicted))
    r = tp / max(1, sum(gold))
    balanced = (
        r + sum(not g and not q for g, q in zip(gold, predicted, strict=True)) / max(1, len(gold) - sum(gold))
    ) / 2
    base = sum(gold) / max(1, len(gold))
    print(
        f"  {what}: P {p:.3f} R {r:.3f} F1 {2 * tp / max(1, sum(predicted) + sum(gold)):.3f}, "
        f"balanced accuracy {balanced:.3f} (chance 0.500); all called positive: P {base:.3f} R 1.000 "
        f"F1 {2 * base / (1 + base):.3f}"
    )


# --- what is measured -------------------------------------------------------------------------------------


def demonstration() -> None:
    rows = [json.loads(line) for line in DEMO.read_text(encoding="utf-8").splitlines()]
    tasks = [
        paired(
            row["claim_a_text"],
            row["claim_b_text"],
            row["abstract_a"],
            row["abstract_b"],
            (row["claim_a_type"], row["claim_b_type"]),
        )
        for row in rows
    ]
    labels = list(run(tasks))
    print(f"\ndemonstration: {len(rows)} hand-made pairs, in sample")
    accuracy([row["conflict_type"] for row in rows], [one.conflict_type.value for one in labels], "type")
    tp = sum(
        len(set(row["divergence_axes"]) & {a.value for a in one.axes})
        for row, one in zip(rows, labels, strict=True)
    )
    gold = sum(len(row["divergence_axes"]) for row in rows)
    print(f"  axes: P {tp / max(1, sum(len(one.axes) for one in labels)):.3f} R {tp / gold:.3f} of {gold}")
    named = [
        (row["dominant_confounder"], one.confounder)
        for row, one in zip(rows, labels, strict=True)
        if row["dominant_confounder"]
    ]
    print(f"  confounder: {sum(g == p for g, p in named)} of {len(named)}")
    print(f"  mean confidence: {np.mean([one.confidence for one in labels]):.3f}")


def evidence(folder: Path) -> list[tuple[str, str, str, int]]:
    """(article, outcome, sentence, finding) where experts agree and mark one sentence or two."""
    found = []
    for prompt in lines(folder / "abstracts" / "rct_evidence_open.jsonl.gz"):
        code = prompt["majority_label_code"]
        valid = (
            one["evidence"]
            for one in prompt["annotations"]
            if one["valid_label"] and one["label_code"] == code and one["evidence"]
        )
        text = next((text for text in valid if 30 <= len(text) <= 500), None)
        if code is not None and text:
            found.append((prompt["doc_id"], " ".join(prompt["outcome"].lower().split()), text, code))
    return found


_CODES = {Effect.UP: 1, Effect.DOWN: -1, Effect.NONE: 0}


def findings(rows: list[tuple[str, str, str, int]]) -> None:
    print(f"\nfindings: Evidence Inference, {len(rows)} sentences with the finding of experts")
    gold = [code for *_, code in rows]
    read = [
        _CODES.get(effect) if (effect := stance(claim("a", text, text)).effect) else None
        for _, _, text, _ in rows
    ]
    accuracy(gold, read, "direction (decreased, no different, increased)")
    told = [(g, p) for g, p in zip(gold, read, strict=True) if p is not None]
    accuracy([g for g, _ in told], [p for _, p in told], "where a direction was read")
    accuracy([g != 0 for g in gold], [p != 0 for p in read], "whether there is an effect at all")


def opposition(rows: list[tuple[str, str, str, int]]) -> None:
    by_outcome: dict[str, list[tuple[str, str, int]]] = defaultdict(list)
    for article, outcome, text, code in rows:
        by_outcome[outcome].append((article, text, code))
    gold, found, loose = [], [], []
    for group in by_outcome.values():
        for (article, a, x), (other, b, y) in combinations(group, 2):
            if article != other:
                gold.append(x != y)
                loose.append(x * y == -1)
                found.append(facts(paired(a, b)).opposition is not None)
    print(
        f"\nopposition: {len(gold)} pairs of those sentences on the same outcome, {sum(gold)} with other findings"
    )
    two_way(gold, found, "other finding (no difference counts)")
    two_way(loose, found, "reversed finding only")


def healthver(folder: Path) -> None:
    with gzip.open(folder / "claims" / "healthver_dev.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(io.StringIO(file.read())))
    for name, part in (("looked at", 0), ("held out", 1)):
        some = [row for row in rows if int(row["id"]) % 2 == part]
        tasks = [paired(row["claim"], row["evidence"]) for row in some]
        labels = list(run(tasks))
        opposed = [facts(task).opposition is not None for task in tasks]
        conflict = [one.conflict_type is not ConflictType.NO_CONFLICT for one in labels]
        gold = [row["label"] for row in some]
        print(f"\nHealthVer, {name}: {len(some)} pairs {dict(Counter(gold))}")
        refuted = [label == "Refutes" for label in gold]
        either = [at for at, label in enumerate(gold) if label != "Neutral"]
        two_way([refuted[i] for i in either], [opposed[i] for i in either], "opposed, Refutes or Supports")
        two_way(
            [refuted[i] for i in either], [conflict[i] for i in either], "any conflict, Refutes or Supports"
        )
        two_way(refuted, conflict, "any conflict, all rows")
        accuracy(refuted, conflict, "conflict or none, all rows")
        by_rule(labels, refuted)


def by_rule(labels: list[PairLabel], conflict: list[bool]) -> None:
    """How often each rule is right on whether there is a conflict, beside the confidence it gives."""
    rules: dict[str, list[bool]] = defaultdict(list)
    given: dict[str, list[float]] = defaultdict(list)
    for one, there in zip(labels, conflict, strict=True):
        rule = one.notes.removeprefix("Labelled by rule: ").split(".")[0]
        rules[rule].append((one.conflict_type is not ConflictType.NO_CONFLICT) == there)
        given[rule].append(one.confidence or 0.0)
    for rule, right in sorted(rules.items(), key=lambda item: -len(item[1])):
        share, said = float(np.mean(right)), float(np.mean(given[rule]))
        print(f"    {rule:16} {share:.2f} right of {len(right):4}, confidence {said:.2f}")


def main(folder: Path) -> int:
    demonstration()
    if not (folder / "claims").is_dir():
        print(f"\nno data in {folder.name}: the rest is left out")
        return 0
    rows = evidence(folder)
    findings(rows)
    opposition(rows)
    healthver(folder)
    return 0


if __name__ == "__main__":
    given = [Path(one) for one in sys.argv[1:]]
    sys.exit(main(given[0] if given else ROOT.parent / "shared" / "data"))
