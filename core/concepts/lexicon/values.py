"""Numbers that say more or less than normal: "485 (38-126)", "-3.4 SD", as a text writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.concepts.lexicon.substances import DOWN, UP

_NUMBER = r"\d{1,3}(?:[ ,\u2009\u202f]\d{3})+(?!\d)|\d+(?:[.,]\d+)?"
"""With a mark between thousands, or without."""
_POWER = r"(?:\s*[x\u00d7*]\s*10\s*\^?\s*[\d\u2070\u00b9\u00b2\u00b3\u2074-\u2079]{1,2})?"
"""As in "45 x 10^9/L"; a range has the same one, or leaves it out."""
_UNIT = r"(?:[^\d\s()\[\]\u00b1,;][^\s,;]{0,9}\s*){0,2}"
_SIGNS = {
    "up to": "<",
    "below": "<",
    "under": "<",
    "less than": "<",
    "above": ">",
    "over": ">",
    "more than": ">",
}
_LIMITS = (
    rf"(?:(?P<low>{_NUMBER})\s*(?:[-\u2013\u2212]|to)\s*(?P<high>{_NUMBER})"
    rf"|(?P<sign>[<>\u2264\u2265]|{'|'.join(_SIGNS)})\s*(?P<limit>{_NUMBER}))"
)
_PROMISING = re.compile(r"[(\[][A-Za-z.:=, ]{0,40}+[\d<>\u2264\u2265]")
_BRACKETED = re.compile(r"[(\[](?P<told>[A-Za-z.:=, ]{0,40}?)" + _LIMITS)
"""A range or limit in brackets."""
_OPENED = re.compile(r"[,;]\s*(?:the\s|with\s(?:a\s)?)?\Z")
_STATED = re.compile(
    r"(?P<told>(?:normal|reference)(?:\s(?:reference\s)?(?:ranges?|values?|limits?|levels?|intervals?))?"
    r"(?:\s(?:is|was|of|being|for\sage))?[:=,]?)\s*" + _LIMITS
)
"""One behind a comma: ", normal range 3.5-5.0"."""
_VALUE = re.compile(rf"(?<![\d.,\u00b1^x\u00d7*])(?<![x\u00d7*] )(?P<value>{_NUMBER}){_POWER}\s*{_UNIT}\Z")
"""A number with its unit, at the end."""
_BELOW = r"<|\u2264|below|under|less than|lower than|smaller than"
_ABOVE = r">|\u2265|above|over|beyond|more than|greater than|higher than"
_DEVIATION = re.compile(
    rf"(?P<sign>[-\u2013\u2212+]?)\s?(?P<value>{_NUMBER})\s*(?:SDS?|standard deviations?)\b"
    r"(?:\s+(?P<side>below|above|under|over))?"
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fifth": 5, "tenth": 10}
_CENTILE = re.compile(
    rf"(?:(?P<below>{_BELOW})|(?P<above>{_ABOVE}))?\s*(?:the\s+)?"
    rf"(?P<value>\d+(?:\.\d+)?|{'|'.join(_ORDINALS)})(?:st|nd|rd|th)?[\s-]*(?:per)?centile"
)
_FEW, _LEAST = 5, 3
"""Below the fifth of a hundred is little; so is the second, but not the third."""
_NORMAL = re.compile(r"norm|ref|\bn[rv]?\b|lab|limit", re.IGNORECASE)
_LACKING = re.compile(r"deficien|insufficien|low", re.IGNORECASE)


def stated_ranges(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Ranges and limits that a text states, with the place of the bracket or comma before them."""
    for bracket in "([":
        at = text.find(bracket)
        while at >= 0:
            if _PROMISING.match(text, at) and (match := _BRACKETED.match(text, at)):
                yield at, match
            at = text.find(bracket, at + 1)
    for word in ("normal", "reference"):
        at = text.find(word)
        while at >= 0:
            if (match := _STATED.match(text, at)) and (opened := _OPENED.search(text[max(0, at - 12) : at])):
                yield at - len(opened[0]), match
            at = text.find(word, at + 1)


def deviation(text: str, start: int, at: int) -> tuple[int, int]:
    """Of "-3.4 SD" or "below the 3rd percentile" the direction, 0 for none, and where it begins.

    Two standard deviations count, and what is below the fifth or above the 95th percentile, or on one that is
    below the third or above the 97th.

    Args:
        start: where to look from.
        at: where "SD" or "percentile" stands.
    """
    for match in _CENTILE.finditer(text, start):
        if match.start() <= at < match.end():
            value = _ORDINALS.get(match["value"]) or float(match["value"])
            few, many = (_FEW, 100 - _FEW) if match["below"] or match["above"] else (_LEAST - 1, 101 - _LEAST)
            less, more = value <= few and not match["above"], value >= many and not match["below"]
            return DOWN if less else UP if more else 0, match.start()
    for match in _DEVIATION.finditer(text, max(0, start - 2)):
        if match.start() > at:
            break
        if match.end() < at or _value(match["value"]) < 2:
            continue
        side, sign = match["side"], match["sign"]
        if side is None and not sign:
            break
        down = side in ("below", "under") or (side is None and sign != "+")
        return DOWN if down else UP, match.start()
    return 0, at


def ranged(text: str, begin: int, opens: int, match: re.Match[str]) -> tuple[int, int]:
    """Of "485 (38-126)" where the number ends and whether it is above or below; 0 for neither.

    Args:
        begin: where the sentence begins.
        opens, match: of `stated_ranges`.
    """
    lead = max(begin, opens - 40)
    stated = _VALUE.search(text[lead:opens])
    told = match["told"].strip()
    if stated is None or "\u00b1" in text[max(0, lead + stated.start() - 2) : opens]:
        return 0, 0  # a mean with its deviation
    normal, lacking = _NORMAL.search(told) is not None, _LACKING.search(told) is not None
    value, way = _value(stated["value"]), 0
    if match["low"] is not None:
        low, high = _value(match["low"]), _value(match["high"])
        if low < high and (normal or not told):
            way = DOWN if value < low else UP if value > high else 0
    else:
        limit, under = _value(match["limit"]), _SIGNS.get(match["sign"], match["sign"]) in ("<", "\u2264")
        if lacking and under:
            way = DOWN if value < limit else 0
        elif normal:
            way = UP if under and value > limit else DOWN if not under and value < limit else 0
    return lead + stated.end("value"), way


def _value(number: str) -> float:
    """Of "12,345" twelve thousand and more, of "1,5" one and a half."""
    if re.fullmatch(r"[1-9]\d{0,2}(?:[ ,\u2009\u202f]\d{3})+", number):
        return float(re.sub(r"\D", "", number))
    return float(re.sub(r"[^\d.]", ".", number))
