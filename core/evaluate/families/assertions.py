"""Family `assertions`: all statuses of complete documents, whichever of them count as present.

Keys: a value of the registry, with `:STATUS` for the values of one status; the same with a count (`tp`, `fp`,
`fn`, `support`, `predicted`) in the place of the measure; and `confusion:GOLD:PROPOSED`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from operator import attrgetter

import numpy as np

from core.charts import Cell, Chart, Key, Table
from core.evaluate.families.inputs import Inputs, Mentions
from core.evaluate.families.result import FamilyResult
from core.metrics.assertions import MEASURES, score
from core.metrics.bootstrap import draws
from core.metrics.documents import BEHIND, Item
from core.metrics.statuses import STATUSES, Labels, Mask, Repeats, Terms, compare, compare_mentions
from core.metrics.sums import Scored

_BEHIND = {**BEHIND, "support": ("tp", "fn"), "predicted": ("tp", "fp")}
_COUNTS = {"support": "gold", "predicted": "proposed", "tp": "right", "fp": "spurious", "fn": "missed"}
_RATIOS = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
_KINDS = {"term": "concept alone", "joint": "concept and status", "joint_mention": "the same, per mention"}
_PLACES = {status.value: i for i, status in enumerate(STATUSES)}
_LABEL = attrgetter("concept", "assertion")
_PAIRED = (
    "Concepts that both sides name; a missed or spurious one is in no cell. A concept with several statuses"
    " is counted for each: equal ones against each other first."
)


def evaluate(inputs: Inputs) -> FamilyResult:
    documents = [o.doc_id for o in inputs.complete]
    sides = (inputs.gold_labels, inputs.predicted_labels)
    terms = compare(*({doc_id: side.get(doc_id, ()) for doc_id in documents} for side in sides))
    mentions = _mentions(inputs, documents)
    chosen = inputs.settings
    resamples = draws(len(documents), chosen.bootstrap, chosen.seed)
    scores = score(terms, mentions, index_lists=resamples, level=chosen.level)
    return FamilyResult(
        "assertions",
        scores.estimates,
        (_whole(scores, terms, mentions), _strata(scores, terms), _confusion(terms), _over(scores)),
        lambda key: _open(key, terms, mentions),
        resampled=scores.resampled,
    )


def _mentions(inputs: Inputs, documents: Sequence[str]) -> Repeats | None:
    known = inputs.known
    if known.gold_mentions is None or known.predicted_mentions is None:
        return None

    def labels(mentions: Mentions) -> Labels:
        return {d: map(_LABEL, mentions.get(d, ())) for d in documents}

    return compare_mentions(labels(known.gold_mentions()), labels(known.predicted_mentions()))


# --- tables -------------------------------------------------------------------------------------------------


def _whole(scores: Scored, terms: Terms, mentions: Repeats | None) -> Table:
    """Concepts with and without their status, and mentions."""
    rows: list[tuple[Cell, ...]] = []
    opens: list[tuple[Key | None, ...]] = []
    for kind, title in _KINDS.items():
        counts: list[Cell] = [None] * len(_COUNTS)
        if kind != "joint_mention" or mentions is not None:
            counts = [_count(kind, count, terms, mentions) for count in _COUNTS]
        rows.append((title, *(scores.estimates[f"{kind}_{m}"] for m in MEASURES), *counts))
        keys = [None if c is None else f"{kind}_{m}" for m, c in zip(_COUNTS, counts, strict=True)]
        opens.append((None, *(f"{kind}_{m}" for m in MEASURES), *keys))
    return Table(
        "Concepts and their statuses",
        ("what must agree", *_RATIOS.values(), *_COUNTS.values()),
        rows,
        name="joint",
        opens=opens,
        chart=Chart("intervals", x="what must agree", y=tuple(_RATIOS.values()), unit=True),
        help={head: f"assertions.joint_{measure}" for measure, head in _RATIOS.items()},
    )


def _strata(scores: Scored, terms: Terms) -> Table:
    """Each status by itself."""
    rows: list[tuple[Cell, ...]] = []
    for i, status in enumerate(STATUSES):
        counts = [sum(int(terms.outcome(o, i).sum()) for o in _BEHIND[count]) for count in _COUNTS]
        rows.append((status.value, *(scores.estimates[f"{m}:{status}"] for m in MEASURES), *counts))
    return Table(
        "Each status by itself",
        ("status", *_RATIOS.values(), *_COUNTS.values()),
        rows,
        name="statuses",
        opens=[(None, *(f"{m}:{status}" for m in (*_RATIOS, *_COUNTS))) for status in STATUSES],
        chart=Chart("intervals", x="status", y=tuple(_RATIOS.values()), unit=True),
        help={head: f"assertions.{measure}" for measure, head in _RATIOS.items()},
    )


def _confusion(terms: Terms) -> Table:
    cells = terms.confusion()
    return Table(
        "Confusion of statuses: rows gold, columns proposed",
        ("gold", *_PLACES),
        [(status, *row) for status, row in zip(_PLACES, cells, strict=True)],
        name="confusion",
        opens=[(None, *(f"confusion:{gold}:{said}" for said in _PLACES)) for gold in _PLACES],
        chart=Chart("heatmap", x="gold", y=tuple(_PLACES), x_title="proposed", y_title="gold"),
        note=_PAIRED,
    )


def _over(scores: Scored) -> Table:
    """Single values over all statuses."""
    shown = {"accuracy": "Assertion accuracy", "mean_f1": "Mean F1 over statuses"}
    return Table(
        "Over all statuses",
        ("value", "estimate"),
        [(title, scores.estimates[name]) for name, title in shown.items()],
        name="over_statuses",
        opens=[(None, name) for name in shown],
    )


def _count(kind: str, count: str, terms: Terms, mentions: Repeats | None) -> int:
    """tp, fp, fn, support or predicted of one kind; equal to the number of items it opens."""
    if kind == "joint_mention":
        return sum(_times(mentions, o) for o in _BEHIND[count]) if mentions else 0
    places: Sequence[int | None] = range(len(STATUSES)) if kind == "joint" else (None,)
    return sum(int(terms.outcome(o, i).sum()) for o in _BEHIND[count] for i in places)


def _times(mentions: Repeats, outcome: str) -> int:
    return int(mentions.times(outcome).sum())


# --- the items behind them ----------------------------------------------------------------------------------


def _open(key: Key, terms: Terms, mentions: Repeats | None) -> list[Item]:
    name, *strata = key.split(":")
    kind, _, measure = key.rpartition("_")
    every = range(len(STATUSES))
    if key == "accuracy":
        return _items(terms, [_cell(terms, i, j) for i, j in product(every, repeat=2)])
    if key == "mean_f1":
        return _items(terms, _outcomes(terms, "f1", every))
    if name == "confusion" and len(strata) == 2 and set(strata) <= _PLACES.keys():
        return _items(terms, [_cell(terms, *(_PLACES[status] for status in strata))])
    if name in _BEHIND and len(strata) == 1 and strata[0] in _PLACES:
        return _items(terms, _outcomes(terms, name, (_PLACES[strata[0]],)))
    if measure in _BEHIND and kind in ("joint", "term"):
        return _items(terms, _outcomes(terms, measure, every if kind == "joint" else (None,)))
    if measure in _BEHIND and kind == "joint_mention" and mentions is not None:
        return _of_mentions(mentions, _BEHIND[measure])
    raise KeyError(key)


def _cell(terms: Terms, gold: int, said: int) -> tuple[Mask, int, str]:
    return terms.confused(gold, said), gold, "tp" if gold == said else "confused"


def _outcomes(terms: Terms, measure: str, statuses: Sequence[int | None]) -> list[tuple[Mask, int, str]]:
    return [(terms.outcome(o, s), s or 0, o) for s in statuses for o in _BEHIND[measure]]


def _items(terms: Terms, chosen: Sequence[tuple[Mask, int, str]]) -> list[Item]:
    """Rows of terms as items, in order of document, id and status.

    Args:
        chosen: (rows, place of the status they are counted for, outcome).
    """
    rows = np.concatenate([mask.nonzero()[0] for mask, *_ in chosen])
    part = np.repeat(np.arange(len(chosen)), [np.count_nonzero(mask) for mask, *_ in chosen])
    order = np.lexsort((np.array([status for _, status, _ in chosen])[part], rows))
    rows, part = rows[order], part[order]
    details = [[_detail(g, p) for p in range(8)] for g in range(8)]
    columns = (terms.document[rows], terms.id[rows], part, terms.gold[rows], terms.predicted[rows])
    return [
        Item(terms.documents[d], terms.ids[i], chosen[k][2], details[g][p])
        for d, i, k, g, p in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _detail(gold: int, said: int) -> str:
    """What each side says of a concept, from its statuses as bits."""
    g, p = (
        " and ".join(status.value for i, status in enumerate(STATUSES) if bits >> i & 1)
        for bits in (gold, said)
    )
    return f"gold {g}, not proposed" if not p else f"gold {g}, proposed {p}" if g else f"proposed {p}"


def _of_mentions(mentions: Repeats, outcomes: Sequence[str]) -> list[Item]:
    """As many items as mentions, so that one that occurs three times is there three times."""
    found: list[tuple[int, Item]] = []
    for outcome in outcomes:
        times = mentions.times(outcome)
        for row in times.nonzero()[0].tolist():
            status = STATUSES[mentions.status[row]]
            detail = f"{status}: {mentions.gold[row]} in gold, {mentions.predicted[row]} proposed"
            item = Item(
                mentions.documents[mentions.document[row]], mentions.ids[mentions.id[row]], outcome, detail
            )
            found += [(row, item)] * int(times[row])
    return [item for _, item in sorted(found, key=lambda pair: pair[0])]
