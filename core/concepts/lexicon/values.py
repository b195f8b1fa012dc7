"""Numbers that say more or less than normal: "485 (38-126)", "-3.4 SD", as a text writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.concepts.lexicon.substances import DOWN, UP

_NUMBER = r"\d+(?:[.,]\d+)?"
_RANGE = re.compile(
    r"(?P<told>[A-Za-z.:=, ]{0,40}+)"
    rf"(?:(?P<low>{_NUMBER})\s*(?:[-\u2013\u2212]|to)\s*(?P<high>{_NUMBER})|(?P<sign>[<>\u2264\u2265])\s*(?P<limit>{_NUMBER}))"
)
"""A range or limit behind a bracket."""
_VALUE = re.compile(rf"(?<![\d.,\u00b1])(?P<value>{_NUMBER})\s*(?:[^\d\s()\[\]\u00b1]\S{{0,9}}\s*){{0,2}}\Z")
"""A number with its unit, at the end."""
_DEVIATION = re.compile(
    rf"(?P<sign>[-\u2013\u2212+]?)\s?(?P<value>{_NUMBER})\s*(?:SDS?|standard deviations?)\b"
    r"(?:\s+(?P<side>below|above|under|over))?"
)
_NORMAL = re.compile(r"norm|ref|\bn[rv]?\b|lab|limit", re.IGNORECASE)
_LACKING = re.compile(r"deficien|insufficien|low", re.IGNORECASE)


def bracketed_ranges(text: str) -> Iterator[re.Match[str]]:
    """Ranges and limits that stand in brackets, round ones first; each match begins behind its bracket."""
    for bracket in "([":
        at = text.find(bracket)
        while at >= 0:
            if match := _RANGE.match(text, at + 1):
                yield match
            at = text.find(bracket, at + 1)


def deviating_way(text: str, start: int, at: int) -> int:
    """Of "-3.4 SD" or "2.5 SD below the mean" the direction, from 2 deviations on; 0 for none.

    Args:
        start: where to look from.
        at: where "SD" stands.
    """
    for match in _DEVIATION.finditer(text, max(0, start - 2)):
        if match.start() > at:
            return 0
        if match.end() < at or _value(match["value"]) < 2:
            continue
        side, sign = match["side"], match["sign"]
        if side is None and not sign:
            return 0
        return DOWN if side in ("below", "under") or (side is None and sign != "+") else UP
    return 0


def ranged(text: str, begin: int, match: re.Match[str]) -> tuple[int, int]:
    """Of "485 (38-126)" where the number stands and whether it is above or below; 0 for neither.

    Args:
        begin: where the sentence begins.
        match: of `bracketed_ranges`.
    """
    bracket = match.start() - 1
    lead = max(begin, bracket - 40)
    stated = _VALUE.search(text[lead:bracket])
    told = match["told"].strip()
    if stated is None or "\u00b1" in text[max(0, lead + stated.start() - 2) : bracket]:
        return 0, 0  # a mean with its deviation
    normal, lacking = _NORMAL.search(told) is not None, _LACKING.search(told) is not None
    value, way = _value(stated["value"]), 0
    if match["low"] is not None:
        low, high = _value(match["low"]), _value(match["high"])
        if low < high and (normal or not told):
            way = DOWN if value < low else UP if value > high else 0
    else:
        limit, under = _value(match["limit"]), match["sign"] in ("<", "\u2264")
        if lacking and under:
            way = DOWN if value < limit else 0
        elif normal:
            way = UP if under and value > limit else DOWN if not under and value < limit else 0
    return lead + stated.start("value"), way


def _value(number: str) -> float:
    return float(number.replace(",", "."))
