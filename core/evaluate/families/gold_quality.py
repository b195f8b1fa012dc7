"""Family `gold_quality`: what the gold itself is worth as a measure. Predictions are scored in the bounds
alone, which stand here where the gold is not marked exhaustively annotated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.charts import Cell, Items, Table
from core.evaluate.curator_agreement import curator_agreement
from core.evaluate.curators import Ratings
from core.evaluate.families import bounds
from core.evaluate.families.inputs import Inputs
from core.evaluate.families.result import FamilyResult
from core.metrics.bootstrap import draws
from core.metrics.definition import Estimate
from core.metrics.documents import Item
from core.metrics.gold_quality import FAMILY, FEW_DOCUMENTS, density, per_document
from core.metrics.proportion import share
from core.metrics.slices import tokens

_NO_TEXTS = "The texts of the documents are not known."
_NOT_REVIEWED = "This gold was imported and does not carry what each of its makers said."
_SAID = {
    True: "marked exhaustively annotated",
    False: "marked as not exhaustively annotated: read the bounds, not the point value",
    None: "does not say whether it is exhaustively annotated: read the bounds, not the point value",
}


def evaluate(inputs: Inputs) -> FamilyResult:
    chosen = inputs.settings
    n = len(inputs.complete)
    resamples = draws(n, chosen.bootstrap, chosen.seed)
    marked, unit = _annotations(inputs)
    estimates = {
        "documents": Estimate(float(n), n),
        "density": Estimate(None, n, reason=_NO_TEXTS),
        "concepts": per_document([len(ids) for ids in inputs.gold.values()], resamples, chosen.level),
        "completeness": share(n, len(inputs.outcomes), chosen.level),
        "agreement": Estimate(None, 0, reason=_NOT_REVIEWED),
        "confidence": Estimate(None, 0, reason=_NOT_REVIEWED),
    }
    if inputs.known.texts is not None:
        texts = inputs.known.texts()
        lengths = [tokens(texts.get(o.doc_id, "")) for o in inputs.complete]
        estimates["density"] = density(marked, lengths, resamples, chosen.level)
    ratings = inputs.known.ratings() if inputs.known.ratings else None
    differing: list[Item] = []
    if ratings is not None:
        agreed = curator_agreement(ratings, chosen).result
        estimates["confidence"] = _confidence(ratings, chosen.level)
        estimates["agreement"] = agreed.estimates.get("alpha") or Estimate(None, 0, reason=agreed.absent)
        if "alpha" in agreed.estimates:
            # without what each of them said: whoever looks may not have answered yet
            differing = [item._replace(detail="") for item in agreed.open("alpha")]
    opens: dict[str, Items] = dict.fromkeys(estimates, lambda: _gold(inputs))
    opens |= {"agreement": lambda: differing, "confidence": lambda: _judged(ratings)}
    tables = [_figures(estimates, unit, inputs.exhaustive, opens)]
    if not inputs.exhaustive:
        title = "Point value and bounds: this gold is not marked exhaustive"
        tables.append(replace(bounds.evaluate(inputs).tables[0], title=title))
    return FamilyResult("gold_quality", estimates, tuple(tables), notes=_notes(n, inputs.exhaustive))


def _annotations(inputs: Inputs) -> tuple[list[int], str]:
    """Of each complete document, and what is counted: places, where the gold marks any, else concepts."""
    mentions = inputs.known.gold_mentions() if inputs.known.gold_mentions else {}
    counted = inputs.gold
    places = [
        len({m[:3] for m in mentions.get(d, ()) if m.start is not None and m.concept in ids})
        for d, ids in counted.items()
    ]
    if any(places):
        return places, "places in the text"
    return [len(ids) for ids in counted.values()], "concepts of documents: the gold marks no places"


def _confidence(ratings: Ratings, level: float) -> Estimate:
    unsure = sum(ratings.unsure.values())
    settled = sum(len(held) for said in ratings.labels.values() for held in said.values())
    documents = {doc_id for said in ratings.labels.values() for doc_id in said}
    return share(settled, settled + unsure, level, documents=len(documents))


def _judged(ratings: Ratings | None) -> list[Item]:
    if ratings is None:
        return []
    found = {
        (doc_id, concept)
        for said in ratings.labels.values()
        for doc_id, held in said.items()
        for concept in held
    }
    return [Item(*key, "judged") for key in sorted(found, key=lambda key: (key[0], str(key[1])))]


def _gold(inputs: Inputs) -> list[Item]:
    return [
        Item(doc_id, concept, "gold")
        for doc_id, ids in inputs.gold.items()
        for concept in sorted(ids, key=str)
    ]


def _figures(
    estimates: dict[str, Estimate], unit: str, exhaustive: bool | None, opens: Mapping[str, Items]
) -> Table:
    rests = {
        "documents": "complete documents",
        "density": unit,
        "concepts": "complete documents",
        "completeness": _SAID[exhaustive],
        "agreement": "documents that two curators have looked at",
        "confidence": "items that curators judged",
    }
    rows = []
    for name, estimate in estimates.items():
        value = Cell(estimate.n if name == "documents" else estimate, name, opens[name])
        rows.append((FAMILY.metrics[name].title, value, estimate.n, rests[name]))
    return Table.of(
        "Quality of the gold standard",
        ("figure", "value", "n", "of what"),
        rows,
        "figures",
        help={"value": "gold_quality.density"},
    )


def _notes(documents: int, exhaustive: bool | None) -> tuple[str, ...]:
    notes = []
    if documents < FEW_DOCUMENTS:
        notes.append(
            f"Small test set: {documents} complete documents. Below {FEW_DOCUMENTS}, small differences are "
            "noise; read the interval, not the value."
        )
    if exhaustive is not True:
        notes.append(f"This gold {_SAID[exhaustive]}.")
    return tuple(notes)
