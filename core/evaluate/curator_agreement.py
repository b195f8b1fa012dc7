"""How far the curators of a workspace agree, every number with the items that they differ on.

    agreement_of(workspace, "cases", ontology="hp")           # of concepts
    agreement_of(workspace, "abstracts", "pairs")             # of claim pairs

For every two curators, and for all of them together; see `core.evaluate.curators` for what is an item and
what a label, `core.metrics.agreement` for the coefficients. Intervals resample documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.charts import Items, Table, Value
from core.evaluate.concept_scope import scope
from core.evaluate.curators import (
    NONE,
    Field,
    Kind,
    Ratings,
    Unit,
    Universe,
    concept_ratings,
    pair_ratings,
)
from core.evaluate.families.result import FamilyResult, absent
from core.evaluate.settings import Settings
from core.evaluate.tables import curators as cells
from core.evaluate.tables.curators import Pair
from core.metrics.agreement import Coefficient
from core.metrics.agreement import alpha as krippendorff
from core.metrics.agreement_intervals import Bootstrap, alpha_estimate, f1_estimate, fleiss_estimate, kappa
from core.metrics.definition import Estimate
from core.metrics.near_agreement import ABSENT, Aligned, align
from core.metrics.near_agreement import Similarity as Alike
from core.metrics.near_alpha import Across, crossed, hierarchy_alpha
from core.ontology.similarity import Similarity
from core.store import ontologies
from core.store.workspace import Workspace

_ALONE = "Agreement needs two curators who have decided something here. So far there {}."
_CONFIDENCE = (
    "Curators are not asked how sure they are of an answer: the share of items that they marked unsure, with "
    "its Wilson interval, stands for it."
)


@dataclass(frozen=True, slots=True)
class CuratorAgreement:
    ratings: Ratings
    result: FamilyResult
    """Family `agreement`: tables `together`, `pairs`, `curators`, one `labels:I:J` per pair, and notes."""
    universe: Universe

    @property
    def overview(self) -> tuple[Table, ...]:
        return tuple(t for t in self.result.tables if not t.name.startswith("labels:"))

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
            return lambda: [i for i in items() if self.ratings.answered(curator, i.doc_id, i.id)]

        return replace(self, result=self.result.through(settled))


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
    counted = {a.value for a in settings.assertions}
    everyone = ratings.universe(ratings.curators, universe)
    pairs = [
        Pair(
            a,
            b,
            everyone if len(ratings.curators) == 2 else ratings.universe((a, b), universe),
            ratings.looked((a, b)),
        )
        for a, b in ratings.pairs()
    ]
    looked = sorted({doc_id for pair in pairs for doc_id in pair.documents})
    together = _together(ratings, everyone, looked, how)
    near: list[list[Aligned]] = []
    if similar is not None and ratings.kind == "concepts":
        near = [_aligned(pair, similar, settings.alike, None) for pair in pairs]
        across = across or crossed(similar)
        pooled = [item for items in near for item in items]
        together["hierarchy_alpha"] = hierarchy_alpha(pooled, looked, across, how)
    elif ratings.kind == "pairs" and any("," in str(label) for unit in everyone for label in unit[2]):
        together["overlap_alpha"] = _of(krippendorff((u[2] for u in everyone), _overlap), len(looked))
    rows, estimates = [], dict(together)
    names: dict[str, Pair] = {}
    only = len(pairs) == 1  # all together are these two
    for i, pair in enumerate(pairs):
        found = _row(ratings, pair, how, counted, together["alpha"] if only else None)
        if similar is not None and across is not None and near:
            aligned = _aligned(pair, similar, settings.alike, counted)
            found["hierarchy_f1"] = _near_f1(pair, how, aligned)
            found["hierarchy_alpha"] = (
                together["hierarchy_alpha"] if only else hierarchy_alpha(near[i], pair.documents, across, how)
            )
        rows.append(found)
        for name in ("kappa", "pairwise_f1"):
            if isinstance(estimate := found.get(name), Estimate):
                of_two = f"{name}:{found['curators']}"
                estimates[of_two], names[of_two] = estimate, pair
    tables = [
        cells.together(together, everyone, ratings),
        cells.pairs(rows, pairs, ratings),
        cells.curators(ratings, settings.level),
        *(cells.labels(ratings, pair) for pair in pairs),
    ]
    opened = {of_two: cells.listed(ratings, p.differing, (p.a, p.b)) for of_two, p in names.items()}
    notes = (_CONFIDENCE,) if ratings.kind == "concepts" else ()
    result = FamilyResult("agreement", estimates, tuple(t for t in tables if t.rows), opened, notes)
    return CuratorAgreement(ratings, result, universe)


def agreement_of(
    workspace: Workspace,
    corpus: str,
    kind: Kind = "concepts",
    field: Field = "conflict_type",
    universe: Universe = "named",
    ontology: str | None = None,
    settings: Settings | None = None,
) -> CuratorAgreement:
    """Read what curators decided and compare it.

    Args:
        field: of a pair's answer.
        ontology: NAME[@VERSION]; for alternative ids, names, and how alike concepts are.

    Raises:
        InputError: no such field.
        NotFoundError: no such corpus or ontology.
    """
    settings = settings or Settings()
    if kind == "pairs":
        return curator_agreement(pair_ratings(workspace, corpus, field), settings)
    chosen = scope(workspace, ontology)
    names = ontologies.labels(workspace, ontologies.find_ontology(workspace, ontology).id) if ontology else {}
    ratings = concept_ratings(workspace, corpus, chosen.alt_ids, names)
    lineage = chosen.lineage
    if lineage is None:
        return curator_agreement(ratings, settings, universe=universe)
    documents = None
    if settings.information == "corpus":
        named = {
            (doc_id, concept)
            for said in ratings.labels.values()
            for doc_id, held in said.items()
            for concept, label in held.items()
            if label != ABSENT
        }
        documents = Counter(concept for _, concept in named)
    similar = Similarity(lineage(), settings.similarity, documents)
    return curator_agreement(
        ratings, settings, universe=universe, similar=similar.of_pairs, across=similar.across
    )


# --- what is rated ------------------------------------------------------------------------------------------


def _aligned(pair: Pair, similar: Alike, alike: float, counted: set[str] | None) -> list[Aligned]:
    """Items of two curators; with `counted`, a concept whose status is none of these is absent."""
    sides: tuple[dict[str, dict[Any, str]], dict[str, dict[Any, str]]] = ({}, {})
    for doc_id, item, labels in pair.named:
        for side, label in zip(sides, labels, strict=True):
            named = counted is None or label in counted
            side.setdefault(doc_id, {})[item] = label if named and label is not None else ABSENT
    return align(*sides, similar, alike)


def _overlap(left: Sequence[str], right: Sequence[str]) -> list[float]:
    """1 - Jaccard of two sets of axes; none against anything else is 1."""
    found = []
    for a, b in zip(left, right, strict=True):
        ours, theirs = (set(label.split(", ")) - {NONE} for label in (a, b))
        found.append(1 - len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0)
    return found


# --- values -------------------------------------------------------------------------------------------------


def _of(found: Coefficient, documents: int) -> Estimate:
    return Estimate(found.value, documents, reason=found.reason)


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
    alpha: Estimate | None,
) -> dict[str, Value]:
    """
    Args:
        alpha: of these two, where it is known.
    """
    units = [(unit[0], unit[2]) for unit in pair.units]
    rated, differ = [(unit[0], unit[2]) for unit in pair.rated], len(pair.differing)
    found: dict[str, Value] = {
        "curators": f"{ratings.people[pair.a]}, {ratings.people[pair.b]}",
        "n": len(pair.documents),
        "items": len(rated),
        "missing": len(units) - len(rated),
        "differ": differ,
        "observed": (len(rated) - differ) / len(rated) if rated else None,
        "kappa": kappa(units, pair.documents, how),
        "alpha": alpha or alpha_estimate(rated, pair.documents, how),
    }
    if ratings.kind == "concepts":
        sides = [
            (d, float(x in counted and y in counted), float(x in counted) + float(y in counted))
            for d, _, (x, y) in pair.named
        ]
        found["pairwise_f1"] = f1_estimate(sides, pair.documents, how)
    return found


def _near_f1(pair: Pair, how: Bootstrap, items: list[Aligned]) -> Estimate:
    """
    Args:
        items: a concept of a status that does not count is absent.
    """
    credit = [(i.doc_id, i.similarity, float((i.a is not None) + (i.b is not None))) for i in items]
    return f1_estimate(credit, pair.documents, how)
