"""Dictionary baselines: what a recogniser reaches that has its training set by heart, and nothing else.

DICT_train looks for every mention of the training set, DICT_syn for those and for the synonyms of their
concepts: the longest match, from left to right, none within another. Lower-cased tokens are the headline,
as they come nearest to the source; with `exact` the case counts. A match neither begins nor ends in
punctuation. Source: MEM / SYN / CON (paper 002), section 3.3 and table 3.

What DICT_train finds with the right boundaries has a text that training holds, so that its recall on SYN and
CON is 0 by construction, and so is that of DICT_syn on CON.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from core.records import Curie

_TOKEN = re.compile(r"\w+|[^\w\s]")


class Name(NamedTuple):
    text: str
    concept: Curie | None = None
    """None: the training set has no ids."""


class Found(NamedTuple):
    start: int
    end: int
    """In code points, end exclusive."""
    concept: Curie | None


class Dictionary:
    """Names, ready to be looked for in texts."""

    def __init__(self, names: Iterable[Name], *, exact: bool = False):
        """
        Args:
            names: of a name with several concepts, the one that it bears most often is proposed, the first by
                id where several do.
            exact: whether case counts.
        """
        self._exact = exact
        held: dict[tuple[str, ...], Counter[Curie]] = {}
        for name in names:
            tokens = tuple(self._form(token) for token in _trimmed(_TOKEN.findall(name.text)))
            if tokens:
                concepts = held.setdefault(tokens, Counter())
                if name.concept is not None:
                    concepts[name.concept] += 1
        self._concepts = {tokens: _most(concepts) for tokens, concepts in held.items()}
        longest: dict[str, int] = {}
        for tokens in held:
            longest[tokens[0]] = max(longest.get(tokens[0], 0), len(tokens))
        self._longest = longest

    def __len__(self) -> int:
        """Distinct names."""
        return len(self._concepts)

    def find(self, text: str) -> list[Found]:
        """Every match, in order."""
        places = [(found.start(), found.end()) for found in _TOKEN.finditer(text)]
        tokens = [self._form(text[start:end]) for start, end in places]
        found: list[Found] = []
        at = 0
        while at < len(tokens):
            most = min(self._longest.get(tokens[at], 0), len(tokens) - at)
            lengths = (n for n in range(most, 0, -1) if tuple(tokens[at : at + n]) in self._concepts)
            length = next(lengths, 0)
            if length:
                concept = self._concepts[tuple(tokens[at : at + length])]
                found.append(Found(places[at][0], places[at + length - 1][1], concept))
            at += length or 1
        return found

    def _form(self, token: str) -> str:
        return token if self._exact else token.lower()


def _trimmed(tokens: list[str]) -> list[str]:
    """Without punctuation on either side."""
    words = [number for number, token in enumerate(tokens) if re.match(r"\w", token)]
    return tokens[words[0] : words[-1] + 1] if words else []


def _most(concepts: Counter[Curie]) -> Curie | None:
    return min(concepts, key=lambda curie: (-concepts[curie], curie)) if concepts else None
