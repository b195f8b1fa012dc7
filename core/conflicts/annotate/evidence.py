"""Where quotes stand: in the claim of their side, else in its abstract, else nowhere.

A quote that stands word for word in the abstract is not taken for words of the claim that are merely like it.
Offsets are in the normalised abstract of the side, for both levels.
"""

from __future__ import annotations

from core.llm import quoted
from core.records import Claim, Evidence, Level, PairSpan, Side


def span(side: str, quote: str, role: str | None, claim: Claim, around: Side) -> PairSpan:
    """The span that a quote means; ungrounded, with the words as given, where the side says nothing like it.

    Args:
        side: a or b.
        quote: not blank.
    """
    at, text = claim.start, around.text
    if text[claim.start : claim.end] != claim.text:  # offsets of another text: only the abstract can vouch
        at = text.find(claim.text)
    inside = quoted(quote, claim.text) if at >= 0 else None
    outside = quoted(quote, text)
    best = _better(inside, outside, quote)
    if best is None:
        return PairSpan(side, quote, None, None, Level.ABSTRACT, role)
    if best is inside:
        return _placed(side, best, at, Level.CLAIM, role, text)
    return _placed(side, best, 0, Level.ABSTRACT, role, text)


def _better(inside: Evidence | None, outside: Evidence | None, quote: str) -> Evidence | None:
    """The claim's, unless it is only alike and the abstract has the very words."""
    if inside is None or not inside.grounded:
        return outside if outside and outside.grounded else None
    if outside and outside.grounded and _folded(outside.quote) == _folded(quote) != _folded(inside.quote):
        return outside
    return inside


def _placed(side: str, found: Evidence, at: int, level: Level, role: str | None, text: str) -> PairSpan:
    start, end = (found.start or 0) + at, (found.end or 0) + at
    return PairSpan(side, text[start:end], start, end, level, role)


def _folded(words: str) -> str:
    return " ".join(words.casefold().split())
