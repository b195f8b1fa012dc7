"""Words of a text with exact offsets, and grounded spans made from them.

Offsets are 0-based, end-exclusive, in Unicode code points.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate

from core.records import Span
from core.text.normalise import lower

# Letters and digits with the combining marks that sit on them; a split with a group alternates gaps and words.
_WORD = re.compile(r"([^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*)")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text in lower case; `gaps[i]` is what stands before word i, `gaps[-1]` what ends the text."""

    text: str
    words: list[str]
    gaps: list[str]
    starts: list[int]

    def end(self, index: int) -> int:
        return self.starts[index] + len(self.words[index])

    def span(self, first: int, last: int) -> Span:
        """The text from word `first` to word `last`, both included."""
        start, end = self.starts[first], self.end(last)
        return Span(start, end, self.text[start:end])


def words(text: str) -> Words:
    parts = _WORD.split(lower(text))
    offsets = [0, *accumulate(map(len, parts))]
    return Words(text, parts[1::2], parts[0::2], offsets[1::2][: len(parts) // 2])
