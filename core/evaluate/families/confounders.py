"""Task 3: the dominant confounder, overall, by confounder, and what it was taken for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from core.charts import Cell, Chart, Key, Table
from core.evaluate.families.pair_inputs import PairInputs, ScoredPair
from core.evaluate.families.pair_tables import overall, sorted_items
from core.evaluate.families.result import FamilyResult
from core.metrics.confounders import HEADLINE, score
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.metrics.pair_labels import AXES
from core.metrics.sums import Scored

FAMILY = "confounders"
NONE = "none"


def evaluate(inputs: PairInputs) -> FamilyResult:
    gold = [pair.gold.said.label.confounder for pair in inputs.pairs]
    said = [pair.predicted.label.confounder for pair in inputs.pairs]
    found = score(gold, said, index_lists=inputs.draws(), level=inputs.settings.level)
    without = sum(confounder is None for confounder in gold)
    estimates = {
        HEADLINE: found.scores.estimates[HEADLINE],
        "spurious": Estimate(float(found.spurious), without),
        **found.scores.estimates,
    }
    cells = Counter(map(_both, inputs.pairs))
    tables = (
        overall(FAMILY, {"estimate": estimates}, (HEADLINE, "spurious")),
        _by_confounder(found.scores, cells),
        _confusion(cells),
    )
    notes = []
    if without and inputs.pairs:
        notes.append(
            f"Accuracy rests on the {len(inputs.pairs) - without} pairs whose gold names a confounder; "
            f"{found.spurious} of the other {without} were given one, which is in no accuracy."
        )

    def open_cell(key: Key) -> list[Item]:
        return sorted_items(list(_items(inputs.pairs, key)))

    return FamilyResult(
        FAMILY,
        estimates,
        tables,
        open_cell,
        tuple(notes),
        found.scores.resampled,
        differs=tuple(found.scores.estimates),
    )


def _by_confounder(scores: Scored, cells: Counter[tuple[str, str]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    opens: list[tuple[Key | None, ...]] = []
    for axis in (axis.value for axis in AXES):
        gold = sum(n for (g, _), n in cells.items() if g == axis)
        right, none = cells[axis, axis], cells[axis, NONE]
        key = f"{HEADLINE}:{axis}"
        rows.append((axis, gold, right, gold - right - none, none, scores.estimates[key]))
        opens.append((None, *(f"{n}:{axis}" for n in ("gold", "right", "other", "silent")), key))
    return Table(
        "By gold confounder",
        ("confounder", "gold", "right", "another one", "none given", "accuracy"),
        rows,
        "confounders",
        opens,
        Chart("stacked", "confounder", ("right", "another one", "none given"), y_title="pairs"),
        help={"accuracy": f"{FAMILY}.{HEADLINE}"},
    )


def _confusion(cells: Counter[tuple[str, str]]) -> Table:
    every = (*(axis.value for axis in AXES), NONE)
    rows = [g for g in every if any(cells[g, p] for p in every)]
    columns = tuple(p for p in every if any(cells[g, p] for g in every))
    return Table(
        "Gold confounder against predicted confounder",
        ("gold", *columns),
        [(g, *(cells[g, p] for p in columns)) for g in rows],
        "confusion",
        [(None, *(f"confusion:{g}:{p}" for p in columns)) for g in rows],
        Chart("heatmap", "gold", columns, x_title="predicted", y_title="gold"),
        note="Rows are the gold confounder, columns the predicted one; only those that occur. Pairs in the"
        f" row '{NONE}' are in no accuracy.",
    )


def _both(pair: ScoredPair) -> tuple[str, str]:
    gold, said = pair.gold.said.label.confounder, pair.predicted.label.confounder
    return (gold.value if gold else NONE), (said.value if said else NONE)


def _items(pairs: Iterable[ScoredPair], key: Key) -> Iterable[Item]:
    """Pairs behind a key: an estimate's name, `gold:`, `right:`, `other:` or `silent:` with a confounder, or
    `confusion:GOLD:PREDICTED`."""
    name, _, rest = key.partition(":")
    known = {axis.value for axis in AXES}
    if name == "confusion":
        wanted = tuple(rest.split(":"))
        if len(wanted) != 2 or not set(wanted) <= known | {NONE}:
            raise KeyError(key)
        yield from (_item(pair) for pair in pairs if _both(pair) == wanted)
        return
    if key == "spurious":
        yield from (_item(p) for p in pairs if _both(p)[0] == NONE != _both(p)[1])
        return
    if (rest and rest not in known) or name not in (HEADLINE, "gold", "right", "other", "silent"):
        raise KeyError(key)
    if not rest and name != HEADLINE:
        raise KeyError(key)
    for pair in pairs:
        gold, said = _both(pair)
        if gold == NONE or (rest and gold != rest):
            continue
        kind = "right" if gold == said else "silent" if said == NONE else "other"
        if name in (HEADLINE, "gold", kind):
            yield _item(pair)


def _item(pair: ScoredPair) -> Item:
    gold, said = _both(pair)
    outcome = (
        "right" if gold == said else "spurious" if gold == NONE else "missed" if said == NONE else "wrong"
    )
    detail = f"gold {gold}, predicted {said}{'' if pair.answered else ' (no prediction)'}"
    return pair.item(outcome, detail)
