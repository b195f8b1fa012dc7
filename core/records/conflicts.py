"""Pairs of claims, and what is said about how and why two claims seem to disagree (paper 004, Tables 14 to
16, 29 and 30).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.records.claims import Claim, Section
from core.records.taxonomy import Axis, ConflictType
from core.records.texts import Span
from core.records.vocabulary import Origin


class Tier(StrEnum):
    """Annotation queues (paper 004, I.4): a stratified pilot, then a development set, then all."""

    PILOT = "pilot"
    DEVELOPMENT = "development"
    FULL = "full"


class PairSort(StrEnum):
    """In which order the pairs of a run are written."""

    LIKELIHOOD = "likelihood"
    """The likeliest conflict first; pairs without a likelihood behind them, tier by tier."""
    SCORE = "score"
    """The best score first."""
    TIER = "tier"
    """Pilot, development, full; each as stored."""
    FILE = "file"
    """As stored: of a run that mined them by domain, best first; of a file in its order of domains."""


class Level(StrEnum):
    """Where evidence was quoted from: the claim itself, or elsewhere in its abstract."""

    CLAIM = "claim"
    ABSTRACT = "abstract"


LIKELY, POSSIBLE = 0.5, 0.2
"""Least likelihood of a conflict for each word."""


# --- pairs ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scores:
    """Stage 4: s = 0.35 sim + 0.35 dis + 0.15 ent + 0.10 type - p_year (metric-definitions 10.1)."""

    sim: float
    dis: float
    ent: float
    type: float
    year: float
    """The penalty, as it is subtracted."""
    combined: float


@dataclass(frozen=True, slots=True)
class Likelihood:
    """Stage 4: how likely it is that two claims disagree, and what it was made from."""

    value: float
    """Probability, in [0, 1]."""
    parts: tuple[tuple[str, float], ...] = ()
    """(name, value) in the order of the formula of `core.conflicts.mine.likelihood`; none where the value
    came in with a file."""

    @property
    def word(self) -> str:
        """As it is shown: likely, possible or unlikely."""
        return "likely" if self.value >= LIKELY else "possible" if self.value >= POSSIBLE else "unlikely"


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """Stage 4: two claims of different articles of one domain; `a.key() < b.key()`."""

    pair_id: str
    domain: str
    a: Claim
    b: Claim
    scores: Scores
    signals: tuple[str, ...] = ()
    """What the disagreement signal rests on, in words such as `direction: increased / unchanged`."""
    tier: Tier = Tier.FULL
    likelihood: Likelihood | None = None
    """None: mined before it was told."""
    id: int = 0
    """Row in the store."""
    item_id: int = 0


@dataclass(frozen=True, slots=True)
class Side:
    """What an annotator sees of one side, besides the claim."""

    text: str
    """The normalised abstract: the frame of the claim's offsets and of evidence."""
    title: str | None = None
    journal: str | None = None
    year: int | None = None
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class PairTask:
    """Stage 5: a pair as it is given to an annotator (paper 004, Table 29, AnnotationTask)."""

    pair: CandidatePair
    a: Side
    b: Side


@dataclass(frozen=True, slots=True)
class PairSpan:
    """A quote on one side of a pair. Offsets in that side's normalised abstract; None where it does not stand
    there."""

    side: str
    """a or b"""
    quote: str
    start: int | None
    end: int | None
    level: Level = Level.CLAIM
    role: str | None = None

    @property
    def grounded(self) -> bool:
        return self.start is not None


@dataclass(frozen=True, slots=True)
class PairLabel:
    """Stage 5: one annotator's label of one pair, consistent: no_conflict has no axes and no confounder, the
    confounder is one of the axes, axes are in the order of `Axis` and each once."""

    comparable: bool
    conflict_type: ConflictType
    axes: tuple[Axis, ...] = ()
    confounder: Axis | None = None
    reconciliation: str = ""
    evidence: tuple[PairSpan, ...] = ()
    confidence: float | None = None
    notes: str = ""
    origin: Origin = Origin.HEURISTIC
    annotator: str = "heuristic"
    """Model name, or `heuristic` with its version."""
    repaired: bool = False
    """Whether an off-schema answer was made to fit; such a label never enters dev or test unreviewed."""
    repairs: tuple[str, ...] = ()
    """What was repaired, in words."""


@dataclass(frozen=True, slots=True)
class StoredPairLabel:
    """A label of a pair in a workspace."""

    id: int
    run: str
    item_id: int
    label: PairLabel
    call_id: int | None = None


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """What a positive decision says about a pair. Stored in full, so gold needs no proposal."""

    pair_id: str
    comparable: bool
    conflict_type: ConflictType
    axes: tuple[Axis, ...] = ()
    confounder: Axis | None = None
    reconciliation: str = ""
    spans_a: tuple[Span, ...] = ()
    """In the normalised abstract of side A."""
    spans_b: tuple[Span, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "pair": self.pair_id,
            "comparable": self.comparable,
            "conflict_type": self.conflict_type.value,
            "axes": [axis.value for axis in self.axes],
            "confounder": self.confounder.value if self.confounder else None,
            "reconciliation": self.reconciliation,
            "spans_a": [[s.start, s.end, s.quote] for s in self.spans_a],
            "spans_b": [[s.start, s.end, s.quote] for s in self.spans_b],
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> PairAnswer:
        return cls(
            pair_id=str(value["pair"]),
            comparable=bool(value["comparable"]),
            conflict_type=ConflictType(value["conflict_type"]),
            axes=tuple(Axis(axis) for axis in value.get("axes", ())),
            confounder=Axis(value["confounder"]) if value.get("confounder") else None,
            reconciliation=str(value.get("reconciliation") or ""),
            spans_a=tuple(Span(int(a), int(b), str(q)) for a, b, q in value.get("spans_a", ())),
            spans_b=tuple(Span(int(a), int(b), str(q)) for a, b, q in value.get("spans_b", ())),
        )


def inconsistencies(
    conflict_type: ConflictType, axes: tuple[Axis, ...], confounder: Axis | None
) -> list[str]:
    """Why a combination cannot stand, as sentences for a curator; empty where it can."""
    found = []
    if conflict_type is ConflictType.NO_CONFLICT and (axes or confounder):
        found.append(
            "Without a conflict there is nothing for axes to explain: untick them, or choose a type."
        )
    if confounder is not None and confounder not in axes:
        found.append("The dominant confounder must be one of the ticked axes.")
    return found


def doubts(comparable: bool, conflict_type: ConflictType, axes: tuple[Axis, ...]) -> list[str]:
    """What the boundary rules of the types speak against (paper 004, Table 15), as sentences for a curator,
    who may know better."""
    found = []
    named = [axis for axis in axes if axis is not Axis.UNKNOWN_LATENT_FACTOR]
    if not comparable and conflict_type is not ConflictType.NO_CONFLICT:
        found.append("Claims that cannot be compared hardly conflict.")
    if conflict_type is ConflictType.CONTEXTUAL_CONTRADICTION and not axes:
        found.append("A contextual contradiction is explained by an axis; none is ticked.")
    if conflict_type is ConflictType.DIRECT_CONTRADICTION and named:
        found.append("Where a stated axis explains the difference, the contradiction is contextual.")
    if conflict_type is ConflictType.UNDERSPECIFIED_APPARENT_CONTRADICTION and named:
        found.append("Where an axis can be read from the text, contextual contradiction comes first.")
    return found
