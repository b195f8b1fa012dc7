"""Family `spans`: mentions with offsets, of the statuses that count, in complete documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial

import numpy as np

from core.charts import Cell, Chart, Table, Value
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.placed import Placed, placed
from core.evaluate.families.result import FamilyResult, absent
from core.metrics.documents import BEHIND, Item
from core.metrics.spans import TIERS, Columns, Compared, Integers, Mask, compare_columns, score
from core.metrics.sums import Scored

_BEHIND = {**BEHIND, "support": ("tp", "fn"), "predicted": ("tp", "fp"), "credit": ("tp",)}
_COUNTS = {"support": "gold", "predicted": "proposed", "tp": "matched", "fp": "spurious", "fn": "missed"}
_RATIOS = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
_KINDS = {
    "same": ("same span, same concept", True, True),
    "concept": ("same span, other concept", True, False),
    "span": ("other span, same concept", False, True),
    "both": ("other span, other concept", False, False),
}
"""Of pairs that overlap: name, whether the span is the same, whether the id is."""
Quotes = Mapping[tuple[str, int, int], str]
"""Words of a span, as far as known. From outside: text, never markup."""
_NOT_KNOWN = (
    "It is not known where the labels stand in the texts. Give predictions and gold whose annotations have"
    " start and end offsets."
)
_NO_PLACES = (
    "The {} names concepts of whole documents only. Mentions are scored where both sides have start and end"
    " offsets."
)


def evaluate(inputs: Inputs) -> FamilyResult:
    known = inputs.known
    if known.gold_mentions is None or known.predicted_mentions is None:
        return absent("spans", _NOT_KNOWN)
    gold, predicted = (placed(inputs, read) for read in (known.gold_mentions, known.predicted_mentions))
    for side, name in ((gold, "gold"), (predicted, "prediction")):
        if side.unplaced and not side.concepts:
            return absent("spans", _NO_PLACES.format(name))
    documents = tuple(o.doc_id for o in inputs.complete)
    compared = compare_columns(documents, *(_columns(side) for side in (gold, predicted)))
    scores = score(compared, **inputs.settings.resampling(len(documents)))
    quotes = cache(lambda: _quotes(documents, predicted, gold))
    unplaced = gold.unplaced + predicted.unplaced
    note = (
        f"Labels without offsets, in no number: {gold.unplaced} of the gold, {predicted.unplaced} proposed."
    )
    return FamilyResult(
        "spans",
        scores.estimates,
        (_tiers(scores, compared, quotes), _overlaps(compared, quotes)),
        notes=(note,) if unplaced else (),
        resampled=scores.resampled,
    )


def _columns(side: Placed) -> Columns:
    return np.column_stack(side[:3]), side.concepts


def _quotes(documents: Sequence[str], *sides: Placed) -> Quotes:
    """Words of every span; the last side's hold."""
    return {
        (documents[d], start, end): quote
        for side in sides
        for d, start, end, quote in zip(*(c.tolist() for c in side[:3]), side.quotes, strict=True)
        if quote
    }


# --- tables -------------------------------------------------------------------------------------------------


def _tiers(scores: Scored, compared: Compared, quotes: Callable[[], Quotes]) -> Table:
    rows = []
    for name, tier in TIERS.items():
        matching = compared.tiers[name]
        values: dict[str, Value] = {m: scores.estimates[f"{name}_{m}"] for m in _RATIOS}
        values["credit"] = float(matching.credit.sum())
        values |= {c: sum(_count(compared, name, o) for o in _BEHIND[c]) for c in _COUNTS}
        rows.append(
            (
                tier.title,
                *(
                    Cell(value, f"{name}_{m}", partial(_of_tier, compared, name, m, quotes))
                    for m, value in values.items()
                ),
            )
        )
    return Table.of(
        "Mentions, from exact to touching",
        ("tier", *_RATIOS.values(), "credit", *_COUNTS.values()),
        rows,
        "tiers",
        chart=Chart("intervals", x="tier", y=tuple(_RATIOS.values()), unit=True),
        help={head: f"spans.strict_{measure}" for measure, head in _RATIOS.items()},
    )


def _overlaps(compared: Compared, quotes: Callable[[], Quotes]) -> Table:
    """What became of every proposed and every gold mention, where any overlap is a match."""
    rows = []
    for kind, (name, *_) in _KINDS.items():
        pairs = _of_kind(compared, kind)
        items = partial(_of_pairs, compared, pairs, quotes)
        rows.append((name, Cell(int(pairs.sum()), f"overlap:{kind}", items)))
    for o in ("fp", "fn"):
        items = partial(_of_tier, compared, "partial", o, quotes)
        rows.append((_COUNTS[o], Cell(_count(compared, "partial", o), f"partial_{o}", items)))
    return Table.of(
        "What became of the mentions",
        ("match", "mentions"),
        rows,
        "overlaps",
        chart=Chart("bars", x="match", y=("mentions",)),
        note="Matched one to one by overlap; of equally good matchings the one with most pairs of the same"
        " span and concept.",
    )


def _count(compared: Compared, tier: str, outcome: str) -> int:
    matched = len(compared.tiers[tier].gold)
    return {"tp": matched, "fp": len(compared.predicted) - matched, "fn": len(compared.gold) - matched}[
        outcome
    ]


def _of_kind(compared: Compared, kind: str) -> Mask:
    """Which pairs of the tier `partial` are of a kind."""
    _, same_span, same_id = _KINDS[kind]
    matching = compared.tiers["partial"]
    found: Mask = (matching.same_span == same_span) & (matching.same_id == same_id)
    return found


# --- the items behind them ----------------------------------------------------------------------------------


def _of_pairs(compared: Compared, pairs: Mask, quotes: Callable[[], Quotes]) -> list[Item]:
    """Matched pairs of the tier `partial`."""
    return _items(compared, quotes(), [_matched(compared, "partial", pairs)])


def _of_tier(compared: Compared, tier: str, measure: str, quotes: Callable[[], Quotes]) -> list[Item]:
    """What a ratio or a count of a tier is made of."""
    matching = compared.tiers[tier]
    rows = {
        "tp": lambda: _matched(compared, tier, np.ones(len(matching.gold), dtype=np.bool_)),
        "fp": lambda: _alone(np.delete(compared.predicted, matching.predicted, axis=0)),
        "fn": lambda: _alone(np.delete(compared.gold, matching.gold, axis=0)),
    }
    outcomes = _BEHIND[measure]
    return _items(compared, quotes(), [rows[o]() for o in outcomes], outcomes)


def _matched(compared: Compared, tier: str, chosen: Mask) -> Integers:
    """Rows of the predictions beside those of the gold they are matched with, shape (pairs, 8)."""
    matching = compared.tiers[tier]
    predicted, gold = compared.predicted[matching.predicted], compared.gold[matching.gold]
    return np.hstack((predicted, gold))[chosen]


def _alone(rows: Integers) -> Integers:
    """Spans without a match, in the same shape: beside themselves."""
    return np.hstack((rows, rows))


def _items(
    compared: Compared, quotes: Quotes, parts: Sequence[Integers], outcomes: Sequence[str] = ("tp",)
) -> list[Item]:
    """Items in order of document and place.

    Args:
        parts: for each of `outcomes` spans and what they are matched with, shape (spans, 8).
    """
    rows = np.concatenate(parts)
    part = np.repeat(np.arange(len(parts)), [len(p) for p in parts])
    order = np.lexsort((rows[:, 3], rows[:, 2], rows[:, 1], rows[:, 0]))
    documents, ids = compared.documents, compared.ids
    found = []
    for (d, start, end, i, _, *other), k in zip(rows[order].tolist(), part[order].tolist(), strict=True):
        detail = _words(documents[d], start, end, quotes)
        if other != [start, end, i]:
            detail += f"; gold {_words(documents[d], other[0], other[1], quotes)}"
            detail += f" as {ids[other[2]]}" if other[2] != i else ""
        found.append(Item(documents[d], ids[i], outcomes[k], detail))
    return found


def _words(doc_id: str, start: int, end: int, quotes: Quotes) -> str:
    quote = quotes.get((doc_id, start, end))
    return f'{start} to {end}, "{quote}"' if quote else f"{start} to {end}"
