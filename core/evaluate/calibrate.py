"""Which similarity two concepts must reach to be taken as the same: from pairs that people have labelled.

A file of pairs (CSV, or with semicolons or tabs; also .gz) has the columns `first`, `second` and `same`: two
concept ids, and yes or no (true, false, 1, 0). The result is the threshold for `Settings.alike`, of this
similarity and this ontology alone. A pair given twice, either way round, counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from core.charts import Cell, Chart, Table
from core.errors import InputError
from core.evaluate.settings import Measure, Scope
from core.formats.rows import RowError, shown
from core.formats.source import Source
from core.formats.tables import read_table
from core.metrics.definition import Estimate
from core.metrics.relaxed import HIERARCHICAL_CREDIT
from core.metrics.thresholds import Youden, youden
from core.ontology.similarity import Similarity
from core.records import Curie

COLUMNS = ("first", "second", "same")
_ANSWERS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


class LabelledPair(NamedTuple):
    first: Curie
    second: Curie
    same: bool


@dataclass(frozen=True, slots=True)
class Calibration:
    similarity: Measure
    ontology: str | None
    found: Youden
    pairs: tuple[tuple[LabelledPair, float, float | None], ...]
    """Each pair with its similarity and its Resnik information content, most similar first."""
    unknown: tuple[Curie, ...]
    """Concepts that the ontology does not hold: similar to themselves alone."""

    def to_json(self) -> dict[str, Any]:
        return {
            "similarity": self.similarity,
            "ontology": self.ontology,
            "threshold": self.found.threshold,
            "j": self.found.j,
            "n": self.found.n,
            "reason": self.found.reason,
            "curve": [point._asdict() | {"j": point.j} for point in self.found.curve],
            "pairs": [
                pair._asdict() | {"similarity": value, "information_in_common": shared}
                for pair, value, shared in self.pairs
            ],
            "unknown": list(self.unknown),
        }


def calibrate(pairs: Iterable[LabelledPair], scope: Scope, similarity: Measure = "lin") -> Calibration:
    """The Youden threshold of labelled pairs, information content from the ontology's structure.

    Raises:
        InputError: the scope knows no lineage, or a pair is labelled both ways.
    """
    if scope.lineage is None:
        raise InputError("Similarities are read from an ontology's lineages. Name it with --ontology.")
    labelled: dict[frozenset[Curie], LabelledPair] = {}
    for pair in pairs:
        a, b = (scope.alt_ids.get(concept, concept) for concept in pair[:2])
        known = labelled.setdefault(frozenset((a, b)), LabelledPair(a, b, pair.same))
        if known.same != pair.same:
            raise InputError(
                f"The pair {shown(pair.first)}, {shown(pair.second)} is labelled both as the same and as not"
                " the same. Keep one of the two."
            )
    lineage = scope.lineage()
    kin, rows = Similarity(lineage, similarity), list(labelled.values())
    values = kin.of_pairs([p.first for p in rows], [p.second for p in rows]).tolist()
    unknown = sorted({c for pair in rows for c in pair[:2] if c not in lineage})
    judged = [
        (pair, value, None if {*pair[:2]} & {*unknown} else kin.resnik(*pair[:2]))
        for pair, value in zip(rows, values, strict=True)
    ]
    judged.sort(key=lambda row: (-row[1], row[0]))
    found = youden((value, pair.same) for pair, value, _ in judged)
    return Calibration(similarity, scope.name, found, tuple(judged), tuple(unknown))


def read_pairs(path: Path) -> Iterator[LabelledPair]:
    """The pairs of a file.

    Raises:
        InputError: it cannot be read, lacks a column, or a row is incomplete.
    """
    source = Source(path)
    for line, row in read_table(source, COLUMNS):
        if isinstance(row, RowError):
            raise InputError(str(row))
        first, second, same = (str(row.get(column) or "").strip() for column in COLUMNS)
        if not first or not second or same.lower() not in _ANSWERS:
            raise InputError(
                f"{source.name}, line {line}: a pair needs two concept ids and yes or no under `same`, not"
                f" {shown(first)}, {shown(second)}, {shown(same)}."
            )
        yield LabelledPair(first, second, _ANSWERS[same.lower()])


def tables(result: Calibration) -> list[Table]:
    """The threshold, what each threshold would do, and which pairs it gets wrong."""
    found = result.found
    threshold = Estimate(found.threshold, found.n, reason=found.reason)
    summary: list[tuple[Cell, ...]] = [
        ("threshold", threshold),
        ("J", Estimate(found.j, found.n, reason=found.reason)),
        ("labelled pairs", found.n),
        ("concepts that the ontology does not hold", len(result.unknown)),
    ]
    rates: list[tuple[Cell, ...]] = [
        (p.threshold, p.true_positive_rate, p.false_positive_rate, p.j) for p in found.curve
    ]
    wrong: list[tuple[Cell, ...]] = [
        (pair.first, pair.second, "yes" if pair.same else "no", value, shared)
        for pair, value, shared in result.pairs
        if found.threshold is not None and pair.same != (value >= found.threshold)
    ]
    heads = ("similarity from", "true positive rate", "false positive rate", "J")
    return [
        Table(
            f"Threshold of {result.similarity} similarity",
            ("value", "estimate"),
            summary,
            name="threshold",
            note=found.reason or _advice(found.threshold),
            help={"estimate": "thresholds.youden"},
        ),
        Table(
            "What each threshold would do",
            heads,
            rates,
            name="roc",
            chart=Chart("curve", x=heads[2], y=(heads[1],), unit=True),
            note="Pairs are taken as the same from the threshold on, inclusive. J is the difference.",
        ),
        Table(
            "Pairs on the wrong side of the threshold",
            ("first", "second", "same", "similarity", "information in common"),
            wrong,
            name="wrong",
            help={
                "similarity": f"similarity.{result.similarity}",
                "information in common": "similarity.resnik",
            },
        ),
    ]


def _advice(threshold: float | None) -> str:
    if threshold is None or threshold <= HIERARCHICAL_CREDIT:
        return "At most 0.5: relaxed matching cannot use it, since a match would be worth less than a parent."
    return f"In full, for --alike: {threshold!r}"
