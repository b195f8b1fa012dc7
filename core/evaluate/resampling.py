"""How intervals are drawn: what every kind of evaluation asks of its settings."""

from __future__ import annotations

from core.errors import InputError

LEAST_RESAMPLES = 100
"""Below, the ends of a 95 % interval hang on two or three resamples."""


def check_resampling(bootstrap: int, seed: int, level: float) -> None:
    """Raise InputError where settings ask for intervals that cannot be drawn, or say nothing.

    Args:
        bootstrap: resamples; 0 for no intervals.
    """
    if bootstrap < 0 or seed < 0:
        raise InputError("Resamples and seed are whole numbers from 0. Give 0 resamples for no interval.")
    if 0 < bootstrap < LEAST_RESAMPLES:
        raise InputError(
            f"{bootstrap} resamples are too few for an interval. Give at least {LEAST_RESAMPLES}, usually "
            "1000, or 0 for no interval."
        )
    if not 0 < level < 1:
        raise InputError(f"An interval's level lies between 0 and 1, not at {level}.")
