"""One sentence, with what is looked up in it more than once: its cues, clauses and shields."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from core.text.assertion.clauses import clauses
from core.text.assertion.cues import find
from core.text.assertion.tables import Cue, words_of
from core.text.spans import Words

_JOINS, _SHIELDED = words_of("joins"), words_of("joins", "copulas", "strong")
_LED, _OWNERS = words_of("led", "placed", "joins"), frozenset(("his", "her", "their"))

Place = tuple[int, int]
"""A mention: first word, last word."""


class Sentence:
    """One sentence with its mentions, in order, and its cues."""

    def __init__(self, found: Words, near: Sequence[Place], begin: int, end: int) -> None:
        self.found, self.near, self.begin, self.end = found, near, begin, end
        self.starts = [first for first, _ in near]
        self._cues: list[Cue] | None = None
        self._clauses: list[int] | None = None
        self._shields: list[Place] | None = None

    @property
    def cues(self) -> list[Cue]:
        """Those that are no part of a finding of several words."""
        if self._cues is None:
            found = find(self.found, self.begin, self.end)
            wide = [(first, last) for first, last in self.near if last > first]
            self._cues = [c for c in found if not any(a <= c.first and c.last <= b for a, b in wide)]
        return self._cues

    @property
    def clauses(self) -> list[int]:
        """The words that begin a clause, and the word behind the sentence."""
        if self._clauses is None:
            self._clauses = [*clauses(self.found, self.begin, self.end), self.end]
        return self._clauses

    @property
    def shields(self) -> list[Place]:
        if self._shields is None:
            self._shields = [self._shield(cue) for cue in self.cues if "shields" in cue.kinds]
        return self._shields

    def _shield(self, cue: Cue) -> Place:
        """The words behind "apart from" or "because of" that no cue outside reaches."""
        words, gaps = self.found.words, self.found.gaps
        i = cue.last + 1
        while i < self.end and not (i > cue.last + 1 and ("," in gaps[i] or ";" in gaps[i])):
            listed = words[i] in _JOINS and i + 1 in self.starts  # "because of headache and fatigue"
            subject = words[i] in _OWNERS and words[i - 1] not in _LED  # "despite the changes his hearing"
            if (words[i] in _SHIELDED and not listed) or (subject and i > cue.last + 1):
                break
            i += 1
        return cue.first, i

    def clause(self, i: int) -> tuple[int, int]:
        """First word of the clause of word `i`, and of the next one."""
        at = bisect_right(self.clauses, i)
        return self.clauses[at - 1], self.clauses[min(at, len(self.clauses) - 1)]
