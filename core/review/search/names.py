"""All names and synonyms of an ontology version by their words, in memory.

Words have numbers in alphabetical order, so that a prefix is a range; the names of a word stand in one flat
array behind those of the word before.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.records import Curie
from core.review.search.folding import SILENT, spoken, telling
from core.text.normalise import stem

if TYPE_CHECKING:
    from numpy.typing import NDArray

OWN = "NAME"
SCOPES = (OWN, "EXACT", "NARROW", "RELATED", "BROAD")
"""The best one first."""
INITIALS = range(2, 7)
"""Letters of an abbreviation that initials make."""
AFTER = "\U0010ffff"
"""Behind every letter."""


class Name(NamedTuple):
    """One name or synonym of one concept."""

    curie: Curie
    text: str
    scope: str
    type: str | None = None


class Names:
    """Names by their words. A name is called by its number here, the best-ranked one being 0.

    Args:
        rows: names and synonyms of live concepts.

    Attributes:
        rows: shorter names first: fewer words, then fewer letters.
        size: words that tell something, per name.
        scope: place in `SCOPES`, per name.
        initials: initials -> the names and exact synonyms that have them.
        stems: stem -> the words that have it.
        words: all words that tell something, alphabetically; a word's number is its place.
    """

    def __init__(self, rows: Iterable[Name]):
        written = ((row, spoken(row.text)) for row in rows)
        told = sorted(
            ((row, telling(words), _initials(words)) for row, words in written),
            key=lambda known: (len(known[1]), len(known[0].text), known[0].text, known[0].curie),
        )
        self.rows: list[Name] = [row for row, *_ in told]
        self.names: dict[Curie, str] = {row.curie: row.text for row in self.rows if row.scope == OWN}
        self.size = np.array([len(words) for _, words, _ in told], dtype=np.int16)
        self.scope = np.array([SCOPES.index(row.scope) for row in self.rows], dtype=np.int8)
        self.words: list[str] = sorted(set(chain.from_iterable(words for _, words, _ in told)))
        self.number = {word: i for i, word in enumerate(self.words)}
        flat = np.fromiter(
            (self.number[word] for _, words, _ in told for word in words),
            dtype=np.int32,
            count=self.size.sum(),
        )
        by_word = np.argsort(flat, kind="stable")
        self._bearers = np.repeat(np.arange(len(told), dtype=np.int32), self.size)[by_word]
        self._ends = np.concatenate(([0], np.cumsum(np.bincount(flat, minlength=len(self.words)))))
        self.initials: dict[str, list[int]] = {}
        for i, (row, _, made) in enumerate(told):
            if row.scope in (OWN, "EXACT"):
                for short in made:
                    self.initials.setdefault(short, []).append(i)
        self.stems: dict[str, list[int]] = {}
        for i, word in enumerate(self.words):
            self.stems.setdefault(stem(word), []).append(i)

    def __len__(self) -> int:
        return len(self.rows)

    def scope_of(self, curie: Curie, text: str) -> str:
        """The best scope in which a concept bears a name; the name may lack repeated spaces."""
        held = self.holding(telling(spoken(text))).tolist()
        scopes = [self.rows[n].scope for n in held if self.rows[n].curie == curie]
        return min(scopes, key=SCOPES.index, default=OWN)

    def of_word(self, word: int) -> NDArray[np.int32]:
        """The names that hold a word, best-ranked first."""
        return self._bearers[self._ends[word] : self._ends[word + 1]]

    def of_prefix(self, prefix: str) -> NDArray[np.int32]:
        """The names that hold a word with this beginning, best-ranked first."""
        first, end = bisect_left(self.words, prefix), bisect_left(self.words, prefix + AFTER)
        return np.unique(self._bearers[self._ends[first] : self._ends[end]])

    def begins(self, prefix: str) -> bool:
        """Whether some word has this beginning."""
        at = bisect_left(self.words, prefix)
        return at < len(self.words) and self.words[at].startswith(prefix)

    def weight(self, words: Sequence[int]) -> NDArray[np.float64]:
        """How much each word tells: the fewer names hold it, the more (log of names per bearer, plus 1)."""
        held = np.array([self._ends[w + 1] - self._ends[w] for w in words], dtype=np.float64)
        weights: NDArray[np.float64] = np.log(len(self.rows) / np.maximum(held, 1)) + 1
        return weights

    def weights(self) -> NDArray[np.float64]:
        """How much all the words of a name tell, per name."""
        of_word = self.weight(range(len(self.words)))
        by_word = np.repeat(of_word, np.diff(self._ends))
        weights: NDArray[np.float64] = np.bincount(
            self._bearers, weights=by_word, minlength=len(self.rows)
        ).astype(np.float64)
        return weights

    def holding(self, words: Iterable[str]) -> NDArray[np.int32]:
        """The names that hold all of the words, best-ranked first."""
        numbers = [self.number.get(word) for word in words]
        found = [self.of_word(number) for number in numbers if number is not None]
        return everywhere(found) if len(found) == len(numbers) else _NONE


def _initials(written: list[str]) -> set[str]:
    """The initials of a name with and without its little words (shortness of breath: sob, sb)."""
    telling = "".join(word[0] for word in written if word not in SILENT)
    whole = "".join(word[0] for word in written)
    return {made for made in (telling, whole) if len(made) in INITIALS}


def everywhere(lists: Sequence[NDArray[np.int32]]) -> NDArray[np.int32]:
    """What stands in all of some ascending lists; nothing where there is no list."""
    ordered = sorted(lists, key=len)
    found = ordered[0] if ordered else _NONE
    for other in ordered[1:]:
        found = np.intersect1d(found, other, assume_unique=True)
    return found


_NONE: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
