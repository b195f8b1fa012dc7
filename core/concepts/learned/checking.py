"""What learning brings on documents that it has not seen: cross-validation over those learned from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from core.concepts.hypernyms import left
from core.concepts.learned.judging import learned_lexicon
from core.concepts.learned.teaching import Lesson, teach
from core.concepts.lexicon import Lexicon
from core.concepts.profile import Hypernyms
from core.metrics.bootstrap import draws, interval, resample
from core.records import PRESENT, Draft
from core.records.learned import Gain

FOLDS = 5
RESAMPLES = 1000

Table = npt.NDArray[np.float64]
"""One row per document: right, spurious, missed."""


System = Literal["names", "keep_named_apart", "drop", "head"]
SYSTEMS: tuple[System, ...] = ("names", "keep_named_apart", "drop", "head")
"""The simplest first: learned names; names, and more general concepts of a text set aside; names and head."""


class Checked(NamedTuple):
    """Counts on held-out documents, in the order of the lessons."""

    plain: Table
    names: Table
    keep_named_apart: Table
    drop: Table
    head: Table

    def of(self, system: System) -> Table:
        found: Table = getattr(self, system)
        return found


def check(lexicon: Lexicon, lessons: Sequence[Lesson], folds: int = FOLDS) -> Checked:
    """Score the plain lexicon and every system, each document by what others teach.

    Of a document whose gold is not complete only the concepts that were judged are counted.
    """
    folds = min(folds, len(lessons))
    plain = scored(lexicon, lessons)
    found = Checked(plain, *(np.zeros_like(plain) for _ in SYSTEMS))
    for fold in range(folds):
        inside = list(range(fold, len(lessons), folds))
        others = [lesson for i, lesson in enumerate(lessons) if i % folds != fold]
        held_out = [lessons[i] for i in inside]
        known, made = teach(lexicon, others)
        with_names = learned_lexicon(lexicon, known)
        found.names[inside] = scored(with_names, held_out)
        found.keep_named_apart[inside] = scored(with_names, held_out, Hypernyms.KEEP_NAMED_APART)
        found.drop[inside] = scored(with_names, held_out, Hypernyms.DROP)
        with_head = learned_lexicon(lexicon, known, made)
        found.head[inside] = found.names[inside] if made is None else scored(with_head, held_out)
    return found


def choose(checked: Checked) -> System:
    """The best system; names alone, where it is within one standard error, over documents, of them: from a
    few documents the best is often the best by chance."""
    best = max(SYSTEMS, key=lambda system: f1(checked.of(system)) or 0.0)
    more = (f1(checked.of(best)) or 0.0) - (f1(checked.names) or 0.0)
    error = (_resampled(checked.of(best)) - _resampled(checked.names)).std()
    return best if more > error else "names"


def gain(checked: Checked, system: System, folds: int = FOLDS) -> Gain:
    """The figures to store with a set.

    Args:
        system: what the set does, to be compared with the plain lexicon.
    """
    documents = len(checked.plain)
    if documents < 2:
        return Gain(documents=documents, folds=0)
    best = checked.of(system)
    plain, found = f1(checked.plain), f1(best)
    if plain is None or found is None:
        return Gain(documents=documents, folds=min(folds, documents))
    low, high, _ = interval(_resampled(best) - _resampled(checked.plain))
    return Gain(
        documents=documents,
        folds=min(folds, documents),
        plain=plain,
        names=f1(checked.names),
        head=f1(checked.head),
        gain=found - plain,
        low=low,
        high=high,
    )


def f1(table: Table) -> float | None:
    """Micro F1; None where there is nothing to find and nothing was found."""
    right, spurious, missed = table.sum(axis=0)
    total = 2 * right + spurious + missed
    return float(2 * right / total) if total else None


def _resampled(table: Table) -> Table:
    def of(sums: Table) -> Table:
        return (2 * sums[:, 0] / np.maximum(2 * sums[:, 0] + sums[:, 1] + sums[:, 2], 1))[:, None]

    return resample(table, of, list(draws(len(table), RESAMPLES)))[:, 0]


def scored(lexicon: Lexicon, lessons: Sequence[Lesson], policy: Hypernyms = Hypernyms.KEEP) -> Table:
    """Of each document how many concepts are right, spurious and missed; what nobody judged counts as
    neither."""
    drafted = lexicon.annotate_all(one.text for one in lessons)
    rows = [_counts(left(d, policy, lexicon.lineage), one) for one, d in zip(lessons, drafted, strict=True)]
    return np.array(rows, dtype=float).reshape(-1, 3)


def _counts(drafts: Sequence[Draft], lesson: Lesson) -> tuple[int, int, int]:
    said = {draft.concept for draft in drafts if draft.assertion in PRESENT}
    right = len(said & lesson.present)
    spurious = sum(lesson.judged(concept) is False for concept in said)
    return right, spurious, len(lesson.present - said)
