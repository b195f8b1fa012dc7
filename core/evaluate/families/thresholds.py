"""Family `thresholds`: complete documents, statuses that count; similarity comes from the ontology.

Keys: `precision:T`, `recall:T`, `f1:T` and `matched:T` at each threshold T (`0.5` ... `1.0`), `mean_f1` and
`seed_literal_area`.
"""

from __future__ import annotations

from core.charts import Cell, Chart, Key, Table
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.kin import NO_LINEAGE, described, in_order, kin, named
from core.evaluate.families.result import FamilyResult, absent
from core.metrics.bootstrap import draws
from core.metrics.documents import Item
from core.metrics.near_pairs import Integers, left, near_pairs
from core.metrics.thresholds import MEASURES, THRESHOLDS, ThresholdTable, table

_PARTS = {
    "matched": ("matched",),
    "precision": ("matched", "fp"),
    "recall": ("matched", "fn"),
    "f1": ("matched", "fp", "fn"),
}
_AREA = (
    "seed_literal_area is no AUPRC: its points lie on one line through the origin, so the area only restates"
    " their ends. It is kept for comparison with the source's own figures."
)


def evaluate(inputs: Inputs) -> FamilyResult:
    similarity = kin(inputs)
    if similarity is None:
        return absent("thresholds", NO_LINEAGE)
    chosen = inputs.settings
    near = near_pairs(inputs.gold, inputs.predicted, similarity, THRESHOLDS[0])
    resamples = draws(len(near.documents), chosen.bootstrap, chosen.seed)
    found = table(near, index_lists=resamples, level=chosen.level)
    return FamilyResult(
        "thresholds",
        found.estimates,
        (_rows(found), _summary(found)),
        lambda key: _open(key, found, inputs),
        notes=(described(inputs), _AREA),
        resampled=found.resampled,
    )


def _rows(found: ThresholdTable) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (t, len(pairs), *(found.estimates[f"{m}:{t}"] for m in MEASURES))
        for t, pairs in zip(found.thresholds, found.matched, strict=True)
    ]
    return Table(
        "Similarity thresholds",
        ("threshold", "matched", "Precision", "Recall", "F1"),
        rows,
        name="table",
        opens=[(None, *(f"{m}:{t}" for m in ("matched", *MEASURES))) for t in found.thresholds],
        chart=Chart("curve", x="threshold", y=("Precision", "Recall", "F1"), unit=True),
        note="From the threshold on, inclusive, two concepts of a document count as the same, one to one.",
        help={head: f"thresholds.{head.lower()}" for head in ("Precision", "Recall", "F1")},
    )


def _summary(found: ThresholdTable) -> Table:
    names = {"mean_f1": "Mean F1 over thresholds", "seed_literal_area": "seed_literal_area (not an AUPRC)"}
    return Table(
        "Over all thresholds",
        ("value", "estimate"),
        [(title, found.estimates[name]) for name, title in names.items()],
        name="summary",
        opens=[(None, name) for name in names],
    )


def _open(key: Key, found: ThresholdTable, inputs: Inputs) -> list[Item]:
    """Whatever speaks of all thresholds opens the widest matching, that of the lowest one."""
    if key in ("mean_f1", "seed_literal_area"):
        key = f"f1:{found.thresholds[0]}"
    name, _, threshold = key.partition(":")
    places = {str(t): place for place, t in enumerate(found.thresholds)}
    if name not in _PARTS or threshold not in places:
        raise KeyError(key)
    pairs = found.matched[places[threshold]]
    return in_order([item for part in _PARTS[name] for item in _of(part, pairs, found, inputs)])


def _of(part: str, pairs: Integers, found: ThresholdTable, inputs: Inputs) -> list[Item]:
    near = found.near
    if part == "matched":
        columns = (near.prediction[pairs], near.golden[pairs], near.similarity[pairs])
        items = []
        for said, gold, similarity in zip(*(c.tolist() for c in columns), strict=True):
            doc_id, a, b = (
                near.documents[near.gold.document[gold]],
                near.predicted.ids[said],
                near.gold.ids[gold],
            )
            detail = f"gold {named(inputs, b)}, similarity {similarity:.3f}"
            items.append(Item(doc_id, a, "tp") if a == b else Item(doc_id, a, "semantic", detail))
        return items
    side, taken = (near.predicted, near.prediction) if part == "fp" else (near.gold, near.golden)
    return [
        Item(near.documents[side.document[i]], side.ids[i], part) for i in left(side, taken[pairs]).tolist()
    ]
