"""Make `effect.tsv` and `conflict.tsv` from labelled data, which are not part of the product.

    python -m core.conflicts.stance.train FOLDER

FOLDER holds `abstracts/rct_evidence_open.jsonl.gz` (Evidence Inference 2.0: sentences of trials, and whether
the outcome was less, no different or more) and `claims/healthver_dev.csv.gz` (HealthVer: evidence that
supports or refutes a claim). Both tables are logistic regressions by `core.learners.linear`:

effect      of the words of a sentence, and of what the rules read, for less, none and more
conflict    of the signs of a pair; half of their weight comes from pairs of Evidence Inference drawn at
            random as if they were of one question, told by weights that have not seen their articles, half
            from claims of HealthVer with their evidence
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.conflicts.finding import read
from core.conflicts.finding.direction import is_negated
from core.conflicts.stance.learned import BASE, HERE, Effects, effects, signs
from core.conflicts.stance.words import words
from core.learners.linear import weights

LEAST_SEEN = 6
"""Sentences that a word must be in to have a weight."""
STRENGTH, PAIR_STRENGTH = 0.03, 1.0
FOLDS, DRAWN, SEED = 5, 6_000, 0
LENGTH = 30, 500
"""Characters of a sentence that is learned from."""
KEPT = 0.02
"""Weights of a word, all smaller than that, are left out."""

Table = dict[str, tuple[float, ...]]


class Sentence(NamedTuple):
    article: str
    text: str
    code: int
    """-1 less, 0 no different, 1 more."""


class Pair(NamedTuple):
    question: str
    a: str
    b: str
    conflict: bool


def sentences(folder: Path) -> list[Sentence]:
    """One marked sentence of every prompt whose annotators agree."""
    found = []
    with gzip.open(folder / "abstracts" / "rct_evidence_open.jsonl.gz", "rt", encoding="utf-8") as lines:
        for prompt in map(json.loads, lines):
            code = prompt["majority_label_code"]
            marked = (
                one["evidence"]
                for one in prompt["annotations"]
                if one["valid_label"] and one["label_code"] == code and one["evidence"]
            )
            text = next((text for text in marked if LENGTH[0] <= len(text) <= LENGTH[1]), None)
            if code is not None and text:
                found.append(Sentence(prompt["doc_id"], text, code))
    return found


def claims(folder: Path) -> list[Pair]:
    """Claims with evidence for or against them."""
    with gzip.open(folder / "claims" / "healthver_dev.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(io.StringIO(file.read())))
    return [
        Pair(row["question"], row["claim"].strip(), row["evidence"].strip(), row["label"] == "Refutes")
        for row in rows
        if row["label"] != "Neutral" and not row["claim"].strip().endswith("?")
    ]


def held(text: str) -> frozenset[str]:
    return words(text, read(text).direction, is_negated(text))


def learn_effect(some: Sequence[Sentence]) -> Table:
    bags = [held(one.text) for one in some]
    seen = Counter(word for bag in bags for word in bag)
    names = sorted(word for word, count in seen.items() if count >= LEAST_SEEN)
    column = {name: at for at, name in enumerate(names)}
    rows = np.zeros((len(some), len(names)))
    for row, bag in zip(rows, bags, strict=True):
        row[[column[word] for word in bag if word in column]] = 1
    made = weights(rows, np.array([one.code for one in some]), STRENGTH)
    table = {name: tuple(made[:, at].tolist()) for name, at in column.items()}
    kept = {name: row for name, row in table.items() if max(map(abs, row)) >= KEPT}
    return {BASE: tuple(made[:, -1].tolist()), **kept}


def unseen(some: Sequence[Sentence]) -> dict[str, Effects]:
    """Text -> its chances by weights that have not seen its article."""
    fold = [zlib.crc32(one.article.encode()) % FOLDS for one in some]
    found = {}
    for number in range(FOLDS):
        table = learn_effect([one for one, at in zip(some, fold, strict=True) if at != number])
        for one, at in zip(some, fold, strict=True):
            if at == number:
                found[one.text] = effects(one.text, table)
    return found


def drawn(some: Sequence[Sentence]) -> Iterator[Pair]:
    """Sentences of two articles as if they were of one question."""
    rng = np.random.default_rng(SEED)
    for i, j in rng.integers(len(some), size=(DRAWN, 2)).tolist():
        a, b = some[i], some[j]
        if a.article != b.article:
            yield Pair("drawn", a.text, b.text, a.code != b.code)


def learn_conflict(
    open_pairs: Sequence[Pair], drawn_pairs: Sequence[Pair], chances: Callable[[str], Effects]
) -> Table:
    """Of pairs whose question is known and of drawn ones; each kind has half of the weight."""
    every = [*drawn_pairs, *open_pairs]
    told = [signs(one.a, one.b, chances) for one in every]
    rows = np.array([list(one.values()) for one in told])
    count: npt.NDArray[np.float64] = np.ones(len(every))
    count[len(drawn_pairs) :] = len(drawn_pairs) / max(1, len(open_pairs))
    made = weights(rows, np.array([int(one.conflict) for one in every]), PAIR_STRENGTH, count.tolist())
    return {BASE: (float(made[0, -1]),)} | {n: (float(w),) for n, w in zip(told[0], made[0], strict=False)}


def told_by(seen: dict[str, Effects], table: Table) -> Callable[[str], Effects]:
    return lambda text: seen[text] if text in seen else effects(text, table)


def write(name: str, table: Table, about: str) -> None:
    lines = [f"# {line}" for line in about.splitlines()]
    lines += ["\t".join([row, *(f"{one:.4f}" for one in values)]) for row, values in table.items()]
    (HERE / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


MADE = (
    "Made by `python -m core.conflicts.stance.train`; change the data or the script, not this file.\n"
    "Learned from: Evidence Inference 2.0 (annotations MIT; sentences of articles under Creative Commons"
    " licences)"
)


def main(folder: Path) -> None:
    some, known = sentences(folder), claims(folder)
    table = learn_effect(some)
    write(
        "effect", table, f"{MADE}. {len(some)} sentences.\nColumns: word or pair of words, less, none, more."
    )
    chances = told_by(unseen(some), table)
    pairs = learn_conflict(known, list(drawn(some)), chances)
    about = f"{MADE} and HealthVer dev (no licence file). {len(known)} claims with evidence."
    write("conflict", pairs, f"{about}\nColumns: sign of a pair, log odds that it adds where it is 1.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
