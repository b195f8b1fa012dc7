"""What more review brings: F1 on held-out documents against what was learned from.

Ten splits: the documents are parted five ways, twice. Of each split the held-out fifth is scored by what
growing shares of the other documents teach, so that no document is scored by what it taught, and each is
scored twice at every share. Threshold and calibration of the head are chosen inside the share that teaches.
Intervals: percentile bootstrap over documents; differences are paired.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from core.concepts.learned.checking import RESAMPLES, Table, f1, scored
from core.concepts.learned.judging import learned_lexicon
from core.concepts.learned.teaching import Lesson, teach
from core.concepts.lexicon import Lexicon
from core.metrics.bootstrap import Floats, draws, interval, resample
from core.metrics.definition import Estimate
from core.records import Action, Curie

FOLDS, TIMES = 5, 2
SHARES = (0.125, 0.25, 0.5, 1.0)
LEAST = 10
"""Documents that a curve rests on at least: two in each fold."""
MOST = 400
"""Documents that it rests on at most, the first by the digests of their texts."""
FURTHER = 50
"""Documents more, of which is told what they may bring."""
WRONG = 0.05
TAUGHT = ("names", "head")
KINDS = (Action.ACCEPT, Action.REJECT, Action.FIX, Action.ADD)


class Costed(NamedTuple):
    """A document with what it cost to review it."""

    lesson: Lesson
    kinds: Mapping[Curie, Action] = {}
    """What said that a concept is there, or is not; empty where no decision did, as in imported gold."""
    decisions: int = 0
    minutes: float | None = None
    """None: no decision in it says how long it took."""


class Point(NamedTuple):
    """What was learned from a share of the documents: means over the splits."""

    documents: float
    decisions: float
    minutes: float | None
    names: Estimate
    """F1 with learned names and counts."""
    head: Estimate
    """The same with a head besides."""


class Kind(NamedTuple):
    """What decisions of one kind bring: F1 with all, less F1 without these."""

    action: Action
    decisions: int
    gain: Estimate
    """Of learned names."""
    gain_with_head: Estimate


class Curve(NamedTuple):
    """F1 is micro F1 of document labels."""

    documents: int
    points: tuple[Point, ...]
    """The first is the dictionary as it was."""
    kinds: tuple[Kind, ...]
    """Empty where nothing was decided here."""
    further: Estimate
    """What `FURTHER` documents more may bring to the names: along the line through the last two points, over
    the logarithm of the documents; blank where it cannot be told."""
    wrong: Estimate
    """F1 that learned names lose if a share of `WRONG` of what is known were wrong."""
    further_with_head: Estimate
    wrong_with_head: Estimate


def learning_curve(
    lexicon: Lexicon, documents: Sequence[Costed], progress: Callable[[int, int], None] | None = None
) -> Curve:
    """Measure it.

    Args:
        lexicon: as it is without anything learned.
        documents: at least `LEAST`; of more than `MOST` the first.
        progress: told how many of how many steps are done.
    """
    documents = documents[:MOST]
    work = _Work(lexicon, documents, progress or (lambda done, total: None))
    known = [kind for kind in KINDS if any(kind in one.kinds.values() for one in documents)]
    for split in range(FOLDS * TIMES):
        work.split(split, known)
    resamples = list(draws(len(documents), RESAMPLES))
    tables = {key: _resampled(table, resamples) for key, table in work.tables.items()}
    changes = {key: _resampled(table, resamples) for key, table in work.changed.items()}
    points = tuple(_point(work, share, tables) for share in (0.0, *SHARES))

    def lost(changed: str, system: str) -> Estimate:
        """What is lost where what teaches is changed."""
        one, other = ("all", system), (changed, system)
        return _less((work.changed[one], changes[one]), (work.changed[other], changes[other]))

    kinds = tuple(
        Kind(
            kind,
            sum(said is kind for one in documents for said in one.kinds.values()),
            *(lost(kind.value, system) for system in TAUGHT),
        )
        for kind in known
    )
    further, further_with_head = (_further(work, tables, system) for system in TAUGHT)
    wrong, wrong_with_head = (lost("wrong", system) for system in TAUGHT)
    return Curve(len(documents), points, kinds, further, wrong, further_with_head, wrong_with_head)


_Key = TypeVar("_Key")


class _Work:
    """Counts of every system at every share, one row per document, summed over the splits."""

    def __init__(
        self, lexicon: Lexicon, documents: Sequence[Costed], progress: Callable[[int, int], None]
    ) -> None:
        self.documents = documents
        self.lessons = [one.lesson for one in documents]
        self.tables: dict[tuple[str, float], Table] = {}
        """By system and share."""
        self.changed: dict[tuple[str, str], Table] = {}
        """By what was changed in what teaches, and system; of the first parting alone."""
        self.taught: dict[float, list[list[int]]] = {share: [] for share in SHARES}
        self._lexicon, self._tell, self._done = lexicon, progress, 0
        self._plain = scored(lexicon, self.lessons)

    def split(self, number: int, kinds: Sequence[Action]) -> None:
        """One split; kinds of decisions and wrong ones are measured in the first parting alone."""
        again, fold = divmod(number, FOLDS)
        first = again == 0
        part = np.random.default_rng(again).permutation(len(self.lessons)) % FOLDS
        inside = np.flatnonzero(part == fold)
        others = np.random.default_rng(number).permutation(np.flatnonzero(part != fold))
        self._add(self.tables, ("plain", 0.0), inside, self._plain[inside])
        for share in SHARES:
            chosen = others[: max(1, round(share * len(others)))].tolist()
            self.taught[share].append(chosen)
            lessons = [self.lessons[i] for i in chosen]
            taught = self._taught(lessons, inside)
            for system, counts in zip(TAUGHT, taught, strict=True):
                self._add(self.tables, (system, share), inside, counts)
            self._step(len(kinds))
        if first:
            everything = [self.documents[i] for i in others]
            changed = {kind.value: [_without(one, kind) for one in everything] for kind in kinds}
            changed["wrong"] = _mistaken(self._lexicon, everything, number)
            told = {"all": taught}
            for name, lessons in changed.items():
                told[name] = self._taught(lessons, inside)
                self._step(len(kinds))
            for name, several in told.items():
                for system, counts in zip(TAUGHT, several, strict=True):
                    self._add(self.changed, (name, system), inside, counts)

    def _taught(self, lessons: Sequence[Lesson], inside: np.ndarray) -> tuple[Table, Table]:
        """Counts on held-out documents with learned names, and with a head, too, where there is one."""
        known, head = teach(self._lexicon, lessons)
        held_out = [self.lessons[i] for i in inside]
        names = scored(learned_lexicon(self._lexicon, known), held_out)
        return names, scored(learned_lexicon(self._lexicon, known, head), held_out) if head else names

    def _add(self, tables: dict[_Key, Table], key: _Key, inside: np.ndarray, counts: Table) -> None:
        tables.setdefault(key, np.zeros((len(self.lessons), 3)))[inside] += counts

    def _step(self, kinds: int) -> None:
        self._done += 1
        self._tell(self._done, FOLDS * TIMES * len(SHARES) + FOLDS * (kinds + 1))


def _without(one: Costed, kind: Action) -> Lesson:
    """A document as if the decisions of one kind had not been made."""
    gone = frozenset(concept for concept, said in one.kinds.items() if said is kind)
    lesson = one.lesson
    return lesson._replace(
        present=lesson.present - gone,
        absent=None if lesson.absent is None else lesson.absent - gone,
        named=tuple(named for named in lesson.named if named.concept not in gone),
        unsettled=lesson.unsettled | gone,
    )


def _mistaken(lexicon: Lexicon, documents: Sequence[Costed], seed: int) -> list[Lesson]:
    """The documents with a share of `WRONG` of what is known of what the dictionary says, or of what is
    there, turned round."""
    random = np.random.default_rng(seed)
    found = []
    for one in documents:
        lesson = one.lesson
        said = {draft.concept for draft in lexicon.annotate(lesson.text)}
        judged = sorted(c for c in said | lesson.present if lesson.judged(c) is not None)
        wrong = {c for c, turned in zip(judged, random.random(len(judged)) < WRONG, strict=True) if turned}
        present = lesson.present ^ wrong
        absent = None if lesson.absent is None else (lesson.absent | wrong) - present
        named = tuple(named for named in lesson.named if named.concept in present)
        found.append(lesson._replace(present=present, absent=absent, named=named))
    return found


def _point(work: _Work, share: float, resampled: Mapping[tuple[str, float], Floats]) -> Point:
    names, head = ("names", "head") if share else ("plain", "plain")
    taught = work.taught.get(share, [[]])

    def mean(of: Callable[[Costed], float]) -> float:
        return float(np.mean([sum(of(work.documents[i]) for i in chosen) for chosen in taught]))

    timed = all(one.minutes is not None for one in work.documents if one.decisions)
    decided = any(one.decisions for one in work.documents)
    return Point(
        float(np.mean([len(chosen) for chosen in taught])),
        mean(lambda one: one.decisions),
        mean(lambda one: one.minutes or 0.0) if timed and decided else None,
        *(_estimate(work.tables[name, share], resampled[name, share]) for name in (names, head)),
    )


def _estimate(table: Table, resampled: Floats) -> Estimate:
    low, high, _ = interval(resampled)
    return Estimate(f1(table), len(table), low=low, high=high)


def _less(one: tuple[Table, Floats], other: tuple[Table, Floats]) -> Estimate:
    """F1 of one system less that of another, each with its counts and its F1 in every resample."""
    low, high, _ = interval(one[1] - other[1])
    first, second = f1(one[0]), f1(other[0])
    value = first - second if first is not None and second is not None else None
    return Estimate(value, len(one[0]), low=low, high=high)


def _further(work: _Work, resampled: Mapping[tuple[str, float], Floats], system: str) -> Estimate:
    """What more documents may bring to a system."""
    before, now = SHARES[-2:]
    sizes = [float(np.mean([len(chosen) for chosen in work.taught[share]])) for share in (before, now)]
    count = len(work.documents)
    values = [f1(work.tables[system, share]) for share in (before, now)]
    if sizes[0] == sizes[1] or None in values:
        return Estimate(None, count, reason="The two largest shares do not differ.")
    if count < FURTHER // 2:
        return Estimate(None, count, reason=f"{count} documents are too few to look {FURTHER} further.")
    steps = np.log1p(FURTHER / count) / np.log(sizes[1] / sizes[0])
    low, high, _ = interval(steps * (resampled[system, now] - resampled[system, before]))
    gain = float(steps * ((values[1] or 0.0) - (values[0] or 0.0)))
    return Estimate(gain, count, low=low, high=high)


def _resampled(table: Table, resamples: Sequence[np.ndarray]) -> Floats:
    def of(sums: Table) -> Table:
        return (2 * sums[:, 0] / np.maximum(2 * sums[:, 0] + sums[:, 1] + sums[:, 2], 1))[:, None]

    return resample(table, of, resamples)[:, 0]
