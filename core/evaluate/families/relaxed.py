"""Family `relaxed`: complete documents, statuses that count; how alike concepts are comes from the ontology.

Keys: a value or a count of the registry; `exact_precision`, `exact_recall` and `exact_f1`; and
`pair:PROPOSED|GOLD`, one near miss wherever it happened.
"""

from __future__ import annotations

from functools import cached_property

from core.charts import Cell, Chart, Key, Table
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.kin import NO_LINEAGE, described, in_order, kin, named
from core.evaluate.families.result import FamilyResult, absent
from core.metrics.bootstrap import draws
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
    resamples = draws(len(near.documents), chosen.bootstrap, chosen.seed)
    scores = score(
        match(near, chosen.alike), vacuous=chosen.vacuous, index_lists=resamples, level=chosen.level
    )
    behind = _Behind(inputs, scores.matching)
    note = f"{described(inputs)} Two concepts match from {chosen.alike:g} on, inclusive."
    return FamilyResult(
        "relaxed",
        scores.estimates,
        (_ratios(scores, chosen.vacuous), _types(scores), _misses(inputs, behind, similarity)),
        behind.open,
        notes=(note,),
        resampled=scores.resampled,
    )


# --- tables -------------------------------------------------------------------------------------------------


def _ratios(scores: RelaxedScores, vacuous: Vacuous) -> Table:
    """Exact and relaxed side by side, on the same documents."""
    near = scores.matching.near
    tp, said, gold = int(near.exact.sum()), len(near.predicted.ids), len(near.gold.ids)
    exact = ratios(tp, said - tp, gold - tp, vacuous) if near.documents else (None, None, None)
    columns = ("measure", "exact", "relaxed", "relaxed, mean over documents")
    rows: list[tuple[Cell, ...]] = [
        (title, value, scores.estimates[measure], scores.estimates[f"macro_{measure}"])
        for (measure, title), value in zip(_MEASURES.items(), exact, strict=True)
    ]
    return Table(
        "Exact and relaxed matching",
        columns,
        rows,
        name="ratios",
        opens=[(None, f"exact_{measure}", measure, f"macro_{measure}") for measure in _MEASURES],
        chart=Chart("intervals", x="measure", y=columns[1:], unit=True),
        note="Exact: summed over the same documents, those with complete gold.",
        help={"relaxed": "relaxed.f1", "relaxed, mean over documents": "relaxed.macro_f1"},
    )


def _types(scores: RelaxedScores) -> Table:
    said = len(scores.matching.near.predicted.ids)
    rows: list[tuple[Cell, ...]] = []
    for kind, title in _TYPES.items():
        count = scores.estimates[kind].value
        share = count / said if said and count is not None and kind != "unmatched_gold" else None
        rows.append((title, None if count is None else int(count), share))
    return Table(
        "Match types",
        ("match type", "concepts", "share of proposals"),
        rows,
        name="types",
        opens=[
            (None, kind, kind if row[2] is not None else None) for kind, row in zip(_TYPES, rows, strict=True)
        ],
        chart=Chart("bars", x="match type", y=("concepts",), y_title="concepts"),
        note="Of different ids matched at most once each; gold without a match is no share of the proposals.",
        help={"concepts": "relaxed.exact"},
    )


def _misses(inputs: Inputs, behind: _Behind, similarity: Similarity) -> Table:
    """The near misses that earned part of the credit, by pair of concepts."""
    rows: list[tuple[Cell, ...]] = []
    lineage = inputs.known.lineage() if inputs.known.lineage else ()
    shown = list(behind.pairs.items())[:_SHOWN]
    alike = similarity.of_pairs([said for (said, _), _ in shown], [gold for (_, gold), _ in shown])
    for ((said, gold), places), value in zip(shown, alike.tolist(), strict=True):
        is_known = said in lineage and gold in lineage
        rows.append(
            (
                named(inputs, said),
                named(inputs, gold),
                _TYPES[places[0].kind],
                len(places),
                places[0].credit,
                value,
                similarity.resnik(said, gold) if is_known else None,
            )
        )
    opens: list[tuple[Key | None, ...]] = [
        (None, None, None, f"pair:{said}|{gold}", None, None, None) for (said, gold), _ in shown
    ]
    measure = similarity.measure
    return Table(
        f"Most frequent near misses (at most {_SHOWN})",
        ("proposed", "gold", "match type", "documents", "credit", "similarity", "information in common"),
        rows,
        name="near_misses",
        opens=opens,
        help={"similarity": f"similarity.{measure}", "information in common": "similarity.resnik"},
    )


# --- the items behind them ----------------------------------------------------------------------------------


class _Behind:
    """Matched pairs and what is left, put into words when first asked for."""

    def __init__(self, inputs: Inputs, matching: Matching):
        self.inputs = inputs
        self.matching = matching

    @cached_property
    def pairs(self) -> dict[tuple[Curie, Curie], list[Match]]:
        return pairs_of(self.matching.matches((self.matching.kind > 0).nonzero()[0]))

    def open(self, key: Key) -> list[Item]:
        if key.startswith("pair:"):
            said, _, gold = key.removeprefix("pair:").partition("|")
            return in_order([self._paired(m) for m in self.pairs[said, gold]])
        exact, _, measure = key.rpartition("_")
        if exact == "exact" and measure in _MEASURES:
            return in_order(items_behind(self.inputs.complete, measure))
        if key.removeprefix("macro_") not in _BEHIND or (exact == "macro" and measure not in _MEASURES):
            raise KeyError(key)
        kinds = _BEHIND[key.removeprefix("macro_")]
        return in_order([item for kind in kinds for item in self._of(kind)])

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
