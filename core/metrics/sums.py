"""From sums over documents (or pairs) to estimates: the step that every family with intervals takes."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from core.metrics.bootstrap import Draws, Floats, bounded, resample
from core.metrics.definition import Estimate, Family

Numbers = TypeVar("Numbers", npt.NDArray[np.int64], npt.NDArray[np.float64])


class Scored(NamedTuple):
    """Values, and what they are in each resample."""

    estimates: dict[str, Estimate]
    resampled: dict[str, Floats]
    """Of those with an interval over documents: shape (resamples,), NaN where undefined."""


def scored(
    table: Floats,
    statistic: Callable[[Floats], Floats],
    names: Sequence[str],
    *,
    n: Callable[[str], int],
    reason: Callable[[str], str],
    std: Mapping[str, float | None] | None = None,
    index_lists: Iterable[Draws] | Draws = (),
    level: float = 0.95,
    sums: Floats | None = None,
) -> Scored:
    """The estimates of `names`, and their values in each resample.

    Args:
        table: one row per document, one column per quantity that the statistic sums, shape (n, columns). No
            row: nothing was scored, and every value is undefined (rule N0).
        statistic: sums (rows, columns) -> values (rows, names), NaN: undefined.
        n: name -> documents that the value rests on.
        reason: name -> why it is undefined, as a sentence; asked only where it is.
        std: population standard deviations, of means over documents.
        index_lists: resamples over the rows of `table` (see `bootstrap.draws`); empty for no intervals.
        sums: the sums of the table in each resample, shape (resamples, columns), where somebody has them;
            `index_lists` is not read then.
    """
    values = statistic(table.sum(axis=0, keepdims=True))[0]
    in_each = resample(table, statistic, index_lists) if sums is None else statistic(sums)
    resampled = by_name(names, in_each)
    found = {}
    for name, value in zip(names, values.tolist(), strict=True):
        if not len(table) or np.isnan(value):
            dropped = int(np.isnan(resampled[name]).sum())
            found[name] = Estimate(None, n(name), dropped=dropped, reason=reason(name))
            continue
        spread = (std or {}).get(name)
        found[name] = bounded(value, n(name), resampled[name], level, std=spread, documents=len(table))
    return Scored(found, resampled)


def formulas(
    family: Family,
    columns: Mapping[str, npt.NDArray[Any]],
    *,
    n: Callable[[str], int],
    reason: Callable[[str], str],
    strata: Sequence[object] = (),
    further: Callable[[Any], None] | None = None,
    std: Mapping[str, float | None] | None = None,
    index_lists: Iterable[Draws] | Draws = (),
    level: float = 0.95,
) -> Scored:
    """The values of a family's rows from sums over documents.

    Args:
        columns: name that formulas use -> what each document adds, shape (n,) or, one value each of several
            things, (n, things).
        strata: what rows with `per` give one value each of.
        further: adds what formulas share to the named sums, shape (rows,) or (rows, things) each.
        n, reason, std, index_lists, level: as of `scored`.
    """
    parts = [column[:, None] if column.ndim == 1 else column for column in columns.values()]
    ends = np.cumsum([part.shape[1] for part in parts])[:-1]

    def statistic(sums: Floats) -> Floats:
        held = zip(columns.items(), np.split(sums, ends, axis=1), strict=True)
        named = SimpleNamespace(**{name: s[:, 0] if of.ndim == 1 else s for (name, of), s in held})
        if further is not None:
            further(named)
        return family.values(named)

    return scored(
        np.hstack(parts).astype(np.float64),
        statistic,
        family.names(strata),
        n=n,
        reason=reason,
        std=std,
        index_lists=index_lists,
        level=level,
    )


def blanked(found: Scored, absent: Container[str], why: str) -> Scored:
    """The same, the values of absent strata (`measure:stratum`) shown as a dash; they count as they are."""
    estimates = {
        name: replace(e, blank=why) if name.partition(":")[2] in absent and e.value is not None else e
        for name, e in found.estimates.items()
    }
    return found._replace(estimates=estimates)


def by_name(names: Sequence[str], resampled: Floats) -> dict[str, Floats]:
    """The columns of a table of resamples, shape (resamples, names), each under its name."""
    return dict(zip(names, resampled.T, strict=True))


def divide(top: Floats, bottom: Floats, otherwise: float = np.nan) -> Floats:
    """top / bottom, and `otherwise` where the denominator is 0; shapes are broadcast."""
    out: Floats = np.full(np.broadcast_shapes(top.shape, bottom.shape), otherwise)
    np.divide(top, bottom, out=out, where=np.broadcast_to(bottom != 0, out.shape))
    return out


def ratio(top: Floats, bottom: Floats) -> Floats:
    """top / bottom of counts; a denominator of 0 gives 0 (rule Z0)."""
    return divide(top, bottom, 0.0)


def mean(total: Floats, n: Floats) -> Floats:
    """total / n of sums over documents; undefined (NaN) where there is none."""
    return divide(total, n)


def checked_counts(counts: Numbers) -> Numbers:
    """The same array.

    Raises:
        ValueError: a count is negative or no number (NaN).
    """
    if not (counts >= 0).all():
        raise ValueError("a count is a number from 0")
    return counts
