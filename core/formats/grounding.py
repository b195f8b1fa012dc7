"""Does a quote stand where its offsets say? Offsets of other units become code points here, and only here.

Touchstone counts Unicode code points. Other tools count UTF-16 units (JavaScript, Java) or UTF-8 bytes: the
three agree until the first letter outside ASCII, or outside the basic plane, and drift after it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, get_args

from core.formats.rows import Notes, OffsetUnit, shown
from core.records import Evidence, Span

UNITS: tuple[OffsetUnit, ...] = get_args(OffsetUnit)


class Claim(NamedTuple):
    """What a file says about one mention; offsets in the file's own unit."""

    quote: str | None
    start: int | None
    end: int | None


class Grounded(NamedTuple):
    """At most one of the two is set; none for a document-level annotation."""

    span: Span | None = None
    ungrounded: Evidence | None = None


class Mismatch(ValueError):
    """A claim that the text does not bear out; the message says what was expected and what was found."""


class Frame:
    """A text together with the unit that offsets into it count."""

    def __init__(self, text: str, unit: OffsetUnit = "code-points"):
        self.text = text
        self.unit = unit
        self._points: dict[int, int] | None = None if unit == "code-points" or text.isascii() else {}

    def point(self, offset: int) -> int | None:
        """The offset in code points; None where it lies outside the text or within a character."""
        if self._points is None:
            return offset if 0 <= offset <= len(self.text) else None
        if not self._points:
            self._points = self._count()
        return self._points.get(offset)

    def _count(self) -> dict[int, int]:
        points = {0: 0}
        place = 0
        for index, letter in enumerate(self.text, 1):
            place += 1 + (letter > "\uffff") if self.unit == "utf-16" else len(letter.encode())
            points[place] = index
        return points

    def marked(self, start: int, end: int) -> Span | None:
        """The part of the text between two offsets; None where they do not mark one."""
        first, last = self.point(start), self.point(end)
        if first is None or last is None or first >= last:
            return None
        return Span(first, last, self.text[first:last])


def ground(frame: Frame, claim: Claim, notes: Notes, *, keep: bool = False) -> Grounded:
    """Check one claim against the text.

    A quote without offsets is looked up: its only place, or the first of several, which is noted. With
    `keep`, a quote whose offsets are wrong is moved to its place if it occurs exactly once, and else kept
    ungrounded; both are noted.

    Raises:
        Mismatch: the offsets or the quote do not fit the text (with `keep`, only where there is no quote).
    """
    if claim.start is not None and claim.end is not None:
        marked = frame.marked(claim.start, claim.end)
        if marked is not None and claim.quote in (None, marked.quote):
            return Grounded(marked)
        if not keep or claim.quote is None:
            raise Mismatch(_explain(frame, claim, marked))
    elif claim.quote is None:
        return Grounded()
    quote = claim.quote
    places = occurrences(frame.text, quote, limit=2)
    if claim.start is None and places:
        notes.located += len(places) == 1
        notes.ambiguous += len(places) > 1
    elif len(places) == 1:
        notes.relocated += 1
    elif keep:
        notes.ungrounded += 1
        return Grounded(None, _as_stated(frame, claim, quote))
    else:
        raise Mismatch(f"the quote {shown(quote)} does not occur in the text")
    return Grounded(Span(places[0], places[0] + len(quote), quote))


def _as_stated(frame: Frame, claim: Claim, quote: str) -> Evidence:
    if claim.start is not None and claim.end is not None and (marked := frame.marked(claim.start, claim.end)):
        return Evidence(quote, marked.start, marked.end, grounded=False)
    return Evidence(quote, None, None, grounded=False)


def occurrences(text: str, quote: str, limit: int) -> list[int]:
    """Where `quote` starts in `text`, overlapping places included, the first `limit` of them."""
    places: list[int] = []
    at = text.find(quote)
    while at >= 0 and len(places) < limit:
        places.append(at)
        at = text.find(quote, at + 1)
    return places


def _explain(frame: Frame, claim: Claim, marked: Span | None) -> str:
    text = frame.text
    if marked is None:
        size = f"which has {len(text)} characters"
        cause = f"offsets {claim.start} to {claim.end} mark no part of the text, {size}"
    else:
        context = shown(text[max(0, marked.start - 20) : marked.end + 20], 120)
        found = f"found {shown(marked.quote)} in {context}"
        cause = f"expected {shown(claim.quote)} at {claim.start} to {claim.end}, {found}"
    if claim.quote is None:
        return cause
    places = occurrences(text, claim.quote, limit=3)
    where = f"stands at {', '.join(map(str, places))}" if places else "does not occur in the text"
    return f"{cause}; {shown(claim.quote)} {where}"


def other_unit(frame: Frame, claims: Iterable[Claim]) -> OffsetUnit | None:
    """The unit, other than the frame's, in which every claim of a document would hold; None if none."""
    stated = [claim for claim in claims if claim.quote is not None and claim.start is not None]
    for unit in UNITS:
        if unit != frame.unit and stated:
            other = Frame(frame.text, unit)
            if all(_holds(other, claim) for claim in stated):
                return unit
    return None


def _holds(frame: Frame, claim: Claim) -> bool:
    marked = frame.marked(claim.start or 0, claim.end or 0)
    return marked is not None and marked.quote == claim.quote


def length(text: str, unit: OffsetUnit) -> int:
    """How many units a text has."""
    if unit == "utf-16":
        return len(text) + sum(letter > "\uffff" for letter in text)
    return len(text.encode()) if unit == "utf-8" else len(text)
