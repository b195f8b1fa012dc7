"""Family `thresholds`: complete documents, statuses that count; similarity comes from the ontology."""

from __future__ import annotations

from collections.abc import Callable

from core.charts import Cell, Chart, Items, Table, Value, title
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.kin import NO_LINEAGE, described, kin, named
from core.evaluate.families.result import FamilyResult, absent, in_order
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
    "The area over the threshold table is no AUPRC: its points lie on one line through the origin, so the"
    " area only restates their ends. It is kept for comparison with the source's own figures."
)


def evaluate(inputs: Inputs) -> FamilyResult:
    similarity = kin(inputs)
    if similarity is None:
        return absent("thresholds", NO_LINEAGE)
    near = near_pairs(inputs.gold, inputs.predicted, similarity, THRESHOLDS[0])
    found = table(near, **inputs.settings.resampling(len(near.documents)))

    def behind(at: int, measure: str) -> Items:
        pairs = found.matched[at]
        return lambda: in_order(i for part in _PARTS[measure] for i in _of(part, pairs, found, inputs))

    return FamilyResult(
        "thresholds",
        found.estimates,
        (_rows(found, behind), _summary(found, behind(0, "f1"))),
        notes=(described(inputs), _AREA),
        resampled=found.resampled,
    )


def _rows(found: ThresholdTable, behind: Callable[[int, str], Items]) -> Table:
    rows = []
    for at, t in enumerate(found.thresholds):
        values: dict[str, Value] = {
            "matched": len(found.matched[at]),
            **{m: found.estimates[f"{m}:{t}"] for m in MEASURES},
        }
        rows.append((t, *(Cell(value, f"{m}:{t}", behind(at, m)) for m, value in values.items())))
    return Table.of(
        "Similarity thresholds",
        ("threshold", "matched", "Precision", "Recall", "F1"),
        rows,
        "table",
        chart=Chart("curve", x="threshold", y=("Precision", "Recall", "F1"), unit=True),
        note="From the threshold on, inclusive, two concepts of a document count as the same, one to one.",
        help={head: f"thresholds.{head.lower()}" for head in ("Precision", "Recall", "F1")},
    )


def _summary(found: ThresholdTable, widest: Items) -> Table:
    """Whatever speaks of all thresholds opens the widest matching, that of the lowest one."""
    names = ("mean_f1", "seed_literal_area")
    rows = [(title(f"thresholds.{name}"), Cell(found.estimates[name], name, widest)) for name in names]
    return Table.of("Over all thresholds", ("value", "estimate"), rows, "summary")


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
