"""Regular names and abbreviations: how many there are in each split, and how well they are found."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from core.charts import Cell, Chart, Key, Table
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.mem_syn_con import ALL, Places, Sides, items, partition, sides
from core.evaluate.families.result import FamilyResult, absent
from core.evaluate.settings import Settings
from core.metrics import names
from core.metrics.bootstrap import draws
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.metrics.mem_syn_con import Split, Training
from core.metrics.mentions import Place

FAMILY = "names"
NO_SPLITS = (
    "Whether looks help with new names shows only beside the splits. Give the training set with --training."
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
        index_lists=draws(len(cut.documents), settings.bootstrap, settings.seed),
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
        for rows in ([_row(looks, kind, split, estimates) for kind in names.KINDS],)
    )
    notes = held.notes if training else (*held.notes, NO_SPLITS)
    return FamilyResult(FAMILY, estimates, tables, _opener(looks), notes, resampled)


def _row(
    looks: names.Looks, kind: names.Kind, split: Split | None, estimates: dict[str, Estimate]
) -> tuple[tuple[Cell, ...], tuple[Key | None, ...]]:
    hits, misses = (looks.count(kind, split, found=hit) for hit in (True, False))
    tail = f":{split}" if split else ""
    share, recall = (estimates[f"{kind}_{measure}{tail}"] for measure in ("share", "recall"))
    keys = [f"{kind}_{what}:{split or ALL}" for what in ("mentions", "share", "found", "missed", "recall")]
    return (kind, hits + misses, share, hits, misses, recall), (None, *keys)


def _opener(looks: names.Looks) -> Callable[[Key], list[Item]]:
    cut = looks.cut

    @cache
    def words() -> dict[Place, str]:
        return {m.place: split for m, split in zip(cut.mentions, cut.splits, strict=True)}

    def open_key(key: Key) -> list[Item]:
        stem, _, stratum = key.partition(":")
        kind, _, what = stem.partition("_")
        split = None if stratum in ("", ALL) else stratum
        known = ("mentions", "share", "found", "missed", "recall")
        if kind not in names.KINDS or what not in known or split not in (None, *cut.in_use):
            raise KeyError(key)
        wanted = {"tp": what != "missed", "fn": what != "found"}
        groups = [(o, looks.of(kind, split, found=o == "tp")) for o, chosen in wanted.items() if chosen]
        return items(groups, lambda m: words()[m.place])

    return open_key
