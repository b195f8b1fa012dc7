"""Names of biological processes that follow from given ones by a pattern: "stimulation of cell growth".

Most names of the Gene Ontology are composed: an operator ("positive regulation of"), a thing, and a head
("biosynthetic process"). Rules after Funk et al. 2016 (J Biomed Semantics 7:52): a name is taken apart at the
operator, each part is said in other words (`processes.tsv`), and the parts are put together again. Of each
part one rule at a time is applied, so that names stay few. The matcher knows neither order nor endings, so
that no rule is needed for "growth of cells" or "cells grew".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from sys import intern
from typing import NamedTuple

from core.concepts.lexicon.vocabulary import rows

PREFIX = "GO:"
"""Concepts whose names follow these patterns."""
OPERATOR = "regulation"
"""The family whose rules apply before those of `INNER`."""
OPERATORS = ("regulation of ", "positive regulation of ", "negative regulation of ")
"""Names that begin so say the process behind them, too."""
INNER = frozenset(("metabolism", "cells", "short"))
"""Families that are put together with an operator; together with the others they make no known name."""
SHORT = "short"
"""The only family that makes names of one word."""
_ANY = "*"


class InOtherWords(NamedTuple):
    """A name by a rule."""

    words: list[str]
    family: str
    old: str
    new: str
    """What stands for `old`, "-" for nothing."""


class _Rule(NamedTuple):
    family: str
    words: tuple[str, ...]
    begins: bool
    ends: bool
    others: tuple[tuple[str, ...], ...]

    def places(self, name: Sequence[str]) -> Iterator[int]:
        """Where in a name the words of the rule stand."""
        last = len(name) - len(self.words)
        for at in range(last if self.ends else 0, min(last, 0 if self.begins else last) + 1):
            if at >= 0 and all(map(_fits, self.words, name[at:])):
                yield at


def _fits(word: str, said: str) -> bool:
    return said.endswith(word[1:]) if word[0] == _ANY else said == word


@cache
def _rules() -> dict[str, tuple[_Rule, ...]]:
    """By the last word of what is changed, "" where it is any word."""
    found: dict[str, tuple[_Rule, ...]] = {}
    for row in rows("processes.tsv"):
        family, phrase, others = row.split("\t")
        marked = phrase.split()
        words = tuple(word for word in marked if word not in ("^", "$"))
        said = tuple(tuple(w for w in other.split() if w != "-") for other in others.split("|"))
        rule = _Rule(family, words, marked[0] == "^", marked[-1] == "$", said)
        key = "" if words[-1][0] == _ANY else words[-1]
        found[key] = (*found.get(key, ()), rule)
    return found


def in_other_words(name: Sequence[str]) -> Iterator[InOtherWords]:
    """What the rules make of the words of a name: operator, what it acts on, or both in other words."""
    for made in _changed(name):
        yield made
        if made.family == OPERATOR:
            for inner in _changed(made.words):
                if inner.family in INNER:
                    old, new = f"{made.old} ... {inner.old}", f"{made.new} ... {inner.new}"
                    family = f"{OPERATOR} and {inner.family}"
                    yield InOtherWords(inner.words, family, intern(old), intern(new))


def _changed(name: Sequence[str]) -> Iterator[InOtherWords]:
    table = _rules()
    for rule in chain.from_iterable(table.get(key, ()) for key in dict.fromkeys(("", *name))):
        size = len(rule.words)
        for at in rule.places(name):
            kept = [said for word, said in zip(rule.words, name[at:], strict=False) if word[0] == _ANY]
            for other in rule.others:
                stay = iter(kept)
                put = [next(stay) if word == _ANY else word for word in other]
                if len(put) + len(name) > size:
                    words = [*name[:at], *put, *name[at + size :]]
                    old, new = " ".join(name[at : at + size]), " ".join(put) or "-"
                    yield InOtherWords(words, rule.family, intern(old), intern(new))
