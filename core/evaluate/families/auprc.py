"""Family `auprc`: complete documents, statuses that count, predictions that bear a confidence."""

from __future__ import annotations

from functools import partial

import numpy as np

from core.charts import Cell, Chart, Items, Table
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.kin import with_confidences
from core.evaluate.families.result import FamilyResult, absent, in_order
from core.metrics.auprc import Curve, CurveScores, Integers, rank, score
from core.metrics.documents import Item

_POINTS = 100
"""Rows of the curve; the area itself is of all groups."""
_NO_CONFIDENCE = (
    "Nothing was scored: the predictions bear no confidence, so they stand in no order. Give predictions with"
    " a `confidence` in [0, 1]."
)


def evaluate(inputs: Inputs) -> FamilyResult:
    said = with_confidences(inputs)
    curve = rank(inputs.gold, said)
    silent = int(np.isnan(curve.confidence).sum())
    if inputs.known.confidences is None or (silent and silent == len(curve.ids)):
        return absent("auprc", _NO_CONFIDENCE)
    scores = score(curve, **inputs.settings.resampling(len(curve.documents)))
    ends = _shown(curve)
    notes = [f"Predictions without a confidence, entered last and together: {silent}."] if silent else []
    return FamilyResult(
        "auprc",
        scores.estimates,
        (_values(scores, curve, inputs), _points(curve, ends)),
        notes=tuple(notes),
        resampled=scores.resampled,
    )


def _shown(curve: Curve) -> Integers:
    """Numbers of the groups that the table of the curve shows: all, or evenly many of them and the last."""
    n = len(curve.ends)
    if n <= _POINTS:
        return np.arange(n)
    return np.linspace(0, n - 1, _POINTS).round().astype(np.int64)  # all different: n exceeds their number


def _values(scores: CurveScores, curve: Curve, inputs: Inputs) -> Table:
    def items(outcomes: tuple[str, ...]) -> Items:
        every = slice(None)
        return lambda: in_order(
            item for item in (*_said(curve, every), *_missed(curve, inputs)) if item.outcome in outcomes
        )

    rows = [
        ("AUPRC", Cell(scores.estimates["auprc"], "auprc", items(("tp", "fp", "fn")))),
        (
            "Gold found at any confidence",
            Cell(scores.estimates["share_found"], "share_found", items(("tp", "fn"))),
        ),
    ]
    return Table.of(
        "Area under the precision-recall curve",
        ("value", "estimate"),
        rows,
        "values",
        help={"estimate": "auprc.auprc"},
    )


def _points(curve: Curve, shown: Integers) -> Table:
    precision, recall = curve.points()
    tp = np.cumsum(curve.right)
    rows = []
    start = 0
    for row, group in enumerate(shown.tolist()):
        end = int(curve.ends[group])
        confidence, reached = float(curve.confidence[end - 1]), float(recall[group])
        values = (
            end,
            int(tp[end - 1]),
            float(precision[group]),
            None if np.isnan(reached) else reached,
        )
        items = partial(_between, curve, start, end)
        cells = (Cell(value, f"point:{row}", items) for value in values)
        rows.append((None if np.isnan(confidence) else confidence, *cells))
        start = end
    return Table.of(
        "Precision-recall curve",
        ("confidence from", "proposals", "right", "Precision", "Recall"),
        rows,
        "curve",
        chart=Chart("curve", x="Recall", y=("Precision",), unit=True, x_title="Recall", y_title="Precision"),
        note=(
            "Equal confidences enter together; recall counts all gold. A row opens what enters with it."
            + (
                f" {len(shown)} of {len(curve.ends)} points are shown."
                if len(shown) < len(curve.ends)
                else ""
            )
        ),
        help={"Precision": "auprc.auprc"},
    )


def _between(curve: Curve, start: int, end: int) -> list[Item]:
    """What enters between two points."""
    return in_order(_said(curve, slice(start, end)))


def _said(curve: Curve, part: slice) -> list[Item]:
    columns = (column[part].tolist() for column in (curve.document, curve.right, curve.confidence))
    return [
        Item(
            curve.documents[document],
            concept,
            "tp" if right else "fp",
            "no confidence" if confidence != confidence else f"confidence {confidence:.3f}",
        )
        for concept, document, right, confidence in zip(curve.ids[part], *columns, strict=True)
    ]


def _missed(curve: Curve, inputs: Inputs) -> list[Item]:
    return [
        Item(doc_id, concept, "fn")
        for doc_id in curve.documents
        for concept in inputs.gold[doc_id] - inputs.predicted[doc_id]
    ]
