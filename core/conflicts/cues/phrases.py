"""Cues that are named by words: the phrases of `phrases.tsv` and the places of `places.tsv`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from core.records import Axis
from core.text.normalise import fold, singular
from core.text.spans import Memo, Words, words

Found = tuple[Axis, int, int, str]
"""(axis, start, end, comparable form)"""
_Entry = tuple[tuple[str, ...], tuple[str, ...], Axis, str]
"""Keys of a phrase's words, the words as written, axis, comparable form."""

_JOINTS = frozenset((" ", "-", "–", "‐", "‑", "/", "'", "’", ".", "\n", " - "))
"""What may stand between two words of a phrase."""
_KEYS: Memo[str] = Memo(lambda word: singular(fold(word)))


def named(found: Words) -> Iterator[Found]:
    """Every phrase of the lists that stands in a text: per axis the longest at a place. Phrases that are no
    cue come with the form "-": they keep what lies inside them from being one."""
    table = _table()
    keys = [_KEYS[word] for word in found.words]
    free: dict[Axis, int] = {}
    for at, key in enumerate(keys):
        for entry in table.get(key, ()):
            phrase, written, axis, value = entry
            last = at + len(phrase) - 1
            if at < free.get(axis, 0) or tuple(keys[at : last + 1]) != phrase:
                continue
            if _joined(found, at, last) and _capitals(found, at, written):
                free[axis] = last + 1
                yield axis, found.starts[at], found.end(last), value


def _joined(found: Words, first: int, last: int) -> bool:
    for i in range(first + 1, last + 1):
        initial = found.gaps[i] == ". " and len(found.words[i - 1]) <= 2  # "E. coli", "St. Petersburg"
        if found.gaps[i] not in _JOINTS and not initial:
            return False
    return True


def _capitals(found: Words, at: int, written: tuple[str, ...]) -> bool:
    """Whether the text has the capitals that the list has: "US" is a country and "us" is none."""
    for i, form in enumerate(written, at):
        start = found.starts[i]
        word = found.text[start : start + len(form)]
        if any(a.isupper() and not b.isupper() for a, b in zip(form, word, strict=False)):
            return False
    return True


@cache
def _table() -> dict[str, tuple[_Entry, ...]]:
    """Key of the first word -> phrases that begin with it, longest first."""
    table: dict[str, list[_Entry]] = {}
    for axis, value, phrase in _lines():
        split = words(phrase)
        written = tuple(phrase[s : split.end(i)] for i, s in enumerate(split.starts))
        keys = tuple(_KEYS[word] for word in split.words)
        table.setdefault(keys[0], []).append((keys, written, axis, value))
    return {key: tuple(sorted(entries, key=lambda e: -len(e[0]))) for key, entries in table.items()}


def _lines() -> Iterator[tuple[Axis, str, str]]:
    for axis, value, phrases in _rows("phrases.tsv"):
        yield from ((Axis(axis), value, phrase) for phrase in phrases.split("|") if phrase)
    for place, _, names in _rows("places.tsv"):
        for name in (place, *names.split("|")):
            if name:
                yield Axis.GEOGRAPHY, f"place: {place}", name


@cache
def regions() -> dict[str, str]:
    """Place -> the region it lies in."""
    return {place: region for place, region, _ in _rows("places.tsv") if region}


def _rows(name: str) -> list[list[str]]:
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]
