"""Family `assertions`: all statuses of complete documents, whichever count as present. Labels that speak of
another person are compared only where the settings name that status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter

import numpy as np

from core.charts import Cell, Chart, Table, Value
from core.evaluate.families.inputs import Inputs, Mentions
from core.evaluate.families.result import FamilyResult
from core.metrics.assertions import score
from core.metrics.definition import Estimate
from core.metrics.documents import BEHIND, Item
from core.metrics.statuses import EVERY, Labels, Mask, Repeats, Terms, compare, compare_mentions
from core.metrics.sums import Scored

_BEHIND = {**BEHIND, "support": ("tp", "fn"), "predicted": ("tp", "fp")}
_COUNTS = {"support": "gold", "predicted": "proposed", "tp": "right", "fp": "spurious", "fn": "missed"}
_RATIOS = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
_KINDS = {"term": "concept alone", "joint": "concept and status", "joint_mention": "the same, per mention"}
_LABEL = attrgetter("concept", "assertion")
_PAIRED = (
    "Concepts that both sides name; a missed or spurious one is in no cell. A concept with several statuses"
    " is counted for each: equal ones against each other first."
)


def evaluate(inputs: Inputs) -> FamilyResult:
    documents = [o.doc_id for o in inputs.complete]
    sides = (inputs.gold_labels, inputs.predicted_labels)
    gold, predicted = ({doc_id: side.get(doc_id, ()) for doc_id in documents} for side in sides)
    terms = compare(gold, predicted, inputs.settings.statuses)
    mentions = _mentions(inputs, documents)
    scores = score(terms, mentions, **inputs.settings.resampling(len(documents)))
    tables = (
        _whole(scores, terms, mentions),
        _strata(scores, terms),
        _confusion(terms),
        _over(scores, terms),
    )
    return FamilyResult("assertions", scores.estimates, tables, resampled=scores.resampled)


def _every(terms: Terms) -> range:
    """Places of the statuses that are compared."""
    return range(len(terms.statuses))


def _mentions(inputs: Inputs, documents: Sequence[str]) -> Repeats | None:
    known = inputs.known
    if known.gold_mentions is None or known.predicted_mentions is None:
        return None

    statuses = inputs.settings.statuses

    def labels(mentions: Mentions) -> Labels:
        return {d: [_LABEL(m) for m in mentions.get(d, ()) if m.assertion in statuses] for d in documents}

    return compare_mentions(labels(known.gold_mentions()), labels(known.predicted_mentions()), statuses)


# --- tables -------------------------------------------------------------------------------------------------


def _whole(scores: Scored, terms: Terms, mentions: Repeats | None) -> Table:
    """Concepts with and without their status, and mentions."""
    rows: list[tuple[Value | Cell, ...]] = []
    for kind, title in _KINDS.items():
        values = {m: scores.estimates[f"{kind}_{m}"] for m in _RATIOS}
        if kind != "joint_mention":
            places: Sequence[int | None] = _every(terms) if kind == "joint" else (None,)
            cells = _cells(f"{kind}_{{}}", values, terms, places)
        elif mentions is None:
            cells = [*values.values(), *([None] * len(_COUNTS))]
        else:
            cells = [
                Cell(
                    values[m] if m in values else sum(int(mentions.times(o).sum()) for o in _BEHIND[m]),
                    f"{kind}_{m}",
                    partial(_of_mentions, mentions, _BEHIND[m]),
                )
                for m in (*_RATIOS, *_COUNTS)
            ]
        rows.append((title, *cells))
    return Table.of(
        "Concepts and their statuses",
        ("what must agree", *_RATIOS.values(), *_COUNTS.values()),
        rows,
        "joint",
        chart=Chart("intervals", x="what must agree", y=tuple(_RATIOS.values()), unit=True),
        help={head: f"assertions.joint_{measure}" for measure, head in _RATIOS.items()},
    )


def _cells(
    key: str, values: Mapping[str, Estimate], terms: Terms, statuses: Sequence[int | None]
) -> list[Value | Cell]:
    """Ratios and counts of concepts with these statuses (None: whatever their status).

    Args:
        key: of a cell, with `{}` in the place of its measure.
    """
    return [
        Cell(
            values[m] if m in values else sum(int(rows.sum()) for rows, *_ in _outcomes(terms, m, statuses)),
            key.format(m),
            partial(_of_measure, terms, m, statuses),
        )
        for m in (*_RATIOS, *_COUNTS)
    ]


def _strata(scores: Scored, terms: Terms) -> Table:
    """Each status by itself."""
    rows = []
    for i, status in enumerate(terms.statuses):
        values = {m: scores.estimates[f"{m}:{status}"] for m in _RATIOS}
        rows.append((status.value, *_cells(f"{{}}:{status}", values, terms, (i,))))
    return Table.of(
        "Each status by itself",
        ("status", *_RATIOS.values(), *_COUNTS.values()),
        rows,
        "statuses",
        chart=Chart("intervals", x="status", y=tuple(_RATIOS.values()), unit=True),
        help={head: f"assertions.{measure}" for measure, head in _RATIOS.items()},
    )


def _confusion(terms: Terms) -> Table:
    counts, names = terms.confusion(), tuple(status.value for status in terms.statuses)
    rows = [
        (
            gold,
            *(
                Cell(counts[i][j], f"confusion:{gold}:{said}", partial(_paired, terms, [(i, j)]))
                for j, said in enumerate(names)
            ),
        )
        for i, gold in enumerate(names)
    ]
    return Table.of(
        "Confusion of statuses: rows gold, columns proposed",
        ("gold", *names),
        rows,
        "confusion",
        chart=Chart("heatmap", x="gold", y=names, x_title="proposed", y_title="gold"),
        note=_PAIRED,
    )


def _over(scores: Scored, terms: Terms) -> Table:
    """Single values over all statuses."""
    places = _every(terms)
    every = [(i, j) for i in places for j in places]
    rows = (
        ("Assertion accuracy", Cell(scores.estimates["accuracy"], "accuracy", lambda: _paired(terms, every))),
        (
            "Mean F1 over statuses",
            Cell(scores.estimates["mean_f1"], "mean_f1", partial(_of_measure, terms, "f1", places)),
        ),
    )
    return Table.of("Over all statuses", ("value", "estimate"), rows, "over_statuses")


# --- the items behind them ----------------------------------------------------------------------------------


def _of_measure(terms: Terms, measure: str, statuses: Sequence[int | None]) -> list[Item]:
    return _items(terms, _outcomes(terms, measure, statuses))


def _paired(terms: Terms, places: Sequence[tuple[int, int]]) -> list[Item]:
    """Concepts that both sides name, by their statuses in gold and predictions."""
    cells = [(terms.confused(g, p), g, "tp" if g == p else "confused") for g, p in places]
    return _items(terms, cells)


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
    sets = range(1 << len(terms.statuses))
    details = [[_detail(g, p) for p in sets] for g in sets]
    columns = (terms.document[rows], terms.id[rows], part, terms.gold[rows], terms.predicted[rows])
    return [
        Item(terms.documents[d], terms.ids[i], chosen[k][2], details[g][p])
        for d, i, k, g, p in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _detail(gold: int, said: int) -> str:
    """What each side says of a concept, from its statuses as bits."""
    g, p = (
        " and ".join(status.value for i, status in enumerate(EVERY) if bits >> i & 1) for bits in (gold, said)
    )
    return f"gold {g}, not proposed" if not p else f"gold {g}, proposed {p}" if g else f"proposed {p}"


def _of_mentions(mentions: Repeats, outcomes: Sequence[str]) -> list[Item]:
    """As many items as mentions, so that one that occurs three times is there three times."""
    found: list[tuple[int, Item]] = []
    for outcome in outcomes:
        times = mentions.times(outcome)
        for row in times.nonzero()[0].tolist():
            status = EVERY[mentions.status[row]]
            detail = f"{status}: {mentions.gold[row]} in gold, {mentions.predicted[row]} proposed"
            item = Item(
                mentions.documents[mentions.document[row]], mentions.ids[mentions.id[row]], outcome, detail
            )
            found += [(row, item)] * int(times[row])
    return [item for _, item in sorted(found, key=lambda pair: pair[0])]
