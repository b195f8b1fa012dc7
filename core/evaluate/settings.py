"""Options of an evaluation: one record, whatever is scored; `SUBJECTS` says who reads which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypedDict, cast

from core.errors import InputError
from core.metrics import FAMILIES, MENTION_FAMILIES, PAIR_FAMILIES, Family
from core.metrics.bootstrap import Resamples, draws
from core.metrics.documents import VACUOUS, Vacuous
from core.records import Assertion

Slice = Literal["branch", "length", "assertion"]
SLICES: tuple[Slice, ...] = ("branch", "length", "assertion")
Measure = Literal["lin", "jiang_conrath", "lineage"]
MEASURES: tuple[Measure, ...] = ("lin", "jiang_conrath", "lineage")
Information = Literal["structure", "corpus"]
INFORMATION: tuple[Information, ...] = ("structure", "corpus")
SLICED = "slices"
"""The family that `by` is for."""
EVERYTHING = "all"
USUAL = ("usual",)
LEAST_RESAMPLES = 100
"""Below, the ends of a 95 % interval hang on two or three resamples."""


About = Literal["concepts", "pairs", "mentions"]


class Subject(NamedTuple):
    """What can be scored."""

    families: Mapping[str, Family]
    usual: tuple[str, ...]
    """The families where none is chosen."""
    options: tuple[str, ...]
    """The settings that it reads, in the order in which they are said."""
    words: str = ""
    """What its families are families of, for messages."""


SUBJECTS: dict[About, Subject] = {
    "concepts": Subject(
        FAMILIES,
        ("corpus",),
        (
            *("families", "assertions", "bootstrap", "seed", "vacuous", "level", "by"),
            *("similarity", "information", "alike", "sure", "in_sample"),
        ),
    ),
    "pairs": Subject(
        PAIR_FAMILIES,
        tuple(PAIR_FAMILIES),
        ("families", "bootstrap", "seed", "level", "domain", "encoder"),
        " of claim pairs",
    ),
    "mentions": Subject(MENTION_FAMILIES, tuple(MENTION_FAMILIES), ("bootstrap", "seed", "level")),
}


class Resampling(TypedDict):
    """Arguments of every function that gives intervals."""

    index_lists: Resamples
    level: float


@dataclass(frozen=True, slots=True)
class Settings:
    """How to count. An option that does not concern the subject is not read.

    Raises:
        InputError: an unknown family, status or rule, no status at all, or a number out of its range.
    """

    families: tuple[str, ...] = USUAL
    """By default the usual ones of the subject."""
    assertions: tuple[Assertion, ...] = (Assertion.AFFIRMED, Assertion.UNCERTAIN)
    """A concept is in a document's set if its status is one of these."""
    bootstrap: int = 1000
    """Resamples for the intervals, at least 100; 0 for none."""
    seed: int = 13
    vacuous: Vacuous = "one"
    """What a document with neither gold nor predictions scores (see `core.metrics.corpus.score`)."""
    level: float = 0.95
    """Of every interval."""
    by: tuple[Slice, ...] = ()
    """What the corpus values are cut by (family `slices`)."""
    similarity: Measure = "lin"
    """Of concepts, for relaxed matching."""
    information: Information = "structure"
    """Where the information content of `lin` and `jiang_conrath` comes from."""
    alike: float = 0.7
    """Relaxed matching: from this similarity on, inclusive, two concepts match; above 0.5, up to 1."""
    sure: float = 0.8
    """Optimistic bounds: from this confidence on, inclusive, an unmatched prediction is wrong."""
    domain: str | None = None
    """Score only gold pairs of this domain; None: all."""
    encoder: str | None = None
    """Sentence encoder for the semantic similarity of reconciliations; None: it is left out."""
    in_sample: bool = False
    """Of a run that used what was learned: score the documents that it was learned from, too."""
    about: About = "concepts"
    """What is scored."""

    def __post_init__(self) -> None:
        subject = SUBJECTS[self.about]
        if self.families is USUAL:
            object.__setattr__(self, "families", subject.usual)
        _known(f"metric family{subject.words}", self.families, subject.families)
        _known("assertion status", self.assertions, [a.value for a in Assertion])
        _known("rule for vacuous documents", (self.vacuous,), VACUOUS)
        _known("similarity", (self.similarity,), MEASURES)
        _known("source of information content", (self.information,), INFORMATION)
        if self.by:
            _known("slice", self.by, SLICES)
        if not 0.5 < self.alike <= 1:
            raise InputError(
                f"Concepts match from a similarity above 0.5 and up to 1, not from {self.alike}: below, a "
                "match could be worth less than a parent or child."
            )
        if not 0 <= self.sure <= 1:
            raise InputError(f"The confidence of a sure prediction lies between 0 and 1, not at {self.sure}.")
        _check_resampling(self.bootstrap, self.seed, self.level)

    @classmethod
    def parse(
        cls,
        *,
        families: str = "",
        assertions: str = "affirmed,uncertain",
        by: str = "",
        about: About = "concepts",
        **options: Any,
    ) -> Settings:
        """From a command line: lists are comma-separated, in any order; `all`: every family, every slice; no
        family: the usual ones. Options that do not concern the subject are passed over."""
        subject = SUBJECTS[about]
        wanted = list(subject.families) if EVERYTHING in _split(families) else _split(families)
        chosen = {k: v for k, v in options.items() if k in subject.options}
        if about != "concepts":
            return cls(tuple(wanted) or subject.usual, about=about, **chosen)
        names, cut = _split(assertions), _split(by)
        _known("assertion status", names, [a.value for a in Assertion])
        # slices are a family of their own: one of the two options is enough to ask for them
        if cut and SLICED in FAMILIES and SLICED not in wanted:
            wanted = [*(wanted or subject.usual), SLICED]
        elif SLICED in wanted and not cut:
            cut = [EVERYTHING]
        return cls(
            families=tuple(wanted) or subject.usual,
            by=SLICES if EVERYTHING in cut else cast(tuple[Slice, ...], tuple(cut)),
            assertions=tuple(a for a in Assertion if a.value in names),
            **chosen,
        )

    @property
    def statuses(self) -> tuple[Assertion, ...]:
        """Those told apart, in canonical order: that of another person only where `assertions` names it."""
        return tuple(a for a in Assertion if a in self.assertions or a is not Assertion.OTHER_PERSON)

    def resampling(self, n: int) -> Resampling:
        """What the intervals of scores over n documents, pairs or other units are drawn from."""
        return {"index_lists": draws(n, self.bootstrap, self.seed), "level": self.level}

    def counts_as(self, other: Settings) -> bool:
        """Whether corpus values come out the same: only families and what they alone read may differ."""
        names = ("assertions", "bootstrap", "seed", "vacuous", "level")
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def to_json(self) -> dict[str, Any]:
        """The options that concern the subject."""
        found = {name: getattr(self, name) for name in SUBJECTS[self.about].options}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}


def _split(text: str) -> list[str]:
    return [part for part in (p.strip() for p in text.split(",")) if part]


def _known(kind: str, given: Any, known: Any) -> None:
    names = ", ".join(str(k) for k in known)
    for name in given:
        if name not in known:
            raise InputError(f"{str(name)!r} is no {kind}. Choose from {names}.")
    if not given:
        raise InputError(f"No {kind} was chosen. Give at least one of {names}.")


def _check_resampling(bootstrap: int, seed: int, level: float) -> None:
    """Raise InputError where settings ask for intervals that cannot be drawn, or say nothing.

    Args:
        bootstrap: resamples; 0 for no intervals.
    """
    if bootstrap < 0 or seed < 0:
        raise InputError("Resamples and seed are whole numbers from 0. Give 0 resamples for no interval.")
    if 0 < bootstrap < LEAST_RESAMPLES:
        raise InputError(
            f"{bootstrap} resamples are too few for an interval. Give at least {LEAST_RESAMPLES}, usually "
            "1000, or 0 for no interval."
        )
    if not 0 < level < 1:
        raise InputError(f"An interval's level lies between 0 and 1, not at {level}.")
