"""Regular names and abbreviations: how many there are in each split, and how well they are found."""

from __future__ import annotations

from collections.abc import Callable

from core.charts import Cell, Chart, Key, Table
from core.evaluate.families.mem_syn_con import ALL, Places, items, places
from core.evaluate.families.mem_syn_con import scored as cut
from core.evaluate.family import FamilyResult, absent
from core.evaluate.inputs import Inputs
from core.evaluate.settings import Settings
from core.metrics import names
from core.metrics.bootstrap import draws
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.metrics.mem_syn_con import Generalisation, Split, Training

FAMILY = "names"
NO_SPLITS = (
    "Whether looks help with new names shows only beside the splits. Give the training set with --training."
)


def evaluate(inputs: Inputs) -> FamilyResult:
    held = places(inputs)
    if isinstance(held, str):
        return absent(FAMILY, held)
    return lay_out(held, inputs.known.training, inputs.settings)


def lay_out(held: Places, training: Training | None, settings: Settings) -> FamilyResult:
    """Estimates, tables and the items behind them; without a training set over all mentions alone."""
    found = cut(held, training or Training(frozenset(), None), settings)
    splits = found.in_use if training else ()
    estimates = names.score(
        found,
        held.documents,
        splits=splits,
        index_lists=draws(len(held.documents), settings.bootstrap, settings.seed),
        level=settings.level,
    )
    tables = tuple(
        Table(
            "Names by their looks" if split is None else f"Names by their looks, {split}",
            ("kind", "mentions", "share", "found", "missed", "recall"),
            [row for row, _ in rows],
            name="kinds" if split is None else f"kinds_{split.lower()}",
            opens=[keys for _, keys in rows],
            chart=Chart("intervals", x="kind", y=("recall",), y_title="recall", unit=True),
            help={"share": "names.regular_share", "recall": "names.regular_recall"},
            note="A mention may be both regular and an abbreviation." if split is None else "",
        )
        for split in (None, *splits)
        for rows in ([_row(found, kind, split, estimates) for kind in names.KINDS],)
    )
    notes = held.notes if training else (*held.notes, NO_SPLITS)
    return FamilyResult(FAMILY, estimates, tables, _opener(found), notes)


def _row(
    found: Generalisation, kind: names.Kind, split: Split | None, estimates: dict[str, Estimate]
) -> tuple[tuple[Cell, ...], tuple[Key | None, ...]]:
    rows = names.of_kind(found, kind, split)
    hits = sum(hit for _, hit in rows)
    tail = f":{split}" if split else ""
    share, recall = (estimates[f"{kind}_{measure}{tail}"] for measure in ("share", "recall"))
    keys = [f"{kind}_{what}:{split or ALL}" for what in ("mentions", "share", "found", "missed", "recall")]
    return (kind, len(rows), share, hits, len(rows) - hits, recall), (None, *keys)


def _opener(found: Generalisation) -> Callable[[Key], list[Item]]:
    split_of = dict(zip(found.mentions, found.splits, strict=True))

    def open_key(key: Key) -> list[Item]:
        stem, _, stratum = key.partition(":")
        kind, _, what = stem.partition("_")
        split = None if stratum in ("", ALL) else stratum
        known = ("mentions", "share", "found", "missed", "recall")
        if kind not in names.KINDS or what not in known or split not in (None, *found.in_use):
            raise KeyError(key)
        rows = names.of_kind(found, kind, split)
        groups = {"tp": [m for m, hit in rows if hit], "fn": [m for m, hit in rows if not hit]}
        if what in ("found", "missed"):
            groups.pop("fn" if what == "found" else "tp")
        return items(groups.items(), split_of.__getitem__)

    return open_key
