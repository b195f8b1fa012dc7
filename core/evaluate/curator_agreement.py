"""How far curators agree in one field of their answers, every number with the items that they differ on.

    curator_agreement(concept_ratings(workspace, "cases"))    # see core.evaluate.curator_answers

For every two curators, and for all of them together; see `core.evaluate.curators` for what is an item and
what a label, `core.metrics.agreement` for the coefficients. Intervals resample documents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.charts import Items, Table, Value, heads
from core.evaluate.agreement_parts import Parts
from core.evaluate.curator_near import Near, overlap
from core.evaluate.curators import Ratings, Unit, Universe
from core.evaluate.families.result import FamilyResult, absent
from core.evaluate.settings import Settings
from core.evaluate.tables import curators as cells
from core.evaluate.tables.agreement_dots import items_of_two
from core.evaluate.tables.curators import Pair, differ
from core.metrics.agreement_intervals import (
    Bootstrap,
    alpha_estimate,
    distant_alpha,
    f1_estimate,
    fleiss_estimate,
    kappa,
    observed,
)
from core.metrics.definition import Estimate
from core.metrics.kappa_words import in_words
from core.metrics.near_agreement import Similarity as Alike
from core.metrics.near_alpha import Across, crossed

_ALONE = "Agreement needs two curators who have decided something here. So far there {}."
_CONFIDENCE = (
    "Curators are not asked how sure they are of an answer: the share of items that they marked unsure, with "
    "its Wilson interval, stands for it."
)


@dataclass(frozen=True, slots=True)
class CuratorAgreement:
    ratings: Ratings
    result: FamilyResult
    """Family `agreement`: tables `together`, `pairs`, those of `core.evaluate.agreement_parts`, `curators`,
    one `labels:I:J` per pair, and notes."""
    universe: Universe
    run: str | None = None
    """What alone counts is what this run proposed; None: everything."""
    apart: Parts | None = None
    """Field by field, by class and over time; None where only one field was read."""
    _drawn: dict[tuple[str, str, str | None], Table] = field(default_factory=dict, compare=False, repr=False)

    @property
    def differing(self) -> list[Unit]:
        """What two or more curators have answered, and not alike."""
        units = self.ratings.universe(self.ratings.curators, self.universe)
        return [unit for unit in units if differ(unit)]

    @property
    def overview(self) -> tuple[Table, ...]:
        return tuple(t for t in self.result.tables if not t.name.startswith("labels:"))

    @property
    def words(self) -> dict[str, str]:
        """Of coefficients of all curators that have bands: the value in words."""
        fleiss = self.result.estimates.get("fleiss")
        said = in_words(fleiss.value if fleiss else None)
        return {"fleiss": f"Landis and Koch: {said}"} if said else {}

    def labels_of(self, a: str, b: str) -> Table | None:
        """The label of one curator against the other's."""
        at = self.ratings.curators.index
        name = f"labels:{at(a)}:{at(b)}"
        return next((t for t in self.result.tables if t.name == name), None)

    def seen_by(self, curator: str | None) -> CuratorAgreement:
        """The same numbers; of the items behind them those that this curator has settled, for the answers to
        others they may not see. None: nobody is at work."""
        if curator is None:
            return self

        def settled(items: Items) -> Items:
            return lambda: [i for i in items() if self.answered(curator, i.doc_id, i.id)]

        return replace(self, result=self.result.through(settled))

    def answered(self, curator: str, doc_id: str, item: Any) -> bool:
        """Whether a curator has settled an item, in one field at least."""
        fields = self.apart.fields if self.apart else (self.ratings,)
        return any(ratings.answered(curator, doc_id, item) for ratings in fields)

    def beside(self, apart: Parts) -> CuratorAgreement:
        """The same, knowing what the curators say in every field: the table of these comes first, the others
        stand after those of every two curators."""
        known, (fields, *others) = self.result.tables, apart.tables
        result = replace(self.result, tables=(fields, *known[:2], *others, *known[2:]))
        return replace(self, result=result, apart=apart)

    def of_two(self, a: str, b: str, curator: str | None = None) -> Table:
        """A dot per item of two curators.

        Args:
            curator: only what this curator has settled; None: nobody is at work, and all is shown.
        """
        if (a, b, curator) not in self._drawn:
            self._drawn[a, b, curator] = items_of_two(
                self.ratings, a, b, lambda unit: curator is None or self.answered(curator, *unit[:2])
            )
        return self._drawn[a, b, curator]

    def to_json(self) -> dict[str, Any]:
        """Every table and value, and what the curators differ on, with what each of them says."""
        ratings = self.ratings
        return {
            "corpus": ratings.corpus,
            "run": self.run,
            "kind": ratings.kind,
            "field": ratings.asked,
            "universe": self.universe,
            "curators": [{"id": c, "name": ratings.people[c]} for c in ratings.curators],
            "absent": self.result.absent,
            "estimates": {name: estimate.to_json() for name, estimate in self.result.estimates.items()},
            "tables": {table.name: _json(table) for table in self.result.tables},
            "differing": [
                {
                    "doc_id": doc_id,
                    "id": item,
                    "name": ratings.names.get(item),
                    "said": dict(zip(ratings.curators, said, strict=True)),
                }
                for doc_id, item, said in self.differing
            ],
            "notes": list(self.result.caveats),
        }


def _json(table: Table) -> dict[str, Any]:
    names = [name.replace(" ", "_") for name in heads(table)]
    rows = [[cell.to_json() if isinstance(cell, Estimate) else cell for cell in row] for row in table.rows]
    return {"rows": [dict(zip(names, row, strict=True)) for row in rows], "note": table.note or None}


def curator_agreement(
    ratings: Ratings,
    settings: Settings | None = None,
    *,
    universe: Universe = "named",
    similar: Alike | None = None,
    across: Across | None = None,
) -> CuratorAgreement:
    """Agreement of every two curators and of all together.

    Args:
        settings: `assertions` that count as named in F1, `alike`, and how intervals are drawn.
        similar: of concepts; None: no hierarchy-aware figures.
        across: the same for all pairs of two lists of concepts; None: one by one.
    """
    settings = settings or Settings()
    if len(ratings.curators) < 2:
        said = "is none" if not ratings.curators else "is only one"
        return CuratorAgreement(ratings, absent("agreement", _ALONE.format(said)), universe)
    how = Bootstrap(settings.bootstrap, settings.seed, settings.level)
    everyone = ratings.universe(ratings.curators, universe)
    both = len(ratings.curators) == 2
    pairs = [
        Pair(a, b, everyone if both else ratings.universe((a, b), universe), ratings.looked((a, b)))
        for a, b in ratings.pairs()
    ]
    looked = sorted({doc_id for pair in pairs for doc_id in pair.documents})
    together = _together(ratings, everyone, looked, how)
    near = None
    if similar is not None and ratings.asked == "status":
        near = Near(similar, across or crossed(similar), settings.alike, how)
        together["hierarchy_alpha"] = near.alpha(pairs, looked)
    elif ratings.kind == "pairs" and any("," in str(label) for unit in everyone for label in unit[2]):
        several = [(unit[0], unit[2]) for unit in everyone]
        together["overlap_alpha"] = distant_alpha(several, looked, overlap, how)
    counted = {a.value for a in settings.assertions}
    rows = [_row(ratings, pair, how, counted, near, together if both else {}) for pair in pairs]
    of_two = {
        f"{name}:{row['curators']}": (estimate, pair)
        for row, pair in zip(rows, pairs, strict=True)
        for name in ("kappa", "pairwise_f1")
        if isinstance(estimate := row.get(name), Estimate)
    }
    tables = [
        cells.together(together, everyone, ratings),
        cells.pairs(rows, pairs, ratings),
        cells.curators(ratings, settings.level),
        *(cells.labels(ratings, pair) for pair in pairs),
    ]
    result = FamilyResult(
        "agreement",
        together | {name: estimate for name, (estimate, _) in of_two.items()},
        tuple(t for t in tables if t.rows),
        {name: cells.listed(ratings, p.differing, (p.a, p.b)) for name, (_, p) in of_two.items()},
        (_CONFIDENCE,) if ratings.kind == "concepts" else (),
    )
    return CuratorAgreement(ratings, result, universe)


# --- values -------------------------------------------------------------------------------------------------


def _together(
    ratings: Ratings, units: Sequence[Unit], documents: Sequence[str], how: Bootstrap
) -> dict[str, Estimate]:
    """
    Args:
        documents: those that two or more have looked at.
    """
    complete = [(u[0], u[2]) for u in units if None not in u[2]]
    several = [(u[0], u[2]) for u in units if len(u[2]) - u[2].count(None) > 1]
    return {
        "alpha": alpha_estimate(several, documents, how),
        "fleiss": fleiss_estimate(complete, ratings.looked(ratings.curators), how),
    }


def _row(
    ratings: Ratings,
    pair: Pair,
    how: Bootstrap,
    counted: set[str],
    near: Near | None,
    known: Mapping[str, Estimate],
) -> dict[str, Value]:
    """
    Args:
        known: of all curators together, where these two are all.
    """
    units = [(unit[0], unit[2]) for unit in pair.units]
    rated, differ = [(unit[0], unit[2]) for unit in pair.rated], len(pair.differing)
    chance = kappa(units, pair.documents, how)
    found: dict[str, Value] = {
        "curators": f"{ratings.people[pair.a]}, {ratings.people[pair.b]}",
        "n": len(pair.documents),
        "items": len(rated),
        "missing": len(units) - len(rated),
        "differ": differ,
        "observed": observed(rated, pair.documents, how),
        "kappa": chance,
        "in_words": in_words(chance.value),
        "alpha": known.get("alpha") or alpha_estimate(rated, pair.documents, how),
    }
    if ratings.asked == "status":
        sides = [
            (d, float(x in counted and y in counted), float(x in counted) + float(y in counted))
            for d, _, (x, y) in pair.named
        ]
        found["pairwise_f1"] = f1_estimate(sides, pair.documents, how)
    if near is not None:
        found["hierarchy_f1"] = near.f1(pair, counted)
        found["hierarchy_alpha"] = known.get("hierarchy_alpha") or near.alpha([pair], pair.documents)
    return found
