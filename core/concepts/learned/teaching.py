"""Count, over documents with known answers, which words were right, and collect the names people found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from core.concepts.learned.counts import LEAST, NEW, Counts, Key, sure
from core.concepts.learned.features import BY_COUNTS, FEATURES, FEW, Describer, present, words_of
from core.concepts.lexicon import Lexicon
from core.concepts.lexicon.drafts import Heard
from core.concepts.lexicon.vocabulary import form
from core.learners.head import Rows
from core.learners.keep_drop import fit
from core.records import Curie
from core.records.learned import Head, Known
from core.text.spans import words

FOLDS = 5
LONGEST = 8
"""Words of a name that is learned; longer stretches are no names."""


class Named(NamedTuple):
    """A mention that people found."""

    concept: Curie
    quote: str
    by: str
    """Curator, or the gold set that it is imported from."""


class Lesson(NamedTuple):
    """One document with what is known about it."""

    text: str
    present: frozenset[Curie]
    absent: frozenset[Curie] | None
    """None: all else is absent, as gold is complete here."""
    named: tuple[Named, ...] = ()
    unsettled: frozenset[Curie] = frozenset()
    """Neither present nor absent, whatever else holds."""

    def judged(self, concept: Curie) -> bool | None:
        """Whether the concept is there; None: nobody has said."""
        if concept in self.present:
            return True
        if concept in self.unsettled:
            return None
        return False if self.absent is None or concept in self.absent else None


def teach(
    lexicon: Lexicon, lessons: Sequence[Lesson], *, head: bool = True
) -> tuple[tuple[Known, ...], Head | None]:
    """What can be learned from some documents: names with counts, and a head where there is enough for one.

    Args:
        lexicon: as it is without anything learned.
        head: learn a head, too.
    """
    known = learn_names(lexicon, lessons)
    if not head or len(lessons) < 2:
        return known, None
    rows, kept, documents, missed = examples(lexicon, lessons)
    return known, fit(rows, kept, documents, FEATURES, few=FEW, trusted=BY_COUNTS, missed=missed)


def learn_names(lexicon: Lexicon, lessons: Sequence[Lesson]) -> tuple[Known, ...]:
    """Names with counts, ordered by concept and words."""
    names, by = _new_names(lexicon, lessons)
    more = lexicon.taught([(concept, text) for (concept, _), text in names.items()], ())
    kept: Counter[Key] = Counter()
    seen: Counter[Key] = Counter()
    for lesson in lessons:
        for key, right in _judged(lesson, present(more.hear(lesson.text))).items():
            seen[key] += 1
            kept[key] += right
    known = []
    for key in sorted(seen):
        name = names.get(key)
        count = kept[key], seen[key]
        worth = name is not None and kept[key] > 0 and sure(count, NEW) >= LEAST
        known.append(
            Known(
                concept=key[0],
                words=key[1],
                kept=count[0],
                seen=count[1],
                name=name if worth else None,
                by=tuple(sorted(by.get(key, ()))),
            )
        )
    return tuple(known)


def examples(
    lexicon: Lexicon, lessons: Sequence[Lesson], folds: int = FOLDS
) -> tuple[Rows, np.ndarray, np.ndarray, int]:
    """Rows of features, whether each was right, its document, and how many concepts of gold have no row.

    Each document is read with the names and counts that the other folds teach, as a new document will be:
    where a document taught its own rows, a head would see no learned name that is wrong, and of words that
    are right in every second document it would learn that what was right elsewhere is wrong here.
    """
    rows: list[Rows] = []
    kept: list[bool] = []
    documents: list[int] = []
    missed, folds = 0, min(folds, len(lessons))
    for fold in range(folds):
        known = learn_names(lexicon, [one for i, one in enumerate(lessons) if i % folds != fold])
        more = lexicon.taught([(one.concept, one.name) for one in known if one.name is not None], ())
        describer = Describer(lexicon.lineage, Counts(known))
        for number in range(fold, len(lessons), folds):
            lesson = lessons[number]
            heard = present(more.hear(lesson.text))
            curies = [said.concept.curie for said in heard.said]
            right = [lesson.judged(curie) for curie in curies]
            missed += len(lesson.present - set(curies))
            rows.append(describer.rows(heard)[np.array([one is not None for one in right], dtype=bool)])
            kept += [one for one in right if one is not None]
            documents += [number] * (len(kept) - len(documents))
    every = np.concatenate([np.empty((0, len(FEATURES))), *rows])
    return every, np.array(kept, dtype=bool), np.array(documents, dtype=np.int64), missed


def _judged(lesson: Lesson, heard: Heard) -> dict[Key, bool]:
    """The words of a document that say a concept which was judged there -> whether it is there."""
    found: dict[Key, bool] = {}
    for concept, readings in heard.said:
        right = lesson.judged(concept.curie)
        if right is not None:
            found.update(((concept.curie, words_of(heard.found, r)), right) for r in readings)
    return found


def _new_names(lexicon: Lexicon, lessons: Iterable[Lesson]) -> tuple[dict[Key, str], dict[Key, set[str]]]:
    """Names that the lexicon does not have: (concept, words) -> as written most often, and who bore them."""
    written: dict[Key, Counter[str]] = {}
    by: dict[Key, set[str]] = {}
    for lesson in lessons:
        for one in lesson.named:
            if one.concept not in lesson.present:
                continue
            found = words(one.quote)
            if not 0 < len(found.words) <= LONGEST:
                continue
            text = " ".join(found.span(0, len(found.words) - 1).quote.split())
            if one.concept not in lexicon.says(text):
                key = one.concept, form(text)
                written.setdefault(key, Counter())[text] += 1
                by.setdefault(key, set()).add(one.by)
    return {key: min(texts, key=lambda t: (-texts[t], t)) for key, texts in written.items()}, by
