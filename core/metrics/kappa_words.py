"""Kappa in words: the bands of Landis and Koch (1977), Biometrics 33(1), 159-174, table on page 165.

    in_words(0.62)       # "0.62, substantial"

The bands are a convention, not a test: kappa also depends on how often each label is used, so the same word
may stand for different agreement where one label prevails.
"""

from __future__ import annotations

BANDS = ((0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"), (1.0, "almost perfect"))
"""Up to which value, inclusive -> word; below 0: poor."""
NAMED = "In words: bands of Landis and Koch (1977), a convention that says nothing of prevalence."


def band(kappa: float) -> str:
    """The word for a kappa of at most 1, rounded to two decimals as the bands are."""
    shown = round(kappa, 2)
    return "poor" if shown < 0 else next(word for top, word in BANDS if shown <= top)


def in_words(kappa: float | None) -> str | None:
    """The value with its word; None where it is undefined."""
    return None if kappa is None else f"{round(kappa, 2) + 0.0:.2f}, {band(kappa)}"
