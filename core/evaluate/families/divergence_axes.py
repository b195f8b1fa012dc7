"""Task 2: axes over all thirteen and over the nine primary ones, and axis by axis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator

from core.charts import Cell, Chart, Items, Key, Table
from core.evaluate.families.pair_inputs import PairInputs, ScoredPair
from core.evaluate.families.pair_tables import overall
from core.evaluate.families.result import FamilyResult, behind, in_order
from core.kinds.names import called
from core.metrics.divergence_axes import FAMILY as KNOWN
from core.metrics.divergence_axes import MEASURES, OVERALL, score
from core.metrics.documents import BEHIND, Item
from core.metrics.pair_labels import AXES, SPACES
from core.metrics.sums import Scored
from core.records import PRIMARY_AXES, Axis

FAMILY = "divergence_axes"
PRIMARY = "primary"
_COUNTS = {
    "gold": ("tp", "fn"),
    "predicted": ("tp", "fp"),
    "right": ("tp",),
    "spurious": ("fp",),
    "missed": ("fn",),
}


def evaluate(inputs: PairInputs) -> FamilyResult:
    gold = [pair.gold.said.label.axes for pair in inputs.pairs]
    said = [pair.predicted.label.axes for pair in inputs.pairs]
    every, primary = (score(gold, said, space, **inputs.resampling) for space in SPACES.values())
    # the nine are the headline: the other four are too rare to be scored (R50)
    scores = Scored(
        {f"{name}:{PRIMARY}": primary.estimates[name] for name in OVERALL} | every.estimates,
        {f"{name}:{PRIMARY}": primary.resampled[name] for name in OVERALL} | every.resampled,
    )
    ordered = ("micro_f1", "macro_f1", "exact_match")
    first = [key for name in ordered for key in (f"{name}:{PRIMARY}", name)]
    estimates = {key: scores.estimates[key] for key in (*first, *scores.estimates)}

    def items(outcomes: Container[str], axes: Container[Axis]) -> Items:
        """Axes of pairs with one of these outcomes; an axis of a pair is one item."""
        return lambda: in_order(
            pair.item(outcome, called(axis))
            for pair in inputs.pairs
            for axis, outcome in _outcomes(pair)
            if outcome in outcomes and axis in axes
        )

    def of_all(key: Key) -> Items:
        """Of exact match, a pair is an item."""
        name, _, view = key.partition(":")
        axes = SPACES[view or "all"]
        if name == "exact_match":
            return behind(inputs.pairs, lambda pair: _as_whole(pair, axes))
        return items(BEHIND[KNOWN.metrics[name].opens], axes)

    columns = {
        "9 primary axes": {f"{n}:{PRIMARY}": primary.estimates[n] for n in OVERALL},
        "13 axes": every.estimates,
    }
    tables = (overall(FAMILY, columns, OVERALL, of_all), _axes(every, inputs.pairs, items))
    notes = ("The 9-axis view keeps every pair, also those whose gold axes are all provisional.",)
    return FamilyResult(
        FAMILY,
        estimates,
        tables,
        notes=notes if inputs.pairs else (),
        resampled=scores.resampled,
        differs=tuple(scores.estimates),
    )


def _axes(
    scores: Scored,
    pairs: Iterable[ScoredPair],
    items: Callable[[Container[str], Container[Axis]], Items],
) -> Table:
    counts = Counter((axis, outcome) for pair in pairs for axis, outcome in _outcomes(pair))
    rows = []
    for axis in AXES:
        cells = [
            Cell(scores.estimates[f"{m}:{axis.value}"], f"{m}:{axis.value}", items(BEHIND[m], (axis,)))
            for m in reversed(MEASURES)
        ]
        for name, outcomes in _COUNTS.items():
            n = sum(counts[axis, outcome] for outcome in outcomes)
            cells.append(Cell(n, f"{name}:{axis.value}", items(outcomes, (axis,))))
        rows.append((axis, *cells, "primary" if axis in PRIMARY_AXES else "provisional"))
    return Table.of(
        "By axis",
        ("axis", "F1", "recall", "precision", *_COUNTS, "kind"),
        rows,
        "axes",
        chart=Chart("stacked", "axis", ("right", "missed", "spurious"), y_title="pairs"),
        help={"precision": f"{FAMILY}.precision", "recall": f"{FAMILY}.recall", "F1": f"{FAMILY}.f1"},
    )


def _outcomes(pair: ScoredPair) -> Iterator[tuple[Axis, str]]:
    gold, said = pair.gold.said.label.axes, pair.predicted.label.axes
    for axis in AXES:
        if axis in gold or axis in said:
            yield axis, "tp" if axis in gold and axis in said else "fn" if axis in gold else "fp"


def _as_whole(pair: ScoredPair, axes: Iterable[Axis]) -> Item:
    gold, said = (
        [called(a) for a in axes if a in side.label.axes] for side in (pair.gold.said, pair.predicted)
    )
    detail = f"gold {', '.join(gold) or 'none'}; predicted {', '.join(said) or 'none'}"
    return pair.item("right" if gold == said else "wrong", detail)
