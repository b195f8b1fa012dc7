"""Family `bounds`: complete documents, statuses that count, with the confidences of the predictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.charts import Cell, Chart, Items, Key, Table
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.kin import with_confidences
from core.evaluate.families.result import FamilyResult, in_order
from core.metrics.bounds import MEASURES, READINGS, BoundScores, Judged, judge, score
from core.metrics.documents import Item
from core.records import Curie

_BEHIND = {
    "conservative:precision": ("tp", "sure", "forgiven"),
    "conservative:recall": ("tp", "fn"),
    "conservative:f1": ("tp", "sure", "forgiven", "fn"),
    "optimistic:precision": ("tp", "sure"),
    "optimistic:recall": ("tp", "fn"),
    "optimistic:f1": ("tp", "sure", "fn"),
    "expected:precision": ("tp", "sure", "forgiven"),
    "expected:recall": ("tp", "fn"),
    "expected:f1": ("tp", "sure", "forgiven", "fn"),
    **{side: (side,) for side in ("tp", "sure", "forgiven", "fn")},
}
"""Which lists of `Judged` a key opens."""
_OUTCOMES = {"tp": "tp", "sure": "fp", "forgiven": "fp", "fn": "fn"}
_MIDPOINT = "The midpoint is half way between the bounds, not what is to be expected."
_NO_CONFIDENCE = "The predictions bear no confidence, so the optimistic reading forgives all of them."

Behind = Callable[[Key], Items]
Confidences = Mapping[str, Mapping[Curie, float]]


def evaluate(inputs: Inputs) -> FamilyResult:
    chosen = inputs.settings
    confidences = inputs.known.confidences() if inputs.known.confidences else {}
    said = with_confidences(inputs)
    judged = judge(inputs.gold, said, chosen.sure)
    scores = score(judged, vacuous=chosen.vacuous, **chosen.resampling(len(judged)))
    has_any = any(c is not None for concepts in said.values() for _, c in concepts)
    silent = not has_any and any(said.values())

    def behind(key: Key) -> Items:
        return lambda: _items(judged, _BEHIND[key], confidences)

    return FamilyResult(
        "bounds",
        scores.estimates,
        (_readings(scores, chosen.sure, behind), _counts(judged, chosen.sure, behind)),
        notes=(_MIDPOINT, *((_NO_CONFIDENCE,) if silent else ())),
        resampled=scores.resampled,
    )


def _readings(scores: BoundScores, sure: float, behind: Behind) -> Table:
    columns = ("reading", "Precision", "Recall", "F1")
    rows = [
        (reading, *(Cell(scores.estimates[key], key, behind(key)) for key in keys))
        for reading in READINGS
        for keys in ([f"{reading}:{m}" for m in MEASURES],)
    ]
    return Table.of(
        "Bounds for gold of unknown completeness",
        columns,
        rows,
        "bounds",
        chart=Chart("intervals", x="reading", y=columns[1:], unit=True),
        note=(
            "Conservative: every proposal outside the gold is wrong. Optimistic: only those with a confidence"
            f" of {sure:g} or more. Expected: the midpoint of the two."
        ),
        help=dict.fromkeys(columns[1:], "bounds.expected"),
    )


def _counts(judged: Sequence[Judged], sure: float, behind: Behind) -> Table:
    names = {
        "tp": "right",
        "sure": f"outside the gold, confidence {sure:g} or more: wrong in both readings",
        "forgiven": "outside the gold, less confidence or none: forgiven by the optimistic reading",
        "fn": "missed",
    }
    return Table.of(
        "What the bounds count",
        ("concepts", "n"),
        [
            (title, Cell(sum(len(getattr(document, side)) for document in judged), side, behind(side)))
            for side, title in names.items()
        ],
        "counts",
        chart=Chart("bars", x="concepts", y=("n",), y_title="concepts"),
    )


def _items(judged: Sequence[Judged], sides: Sequence[str], confidences: Confidences) -> list[Item]:
    return in_order(
        Item(document.doc_id, concept, _OUTCOMES[side], _detail(document.doc_id, concept, confidences))
        for side in sides
        for document in judged
        for concept in getattr(document, side)
    )


def _detail(doc_id: str, concept: Curie, confidences: Confidences) -> str:
    confidence = confidences.get(doc_id, {}).get(concept)
    return "" if confidence is None else f"confidence {confidence:.3f}"
