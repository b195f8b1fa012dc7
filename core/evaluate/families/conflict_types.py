"""Task 1: the type of every pair, overall, by type, and as a confusion matrix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from core.charts import Cell, Chart, Items, Table, Value
from core.evaluate.families.pair_inputs import PairInputs, ScoredPair
from core.evaluate.families.pair_slices import by_slice
from core.evaluate.families.pair_tables import confusion, overall
from core.evaluate.families.result import FamilyResult, behind
from core.kinds.names import called
from core.metrics.conflict_types import EVALUABLE, OVERALL, score
from core.metrics.documents import BEHIND, Item
from core.metrics.pair_labels import CLASSES
from core.metrics.sums import Scored
from core.records import ConflictType

FAMILY = "conflict_types"
TYPES: tuple[ConflictType, ...] = tuple(CLASSES)
_HEADS = {"precision": "precision", "recall": "recall", "f1": "F1"}
_COUNTS = {"gold": ("tp", "fn"), "predicted": ("tp", "fp"), "right": ("tp",)}
_BEHIND: dict[str, tuple[str, ...]] = {**{m: BEHIND[m] for m in _HEADS}, **_COUNTS}
Chosen = Callable[[Callable[[str, str], str | None]], Items]
"""The outcome of a pair, from what gold and prediction say of it, None: not meant -> the pairs that are."""


def evaluate(inputs: PairInputs) -> FamilyResult:
    gold = [pair.gold.said.label.conflict_type for pair in inputs.pairs]
    said = [pair.predicted.label.conflict_type for pair in inputs.pairs]
    scores = score(gold, said, **inputs.resampling)
    cells = Counter(zip(gold, said, strict=True))

    def items(outcome: Callable[[str, str], str | None]) -> Items:
        """Pairs with an outcome, which what gold and prediction say of them decides."""
        return behind(inputs.pairs, lambda pair: _item(pair, outcome(*_types(pair))))

    every = items(lambda g, p: "right" if g == p else "wrong")
    support = {c: sum(cells[c, p] for p in TYPES) for c in TYPES}
    rare = [f"{called(c)} ({n})" for c, n in support.items() if n < EVALUABLE]
    notes = f"Exploratory, because fewer than {EVALUABLE} gold pairs have the type: {', '.join(rare)}."
    tables: tuple[Table, ...] = (
        overall(FAMILY, {"estimate": scores.estimates}, OVERALL, lambda key: every),
        _classes(scores, cells, items),
        confusion(
            "Gold type against predicted type",
            TYPES,
            TYPES,
            cells,
            lambda g, p: items(lambda *both: ("right" if g == p else "confused") if both == (g, p) else None),
            "Rows are the gold type, columns the predicted one.",
        ),
    )
    if sliced := by_slice(inputs):
        tables += (sliced,)
    said_so = (notes,) if inputs.pairs and rare else ()
    return FamilyResult(FAMILY, scores.estimates, tables, notes=said_so, resampled=scores.resampled)


def _classes(scores: Scored, cells: Counter[tuple[ConflictType, ConflictType]], items: Chosen) -> Table:
    def row(kind: ConflictType) -> tuple[str | Cell, ...]:
        gold, said = sum(cells[kind, p] for p in TYPES), sum(cells[g, kind] for g in TYPES)
        values: tuple[Value, ...] = (
            *(scores.estimates[f"{m}:{kind}"] for m in _HEADS),
            gold,
            said,
            cells[kind, kind],
        )
        opened = (
            Cell(value, f"{name}:{kind}", items(partial(_of_type, kind, outcomes)))
            for (name, outcomes), value in zip(_BEHIND.items(), values, strict=True)
        )
        return kind, *opened, "exploratory" if gold < EVALUABLE else ""

    return Table.of(
        "By type",
        ("type", *_HEADS.values(), *_COUNTS, "flag"),
        [row(kind) for kind in TYPES],
        "classes",
        chart=Chart("intervals", "type", tuple(_HEADS.values()), unit=True),
        note=f"Below {EVALUABLE} gold pairs the values of a type are exploratory: sampling noise dominates.",
        help={head: f"{FAMILY}.{measure}" for measure, head in _HEADS.items()},
    )


def _of_type(kind: str, wanted: tuple[str, ...], gold: str, said: str) -> str | None:
    """The outcome of a pair for one type; None: it is none of those wanted."""
    outcome = "tp" if gold == said == kind else "fn" if gold == kind else "fp" if said == kind else None
    return outcome if outcome in wanted else None


def _types(pair: ScoredPair) -> tuple[ConflictType, ConflictType]:
    return pair.gold.said.label.conflict_type, pair.predicted.label.conflict_type


def _item(pair: ScoredPair, outcome: str | None) -> Item | None:
    gold, said = _types(pair)
    words = f"gold {called(gold)}, predicted {called(said)}{'' if pair.answered else ' (no prediction)'}"
    return pair.item(outcome, words) if outcome else None
