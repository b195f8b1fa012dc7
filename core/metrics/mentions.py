"""Mentions as the measures of recognisers count them: where they are, what they say, which ids they bear."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

_GAPS = re.compile(rf"[\s{re.escape(string.punctuation)}]+")


class Place(NamedTuple):
    """What a prediction must have in common with a gold mention."""

    doc_id: str
    start: int
    end: int
    type: str


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
        return Place(self.doc_id, self.start, self.end, self.type)


@lru_cache(maxsize=200_000)
def normalise(mention: str) -> str:
    """Lower-cased, runs of white space and ASCII punctuation made one space, stripped."""
    return _GAPS.sub(" ", mention.lower()).strip()


def single_ids(cells: str | Iterable[str]) -> tuple[str, ...]:
    """The ids of a field, or of a list of fields: split on `|` and `+`, trimmed, without empties."""
    fields = (cells,) if isinstance(cells, str) else cells
    parts = (part.strip() for field in fields for part in re.split(r"[|+]", field))
    return tuple(dict.fromkeys(part for part in parts if part))
