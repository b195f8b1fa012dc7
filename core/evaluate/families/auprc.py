"""Family `auprc`: complete documents, statuses that count, predictions that bear a confidence.

Keys: `auprc`, `share_found`, and `point:K`, what enters between row K of the curve and the row before.
"""

from __future__ import annotations

import numpy as np

from core.charts import Cell, Chart, Key, Table
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.kin import in_order, with_confidences
from core.evaluate.families.result import FamilyResult, absent
from core.metrics.auprc import Curve, CurveScores, Integers, rank, score
from core.metrics.bootstrap import draws
from core.metrics.documents import Item

_POINTS = 100
"""Rows of the curve; the area itself is of all groups."""
_NO_CONFIDENCE = (
    "Nothing was scored: the predictions bear no confidence, so they stand in no order. Give predictions with"
    " a `confidence` in [0, 1]."
)


def evaluate(inputs: Inputs) -> FamilyResult:
    chosen = inputs.settings
    said = with_confidences(inputs)
    curve = rank(inputs.gold, said)
    silent = int(np.isnan(curve.confidence).sum())
    if inputs.known.confidences is None or (silent and silent == len(curve.ids)):
        return absent("auprc", _NO_CONFIDENCE)
    resamples = draws(len(curve.documents), chosen.bootstrap, chosen.seed)
    scores = score(curve, index_lists=resamples, level=chosen.level)
    ends = _shown(curve)
    notes = [f"Predictions without a confidence, entered last and together: {silent}."] if silent else []
    return FamilyResult(
        "auprc",
        scores.estimates,
        (_values(scores), _points(curve, ends)),
        lambda key: _open(key, curve, ends, inputs),
        notes=tuple(notes),
        resampled=scores.resampled,
    )


def _shown(curve: Curve) -> Integers:
    """Numbers of the groups that the table of the curve shows: all, or evenly many of them and the last."""
    n = len(curve.ends)
    if n <= _POINTS:
        return np.arange(n)
    return np.linspace(0, n - 1, _POINTS).round().astype(np.int64)  # all different: n exceeds their number


def _values(scores: CurveScores) -> Table:
    names = {"auprc": "AUPRC", "share_found": "Gold found at any confidence"}
    return Table(
        "Area under the precision-recall curve",
        ("value", "estimate"),
        [(title, scores.estimates[name]) for name, title in names.items()],
        name="values",
        opens=[(None, name) for name in names],
        help={"estimate": "auprc.auprc"},
    )


def _points(curve: Curve, shown: Integers) -> Table:
    precision, recall = curve.points()
    tp = np.cumsum(curve.right)
    rows: list[tuple[Cell, ...]] = []
    for group in shown.tolist():
        end = int(curve.ends[group])
        confidence, reached = float(curve.confidence[end - 1]), float(recall[group])
        rows.append(
            (
                None if np.isnan(confidence) else confidence,
                end,
                int(tp[end - 1]),
                float(precision[group]),
                None if np.isnan(reached) else reached,
            )
        )
    return Table(
        "Precision-recall curve",
        ("confidence from", "proposals", "right", "Precision", "Recall"),
        rows,
        name="curve",
        opens=[(None, *[f"point:{row}"] * 4) for row in range(len(rows))],
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


def _open(key: Key, curve: Curve, shown: Integers, inputs: Inputs) -> list[Item]:
    if key == "auprc":
        return in_order([*_said(curve, slice(None)), *_missed(curve, inputs)])
    if key == "share_found":
        right = [item for item in _said(curve, slice(None)) if item.outcome == "tp"]
        return in_order([*right, *_missed(curve, inputs)])
    rows = {f"point:{row}": row for row in range(len(shown))}
    row = rows[key]
    start = int(curve.ends[shown[row - 1]]) if row else 0
    return in_order(_said(curve, slice(start, int(curve.ends[shown[row]]))))


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
