"""Count, over documents with known answers, which words were right, and collect the names people found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from core.concepts.learned.counts import LEAST, NEW, Counts, Key, sure
from core.concepts.learned.features import BY_COUNTS, FEATURES, Describer, Own, present, words_of
from core.concepts.lexicon import Lexicon
from core.concepts.lexicon.drafts import Heard, Reading, Said
from core.concepts.lexicon.index import LEARNED
from core.concepts.lexicon.vocabulary import form
from core.learners.head import Rows
from core.learners.keep_drop import fit
from core.records import Curie
from core.records.learned import Head, Known
from core.text.spans import words

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
    known, heard = learn_names(lexicon, lessons)
    if not head:
        return known, None
    rows, kept, documents, missed = examples(lexicon, known, lessons, heard)
    return known, fit(rows, kept, documents, FEATURES, trusted=BY_COUNTS, missed=missed)


def learn_names(lexicon: Lexicon, lessons: Sequence[Lesson]) -> tuple[tuple[Known, ...], list[Heard]]:
    """Names with counts, ordered by concept and words; and what was read with these names."""
    names, by = _new_names(lexicon, lessons)
    more = lexicon.taught([(concept, text) for (concept, _), text in names.items()], ())
    heard = [present(more.hear(lesson.text)) for lesson in lessons]
    kept: Counter[Key] = Counter()
    seen: Counter[Key] = Counter()
    for lesson, one in zip(lessons, heard, strict=True):
        for key, right in own_counts(lesson, one).items():
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
    return tuple(known), heard


def examples(
    lexicon: Lexicon, known: Collection[Known], lessons: Sequence[Lesson], heard: Sequence[Heard]
) -> tuple[Rows, np.ndarray, np.ndarray, int]:
    """Rows of features, whether each was right, its document, and how many concepts of gold have no row.

    Of each document the counts are those of the others: a name that it alone teaches is not known there.
    """
    counts = Counts(known)
    describer = Describer(lexicon.lineage, counts)
    rows: list[Rows] = []
    kept: list[bool] = []
    documents: list[int] = []
    missed = 0
    for number, (lesson, one) in enumerate(zip(lessons, heard, strict=True)):
        own = own_counts(lesson, one)
        here = without_own(one, counts, own)
        curies = [said.concept.curie for said in here.said]
        right = [lesson.judged(curie) for curie in curies]
        missed += len(lesson.present - set(curies))
        judged = np.array([one is not None for one in right], dtype=bool)
        rows.append(describer.rows(here, own)[judged])
        kept += [one for one in right if one is not None]
        documents += [number] * int(judged.sum())
    every = np.concatenate([np.empty((0, len(FEATURES))), *rows])
    return every, np.array(kept, dtype=bool), np.array(documents, dtype=np.int64), missed


def own_counts(lesson: Lesson, heard: Heard) -> dict[Key, bool]:
    """The words of a document that say a concept which was judged there -> whether it is there."""
    found: dict[Key, bool] = {}
    for concept, readings in heard.said:
        right = lesson.judged(concept.curie)
        if right is not None:
            found.update(((concept.curie, words_of(heard.found, r)), right) for r in readings)
    return found


def without_own(heard: Heard, counts: Counts, own: Own) -> Heard:
    """What would be read if this document had taught no name."""

    def stands(concept: Curie, reading: Reading) -> bool:
        key = concept, words_of(heard.found, reading)
        return reading.name.scope != LEARNED or counts.of(key, own)[0] > 0

    said = [Said(c, [r for r in readings if stands(c.curie, r)]) for c, readings in heard.said]
    return heard._replace(said=[one for one in said if one.readings])


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
