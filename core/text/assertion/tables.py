"""Tables of words and phrases by which statuses are told, and what is found by them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

_HERE = Path(__file__).parent

Kinds = frozenset[str]


class Cue(NamedTuple):
    first: int
    last: int
    kinds: Kinds


def rows(file: str) -> list[tuple[str, str]]:
    """The lines of a table that say something: name, rest."""
    lines = (_HERE / file).read_text(encoding="utf-8").splitlines()
    cells = (line.partition("\t") for line in lines if line and not line.startswith("#"))
    return [(name, rest) for name, _, rest in cells]


@cache
def words_of(*names: str) -> frozenset[str]:
    """The words of one or more sets of `words.tsv`."""
    return frozenset(word for name, listed in rows("words.tsv") if name in names for word in listed.split())
