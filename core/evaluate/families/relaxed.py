"""Family `relaxed`: complete documents, statuses that count; likeness of concepts comes from the ontology."""

from __future__ import annotations

from functools import cached_property, partial

from core.charts import Cell, Chart, Table, Value
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.kin import NO_LINEAGE, described, kin, named
from core.evaluate.families.result import FamilyResult, absent, in_order
from core.metrics.documents import Item, Vacuous, items_behind, ratios
from core.metrics.near_pairs import near_pairs
from core.metrics.relaxed import KINDS, Match, Matching, RelaxedScores, match, pairs_of, score
from core.ontology.similarity import Similarity
from core.records import Curie

_MEASURES = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
_TYPES = {
    "exact": "exact",
    "semantic": "semantic",
    "hierarchical": "parent or child",
    "no_match": "no match (spurious)",
    "unmatched_gold": "gold without a match",
}
_BEHIND = {
    "precision": (*KINDS, "no_match"),
    "recall": (*KINDS, "unmatched_gold"),
    "f1": tuple(_TYPES),
    **{kind: (kind,) for kind in _TYPES},
}
_SHOWN = 50
"""Near misses in their table, the most frequent first."""


def evaluate(inputs: Inputs) -> FamilyResult:
    similarity = kin(inputs)
    if similarity is None:
        return absent("relaxed", NO_LINEAGE)
    chosen = inputs.settings
    near = near_pairs(inputs.gold, inputs.predicted, similarity, chosen.alike)
    scores = score(
        match(near, chosen.alike), vacuous=chosen.vacuous, **chosen.resampling(len(near.documents))
    )
    behind = _Behind(inputs, scores.matching)
    note = f"{described(inputs)} Two concepts match from {chosen.alike:g} on, inclusive."
    return FamilyResult(
        "relaxed",
        scores.estimates,
        (
            _misses(inputs, behind, similarity),
            _ratios(scores, chosen.vacuous, behind),
            _types(scores, behind),
        ),
        notes=(note,),
        resampled=scores.resampled,
    )


# --- tables -------------------------------------------------------------------------------------------------


def _ratios(scores: RelaxedScores, vacuous: Vacuous, behind: _Behind) -> Table:
    """Exact and relaxed side by side, on the same documents."""
    near = scores.matching.near
    tp, said, gold = int(near.exact.sum()), len(near.predicted.ids), len(near.gold.ids)
    exact = ratios(tp, said - tp, gold - tp, vacuous) if near.documents else (None, None, None)
    columns = ("measure", "exact", "relaxed", "relaxed, mean over documents")
    rows = [
        (
            title,
            Cell(value, f"exact_{measure}", partial(behind.exact, measure)),
            *(
                Cell(scores.estimates[key], key, partial(behind.relaxed, measure))
                for key in (measure, f"macro_{measure}")
            ),
        )
        for (measure, title), value in zip(_MEASURES.items(), exact, strict=True)
    ]
    return Table.of(
        "Exact and relaxed matching",
        columns,
        rows,
        "ratios",
        chart=Chart("intervals", x="measure", y=columns[1:], unit=True),
        note="Exact: summed over the same documents, those with complete gold.",
        help={"relaxed": "relaxed.f1", "relaxed, mean over documents": "relaxed.macro_f1"},
    )


def _types(scores: RelaxedScores, behind: _Behind) -> Table:
    said = len(scores.matching.near.predicted.ids)
    rows: list[tuple[Value | Cell, ...]] = []
    for kind, title in _TYPES.items():
        count, items = scores.estimates[kind].value, partial(behind.relaxed, kind)
        share = count / said if said and count is not None and kind != "unmatched_gold" else None
        rows.append(
            (
                title,
                Cell(None if count is None else int(count), kind, items),
                None if share is None else Cell(share, kind, items),
            )
        )
    return Table.of(
        "Match types",
        ("match type", "concepts", "share of proposals"),
        rows,
        "types",
        chart=Chart("bars", x="match type", y=("concepts",), y_title="concepts"),
        note="Of different ids matched at most once each; gold without a match is no share of the proposals.",
        help={"concepts": "relaxed.exact"},
    )


def _misses(inputs: Inputs, behind: _Behind, similarity: Similarity) -> Table:
    """The near misses that earned part of the credit, by pair of concepts."""
    rows: list[tuple[Value | Cell, ...]] = []
    lineage = inputs.known.lineage() if inputs.known.lineage else ()
    shown = list(behind.pairs.items())[:_SHOWN]
    alike = similarity.of_pairs([said for (said, _), _ in shown], [gold for (_, gold), _ in shown])
    for ((said, gold), places), value in zip(shown, alike.tolist(), strict=True):
        is_known = said in lineage and gold in lineage
        key, missed = f"pair:{said}|{gold}", partial(behind.missed, said, gold)
        above, *steps = _branch(inputs, similarity, said, gold) if is_known else (None, None, None)
        rows.append(
            (
                named(inputs, said),
                named(inputs, gold),
                _TYPES[places[0].kind],
                Cell(len(places), key, missed),
                places[0].credit,
                value,
                similarity.resnik(said, gold) if is_known else None,
                above,
                *(None if n is None else Cell(n, key, missed) for n in steps),
            )
        )
    below = ("proposed below it by", "gold below it by")
    return Table.of(
        f"Most frequent near misses (at most {_SHOWN})",
        (
            *("proposed", "gold", "match type", "documents", "credit", "similarity"),
            *("information in common", "common ancestor", *below),
        ),
        rows,
        "near_misses",
        chart=Chart("branches", x="documents", y=below, parent="common ancestor"),
        help={
            "similarity": f"similarity.{similarity.measure}",
            "information in common": "similarity.resnik",
        },
    )


def _branch(
    inputs: Inputs, similarity: Similarity, said: Curie, gold: Curie
) -> tuple[str | None, int | None, int | None]:
    """The common ancestor that tells most (ties: the lower id), and how many is_a steps below it both lie."""
    lineage = inputs.known.lineage() if inputs.known.lineage else None
    if lineage is None:
        return None, None, None
    shared = lineage.ancestors(said, include_self=True) & lineage.ancestors(gold, include_self=True)
    if not shared:
        return None, None, None
    above = min(shared, key=lambda one: (-similarity.information(one), one))
    return named(inputs, above), lineage.distance(said, above), lineage.distance(gold, above)


# --- the items behind them ----------------------------------------------------------------------------------


class _Behind:
    """Matched pairs and what is left, put into words when first asked for."""

    def __init__(self, inputs: Inputs, matching: Matching):
        self.inputs = inputs
        self.matching = matching

    @cached_property
    def pairs(self) -> dict[tuple[Curie, Curie], list[Match]]:
        return pairs_of(self.matching.matches((self.matching.kind > 0).nonzero()[0]))

    def missed(self, said: Curie, gold: Curie) -> list[Item]:
        """One near miss, wherever it happened."""
        return in_order(self._paired(m) for m in self.pairs[said, gold])

    def exact(self, measure: str) -> list[Item]:
        return in_order(items_behind(self.inputs.complete, measure))

    def relaxed(self, what: str) -> list[Item]:
        """Of a measure, or of one type of match."""
        return in_order(item for kind in _BEHIND[what] for item in self._of(kind))

    def _of(self, kind: str) -> list[Item]:
        if kind in KINDS:
            chosen = (self.matching.kind == KINDS.index(kind)).nonzero()[0]
            return [self._paired(m) for m in self.matching.matches(chosen)]
        near, (said, gold) = self.matching.near, self.matching.unmatched()
        side, left, outcome = (near.predicted, said, "fp") if kind == "no_match" else (near.gold, gold, "fn")
        return [Item(near.documents[side.document[i]], side.ids[i], outcome) for i in left.tolist()]

    def _paired(self, m: Match) -> Item:
        if m.predicted == m.gold:
            return Item(m.doc_id, m.predicted, "tp")
        return Item(
            m.doc_id, m.predicted, m.kind, f"gold {named(self.inputs, m.gold)}, credit {m.credit:.3f}"
        )
