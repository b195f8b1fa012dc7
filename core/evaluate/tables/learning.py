"""A learning curve as tables of finished cells, and what it comes to in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from core.charts import Chart, Table, Value
from core.concepts.learned.curve import FURTHER, WRONG, Curve
from core.metrics.definition import Estimate

NAMES, HEAD = "F1, learned names", "F1, names and head"
DOCUMENTS, DECISIONS, MINUTES = "documents", "decisions", "minutes"


def learning_tables(curve: Curve) -> list[Table]:
    """The curve, drawn against decisions and against minutes where people decided, else against documents;
    and what each kind of decision brings."""
    found = [_curve(curve, along) for along in _axes(curve)]
    if curve.kinds:
        gains = "gain, learned names", "gain, names and head"
        rows = [(k.action.value, k.decisions, k.gain, k.gain_with_head) for k in curve.kinds]
        found.append(
            Table(
                "What each kind of decision brings",
                ("decision", "number", *gains),
                rows,
                "kinds",
                chart=Chart("intervals", "decision", gains),
                note="F1 with all decisions less F1 without those of one kind.",
                signed=gains,
            )
        )
    return found


def told(curve: Curve) -> Iterator[str]:
    """What to expect of more documents, and of mistakes."""
    more, wrong = curve.further, curve.wrong
    if more.value is None:
        yield f"What {FURTHER} more documents bring cannot be told: {more.reason}"
    else:
        yield f"{FURTHER} more documents: about {_both(more, curve.further_with_head)}."
    if wrong.value is not None:
        share = f"{WRONG:.0%}".replace("%", " %")
        both = _both(_turned(wrong), _turned(curve.wrong_with_head))
        yield f"If {share} of the decisions were wrong: {both}."
    yield (
        f"Measured on {curve.documents} documents in ten splits, each scored by what the others teach; 95 %"
        " intervals over documents."
    )


def _axes(curve: Curve) -> list[str]:
    last = curve.points[-1]
    if not last.decisions:
        return [DOCUMENTS]
    return [DECISIONS] if last.minutes is None else [DECISIONS, MINUTES]


def _curve(curve: Curve, along: str) -> Table:
    rows: list[tuple[Value, ...]] = []
    for point in curve.points:
        counts = {DOCUMENTS: point.documents, DECISIONS: point.decisions, MINUTES: point.minutes}
        at = counts[along]
        shown = round(at, 1) if along == MINUTES and at is not None else round(at or 0)
        rows.append((shown, point.names, point.head))
    return Table(
        f"F1 against {along}",
        (along, NAMES, HEAD),
        rows,
        f"curve_{along}",
        chart=Chart("curve", along, (NAMES, HEAD), y_title="F1", unit=True),
        note="The first row is the dictionary as it was.",
    )


def _turned(value: Estimate) -> Estimate:
    """A loss as a change."""
    low, high = (None if end is None else 0.0 - end for end in (value.high, value.low))
    return Estimate(None if value.value is None else 0.0 - value.value, value.n, low=low, high=high)


def _both(names: Estimate, head: Estimate) -> str:
    """A change of both systems."""
    return f"{_signed(names)} with learned names, {_signed(head)} with a head, too"


def _signed(value: Estimate) -> str:
    shown = f"{value.value:+.3f}"
    if value.low is None or value.high is None:
        return shown
    return f"{shown} (95 % interval {value.low:+.3f} to {value.high:+.3f})"
