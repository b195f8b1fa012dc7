"""What an ontology measures: substances and sizes, and which finding it is when there is more or less of one.

It comes from the names and definitions of the concepts: "Elevated circulating creatine kinase concentration"
is more of "creatine kinase", and so is every name or definition that leaves one substance when the words of
direction and of measuring (`laboratory.tsv`) are taken away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from core.concepts.lexicon.vocabulary import STOP_WORDS, family, tokens
from core.records import Concept
from core.text.spans import words

LONGEST = 5
"""Words of a substance at most."""
_DEFINED = 16
"""Words of a definition that are looked at."""
UP, DOWN = 1, -1
BLOOD, URINE, CSF = "blood", "urine", "csf"

Bag = frozenset[str]
Meaning = dict[tuple[int, str], tuple[int, str]]
"""(direction, where it is measured) -> number of the concept and the name that says so."""


@cache
def _rows() -> tuple[tuple[str, ...], ...]:
    lines = (Path(__file__).parent / "laboratory.tsv").read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split("\t")) for line in lines if line and not line.startswith("#"))


@cache
def words_of(*kinds: str) -> frozenset[str]:
    return frozenset(word for row in _rows() if row[0] in kinds for word in row[1].split())


@cache
def direction(word: str) -> int:
    return UP if word in words_of("up") else DOWN if word in words_of("down") else 0


def _bag(written: Iterable[str]) -> Bag:
    silent = words_of("filler") | STOP_WORDS
    return frozenset(family(w) for w in written if w not in silent and not direction(w))


def _where(written: Iterable[str]) -> str:
    spoken = frozenset(written)
    where = CSF if not words_of("csf").isdisjoint(spoken) else BLOOD
    return URINE if not words_of("urine").isdisjoint(spoken) else where


@cache
def _vague() -> Bag:
    """Words that alone are no substance."""
    return frozenset(family(word) for word in words_of("vague"))


def _tells(bag: Bag) -> bool:
    return not bag <= _vague() and any(len(word) > 1 and not word.isdigit() for word in bag)


@cache
def _aliases() -> dict[Bag, Bag]:
    return {_bag(row[1].split()): _bag(row[2].split()) for row in _rows() if row[0] == "alias"}


class Substances:
    """What the concepts of an ontology measure."""

    def __init__(self, concepts: Sequence[Concept]) -> None:
        self.by_bag: dict[Bag, Meaning] = {}
        self.changed: dict[tuple[Bag, str], tuple[int, str]] = {}
        """(substance, where) -> the concept of more or less than normal, where there is one."""
        self._rank: dict[tuple[Bag, int, str], int] = {}
        above = {concept.curie: frozenset(concept.parents) for concept in concepts}
        for number, concept in enumerate(concepts):
            if any(not words_of("measure").isdisjoint(written) for _, _, written in _phrases(concept)):
                for rank, text, written in _phrases(concept):
                    self._learn(number, rank, text, written, concepts, above)
        for short, full in _aliases().items():
            for key, meaning in self.by_bag.get(full, {}).items():
                self.by_bag.setdefault(short, {}).setdefault(key, meaning)
            for where in (BLOOD, URINE, CSF):
                if (full, where) in self.changed:
                    self.changed.setdefault((short, where), self.changed[full, where])
        self.starts = frozenset(word for bag in self.by_bag for word in bag)

    def denied(self, written: Sequence[str], ways: Sequence[int]) -> list[tuple[int, str]]:
        """What is denied of the substance that these words name where it is changed in none of these ways:
        (number of the concept, name). Both ways: the concept of either, where there is one."""
        bag, where = _bag(written), _where(written)
        if len(ways) > 1 and (bag, where) in self.changed:
            return [self.changed[bag, where]]
        meaning = self.by_bag.get(bag, {})
        return [meaning[way, where] for way in ways if (way, where) in meaning]

    def _learn(
        self,
        number: int,
        rank: int,
        text: str,
        written: Sequence[str],
        concepts: Sequence[Concept],
        above: Mapping[str, frozenset[str]],
    ) -> None:
        directions = {way for way in map(direction, written) if way}
        bag, where = _bag(written), _where(written)
        if len(directions) > 1 or not 0 < len(bag) <= LONGEST or not _tells(bag):
            return
        if not directions:
            if not words_of("changed").isdisjoint(written):
                self.changed.setdefault((bag, where), (number, text))
            return
        (way,) = directions
        key = bag, way, where
        known = self._rank.get(key)
        if known is None or rank < known:
            self._rank[key] = rank
            self.by_bag.setdefault(bag, {})[way, where] = number, text
        elif rank == known:
            other = self.by_bag[bag][way, where][0]
            if concepts[number].curie in above[concepts[other].curie]:  # the broader of the two
                self.by_bag[bag][way, where] = number, text


def _phrases(concept: Concept) -> Iterator[tuple[int, str, list[str]]]:
    """Phrases that tell what is measured: (rank, text, words)."""
    yield 0, concept.name, tokens(words(concept.name))
    for synonym in concept.synonyms:
        if synonym.scope == "EXACT":
            yield 1, synonym.text, tokens(words(synonym.text))
    sentence = re.split(r"[.(;]", concept.definition or "", maxsplit=1)[0]
    written = tokens(words(sentence))
    if 0 < len(written) <= _DEFINED and not words_of("measure").isdisjoint(written):
        yield 2, concept.name, written
