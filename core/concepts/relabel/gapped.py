"""Names that a phrase says with other words between: "subcutaneous right cervical nodule".

Names of two or three words, only within one stretch of words (`core.concepts.generate.phrases`) and up to its
end, where the noun of the phrase stands. What the dictionary has read out of these words is left to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from core.concepts.generate.phrases import stretches
from core.concepts.tools import Tools
from core.records import Curie
from core.text.spans import Memo, Words

_SIZES = (2, 3)
"""Words of a name that tell something."""
_BETWEEN = 3
"""Words that may stand between."""


class Gapped(NamedTuple):
    """Words `first` to `last` of a text say a name of a concept, with others between."""

    first: int
    last: int
    concept: Curie
    name: str


class Names:
    """Built once per run."""

    def __init__(self, tools: Tools) -> None:
        self._families: Memo[frozenset[str]] = Memo(tools.lexicon.families)
        self._by_bag: dict[frozenset[str], dict[Curie, str]] = {}
        self._with: dict[str, list[frozenset[str]]] = {}
        for concept in tools.concepts:
            for name in (concept.name, *(s.text for s in concept.synonyms if s.scope == "EXACT")):
                bag = self._families[name]
                if len(bag) in _SIZES and "and" not in bag and "or" not in bag:
                    self._by_bag.setdefault(bag, {}).setdefault(concept.curie, name)
        for bag in self._by_bag:
            for family in bag:
                self._with.setdefault(family, []).append(bag)

    def read(self, found: Words) -> Iterator[Gapped]:
        """Names of a text, in order; a name that could be two concepts is none."""
        for first, last in stretches(found):
            if last - first < 2:
                continue
            head = self._families[found.words[last]]
            if len(head) != 1 or not (bags := self._with.get(next(iter(head)))):
                continue
            window = range(max(first, last - _BETWEEN - 2), last)
            places = {f: i for i in window for f in self._families[found.words[i]]}
            for bag in bags:
                rest = bag - head
                if not rest <= places.keys():
                    continue
                begin = min(places[family] for family in rest)
                between = last - begin + 1 - len(bag)
                if 0 < between <= _BETWEEN and len(self._by_bag[bag]) == 1:
                    concept, name = next(iter(self._by_bag[bag].items()))
                    yield Gapped(begin, last, concept, name)
