"""How far the heuristic annotator of pairs can be trusted, against the most frequent label in the same run.

    python tests/benchmarks/quality_pairs.py [FOLDER OF THE DATA]

There are no real pairs of claims labelled by six types, so six things are measured, each with its limits:

- *demonstration*: 12 pairs with invented findings, written and labelled by hand, which the rules were written
  beside. In sample, and far too few: it shows that the rules do what they say, and nothing on real pairs.
- *written*: 44 pairs, six types, written and labelled by the guide before the rules had seen any; the first
  run gave 37 the right type, and the rules were mended on them since. *Written later*: 40 more, labelled
  before any rule ran on them; what was wrong was never looked at. Short, clear sentences by people who know
  the guide: real claims are harder.
- *findings*: Evidence Inference, sentences of trial reports with the finding that experts read off them
  (outcome decreased, not different, increased). Is the direction of a sentence read rightly?
- *slots*: the same sentences; how far the words read as intervention, comparator and outcome are those of the
  experts' question, as far as the sentence has them (F1 of word stems, mean over sentences).
- *opposition*: pairs of those sentences from different articles on the same outcome. Same label: nothing
  speaks against the other; other label: something does. Interventions differ, so it is no conflict label.
- *HealthVer*: evidence and claim, Supports / Refutes / Neutral. Does an opposition mean Refutes?

Of Evidence Inference and HealthVer, one half (of the articles; of the claims) was looked at while rules were
changed; sentences of the other half never were.

Intervals: 95 %, percentile bootstrap over rows, 2,000 resamples; rows of one article are not independent, so
they are too narrow.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from core.conflicts.annotate import run
from core.conflicts.annotate.facts import facts
from core.conflicts.extract.slots import slots_of
from core.conflicts.finding.direction import direction_of
from core.conflicts.identity import claim_id, pair_id
from core.records import (
    CandidatePair,
    Claim,
    ClaimType,
    ConflictType,
    Direction,
    PairLabel,
    PairTask,
    Scores,
    Side,
)
from core.text.normalise import stem

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "data" / "demo" / "abstract_pairs.jsonl"
WRITTEN = ("pairs_labelled.jsonl", "pairs_labelled_later.jsonl")
SCORES = Scores(0.7, 0.5, 0.5, 1.0, 0.0, 0.62)
"""Nothing that the heuristic reads."""
RESAMPLES = 2_000
HALVES = (("looked at", True), ("held out", False))
SLOTS = ("intervention", "comparator", "outcome")
_WORD = re.compile(r"\w+")
_EMPTY = frozenset(("a", "an", "the", "of", "in", "with", "and", "or", "to", "for", "on", "at", "by", "from"))


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
    """Precision, recall, F1 and balanced accuracy of yes against no, beside always saying yes."""
    both = list(zip(gold, predicted, strict=True))
    tp, yes, said = sum(g and p for g, p in both), sum(gold), sum(predicted)
    tn = sum(not g and not p for g, p in both)
    precision, recall = tp / max(1, said), tp / max(1, yes)
    balanced = (recall + tn / max(1, len(both) - yes)) / 2
    base = 2 * yes / max(1, len(both) + yes)
    print(
        f"  {what}: P {precision:.3f} R {recall:.3f} F1 {2 * tp / max(1, said + yes):.3f} "
        f"(always yes {base:.3f}), balanced accuracy {balanced:.3f} (always yes 0.500)"
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
    given = [frozenset(row["divergence_axes"]) for row in rows]
    made = [frozenset(axis.value for axis in one.axes) for one in labels]
    tp = sum(len(g & m) for g, m in zip(given, made, strict=True))
    print(f"  axes: P {tp / max(1, sum(map(len, made))):.3f} R {tp / sum(map(len, given)):.3f}")
    named = [
        row["dominant_confounder"] == one.confounder
        for row, one in zip(rows, labels, strict=True)
        if row["dominant_confounder"]
    ]
    print(f"  confounder: {sum(named)} of {len(named)}")
    print(f"  mean confidence: {np.mean([one.confidence for one in labels]):.3f}")


def written(name: str, about: str) -> None:
    path = ROOT / "tests" / "conflicts" / name
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    labels = list(
        run(
            paired(
                row["claim_a"],
                row["claim_b"],
                row["before_a"] + row["claim_a"],
                row["before_b"] + row["claim_b"],
            )
            for row in rows
        )
    )
    gold, made = [row["type"] for row in rows], [one.conflict_type.value for one in labels]
    print(f"\nwritten: {len(rows)} pairs, {about}")
    accuracy(gold, made, "type")
    for kind in ConflictType:
        right = [g == m for g, m in zip(gold, made, strict=True) if g == kind]
        print(f"    {kind.value:40} {sum(right)} of {len(right)} found, {made.count(kind.value)} given")
    both = [(set(row["axes"]), set(one.axes)) for row, one in zip(rows, labels, strict=True)]
    tp, said, there = (sum(map(len, some)) for some in zip(*((g & m, m, g) for g, m in both), strict=True))
    print(f"  axes: P {tp / max(1, said):.3f} R {tp / max(1, there):.3f}")


@dataclass(frozen=True)
class Row:
    """A sentence that experts agree on: what they asked, and the finding (-1, 0, 1) they read off it."""

    article: str
    intervention: str
    comparator: str
    outcome: str
    text: str
    code: int


def looked_at(name: str) -> bool:
    """Whether an article's or claim's rows may be looked at."""
    return zlib.crc32(name.encode()) % 2 == 0


def evidence(folder: Path) -> list[Row]:
    """Where experts agree and mark one sentence or two."""
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
            given, other, outcome = (" ".join(prompt[name].lower().split()) for name in SLOTS)
            found.append(Row(prompt["doc_id"], given, other, outcome, text, code))
    return found


_CODES = {Direction.INCREASED: 1, Direction.DECREASED: -1, Direction.UNCHANGED: 0}


def findings(rows: list[Row]) -> None:
    for name, half in HALVES:
        some = [row for row in rows if looked_at(row.article) == half]
        gold = [row.code for row in some]
        print(f"\nfindings, {name}: Evidence Inference, {len(some)} sentences")
        read = [_CODES.get(direction_of(row.text)) for row in some]
        told = [(g, p) for g, p in zip(gold, read, strict=True) if p is not None]
        accuracy(gold, read, "direction")
        accuracy([g for g, _ in told], [p for _, p in told], "where one was read")
        accuracy([g != 0 for g in gold], [p != 0 for p in read], "whether there is an effect")
        slots(some)


def slots(rows: list[Row]) -> None:
    """Words of each slot against those of the question that the sentence has and the other arm has not."""
    found = [slots_of(row.text) for row in rows]
    for name, other in zip(SLOTS, ("comparator", "intervention", ""), strict=True):
        scores, named = [], 0
        for row, slot in zip(rows, found, strict=True):
            gold = stems(getattr(row, name)) & stems(row.text) - stems(getattr(row, other, ""))
            if not gold:
                continue
            made = stems(slot[name] or "")
            both = len(gold & made)
            named += bool(made)
            scores.append(2 * both / (len(gold) + len(made)))
        whole = float(np.mean(scores))
        print(
            f"  {name}: F1 {whole:.3f} {bounds(scores)} of {len(scores)}, named in {named / len(scores):.3f}"
        )


def stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _WORD.findall(text.lower()) if word not in _EMPTY)


def opposition(rows: list[Row]) -> None:
    by_outcome: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_outcome[row.outcome].append(row)
    pairs = [(a, b) for group in by_outcome.values() for a, b in combinations(group, 2)]
    for name, half in (("both looked at", True), ("one held out, or both", False)):
        some = [
            (a, b)
            for a, b in pairs
            if a.article != b.article and (looked_at(a.article) and looked_at(b.article)) == half
        ]
        gold = [a.code != b.code for a, b in some]
        found = [facts(paired(a.text, b.text)).opposition is not None for a, b in some]
        print(f"\nopposition, {name}: {len(gold)} pairs on one outcome, {sum(gold)} with other findings")
        two_way(gold, found, "other finding (no difference counts)")


def healthver(folder: Path) -> None:
    with gzip.open(folder / "claims" / "healthver_dev.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(io.StringIO(file.read())))
    for name, half in HALVES:
        print(f"\nHealthVer, {name}")
        refutation([row for row in rows if looked_at(row["claim"]) == half])


def refutation(rows: list[dict[str, str]]) -> None:
    tasks = [paired(row["claim"], row["evidence"]) for row in rows]
    labels = list(run(tasks))
    opposed = [facts(task).opposition is not None for task in tasks]
    conflict = [one.conflict_type is not ConflictType.NO_CONFLICT for one in labels]
    gold = [row["label"] for row in rows]
    refuted = [label == "Refutes" for label in gold]
    either = [at for at, label in enumerate(gold) if label != "Neutral"]
    print(f"  {len(rows)} pairs {dict(Counter(gold))}")
    two_way([refuted[i] for i in either], [opposed[i] for i in either], "opposed, without Neutral")
    two_way(refuted, conflict, "conflict, all rows")
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
    written(WRITTEN[0], "37 right when first run, the rules mended on them since")
    written(WRITTEN[1], "labelled before any rule ran on them, never looked at since")
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
