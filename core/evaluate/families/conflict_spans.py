"""Task 5: evidence on the claims, by places and by bags of words, and as a distribution over pairs."""

from __future__ import annotations

from collections.abc import Iterable

from core.charts import BINS, Key, bin_of, text
from core.evaluate.families.pair_inputs import PairInputs, ScoredPair
from core.evaluate.families.pair_tables import distribution, overall, sorted_items
from core.evaluate.families.result import FamilyResult
from core.metrics.conflict_spans import MEASURES, WAYS, SpanScore, score
from core.metrics.definition import Estimate
from core.metrics.documents import Item

FAMILY = "conflict_spans"
COUNTS = ("n_without_gold", "n_bags")


def evaluate(inputs: PairInputs) -> FamilyResult:
    found = score(
        [(pair.gold.claims, pair.gold.said.spans, pair.predicted.spans) for pair in inputs.pairs],
        index_lists=inputs.draws(),
        level=inputs.settings.level,
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
    tables = (
        overall(FAMILY, columns, MEASURES),
        distribution(
            FAMILY,
            "Pairs by value",
            {m: [getattr(one, m) if one else None for one in found.pairs] for m in ("iou", "f1")},
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

    def open_cell(key: Key) -> list[Item]:
        return sorted_items(list(_items(inputs.pairs, found.pairs, key, tuple(estimates))))

    return FamilyResult(
        FAMILY,
        estimates,
        tables,
        open_cell,
        tuple(notes),
        found.scores.resampled,
        differs=tuple(found.scores.estimates),
    )


def _items(
    pairs: Iterable[ScoredPair], found: Iterable[SpanScore | None], key: Key, names: tuple[str, ...]
) -> Iterable[Item]:
    """Pairs behind an estimate, or behind a bar as `bin:METRIC:NUMBER`."""
    name, _, rest = key.partition(":")
    metric, _, number = rest.partition(":")
    if name == "bin":
        if metric not in MEASURES or number not in map(str, range(BINS)):
            raise KeyError(key)
    elif key not in names:
        raise KeyError(key)
    for pair, one in zip(pairs, found, strict=True):
        if one is None:
            if key == "n_without_gold":
                yield pair.item("skipped", "no gold evidence on the claims")
            continue
        if key == "n_without_gold" or (key == "n_bags" and one.way != "bags"):
            continue
        if name == "bin" and bin_of(getattr(one, metric)) != int(number):
            continue
        if name in MEASURES and rest and one.way != rest:
            continue
        flag = ", bag of words" if one.way == "bags" else ""
        yield pair.item("scored", f"IoU {text(one.iou)}, F1 {text(one.f1)}{flag}")
