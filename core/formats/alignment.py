"""Two texts that differ by white space only: where a place of one stands in the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, zip_longest

from core.formats.rows import shown
from core.records import Span


class Alignment:
    """From places in a file's text to places in the text to label, by counting what is no white space."""

    def __init__(self, text: str, known: str):
        self.known = known
        self._before = [0, *accumulate(not letter.isspace() for letter in text)]
        self._places = [place for place, letter in enumerate(known) if not letter.isspace()]

    def span(self, start: int, end: int) -> Span | None:
        """The same words in the text to label; None where there are none, but only white space."""
        first, last = self._before[start], self._before[end]
        if first == last:
            return None
        start, end = self._places[first], self._places[last - 1] + 1
        return Span(start, end, self.known[start:end])


def align(text: str, known: str) -> Alignment | None:
    """None where the two differ by more than white space."""
    return Alignment(text, known) if words_of(text) == words_of(known) else None


def words_of(text: str) -> str:
    """A text without its white space: the same for two texts that differ by nothing else."""
    return "".join(text.split())


def difference(text: str, known: str) -> str:
    """Where two texts first differ by more than white space."""
    pairs = zip_longest(_letters(text), _letters(known))
    ends = (len(text), ""), (len(known), "")
    for ours, theirs in pairs:
        (at, one), (there, other) = ours or ends[0], theirs or ends[1]
        if one != other:
            found, wanted = text[at : at + 20], known[there : there + 20]
            return f"from character {at} on: {shown(found)} against {shown(wanted)}"
    return "by white space"


def _letters(text: str) -> Iterator[tuple[int, str]]:
    return ((place, letter) for place, letter in enumerate(text) if not letter.isspace())
