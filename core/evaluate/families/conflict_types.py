"""Task 1: the type of every pair, overall, by type, and as a confusion matrix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from core.charts import Cell, Chart, Key, Table
from core.evaluate.families.pair_inputs import PairInputs, ScoredPair
from core.evaluate.families.pair_tables import overall, sorted_items
from core.evaluate.families.result import FamilyResult
from core.metrics.conflict_types import EVALUABLE, OVERALL, score
from core.metrics.documents import BEHIND, Item
from core.metrics.pair_labels import CLASSES
from core.metrics.sums import Scored

FAMILY = "conflict_types"
_COUNTS = {"gold": ("tp", "fn"), "predicted": ("tp", "fp"), "right": ("tp",)}


def evaluate(inputs: PairInputs) -> FamilyResult:
    gold = [pair.gold.said.label.conflict_type for pair in inputs.pairs]
    said = [pair.predicted.label.conflict_type for pair in inputs.pairs]
    scores = score(gold, said, index_lists=inputs.draws(), level=inputs.settings.level)
    cells = Counter(zip(map(str, gold), map(str, said), strict=True))
    support = Counter(map(str, gold))
    rare = [f"{c.value} ({support[c.value]})" for c in CLASSES if support[c.value] < EVALUABLE]
    notes = []
    if inputs.pairs and rare:
        notes.append(
            f"Exploratory, because fewer than {EVALUABLE} gold pairs have the type: {', '.join(rare)}."
        )
    tables = (
        overall(FAMILY, {"estimate": scores.estimates}, OVERALL),
        _classes(scores, cells),
        _confusion(cells),
    )

    def open_cell(key: Key) -> list[Item]:
        return sorted_items(list(_items(inputs.pairs, key)))

    return FamilyResult(FAMILY, scores.estimates, tables, open_cell, tuple(notes), scores.resampled)


def _classes(scores: Scored, cells: Counter[tuple[str, str]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    opens: list[tuple[Key | None, ...]] = []
    for c in (c.value for c in CLASSES):
        gold = sum(n for (g, _), n in cells.items() if g == c)
        said = sum(n for (_, p), n in cells.items() if p == c)
        values = [scores.estimates[f"{m}:{c}"] for m in ("precision", "recall", "f1")]
        exploratory = "exploratory" if gold < EVALUABLE else ""
        rows.append((c, *values, gold, said, cells[c, c], exploratory))
        opens.append(
            (
                None,
                *(f"{m}:{c}" for m in ("precision", "recall", "f1")),
                *(f"{name}:{c}" for name in _COUNTS),
                None,
            )
        )
    head = ("type", "precision", "recall", "F1", *_COUNTS, "flag")
    return Table(
        "By type",
        head,
        rows,
        "classes",
        opens,
        Chart("intervals", "type", ("precision", "recall", "F1"), unit=True),
        note=f"Below {EVALUABLE} gold pairs the values of a type are exploratory: sampling noise dominates.",
        help={m: f"{FAMILY}.{n}" for m, n in zip(head[1:4], ("precision", "recall", "f1"), strict=True)},
    )


def _confusion(cells: Counter[tuple[str, str]]) -> Table:
    names = tuple(c.value for c in CLASSES)
    return Table(
        "Gold type against predicted type",
        ("gold", *names),
        [(g, *(cells[g, p] for p in names)) for g in names],
        "confusion",
        [(None, *(f"confusion:{g}:{p}" for p in names)) for g in names],
        Chart("heatmap", "gold", names, x_title="predicted", y_title="gold"),
        note="Rows are the gold type, columns the predicted one.",
    )


def _items(pairs: Iterable[ScoredPair], key: Key) -> Iterable[Item]:
    """Pairs behind a key: an estimate's name, `gold:TYPE`, `predicted:TYPE`, `right:TYPE`, or
    `confusion:GOLD:PREDICTED`. Of a type, an item is right, spurious or missed."""
    name, _, rest = key.partition(":")
    if name in OVERALL and not rest:
        yield from (_item(pair, "right" if _right(pair) else "wrong") for pair in pairs)
        return
    known = {c.value for c in CLASSES}
    if name == "confusion":
        gold, _, said = rest.partition(":")
        if not {gold, said} <= known:
            raise KeyError(key)
        yield from (
            _item(pair, "right" if gold == said else "confused")
            for pair in pairs
            if _types(pair) == (gold, said)
        )
        return
    wanted = _COUNTS.get(name) or BEHIND.get(name)
    if wanted is None or rest not in known:
        raise KeyError(key)
    for pair in pairs:
        gold, said = _types(pair)
        outcome = "tp" if gold == said == rest else "fn" if gold == rest else "fp" if said == rest else None
        if outcome in wanted:
            yield _item(pair, str(outcome))


def _types(pair: ScoredPair) -> tuple[str, str]:
    return str(pair.gold.said.label.conflict_type), str(pair.predicted.label.conflict_type)


def _right(pair: ScoredPair) -> bool:
    gold, said = _types(pair)
    return gold == said


def _item(pair: ScoredPair, outcome: str) -> Item:
    gold, said = _types(pair)
    return pair.item(outcome, f"gold {gold}, predicted {said}{'' if pair.answered else ' (no prediction)'}")
