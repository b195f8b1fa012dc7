"""What learning brings on documents that it has not seen: cross-validation over those learned from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.concepts.learned.judging import learned_lexicon
from core.concepts.learned.teaching import Lesson, teach
from core.concepts.lexicon import Lexicon
from core.metrics.bootstrap import draws, interval, resample
from core.records import PRESENT, Draft
from core.records.learned import Gain

FOLDS = 5
RESAMPLES = 1000

Table = npt.NDArray[np.float64]
"""One row per document: right, spurious, missed."""


class Checked(NamedTuple):
    """Counts on held-out documents, in the order of the lessons."""

    plain: Table
    names: Table
    head: Table


def check(lexicon: Lexicon, lessons: Sequence[Lesson], folds: int = FOLDS) -> Checked:
    """Score the plain lexicon, learned names, and names with a head, each document by what others teach.

    Of a document whose gold is not complete only the concepts that were judged are counted.
    """
    folds = min(folds, len(lessons))
    plain = scored(lexicon, lessons)
    names, head = np.zeros_like(plain), np.zeros_like(plain)
    for fold in range(folds):
        inside = list(range(fold, len(lessons), folds))
        others = [lesson for i, lesson in enumerate(lessons) if i % folds != fold]
        held_out = [lessons[i] for i in inside]
        known, made = teach(lexicon, others)
        names[inside] = scored(learned_lexicon(lexicon, known), held_out)
        with_head = learned_lexicon(lexicon, known, made)
        head[inside] = names[inside] if made is None else scored(with_head, held_out)
    return Checked(plain, names, head)


def gain(checked: Checked, *, head: bool, folds: int = FOLDS) -> Gain:
    """The figures to store with a set.

    Args:
        head: the set has a head; else its names alone are compared with the plain lexicon.
    """
    documents = len(checked.plain)
    if documents < 2:
        return Gain(documents=documents, folds=0)
    best = checked.head if head else checked.names
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


def scored(lexicon: Lexicon, lessons: Sequence[Lesson]) -> Table:
    """Of each document how many concepts are right, spurious and missed; what nobody judged counts as
    neither."""
    return np.array([_counts(lexicon.annotate(one.text), one) for one in lessons], dtype=float).reshape(-1, 3)


def _counts(drafts: Sequence[Draft], lesson: Lesson) -> tuple[int, int, int]:
    said = {draft.concept for draft in drafts if draft.assertion in PRESENT}
    right = len(said & lesson.present)
    spurious = sum(lesson.judged(concept) is False for concept in said)
    return right, spurious, len(lesson.present - said)
