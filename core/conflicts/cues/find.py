"""Cues of a text: what is named by words and what is found by its form, longest first at a place."""

from __future__ import annotations

from core.conflicts.cues.phrases import named
from core.conflicts.cues.values import valued
from core.records import Axis, Cue
from core.text.spans import words

_ORDER = {axis: i for i, axis in enumerate(Axis)}


def find_cues(text: str) -> list[Cue]:
    """The cues of a text in the order of their places (then of the axes), those of one axis apart from each
    other: where two of an axis overlap, the longer one stays, and of two as long the one named by words."""
    phrases = list(named(words(text)))
    spans = sorted({(start, end) for _, start, end, _ in phrases})
    by_axis: dict[Axis, list[tuple[int, int, str]]] = {}
    for axis, start, end, value in (*phrases, *valued(text)):
        if axis is Axis.GEOGRAPHY and (_inside(start, end, spans) or text.startswith("$", end)):
            continue  # "Pittsburgh Sleep Quality Index" and "US$ 20" say nothing about where
        by_axis.setdefault(axis, []).append((start, end, value))
    cues = [
        Cue(axis, start, end, text[start:end], value)
        for axis, candidates in by_axis.items()
        for start, end, value in _apart(candidates)
        if value != "-"
    ]
    return sorted(cues, key=lambda cue: (cue.start, _ORDER[cue.axis]))


def _inside(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    return any(a <= start and end <= b and b - a > end - start for a, b in spans)


def _apart(candidates: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    kept: list[tuple[int, int, str]] = []
    for start, end, value in sorted(candidates, key=lambda c: c[0] - c[1]):  # stable: longest first
        if all(end <= a or b <= start for a, b, _ in kept):
            kept.append((start, end, value))
    return sorted(kept)
