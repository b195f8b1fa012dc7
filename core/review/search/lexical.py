"""Concepts found by the words that somebody types: names, synonyms, abbreviations, words mistyped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import OSA

from core.review.search import abbreviations
from core.review.search.folding import Query, word_list
from core.review.search.names import OWN, Names, everywhere
from core.review.search.rows import LAY, Row, Why
from core.review.search.spelling import Spelling
from core.text.normalise import singular, stem

if TYPE_CHECKING:
    from numpy.typing import NDArray

ABBREVIATED = 5
"""Most rows of each kind that an abbreviation brings."""
SPELLED = 6
"""Most rows by likeness of spelling."""
PARTLY = 8
"""Most rows that share only some of the words."""
EXTRA, SYNONYM = 0.02, 0.01
"""What a word more than the query, and being no concept's own name, cost a likeness."""
SILENCED = 3
"""Most words beside a lay phrase that stands in a query."""
LEAST_SHARE = 0.5
MISSED = 0.05
"""What a word of the query costs that a name lacks, against one that the name has and the query lacks."""


class Lexical:
    """The lexical part of a search over the names of one ontology version."""

    def __init__(self, names: Names):
        self.names = names
        self._spelling = Spelling(names)

    def rows(self, query: Query) -> Iterator[Row]:
        """Best first; a concept may come again with a worse name.

        Whole names, whole synonyms, abbreviations, lay words, names and synonyms with all the words, the same
        with the last word as a beginning, then what is spelled alike.
        """
        if not query.words:
            return
        forms = self._forms(query)
        held = [self.names.holding(form) for form in forms]
        whole = [h[self.names.size[h] == len(form)] for h, form in zip(held, forms, strict=True)]
        yield from self._whole(query, _joined(whole))
        yield from self._abbreviated(query)
        yield from self._in_plain_words(query)
        found = _joined(held)
        yield from self._own_first(found)
        begun = self._begun(query)
        yield from self._own_first(begun)
        yield from self._spelled(query, begun=bool(len(begun)))

    # --- all the words --------------------------------------------------------------------------------------

    def _forms(self, query: Query) -> list[tuple[str, ...]]:
        """The words of the query, and the same with two words written as one or one as two."""
        words, known = query.words, self.names.number
        forms = [words]
        for i, (one, other) in enumerate(pairwise(words)):
            if one + other in known:
                forms.append((*words[:i], one + other, *words[i + 2 :]))
        for i, word in enumerate(words):
            if word not in known:
                cuts = ((word[:at], word[at:]) for at in range(3, len(word) - 2))
                forms += [(*words[:i], *cut, *words[i + 1 :]) for cut in cuts if known.keys() >= set(cut)]
        return forms[:8]

    def _whole(self, query: Query, numbers: NDArray[np.int32]) -> Iterator[Row]:
        """Names that are the query and nothing more: what is written alike first, then by scope."""
        typed = query.text.casefold()

        def order(number: int) -> tuple[bool, bool, int, float]:
            text = self.names.rows[number].text.casefold()
            scope = int(self.names.scope[number])
            return scope > 0, scope > 1, -(text == typed), OSA.normalized_distance(text, typed)

        for number in sorted(numbers.tolist(), key=order):
            yield self._row(number)

    def _in_plain_words(self, query: Query) -> Iterator[Row]:
        """Names for what people say who are no clinicians."""
        for row in self._named(lay_words().get(_families(query), ())):
            yield row._replace(matched=query.text, scope=LAY, why=Why.SYNONYM)

    def plainly(self, query: Query) -> Iterator[Row]:
        """Names for plain words that stand in the query among others: "water on the brain, since birth"."""
        said = _families(query)
        within = [words for words in lay_words() if words < said and len(said) - len(words) <= SILENCED]
        for words in sorted(within, key=len, reverse=True):
            for row in self._named(lay_words()[words]):
                yield row._replace(matched=query.text, scope=LAY, why=Why.MEANING)

    def _named(self, phrases: Iterable[str]) -> Iterator[Row]:
        """Names that are one of the phrases and nothing more."""
        for phrase in phrases:
            meant = Query.read(phrase)
            held = self.names.holding(meant.words)
            yield from self._whole(meant, held[self.names.size[held] == len(meant.words)])

    def _begun(self, query: Query) -> NDArray[np.int32]:
        """Names with all words but the last one, and a word that begins like it."""
        if not query.last:
            return _NONE
        before = [word for word in query.words if word != singular(query.last)]
        numbers = [self.names.number.get(word) for word in before]
        if len(before) == len(query.words) or None in numbers:
            return _NONE
        held = [self.names.of_word(number) for number in numbers if number is not None]
        return everywhere([*held, self.names.of_prefix(query.last)])

    def _own_first(self, numbers: NDArray[np.int32]) -> Iterator[Row]:
        own = self.names.scope[numbers] == 0
        for number in (*numbers[own].tolist(), *numbers[~own].tolist()):
            yield self._row(number)

    # --- abbreviations --------------------------------------------------------------------------------------

    def _abbreviated(self, query: Query) -> Iterator[Row]:
        """What well-known abbreviations stand for; else, names with these initials."""
        usual: list[Row] = []
        further: list[Row] = []
        for meaning in abbreviations.meanings(query.text, self.names):
            meant = Query.read(meaning)
            held = self.names.holding(meant.words)
            whole = self.names.size[held] == len(meant.words)
            usual += self._whole(meant, held[whole])
            further += self._own_first(held[~whole])
        if not usual and abbreviations.may_be_initials(query.text, self.names):
            short = abbreviations.bare(query.text).lower()
            usual = [self._row(number) for number in self.names.initials.get(short, ())[:ABBREVIATED]]
        for row in (*usual, *further[:ABBREVIATED]):
            yield row._replace(why=Why.ABBREVIATION)

    # --- likeness -------------------------------------------------------------------------------------------

    def _spelled(self, query: Query, *, begun: bool) -> Iterator[Row]:
        """Names that hold for each word one that is spelled alike or of the same stem."""
        known = {word for word in query.words if word in self.names.number}
        if query.is_sentence:
            return
        if begun:
            known.add(singular(query.last))
        meant = self._spelling.meant_by(list(query.words), known)
        if not all(meant):
            return
        alike = [self._likeness(words) for words in meant]
        numbers = np.flatnonzero(np.logical_and.reduce([a > 0 for a in alike]))
        extra = np.minimum(np.maximum(self.names.size[numbers] - len(meant), 0), 6)
        likeness = np.mean([a[numbers] for a in alike], axis=0) - EXTRA * extra
        likeness -= SYNONYM * (self.names.scope[numbers] > 0)
        yield from self._best(numbers, likeness, SPELLED)

    def partly(self, query: Query) -> Iterator[Row]:
        """Names that share words with the query, for sentences and for where nothing better is known: those
        that stand in it as a whole come first."""
        meant = self._spelling.meant_by(list(query.words), set(query.words))
        meant = [words for words in meant if words]
        if not meant:
            return
        shared = np.zeros(len(self.names))
        weights = [float(self.names.weight(list(words)).min()) for words in meant]
        for words, weight in zip(meant, weights, strict=True):
            shared += weight * self._likeness(words)
        numbers = np.flatnonzero(shared)
        lacking = MISSED * (sum(weights) - shared[numbers])
        share = shared[numbers] / (np.maximum(self._weights[numbers], shared[numbers]) + lacking)
        share -= SYNONYM * (self.names.scope[numbers] > 0)
        good = share >= LEAST_SHARE
        yield from self._best(numbers[good], share[good], PARTLY)

    def _likeness(self, words: dict[int, float]) -> NDArray[np.float64]:
        """Per name, the likeness of the best of some words that it holds."""
        alike = np.zeros(len(self.names))
        for word, likeness in sorted(words.items(), key=lambda pair: pair[1]):
            alike[self.names.of_word(word)] = likeness
        return alike

    @cached_property
    def _weights(self) -> NDArray[np.float64]:
        """How much all the words of a name tell."""
        return self.names.weights()

    def _best(self, numbers: NDArray[np.int64], scores: NDArray[np.float64], most: int) -> Iterator[Row]:
        seen: set[str] = set()
        for place in np.argsort(-np.round(scores, 6), kind="stable").tolist():
            row = self._row(int(numbers[place]), Why.SPELLING)
            seen.add(row.curie)
            if len(seen) > most:
                return
            yield row

    def _row(self, number: int, why: Why | None = None) -> Row:
        curie, text, scope, _ = self.names.rows[number]
        if why is None:
            why = Why.EXACT if scope == OWN else Why.SYNONYM
        return Row(curie, self.names.names[curie], text, scope, why)


@cache
def lay_words() -> dict[frozenset[str], tuple[str, ...]]:
    """Families of the words of a lay phrase -> the names for it, the usual one first."""
    return {_families(Query.read(said)): names for said, names in word_list("lay_words.tsv")}


def _families(query: Query) -> frozenset[str]:
    return frozenset(map(stem, query.words))


def _joined(lists: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    return np.unique(np.concatenate(lists)) if len(lists) > 1 else lists[0]


_NONE: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
