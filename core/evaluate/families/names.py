"""Regular names and abbreviations: how many there are in each split, and how well they are found."""

from __future__ import annotations

from core.charts import Cell, Chart, Items, Table, Value
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.mem_syn_con import ALL, COLUMNS, Places, Sides, by_outcome, partition, sides
from core.evaluate.families.result import FamilyResult, absent
from core.evaluate.settings import Settings
from core.metrics import names
from core.metrics.definition import Estimate
from core.metrics.mem_syn_con import Split, Training

FAMILY = "names"
NO_SPLITS = (
    "Whether looks help with new names shows only beside what is new. Choose the training set on the "
    "Generalisation page, or name it in `touchstone evaluate`."
)


def evaluate(inputs: Inputs) -> FamilyResult:
    held = sides(inputs)
    if isinstance(held, str):
        return absent(FAMILY, held)
    return lay_out(held, inputs.known.training, inputs.settings)


def lay_out(held: Places | Sides, training: Training | None, settings: Settings) -> FamilyResult:
    """Estimates, tables and the items behind them; without a training set over all mentions alone."""
    cut = partition(held, training or Training(frozenset(), None))
    looks = names.Looks(cut)
    splits = cut.in_use if training else ()
    estimates, resampled = names.score(
        looks,
        splits=splits,
        **settings.resampling(len(cut.documents)),
    )
    tables = tuple(
        Table.of(
            "Names by their looks" if split is None else f"Names by their looks, {split}",
            ("kind", *COLUMNS),
            [_row(looks, kind, split, estimates) for kind in names.KINDS],
            "kinds" if split is None else f"kinds_{split.lower()}",
            chart=Chart("intervals", x="kind", y=("recall",), y_title="recall", unit=True),
            help={"share": "names.regular_share", "recall": "names.regular_recall"},
            note="A mention may be both regular and an abbreviation." if split is None else "",
        )
        for split in (None, *splits)
    )
    notes = held.notes if training else (*held.notes, NO_SPLITS)
    opens = {
        f"{kind}_{measure}": _listed(looks, kind, None, measure)
        for kind in names.KINDS
        for measure in ("share", "recall")
    }
    return FamilyResult(FAMILY, estimates, tables, opens, notes, resampled)


def _row(
    looks: names.Looks, kind: names.Kind, split: Split | None, estimates: dict[str, Estimate]
) -> tuple[str | Cell, ...]:
    hits, misses = (looks.count(kind, split, found=hit) for hit in (True, False))
    tail = f":{split}" if split else ""
    share, recall = (estimates[f"{kind}_{measure}{tail}"] for measure in ("share", "recall"))
    values: tuple[Value, ...] = (hits + misses, share, hits, misses, recall)
    cells = (
        Cell(value, f"{kind}_{what}:{split or ALL}", _listed(looks, kind, split, what))
        for what, value in zip(COLUMNS, values, strict=True)
    )
    return kind, *cells


def _listed(looks: names.Looks, kind: names.Kind, split: Split | None, what: str) -> Items:
    outcomes = {"found": ("tp",), "missed": ("fn",)}.get(what, ("tp", "fn"))
    return lambda: by_outcome(looks.cut, outcomes, lambda hit: looks.of(kind, split, found=hit))
