"""Two machine annotators of claim pairs, on the pairs that both labelled. Neither of them is gold.

    compare_pair_runs(workspace, "rules-1", "model-1")
    compare_pair_runs(workspace, "model-1", "model-1")       # its model against its rules

After BioDivergence (paper 004), Tables 27, 28 and 39: how the types are distributed, axes and confounders,
mean confidence; agreement overall and type by type; pilot against all. Distributions of two annotators stand
side by side on the same pairs alone, since those of other pairs would also differ by what the pairs are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, NamedTuple

from core.charts import Table
from core.errors import InputError
from core.evaluate.runs import alike, differing
from core.kinds.names import called
from core.metrics.agreement import Agreement, agreement
from core.metrics.agreement_intervals import Bootstrap, kappa
from core.metrics.definition import Estimate
from core.records import Axis, CandidatePair, ConflictType, ItemKind, Origin, PairLabel, Tier
from core.store import pairs
from core.store.workspace import Workspace


class ComparedPair(NamedTuple):
    """A pair on whose type the two differ."""

    item: int
    pair_id: str
    claim_a: str
    claim_b: str
    type_a: ConflictType
    type_b: ConflictType


@dataclass(frozen=True, slots=True)
class Profile:
    """What an annotator says of some pairs (Tables 27 and 28)."""

    n: int
    types: dict[str, int]
    """Conflict type -> pairs."""
    axes: int
    """Axes named, over all pairs."""
    unique_axes: int
    """Different axes named, of thirteen."""
    confounders: int
    """Pairs with a dominant confounder."""
    confounder_coverage: float | None
    """Their share of the pairs, in [0, 1]."""
    mean_confidence: float | None
    """Over labels that state one."""
    confident: int
    """Labels that state one."""
    repaired: int


@dataclass(frozen=True, slots=True)
class ByType:
    """Agreement on one type (Table 39); None: neither side has it (U0)."""

    conflict_type: str
    n_a: int
    n_b: int
    agree: int
    recall: float | None
    """agree / n_a"""
    precision: float | None
    """agree / n_b"""
    jaccard: float | None
    """agree / (n_a + n_b - agree)"""


@dataclass(frozen=True, slots=True)
class PairRunComparison:
    a: str
    b: str
    corpus: str
    pairs_a: int
    pairs_b: int
    """Labelled by each."""
    both: int
    agreement: Agreement
    """Observed agreement and Cohen's kappa of the types, over pairs that both labelled."""
    kappa: Estimate
    """The same kappa with its interval: articles resampled, a pair going with the article of its claim a."""
    by_type: tuple[ByType, ...]
    profiles: dict[str, Profile]
    """`A` and `B` over pairs of both; then each over the pilot and over all of its own pairs."""
    differing_settings: dict[str, tuple[Any, Any]]
    items: tuple[ComparedPair, ...]
    """Pairs on whose type they differ, by types and pair id."""

    def to_json(self) -> dict[str, Any]:
        """All figures; the pairs are listed apart."""
        found = asdict(self)
        del found["items"]
        return found | {"kappa": self.kappa.to_json()}

    def tables(self) -> list[Table]:
        """For pages, the command line and reports."""
        names = list(self.profiles)
        rows: list[tuple[Any, ...]] = [("pairs", *(p.n for p in self.profiles.values()))]
        rows += [
            (called(kind), *(p.types[kind] for p in self.profiles.values()))
            for kind in map(str, ConflictType)
        ]
        for title, field in (
            ("axes named", "axes"),
            ("different axes, of 13", "unique_axes"),
            ("dominant confounders", "confounders"),
            ("share with a confounder", "confounder_coverage"),
            ("mean confidence", "mean_confidence"),
            ("labels with a confidence", "confident"),
            ("repaired", "repaired"),
        ):
            values = (getattr(p, field) for p in self.profiles.values())
            rows.append((title, *(f"{v:.3f}" if isinstance(v, float) else v for v in values)))
        agreed = self.agreement
        overall = [
            ("pairs that both labelled", self.both),
            ("observed agreement", None if agreed.observed is None else f"{agreed.observed:.3f}"),
            ("Cohen's kappa", None if agreed.kappa is None else f"{agreed.kappa:.3f}"),
        ]
        if self.kappa.low is not None and self.kappa.high is not None:
            overall.append(("its 95 % interval", f"{self.kappa.low:.3f} to {self.kappa.high:.3f}"))
        shares = ("recall", "precision", "jaccard")
        each = [
            (
                called(one.conflict_type),
                *(one.n_a, one.n_b, one.agree),
                *(None if (v := getattr(one, name)) is None else f"{v:.3f}" for name in shares),
            )
            for one in self.by_type
        ]
        columns = ("type", "A", "B", "both", "both of A", "both of B", "Jaccard")
        note = "A and B stand on the same pairs; the other columns on all pairs of one annotator."
        return [
            Table("Agreement", ("value", "estimate"), overall, note=agreed.reason or ""),
            Table("Agreement by type", columns, each),
            Table("What each says", ("of", *names), rows, note=note),
        ]


def compare_pair_runs(workspace: Workspace, a: str, b: str) -> PairRunComparison:
    """How far two runs of claim pairs agree, by their silver labels: a model's, else the rules'.

    Args:
        b: the same run as `a`: its model's labels are held against its rules'.

    Raises:
        NotFoundError: no such run.
        InputError: a run labels concepts, the corpora differ, or no pair has a label of both.
    """
    found = alike(workspace, a, b, ItemKind.PAIR)
    known: dict[int, CandidatePair] = {}
    for name in found:
        known |= {pair.item_id: pair for pair in pairs.pairs(workspace, name)}
    ours, theirs = _labels(workspace, a, b)
    shared = [item for item in known if item in ours and item in theirs]
    if not shared:
        raise InputError(
            f"Run {a!r} has no labels of both a model and the rules."
            if a == b
            else f"Runs {a!r} and {b!r} share no labelled pair, so there is nothing to compare."
        )
    types = [(ours[item].conflict_type, theirs[item].conflict_type) for item in shared]
    differ = [
        ComparedPair(item, known[item].pair_id, known[item].a.text, known[item].b.text, x, y)
        for item, (x, y) in zip(shared, types, strict=True)
        if x is not y
    ]
    order = list(ConflictType)
    articles = [known[item].a.article_uid for item in shared]
    return PairRunComparison(
        a=a,
        b=b,
        corpus=found[a].corpus,
        pairs_a=len(ours),
        pairs_b=len(theirs),
        both=len(shared),
        agreement=agreement(types),
        kappa=kappa(list(zip(articles, types, strict=True)), sorted(set(articles)), Bootstrap()),
        by_type=tuple(_by_type(kind, types) for kind in ConflictType),
        profiles=_profiles(known, ours, theirs, shared),
        differing_settings=differing(workspace, found[a], found[b]),
        items=tuple(sorted(differ, key=lambda p: (order.index(p.type_a), order.index(p.type_b), p.pair_id))),
    )


def _labels(workspace: Workspace, a: str, b: str) -> tuple[dict[int, PairLabel], dict[int, PairLabel]]:
    """Item -> label of A, and of B."""
    sides: tuple[dict[int, PairLabel], dict[int, PairLabel]] = ({}, {})
    if a == b:
        for stored in pairs.labels(workspace, a):
            sides[stored.label.origin is Origin.HEURISTIC][stored.item_id] = stored.label
        return sides
    for held, run in zip(sides, (a, b), strict=True):
        for stored in pairs.labels(workspace, run):  # of a pair the model's comes first
            held.setdefault(stored.item_id, stored.label)
    return sides


def _by_type(kind: ConflictType, types: Sequence[tuple[ConflictType, ConflictType]]) -> ByType:
    n_a, n_b = sum(x is kind for x, _ in types), sum(y is kind for _, y in types)
    agree = sum(x is y is kind for x, y in types)
    if not n_a and not n_b:
        return ByType(kind.value, 0, 0, 0, None, None, None)
    return ByType(
        kind.value,
        n_a,
        n_b,
        agree,
        agree / n_a if n_a else 0.0,
        agree / n_b if n_b else 0.0,
        agree / (n_a + n_b - agree),
    )


def _profiles(
    known: dict[int, CandidatePair],
    ours: dict[int, PairLabel],
    theirs: dict[int, PairLabel],
    shared: Sequence[int],
) -> dict[str, Profile]:
    found = {"A": _profile([ours[i] for i in shared]), "B": _profile([theirs[i] for i in shared])}
    for name, held in (("A", ours), ("B", theirs)):
        pilot = [label for item, label in held.items() if known[item].tier is Tier.PILOT]
        if pilot:
            found |= {f"{name}, pilot": _profile(pilot), f"{name}, all": _profile(list(held.values()))}
    return found


def _profile(labels: Sequence[PairLabel]) -> Profile:
    types = Counter(label.conflict_type for label in labels)
    axes: Counter[Axis] = Counter(axis for label in labels for axis in label.axes)
    stated = [label.confidence for label in labels if label.confidence is not None]
    named = sum(label.confounder is not None for label in labels)
    return Profile(
        n=len(labels),
        types={kind.value: types[kind] for kind in ConflictType},
        axes=axes.total(),
        unique_axes=len(axes),
        confounders=named,
        confounder_coverage=named / len(labels) if labels else None,
        mean_confidence=fmean(stated) if stated else None,
        confident=len(stated),
        repaired=sum(label.repaired for label in labels),
    )
