"""What gold and a system say of claim pairs: one shape, whether from files or from a workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from core.evaluate.settings import Resampling, Settings
from core.metrics.conflict_spans import Claims, Marked
from core.metrics.documents import Item
from core.metrics.pair_labels import Label, Repairs
from core.metrics.reconciliation import Encoder
from core.records import ConflictType


class Said(NamedTuple):
    """One side's word on one pair."""

    label: Label
    reconciliation: str = ""
    spans: tuple[Marked, ...] = ()
    confidence: float | None = None
    """Of the label, as its maker states it."""
    level: int | None = None
    """How far the label was looked at (`pair_slices`); None: not known."""


SILENT = Said(Label(ConflictType.NO_CONFLICT))
"""What a pair without a prediction counts as: a missing conflict type, no axes, no confounder, no words."""


class GoldPair(NamedTuple):
    """A pair with its gold label."""

    pair_id: str
    domain: str
    articles: tuple[str, str]
    """Article uids of claim A and claim B."""
    claims: Claims
    said: Said
    provenance: str | None = None
    """Where the pair came from, as its file says."""
    item: int | None = None
    """Item of the workspace, where there is one: what its review page is called by."""


@dataclass(frozen=True, slots=True)
class PairGold:
    reference: str
    """Version included."""
    pairs: Mapping[str, GoldPair]
    excluded: int = 0
    """Pairs that people left unsure, or differ on: in no number."""
    rejected: int = 0
    """Pairs that people found unusable: in no number."""
    surplus: int = 0
    """Rows of pairs that the source holds already, merged (metric-definitions 10.2)."""
    duplicated: int = 0
    """Pairs that have several rows."""
    conflicting: int = 0
    """Of these, pairs whose rows differ in their conflict type."""
    ungrounded: int = 0
    """Gold quotes that have no place in their text: they mark nothing."""
    unpaired: int = 0
    """Gold pairs that the run did not pair: finding them was not its task here, so they are in no number."""


@dataclass(frozen=True, slots=True)
class PairPredictions:
    name: str
    """Run id or file."""
    said: Mapping[str, Said]
    repairs: Repairs = field(default_factory=Repairs)
    """What did not fit the schema, summed (metric-definitions 9.1)."""
    repaired: int = 0
    """Predictions with a repair."""
    surplus: int = 0
    duplicated: int = 0
    conflicting: int = 0
    """As for the gold."""
    odd_spans: int = 0
    """Evidence without words and offsets, left out."""


class ScoredPair(NamedTuple):
    """A gold pair with what was predicted for it."""

    gold: GoldPair
    predicted: Said
    answered: bool
    """False: there was no prediction."""

    def item(self, outcome: str, detail: str = "") -> Item:
        return Item(" + ".join(self.gold.articles), self.gold.pair_id, outcome, detail)


@dataclass(frozen=True, slots=True)
class PairInputs:
    pairs: tuple[ScoredPair, ...]
    """Sorted by pair id, so that no result depends on input order."""
    settings: Settings
    encoder: Encoder | None = None

    @property
    def resampling(self) -> Resampling:
        """Over all pairs: the same for every family, and for both sides of a review."""
        return self.settings.resampling(len(self.pairs))
