"""Family `spans`: mentions with offsets, of the statuses that count, in complete documents.

Keys: a value of the registry; the same with a count (`tp`, `fp`, `fn`, `support`, `predicted`, `credit`) in
the place of the measure; and `overlap:KIND` for the pairs of the tier `partial`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.charts import Cell, Chart, Key, Table
from core.evaluate.family import FamilyResult, absent
from core.evaluate.inputs import Inputs, Mentions
from core.metrics.bootstrap import draws
from core.metrics.documents import BEHIND, Item
from core.metrics.spans import TIERS, Compared, Span, SpanScores, compare, score
from core.records import Curie

_BEHIND = {**BEHIND, "support": ("tp", "fn"), "predicted": ("tp", "fp"), "credit": ("tp",)}
_COUNTS = {"support": "gold", "predicted": "proposed", "tp": "matched", "fp": "spurious", "fn": "missed"}
_RATIOS = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
_KINDS = {
    (True, True): ("same", "same span, same concept"),
    (True, False): ("concept", "same span, other concept"),
    (False, True): ("span", "other span, same concept"),
    (False, False): ("both", "other span, other concept"),
}
"""(same span, same id) -> key and name of a pair that overlaps."""
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
    gold, predicted = (_placed(inputs, read()) for read in (known.gold_mentions, known.predicted_mentions))
    for side, name in ((gold, "gold"), (predicted, "prediction")):
        if side.unplaced and not any(side.places.values()):
            return absent("spans", _NO_PLACES.format(name))
    compared = compare(gold.places, predicted.places)
    chosen = inputs.settings
    resamples = draws(len(compared.documents), chosen.bootstrap, chosen.seed)
    scores = score(compared, index_lists=resamples, level=chosen.level)
    quotes = predicted.quotes | gold.quotes
    unplaced = gold.unplaced + predicted.unplaced
    note = (
        f"Labels without offsets, in no number: {gold.unplaced} of the gold, {predicted.unplaced} proposed."
    )
    return FamilyResult(
        "spans",
        scores.estimates,
        (_tiers(scores, compared), _overlaps(compared)),
        lambda key: _open(key, compared, quotes),
        (note,) if unplaced else (),
    )


@dataclass(slots=True)
class _Placed:
    places: dict[str, list[tuple[int, int, Curie]]] = field(default_factory=dict)
    quotes: dict[tuple[str, int, int], str] = field(default_factory=dict)
    """Words of a span, as far as known. From outside: text, never markup."""
    unplaced: int = 0
    """Labels without offsets."""


def _placed(inputs: Inputs, mentions: Mentions) -> _Placed:
    """Mentions of the statuses that count, of complete documents."""
    found, wanted = _Placed(), frozenset(inputs.settings.assertions)
    for outcome in inputs.complete:
        doc_id = outcome.doc_id
        places = found.places[doc_id] = []
        for start, end, concept, assertion, quote in mentions.get(doc_id, ()):
            if assertion not in wanted:
                continue
            if start is None or end is None:
                found.unplaced += 1
                continue
            places.append((start, end, concept))
            if quote:
                found.quotes[doc_id, start, end] = quote
    return found


# --- tables -------------------------------------------------------------------------------------------------


def _tiers(scores: SpanScores, compared: Compared) -> Table:
    measures = (*_RATIOS, "credit", *_COUNTS)
    rows: list[tuple[Cell, ...]] = []
    for name, tier in TIERS.items():
        matching = compared.tiers[name]
        counts = [sum(len(_members(compared, name, o)) for o in _BEHIND[c]) for c in _COUNTS]
        ratios = [scores.estimates[f"{name}_{m}"] for m in _RATIOS]
        rows.append((tier.title, *ratios, float(matching.credit.sum()), *counts))
    return Table(
        "Mentions, from exact to touching",
        ("tier", *_RATIOS.values(), "credit", *_COUNTS.values()),
        rows,
        name="tiers",
        opens=[(None, *(f"{name}_{m}" for m in measures)) for name in TIERS],
        chart=Chart("intervals", x="tier", y=tuple(_RATIOS.values()), unit=True),
        help={head: f"spans.strict_{measure}" for measure, head in _RATIOS.items()},
    )


def _overlaps(compared: Compared) -> Table:
    """What became of every proposed and every gold mention, where any overlap is a match."""
    kinds = [_kind(p, g) for p, g in _pairs(compared, "partial")]
    rows: list[tuple[Cell, ...]] = [(name, kinds.count(key)) for key, name in _KINDS.values()]
    rows += [("spurious", len(_members(compared, "partial", "fp")))]
    rows += [("missed", len(_members(compared, "partial", "fn")))]
    return Table(
        "What became of the mentions",
        ("match", "mentions"),
        rows,
        name="overlaps",
        opens=[
            *((None, f"overlap:{key}") for key, _ in _KINDS.values()),
            (None, "partial_fp"),
            (None, "partial_fn"),
        ],
        chart=Chart("bars", x="match", y=("mentions",)),
        note="Matched one to one by overlap; of equally good matchings the one with most pairs of the same"
        " span and concept.",
    )


# --- the items behind them ----------------------------------------------------------------------------------


def _open(key: Key, compared: Compared, quotes: Mapping[tuple[str, int, int], str]) -> list[Item]:
    if key in {f"overlap:{name}" for name, _ in _KINDS.values()}:
        chosen = [
            (p, _matched(p, g, quotes))
            for p, g in _pairs(compared, "partial")
            if f"overlap:{_kind(p, g)}" == key
        ]
        return [item for _, item in chosen]
    tier, _, measure = key.rpartition("_")
    if tier not in TIERS or measure not in _BEHIND:
        raise KeyError(key)
    rows: list[tuple[Span, Item]] = []
    for outcome in _BEHIND[measure]:
        if outcome == "tp":
            rows += [(p, _matched(p, g, quotes)) for p, g in _pairs(compared, tier)]
        else:
            spans = _members(compared, tier, outcome)
            rows += [(s, Item(s.doc_id, s.id, outcome, _words(s, quotes))) for s in spans]
    return [item for _, item in sorted(rows, key=lambda row: row[0][:3])]


def _pairs(compared: Compared, tier: str) -> list[tuple[Span, Span]]:
    """(prediction, gold) of every match."""
    matching = compared.tiers[tier]
    both = zip(matching.predicted.tolist(), matching.gold.tolist(), strict=True)
    return [(compared.predicted[p], compared.gold[g]) for p, g in both]


def _members(compared: Compared, tier: str, outcome: str) -> Sequence[Span]:
    """tp: the matched predictions; fp: the other predictions; fn: gold spans without a match."""
    matching = compared.tiers[tier]
    side, used = (
        (compared.gold, matching.gold) if outcome == "fn" else (compared.predicted, matching.predicted)
    )
    taken = set(used.tolist())
    return [span for i, span in enumerate(side) if (i in taken) == (outcome == "tp")]


def _kind(predicted: Span, gold: Span) -> str:
    return _KINDS[predicted[1:3] == gold[1:3], predicted.id == gold.id][0]


def _matched(predicted: Span, gold: Span, quotes: Mapping[tuple[str, int, int], str]) -> Item:
    if predicted == gold:
        detail = _words(gold, quotes)
    else:
        other = f" as {gold.id}" if gold.id != predicted.id else ""
        detail = f"{_words(predicted, quotes)}; gold {_words(gold, quotes)}{other}"
    return Item(predicted.doc_id, predicted.id, "tp", detail)


def _words(span: Span, quotes: Mapping[tuple[str, int, int], str]) -> str:
    quote = quotes.get(span[:3])
    return f"{span.start} to {span.end}" + (f', "{quote}"' if quote else "")
