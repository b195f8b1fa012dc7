"""Task 5: evidence on the claims, by places and by bags of words, and as a distribution over pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from core.charts import Items, text
from core.evaluate.families.pair_inputs import PairInputs, ScoredPair
from core.evaluate.families.pair_tables import distribution, overall
from core.evaluate.families.result import FamilyResult, behind
from core.metrics.conflict_spans import MEASURES, WAYS, SpanScore, score
from core.metrics.definition import Estimate
from core.metrics.documents import Item

FAMILY = "conflict_spans"


def evaluate(inputs: PairInputs) -> FamilyResult:
    found = score(
        [(pair.gold.claims, pair.gold.said.spans, pair.predicted.spans) for pair in inputs.pairs],
        **inputs.resampling,
    )
    n = len(inputs.pairs)
    estimates = {name: found.scores.estimates[name] for name in MEASURES}
    estimates |= {
        "n_without_gold": Estimate(float(found.without_gold), n),
        "n_bags": Estimate(float(found.bags), n - found.without_gold),
    }
    estimates |= found.scores.estimates
    columns = {"all pairs": {name: estimates[name] for name in MEASURES}}
    columns |= {
        f"by {way}": {f"{m}:{way}": estimates[f"{m}:{way}"] for m in MEASURES} for way in WAYS if found.bags
    }

    def items(wanted: Callable[[int], bool]) -> Items:
        return behind(range(n), lambda at: _item(inputs.pairs[at], found.pairs[at]) if wanted(at) else None)

    ways = [one.way if one else None for one in found.pairs]
    of_way = {way: items(partial(_is, ways, way)) for way in (None, *WAYS)}
    opens = {
        **dict.fromkeys(MEASURES, items(lambda at: ways[at] is not None)),
        **{f"{m}:{way}": of_way[way] for m in MEASURES for way in WAYS},
        "n_without_gold": of_way[None],
        "n_bags": of_way["bags"],
    }
    tables = (
        overall(FAMILY, columns, MEASURES, opens.__getitem__),
        distribution(
            FAMILY,
            {m: [getattr(one, m) if one else None for one in found.pairs] for m in ("iou", "f1")},
            items,
        ),
    )
    notes = []
    if found.without_gold:
        notes.append(f"Pairs without gold evidence on their claims, skipped: {found.without_gold}.")
    if found.bags:
        notes.append(
            f"Pairs scored with bags of words, because a predicted quote does not stand in its claim:"
            f" {found.bags}. The means over all pairs mix both ways; each stands beside them."
        )

    return FamilyResult(
        FAMILY,
        estimates,
        tables,
        opens,
        tuple(notes),
        found.scores.resampled,
        differs=tuple(found.scores.estimates),
    )


def _is(ways: Sequence[str | None], way: str | None, at: int) -> bool:
    return ways[at] == way


def _item(pair: ScoredPair, one: SpanScore | None) -> Item:
    if one is None:
        return pair.item("skipped", "no gold evidence on the claims")
    flag = ", bag of words" if one.way == "bags" else ""
    return pair.item("scored", f"IoU {text(one.iou)}, F1 {text(one.f1)}{flag}")
