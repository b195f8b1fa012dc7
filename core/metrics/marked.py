"""The mentions of one side in columns: distinct by place, in order of document and place.

gold = of_occurrences(documents, occurrences)
said = of_columns(documents, document, start, end, types, texts, ids)
found = held_by(gold, said)                        # which of the gold's places the other side names, too
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from core.metrics.mentions import Occurrence, Place

Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
T = TypeVar("T")


@dataclass(frozen=True)
class Marked:
    documents: tuple[str, ...]
    """Every scored document, in order."""
    types: tuple[str, ...]
    """Sorted."""
    place: Integers
    """Shape (mentions, 4): number of the document, start, end, number of the type; ascending, each once."""
    texts: Sequence[str]
    """Of each mention."""
    ids: Sequence[tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.place)

    @property
    def document(self) -> Integers:
        found: Integers = self.place[:, 0]
        return found

    @cached_property
    def _words(self) -> tuple[tuple[str, ...], Integers]:
        """Distinct texts, and which of them each mention bears."""
        return coded(self.texts)

    def by_text(self, of: Callable[[str], bool | list[bool]]) -> Mask:
        """What a function says of the text of each mention, asked once a text; shape (mentions, ...)."""
        words, which = self._words
        found: Mask = np.array([of(word) for word in words], dtype=np.bool_)[which]
        return found

    def occurrences(self, chosen: Mask | slice = slice(None)) -> list[Occurrence]:
        """In words, in order."""
        rows = np.arange(len(self))[chosen].tolist()
        return [
            Occurrence(self.documents[d], start, end, self.types[kind], self.texts[row], self.ids[row])
            for row, (d, start, end, kind) in zip(rows, self.place[chosen].tolist(), strict=True)
        ]


def of_occurrences(documents: tuple[str, ...], occurrences: Iterable[Occurrence | Place]) -> Marked:
    """Mentions at one place become one with the ids of all; those of other documents are left out. Places
    alone have neither text nor ids."""
    number = {doc_id: n for n, doc_id in enumerate(documents)}
    rows = [m if isinstance(m, Occurrence) else Occurrence(*m, "") for m in occurrences if m[0] in number]
    return of_columns(
        documents,
        [number[m.doc_id] for m in rows],
        [m.start for m in rows],
        [m.end for m in rows],
        [m.type for m in rows],
        [m.text for m in rows],
        [m.ids for m in rows],
    )


def of_columns(
    documents: tuple[str, ...],
    document: Sequence[int] | Integers,
    start: Sequence[int] | Integers,
    end: Sequence[int] | Integers,
    types: Sequence[str],
    texts: Sequence[str],
    ids: Sequence[tuple[str, ...]],
) -> Marked:
    """From columns of one length, in any order; the first of several at one place gives the text."""
    names, kinds = coded(types)
    ranked = sorted(range(len(names)), key=names.__getitem__)
    kind = np.empty(len(names), dtype=np.int64)
    kind[ranked] = np.arange(len(names))
    place = np.array([document, start, end, kind[kinds]], dtype=np.int64).T
    keys = _keys(place)
    order = np.argsort(keys, kind="stable")
    first = np.append(True, np.diff(keys[order]) != 0)[: len(order)]
    group = np.cumsum(first) - 1
    rows = order[first].tolist()
    found = [ids[row] for row in rows]
    for at, row in zip(group[~first].tolist(), order[~first].tolist(), strict=True):
        found[at] = tuple(dict.fromkeys((*found[at], *ids[row])))
    return Marked(documents, tuple(names[i] for i in ranked), place[rows], [texts[r] for r in rows], found)


def held_by(one: Marked, other: Marked) -> tuple[Mask, Mask]:
    """Of each mention of the one whether the other has it at the same place, and the other way round."""
    types = {name: number for number, name in enumerate(sorted({*one.types, *other.types}))}
    sides = []
    for side in (one, other):
        place = side.place.copy()
        place[:, 3] = np.array([types[name] for name in side.types], dtype=np.int64)[place[:, 3]]
        sides.append(place)
    keys = _keys(np.concatenate(sides))
    first, second = keys[: len(one)], keys[len(one) :]
    return np.isin(first, second, assume_unique=True), np.isin(second, first, assume_unique=True)


def coded(values: Sequence[T]) -> tuple[tuple[T, ...], Integers]:
    """Distinct values in order of appearance, and the place of each among them."""
    distinct = tuple(dict.fromkeys(values))
    places = {value: place for place, value in enumerate(distinct)}
    return distinct, np.fromiter(map(places.__getitem__, values), dtype=np.int64, count=len(values))


def _keys(rows: Integers) -> Integers:
    """One number a row, equal and ordered as the rows are; shape (rows, columns) -> (rows,)."""

    def joined(key: Integers, column: Integers) -> Integers:
        width = int(column.max(initial=0)) + 1
        if int(key.max(initial=0)) > np.iinfo(np.int64).max // width - 1:
            key = np.unique(key, return_inverse=True)[1]  # ranks are small again
        return key * width + column

    return reduce(joined, rows.T)
