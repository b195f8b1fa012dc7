"""Words that are likely meant by a word that no name holds: typing errors, and other forms of a word."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from core.review.search.names import Names
from core.text.normalise import stem

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAME_FAMILY = 0.95
"""Likeness of words with one stem: hypotonic, hypotonia."""
SHORTEST = 4
"""Letters of a word that may be mistyped: shorter ones are like too many others."""
LEAST = 0.68
"""Least likeness of a word of eight or more letters; shorter words need more."""
FIRST_LETTER = 0.04
"""What a wrong first letter costs, for people seldom mistype it."""
MOST = 12
"""Words that one word may be meant for."""


class Spelling:
    def __init__(self, names: Names):
        self._names = names

    @cached_property
    def _choices(self) -> tuple[list[str], NDArray[np.int32]]:
        """Words long enough to be mistyped, and their numbers."""
        numbers = [i for i, word in enumerate(self._names.words) if len(word) >= SHORTEST - 1]
        return [self._names.words[i] for i in numbers], np.array(numbers, dtype=np.int32)

    def meant_by(self, words: list[str], known: set[str]) -> list[dict[int, float]]:
        """For each word, the words of names that it may stand for with their likeness in (0, 1].

        A word that names hold stands for itself and for others of its stem; others for what looks like them
        (optimal string alignment: letters left out, put in, changed or swapped).
        """
        found = []
        unknown = [word for word in words if word not in known and len(word) >= SHORTEST]
        alike = dict(zip(unknown, self._alike(unknown), strict=True))
        for word in words:
            meant = dict(alike.get(word, {}))
            meant.update(dict.fromkeys(self._names.stems.get(stem(word), ())[:MOST], SAME_FAMILY))
            if word in self._names.number:
                meant[self._names.number[word]] = 1.0
            found.append(meant)
        return found

    def _alike(self, words: list[str]) -> list[dict[int, float]]:
        if not words:
            return []
        choices, numbers = self._choices
        table = cdist(words, choices, scorer=OSA.normalized_similarity, score_cutoff=LEAST, dtype=np.float32)
        found = []
        for word, row in zip(words, table, strict=True):
            places = np.flatnonzero(row)
            likeness = {
                int(numbers[place]): float(row[place]) - (choices[place][0] != word[0]) * FIRST_LETTER
                for place in places[np.argsort(-row[places], kind="stable")][: 4 * MOST].tolist()
            }
            best = sorted(likeness.items(), key=lambda pair: (-pair[1], pair[0]))
            found.append({number: s for number, s in best[:MOST] if s >= least(len(word))})
        return found


def least(letters: int) -> float:
    """Least likeness of a mistyped word: one letter of four or five may be wrong, more in longer ones."""
    return LEAST if letters >= 8 else 0.7 if letters >= 6 else 0.74
