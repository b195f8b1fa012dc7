"""Task 3: the dominant confounder, overall, by confounder, and what it was taken for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from core.charts import Cell, Chart, Items, Table
from core.evaluate.families.pair_inputs import PairInputs, ScoredPair
from core.evaluate.families.pair_tables import confusion, overall
from core.evaluate.families.result import FamilyResult, behind
from core.kinds.names import called
from core.metrics.confounders import HEADLINE, score, spurious
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.metrics.pair_labels import AXES
from core.metrics.sums import Scored

FAMILY = "confounders"
NONE = "none"
Chosen = Callable[[Callable[[str, str], bool]], Items]
"""Whether a pair is meant, from what gold and prediction say of it -> the pairs that are."""


def evaluate(inputs: PairInputs) -> FamilyResult:
    gold = [pair.gold.said.label.confounder for pair in inputs.pairs]
    said = [pair.predicted.label.confounder for pair in inputs.pairs]
    found = score(gold, said, **inputs.resampling)
    without = sum(confounder is None for confounder in gold)
    given_one = spurious(gold, said)
    estimates = {
        HEADLINE: found.estimates[HEADLINE],
        "spurious": Estimate(float(given_one), without),
        **found.estimates,
    }
    cells = Counter(map(_both, inputs.pairs))

    def items(wanted: Callable[[str, str], bool]) -> Items:
        return behind(inputs.pairs, lambda pair: _item(pair) if wanted(*_both(pair)) else None)

    whole = {HEADLINE: items(lambda g, p: g != NONE), "spurious": items(lambda g, p: g == NONE != p)}
    every = (*AXES, NONE)
    tables = (
        overall(FAMILY, {"estimate": estimates}, tuple(whole), whole.__getitem__),
        _by_confounder(found, cells, items),
        confusion(
            "Gold confounder against predicted confounder",
            [g for g in every if any(cells[g, p] for p in every)],
            [p for p in every if any(cells[g, p] for g in every)],
            cells,
            lambda g, p: items(lambda *both: both == (g, p)),
            "Rows are the gold confounder, columns the predicted one; only those that occur. Pairs in the"
            f" row '{NONE}' are in no accuracy.",
        ),
    )
    note = (
        f"Accuracy rests on the {len(inputs.pairs) - without} pairs whose gold names a confounder; "
        f"{given_one} of the other {without} were given one, which is in no accuracy."
    )
    return FamilyResult(
        FAMILY,
        estimates,
        tables,
        notes=(note,) if without else (),
        resampled=found.resampled,
        differs=tuple(found.estimates),
    )


def _by_confounder(scores: Scored, cells: Counter[tuple[str, str]], items: Chosen) -> Table:
    def row(axis: str) -> tuple[str | Cell, ...]:
        gold = sum(n for (g, _), n in cells.items() if g == axis)
        right, none = cells[axis, axis], cells[axis, NONE]
        all_of = items(lambda g, p: g == axis)
        others = items(lambda g, p: g == axis and p not in (axis, NONE))
        return (
            axis,
            Cell(gold, f"gold:{axis}", all_of),
            Cell(right, f"right:{axis}", items(lambda g, p: g == p == axis)),
            Cell(gold - right - none, f"other:{axis}", others),
            Cell(none, f"silent:{axis}", items(lambda g, p: (g, p) == (axis, NONE))),
            Cell(scores.estimates[f"{HEADLINE}:{axis}"], f"{HEADLINE}:{axis}", all_of),
        )

    return Table.of(
        "By gold confounder",
        ("confounder", "gold", "right", "another one", "none given", "accuracy"),
        [row(axis) for axis in AXES],
        "confounders",
        chart=Chart("stacked", "confounder", ("right", "another one", "none given"), y_title="pairs"),
        help={"accuracy": f"{FAMILY}.{HEADLINE}"},
    )


def _both(pair: ScoredPair) -> tuple[str, str]:
    """Axes, or none."""
    gold, said = pair.gold.said.label.confounder, pair.predicted.label.confounder
    return (gold or NONE), (said or NONE)


def _item(pair: ScoredPair) -> Item:
    gold, said = _both(pair)
    outcome = (
        "right" if gold == said else "spurious" if gold == NONE else "missed" if said == NONE else "wrong"
    )
    detail = f"gold {called(gold)}, predicted {called(said)}{'' if pair.answered else ' (no prediction)'}"
    return pair.item(outcome, detail)
