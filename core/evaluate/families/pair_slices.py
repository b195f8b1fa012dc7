"""Values of the conflict types cut by who made a label, how sure it is, and where a pair came from.

Levels (our reading of paper 004, section 7.5, which names no rule): 4 a person settled the label; 3 a
model's, not repaired, and the rules give the same type; 2 a model's, not repaired; 1 a model's, repaired; 0
the rules'.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from core.charts import Cell, Table, Value
from core.evaluate.families.pair_inputs import PairInputs, ScoredPair
from core.evaluate.families.result import behind
from core.kinds.names import called
from core.metrics import conflict_types, divergence_axes
from core.metrics.documents import Item
from core.records import ConflictType

BANDS = (0.5, 0.6, 0.7, 0.8, 0.9)
"""Confidences from which a band begins, inclusive: each holds all that is at least as sure."""
HEADS = (
    *("slice", "pairs", "accuracy", "macro F1", "F1 contextual", "axis micro F1", "exact axes"),
    *("most", "flag"),
)
_TOLERANCE = 1e-9
_LEVELS = {
    4: "settled by a person",
    3: "a model's, the rules agree",
    2: "a model's",
    1: "a model's, repaired",
    0: "the rules'",
}
_CONTEXTUAL = f"f1:{ConflictType.CONTEXTUAL_CONTRADICTION}"
Chosen = Callable[[ScoredPair], bool]


def by_slice(inputs: PairInputs) -> Table | None:
    """A row for each slice that holds a pair; None where nothing tells origin, confidence or provenance."""
    rows = [row for name, chosen in _slices(inputs) if (row := _row(inputs, name, chosen))]
    if not rows:
        return None
    unsure = sum(pair.answered and pair.predicted.confidence is None for pair in inputs.pairs)
    left = f" {unsure:,} labels state no confidence and are in no band." if unsure else ""
    return Table.of(
        "By origin, confidence and provenance",
        HEADS,
        rows,
        "slices",
        note=(
            "most: share of the most frequent gold type, since a slice changes how types are mixed. Bands "
            f"hold all labels at least as sure. Below {conflict_types.EVALUABLE} pairs exploratory."
            f"{left}"
        ),
    )


def _slices(inputs: PairInputs) -> Iterator[tuple[str, Chosen]]:
    """(name, whether a pair is in it)"""

    def of_level(wanted: int, pair: ScoredPair) -> bool:
        return pair.answered and pair.predicted.level == wanted

    def sure(least: float, pair: ScoredPair) -> bool:
        stated = pair.predicted.confidence
        return pair.answered and stated is not None and stated >= least - _TOLERANCE

    def of_source(wanted: str, pair: ScoredPair) -> bool:
        return pair.gold.provenance == wanted

    yield from ((words, partial(of_level, level)) for level, words in _LEVELS.items())
    yield from ((f"confidence from {least}", partial(sure, least)) for least in BANDS)
    known = sorted({pair.gold.provenance for pair in inputs.pairs if pair.gold.provenance})
    yield from ((f"from {_short(source)}", partial(of_source, source)) for source in known)


def _short(source: str, most: int = 60) -> str:
    return source if len(source) <= most else f"{source[:most]}…"


def _row(inputs: PairInputs, name: str, chosen: Chosen) -> tuple[str | Cell, ...] | None:
    held = [pair for pair in inputs.pairs if chosen(pair)]
    if not held:
        return None
    gold = [pair.gold.said.label for pair in held]
    said = [pair.predicted.label for pair in held]
    types = conflict_types.score([g.conflict_type for g in gold], [p.conflict_type for p in said]).estimates
    axes = divergence_axes.score([g.axes for g in gold], [p.axes for p in said]).estimates
    most = Counter(g.conflict_type for g in gold).most_common(1)[0][1] / len(held)
    values: tuple[Value, ...] = (
        len(held),
        *(types[key].value for key in ("accuracy", "macro_f1", _CONTEXTUAL)),
        *(axes[key].value for key in ("micro_f1", "exact_match")),
        most,
    )
    items = behind(inputs.pairs, lambda pair: _item(pair) if chosen(pair) else None)
    cells = (Cell(value, f"{at}:{name}", items) for at, value in enumerate(values))
    return name, *cells, "exploratory" if len(held) < conflict_types.EVALUABLE else ""


def _item(pair: ScoredPair) -> Item:
    gold, said = pair.gold.said.label.conflict_type, pair.predicted.label.conflict_type
    words = f"gold {called(gold)}, predicted {called(said)}"
    return pair.item("right" if gold == said else "wrong", words)
