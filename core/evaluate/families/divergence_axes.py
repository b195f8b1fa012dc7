"""Task 2: axes over all thirteen and over the nine primary ones, and axis by axis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from core.charts import Cell, Chart, Key, Table
from core.evaluate.families.pair_inputs import PairInputs, ScoredPair
from core.evaluate.families.pair_tables import overall, sorted_items
from core.evaluate.families.result import FamilyResult
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
    every, primary = (
        score(gold, said, space, index_lists=inputs.draws(), level=inputs.settings.level)
        for space in SPACES.values()
    )
    # the nine are the headline: the other four are too rare to be scored (R50)
    scores = Scored(
        {f"{name}:{PRIMARY}": primary.estimates[name] for name in OVERALL} | every.estimates,
        {f"{name}:{PRIMARY}": primary.resampled[name] for name in OVERALL} | every.resampled,
    )
    ordered = ("micro_f1", "macro_f1", "exact_match")
    first = [key for name in ordered for key in (f"{name}:{PRIMARY}", name)]
    estimates = {key: scores.estimates[key] for key in (*first, *scores.estimates)}
    tables = (
        overall(
            FAMILY,
            {
                "9 primary axes": {f"{n}:{PRIMARY}": primary.estimates[n] for n in OVERALL},
                "13 axes": every.estimates,
            },
            OVERALL,
        ),
        _axes(every, inputs.pairs),
    )

    def open_cell(key: Key) -> list[Item]:
        return sorted_items(list(_items(inputs.pairs, key)))

    notes = ("The 9-axis view keeps every pair, also those whose gold axes are all provisional.",)
    return FamilyResult(
        FAMILY,
        estimates,
        tables,
        open_cell,
        notes if inputs.pairs else (),
        scores.resampled,
        differs=tuple(scores.estimates),
    )


def _axes(scores: Scored, pairs: Iterable[ScoredPair]) -> Table:
    counts: Counter[tuple[Axis, str]] = Counter(
        (axis, outcome) for pair in pairs for axis, outcome in _outcomes(pair)
    )
    rows: list[tuple[Cell, ...]] = []
    opens: list[tuple[Key | None, ...]] = []
    for axis in AXES:
        tally = [sum(counts[axis, o] for o in outcomes) for outcomes in _COUNTS.values()]
        values = [f"{measure}:{axis.value}" for measure in reversed(MEASURES)]
        kind = "primary" if axis in PRIMARY_AXES else "provisional"
        rows.append((axis.value, *(scores.estimates[v] for v in values), *tally, kind))
        opens.append((None, *values, *(f"{n}:{axis.value}" for n in _COUNTS), None))
    return Table(
        "By axis",
        ("axis", "F1", "recall", "precision", *_COUNTS, "kind"),
        rows,
        "axes",
        opens,
        Chart("stacked", "axis", ("right", "missed", "spurious"), y_title="pairs"),
        help={"precision": f"{FAMILY}.precision", "recall": f"{FAMILY}.recall", "F1": f"{FAMILY}.f1"},
    )


def _outcomes(pair: ScoredPair) -> Iterator[tuple[Axis, str]]:
    gold, said = pair.gold.said.label.axes, pair.predicted.label.axes
    for axis in AXES:
        if axis in gold or axis in said:
            yield axis, "tp" if axis in gold and axis in said else "fn" if axis in gold else "fp"


def _items(pairs: Iterable[ScoredPair], key: Key) -> Iterable[Item]:
    """Pairs behind a key: an estimate's name, or a count such as `missed:geography`. An axis of a pair is one
    item; of exact match, a pair is."""
    name, _, rest = key.partition(":")
    if name == "exact_match" and rest in ("", PRIMARY):
        space = SPACES[rest or "all"]
        for pair in pairs:
            gold, said = (
                [a.value for a in space if a in side.label.axes] for side in (pair.gold.said, pair.predicted)
            )
            detail = f"gold {', '.join(gold) or 'none'}; predicted {', '.join(said) or 'none'}"
            yield pair.item("right" if gold == said else "wrong", detail)
        return
    if name in OVERALL and rest in ("", PRIMARY):
        wanted, axes = BEHIND[KNOWN.metrics[name].opens], SPACES[rest or "all"]
    else:
        found = _COUNTS.get(name) or (BEHIND[name] if name in MEASURES else None)
        if found is None or rest not in {axis.value for axis in AXES}:
            raise KeyError(key)
        wanted, axes = tuple(found), (Axis(rest),)  # type: ignore[arg-type]
    for pair in pairs:
        for axis, outcome in _outcomes(pair):
            if axis in axes and outcome in wanted:
                yield pair.item(outcome, axis.value)
