"""Every lineage of an ontology as arrays: all ancestors of all concepts, with the fewest steps up to each."""

from __future__ import annotations

import numpy as np

from core.ontology.lineage import Indices, Lineage, Mask


def links_of(lineage: Lineage) -> tuple[Indices, Indices]:
    """Parents of every concept as (starts, parents), by place in the lineage."""
    parents = [[lineage.index(p) for p in lineage.parents(curie)] for curie in lineage.curies]
    starts = np.concatenate(([0], np.cumsum([len(above) for above in parents], dtype=np.int64)))
    return starts, np.array([p for above in parents for p in above], dtype=np.int64)


def closure(starts: Indices, parents: Indices) -> tuple[Indices, Indices, Indices]:
    """A(x) of every x as (starts, ancestors, steps), ancestors sorted: all lineages climbed at once, a level
    at a time, each way up ending where it meets an ancestor it had."""
    size = len(starts) - 1
    level = np.arange(size, dtype=np.int64) * (size + 1)  # concept * size + ancestor; here: itself
    known, steps = level, np.zeros(size, dtype=np.int64)
    distance = 0
    while len(level):
        distance += 1
        below, nodes = np.divmod(level, size)
        places, _ = expand(starts, nodes)
        reached = np.repeat(below, starts[nodes + 1] - starts[nodes]) * size + parents[places]
        reached.sort()
        reached = reached[np.diff(reached, prepend=-1) > 0]
        level = reached[~holds(known, reached)]
        order = np.argsort(np.concatenate((known, level)), kind="stable")
        known = np.concatenate((known, level))[order]
        steps = np.concatenate((steps, np.full(len(level), distance)))[order]
    below, above = np.divmod(known, max(size, 1))
    return np.searchsorted(below, np.arange(size + 1)), above, steps


def expand(starts: Indices, rows: Indices) -> tuple[Indices, Indices]:
    """(places of all entries of `rows` one after the other, where those of each row begin)."""
    lengths = starts[rows + 1] - starts[rows]
    bounds = np.cumsum(lengths) - lengths
    return np.repeat(starts[rows] - bounds, lengths) + np.arange(lengths.sum()), bounds


def holds(known: Indices, asked: Indices) -> Mask:
    """Which of `asked` are in `known`, which is sorted."""
    if not len(known):
        return np.zeros(len(asked), dtype=np.bool_)
    places = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    found: Mask = known[places] == asked
    return found
