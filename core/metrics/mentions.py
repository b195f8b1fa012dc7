"""Mentions as the measures of recognisers count them: where they are, what they say, which ids they bear."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

_GAPS = re.compile(rf"[\s{re.escape(string.punctuation)}]+")


Place = tuple[str, int, int, str]
"""Document, start, end and type: what a prediction must have in common with a gold mention."""


class Occurrence(NamedTuple):
    """A name in a text."""

    doc_id: str
    start: int
    end: int
    """0-based, end exclusive."""
    type: str
    """Constant where a corpus has one type."""
    text: str
    ids: tuple[str, ...] = ()
    """Of the concepts it names; fields of several ids as they stand in a file are read, too."""

    @property
    def place(self) -> Place:
        return self[:4]


def merged(occurrences: Iterable[Occurrence]) -> dict[Place, Occurrence]:
    """One occurrence a place, with the ids of all."""
    found: dict[Place, Occurrence] = {}
    for m in occurrences:
        earlier = found.setdefault(m[:4], m)
        if earlier is not m and earlier.ids != m.ids:
            found[m[:4]] = earlier._replace(ids=tuple(dict.fromkeys((*earlier.ids, *m.ids))))
    return found


@lru_cache(maxsize=200_000)
def normalise(mention: str) -> str:
    """Lower-cased, runs of white space and ASCII punctuation made one space, stripped."""
    return _GAPS.sub(" ", mention.lower()).strip()


def single_ids(cells: str | Iterable[str]) -> tuple[str, ...]:
    """The ids of a field, or of a list of fields: split on `|` and `+`, trimmed, without empties."""
    if isinstance(cells, str):
        return _split(cells)
    return tuple(dict.fromkeys(part for field in cells for part in _split(field)))


@lru_cache(maxsize=200_000)
def _split(field: str) -> tuple[str, ...]:
    parts = (part.strip() for part in re.split(r"[|+]", field))
    return tuple(dict.fromkeys(part for part in parts if part))
