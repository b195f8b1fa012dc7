"""Mentions with places, in columns: what families of spans and names count."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, compress
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.evaluate.families.inputs import Inputs, Mentions
from core.records import Curie

Integers = npt.NDArray[np.int64]


class Placed(NamedTuple):
    """Of the statuses that count, in complete documents; columns of one length, in order of document."""

    document: Integers
    """Place in `Inputs.complete`."""
    start: Integers
    end: Integers
    concepts: list[Curie]
    quotes: list[str | None]
    unplaced: int
    """Labels of whole documents, which are in no column."""


def placed(inputs: Inputs, read: Callable[[], Mentions]) -> Placed:
    mentions, wanted = read(), frozenset(inputs.settings.assertions)
    held = [mentions.get(o.doc_id, ()) for o in inputs.complete]
    flat = list(chain.from_iterable(held))
    starts, ends, concepts, statuses, quotes = (list(map(itemgetter(column), flat)) for column in range(5))
    start, end = (np.array(side, dtype=np.float64) for side in (starts, ends))  # None is NaN
    counts = np.fromiter(map(wanted.__contains__, statuses), dtype=np.bool_, count=len(statuses))
    kept = counts & ~np.isnan(start) & ~np.isnan(end)
    document = np.repeat(np.arange(len(held)), np.array([len(each) for each in held], dtype=np.int64))
    chosen = kept.tolist()
    return Placed(
        document[kept],
        start[kept].astype(np.int64),
        end[kept].astype(np.int64),
        list(compress(concepts, chosen)),
        list(compress(quotes, chosen)),
        int(np.count_nonzero(counts & ~kept)),
    )
