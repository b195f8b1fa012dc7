"""A word of a text that is a word of some name but for a misspelling of one letter: "hepatomegally".

A letter is missing, wrong, too many, or at its neighbour's place. Only words of eight letters or more are
read so, and only where one word of the names is that near. A word that no name has may be right all the same,
so it is left as it is where the difference may be one of sense:

- its first letter or its ending differs: afferent and efferent, selenite and selenate;
- it begins with another prefix: hyper- and hypo-, macro- and micro-;
- it is short but for -ing or -ed: brushing and blushing;
- a definition or the list of right words (`_REAL`) has it.

Whether a text writes it like a symbol or part of a proper name, `matching` sees.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import cached_property

from core.concepts.lexicon.vocabulary import PREFIXES, family, listed
from core.text.spans import Memo

LEAST = 8
"""Letters of a word that is read so."""
_ENDING = 3
"""Letters at the end that tell the sense: -ite, -ate. One less where a letter is missing or too many,
but one where it is doubled."""
_LONG = re.compile(rf"[^\W\d_]{{{LEAST},}}")
_VERBAL = ("ing", "ings", "ed")
"""Endings of everyday words: "brushing" is no blushing. Before one stand `LEAST` letters less one."""
_REAL = listed(
    "abductor academia acclamation addiction adoptive adsorption aesthetic amphoteric anarchism artistic "
    "audition blasters boldness brachial capitation carbolic cellulase chlorite compliment conclave "
    "confirmation contexts convective deadness deaminase dearness defendant deflects denaturation "
    "depravation detention dilution endovenous epiphytes epistasis estimation ethology euphorbia "
    "extramural formulation glucoside habitation hepatoma heterotopic homelessness hydrolyse hyperopia "
    "impunity inflection insolation intubation invention irrigable irrigation isotopic judgement legation "
    "liability ligation linkages medicated meditation microtome military monarchism monogenic morality "
    "multipole myxomatosis nucleotide oncolytic ontological orthotropic osmolality osmolarity osteoblast "
    "platinum podiatric polyphenol postdural precious probation prompter proptosis prostrate prothorax "
    "quadrupole refraction repression retrained revolution salvation selenite simulated simulation "
    "stipulated stricture strictures subtraction symposia synbiotic synopsis synoptic tabulation "
    "topological torturous transnational typological ungulate vehicles vehicular"
)
"""Words that are right, one letter from a word of HPO or GO."""


class Typos:
    """Which words of names stand for words of texts that no name has.

    Args:
        known: words of names, in lower case.
        texts: others that are rightly spelt, such as definitions; read when the first word is near a name's.
    """

    def __init__(self, known: Collection[str], texts: Iterable[str]) -> None:
        self._families = set(map(family, known))
        self._texts = texts
        near: dict[tuple[str, int], list[str]] = defaultdict(list)
        for word in sorted(known):
            if len(word) < LEAST - 1 or not word.isalpha():
                continue
            for part in _parts(word, len(word)):
                near[part, len(word)].append(word)
        self._near = dict(near)
        self.right: Memo[str] = Memo(self._right)
        """Word in lower case -> the word that it stands for; itself, unless it is misspelt."""

    def _right(self, word: str) -> str:
        if len(word) < LEAST or not word.isalpha() or _short(word):
            return word
        if family(word) in self._families:
            return word
        lengths = range(len(word) - 1, len(word) + 2)
        parts = ((part, size) for size in lengths for part in _parts(word, size))
        meant = {w for part in parts for w in self._near.get(part, ()) if is_slip(word, w)}
        if len(set(map(family, meant))) != 1 or word in self._real:
            return word
        return min(meant)

    @cached_property
    def _real(self) -> frozenset[str]:
        return _REAL.union(_LONG.findall("\n".join(self._texts).lower()))


def _parts(word: str, size: int) -> tuple[str, str]:
    """Its beginning, and its first letter with its end: a word with one slip shares one of them with the
    right word of `size` letters."""
    half = (size - 1) // 2
    return word[:half], f"{word[0]}-{word[-half:]}"


def is_slip(word: str, other: str) -> bool:
    """Whether two different words differ by one slip that is none of sense."""
    return _one_apart(word, other) and len({_prefix(word), _prefix(other)} - {""}) < 2


def _one_apart(word: str, other: str) -> bool:
    """Whether one letter is missing, too many, wrong or at its neighbour's place, the first letter
    and the ending left aside."""
    if len(word) < len(other):
        word, other = other, word
    first = next((i for i, letter in enumerate(other) if word[i] != letter), len(other))
    if not first:
        return False
    tail = word[first + 1 :]
    if len(word) > len(other):
        doubled = bool(tail) and word[first] == word[first - 1]
        return tail == other[first:] and (doubled or len(tail) >= _ENDING - 1)
    if tail == other[first + 1 :]:
        return len(tail) >= _ENDING
    return word[first : first + 2] == other[first : first + 2][::-1] and tail[1:] == other[first + 2 :]


def _short(word: str) -> bool:
    """Whether few letters stand before -ing or -ed."""
    ending = next((ending for ending in _VERBAL if word.endswith(ending)), "")
    return bool(ending) and len(word) - len(ending) < LEAST - 1


def _prefix(word: str) -> str:
    """The longest prefix that a word begins with, or nothing."""
    return max((prefix for prefix in PREFIXES if word.startswith(prefix)), key=len, default="")
