"""Who has a finding and against whom; and which way the numbers of two arms go, where no word tells.

Trials are told from the side of what was tried: "pain was higher with placebo" is less pain. Where nothing
says which arm is the control, the one named first is what was tried.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from core.conflicts.finding.words import Effect

CONTROL = re.compile(
    r"\b(?:placebo|controls|control (?:\w+ )?(?:groups?|arms?|subjects|participants|patients|condition|milk"
    r"|diet|trial)|(?:the|than|with|to|versus|vs\.?|and|in) control(?! of\b)|sham|untreated|unvaccinated"
    r"|(?:usual|standard|routine|conventional|traditional) (?:\w+ )?(?:care|treatment|therapy|practice"
    r"|management|groups?|arms?|doses?|methods?|techniques?|protocol|regimen|diet|training|education|advice|drugs?)"
    r"|no(?:n|t)?[- ](?:treat\w+|intervention|supplement\w*|exercis\w+|train\w+|receiv\w+|given)"
    r"|no (?:treatment|intervention|drug|block|supplement\w*)|wait(?:ing)?[- ]?list|saline|vehicle|alone"
    r"|monotherapy|did not receive|comparison (?:group|arm)|comparator|reference group|dummy|attention)\b"
)
_AGAINST = re.compile(
    r"\b(?:than|(?:as )?compared (?:with|to)|as compared|comparing (?:with|to)|in comparison (?:with|to)"
    r"|comparisons? (?:with|to)|relative to|versus|vs\.?|over|rather than)"
    r"(?: (?:that|those) (?:of|in|with|for|who))? "
)
_FRONT = re.compile(
    r"^(?:[\w ]{0,30}, )?(?:as )?(?:compared (?:with|to)|in comparison (?:with|to)|relative to|versus|unlike)"
    r" [^,]{2,90},"
)
_BEARER = re.compile(r"\b(?:in|with|for|among|on|after|by|under|of|following|receiving|given) ")
_UNTIL = re.compile(
    r"[(;:\[]|,(?! (?:and|or) )|\b(?:but|whereas|while|although|however"
    r"|who(?! (?:had|got|took|were|received))|which|than|compared|versus|vs"
    r"|relative|comparison)\b|\.(?!\d)|$"
)
_ON_WHAT = re.compile(r" (?:for|at|regarding|in terms of|in \w+ing)\b")
_NEXT = re.compile(r"(?<!vs)\. [a-z]|;")
_BOTH = re.compile(r"\b(?:both|all|each|either|respectively)\b")


Place = tuple[int, int]
"""Start and end in a text."""


class Arms(NamedTuple):
    """Where the two sides of a comparison stand; (0, 0) where not said."""

    bearer: Place
    """What stands before the finding, where no words behind it say who has it."""
    against: Place
    turned: bool
    """Whether the finding is told of the control: more of it there is less with what was tried."""


def arms(text: str, start: int, end: int) -> Arms:
    """The arms of the finding whose words stand from `start` to `end` of a lower-case sentence."""
    front = _FRONT.match(text)
    opening = front.end() if front and front.end() <= start else 0
    subject, against = (opening, start), (0, opening)
    told = _AGAINST.search(text, opening, start)
    if told:
        subject, against = (opening, told.start()), (told.end(), start)
    told = _AGAINST.search(text, end)
    if told and _NEXT.search(text, end, told.start()):
        told = None
    if told:
        on_what = _ON_WHAT.search(text, told.end(), stop := _stop(text, told.end()))
        against = told.end(), on_what.start() if on_what else stop
    stop = told.start() if told else _stop(text, end)
    found = _BEARER.search(text, end, stop)
    bearer = (found.end(), max(found.end(), min(stop, _stop(text, found.end())))) if found else (0, 0)
    has = text[slice(*bearer)] if CONTROL.search(text, *bearer) else text[slice(*subject)]
    turned = bool(
        CONTROL.search(has)
        and not CONTROL.search(text, *against)
        and not _BOTH.search(has)
        and " and " not in has
    )
    return Arms(bearer if found else subject, against, turned)


def _stop(text: str, at: int) -> int:
    found = _UNTIL.search(text, at)
    return found.start() if found else len(text)


# --- numbers ------------------------------------------------------------------------------------------------

_SIGN = r"[-−–]"
_NUMBER = rf"{_SIGN}?\d+(?:[.·]\d+)?"
_INTERVAL = (
    rf"(?:[\s\S]{{0,30}}?(?:ci|confidence interval)[^\d−-]{{0,12}}(?P<lo>{_NUMBER})%?\s*(?:–|-|to|,|;)\s*"
    rf"(?P<hi>{_NUMBER}))?"
)
_RATIO = re.compile(
    rf"\b(?:a?hr|a?or|a?rr|irr|hazards? ratio|odds ratio|relative risk|risk ratio|rate ratio)s?\b"
    rf"[^\d;.]{{0,25}}(?P<n>\d+[.·]\d+){_INTERVAL}"
)
_DIFFERENCE = re.compile(
    rf"\b(?:differences?|effects?|change|md|smd|β|b)\b(?: \w+){{0,4}}[^\d;.−–-]{{0,12}}"
    rf"(?P<n>{_NUMBER}){_INTERVAL}"
)
_VALUE = re.compile(
    r"(?<![\w.,=<>/-])(?P<n>[-−–+]?\d+(?:,\d{3})*(?:[.·]\d+)?)(?![\w-]|[.·,]\d|/\d)"
    r"(?! ?(?:years?|months?|weeks?|days? (?:after|of)|participants|patients|groups|arms|ci\b"
    r"|[-–] ?\d|to \d))"
)
_SHARE = re.compile(r"\d+(?: ?/ ?\d+)?(?: \w+)? \((?P<n>\d+(?:[.·]\d+)?) ?%\)")
_JOIN = re.compile(
    r"\b(?:vs\.?|versus|compared (?:with|to)|and|against|whereas|while|but|in contrast to|than)(?!\w)|[;,]"
)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_TIMES = re.compile(
    r"\b(?:at|after|from|within|by|until|day|week|month|year|hour|group|grade|stage|type|phase|arm"
    r"|baseline \w*|table|fig(?:ure)?\.?|visit|age|aged|n ?=|t ?=|f ?=|≥|≤|>|<|=)\s*$"
)


def by_numbers(text: str) -> Effect | None:
    """Which way the numbers of a lower-case sentence go: the values of two arms, a ratio or a signed
    difference and its interval. None where they do not tell; p values are not asked here."""
    ratio, difference = _RATIO.search(text), _DIFFERENCE.search(text)
    for found, nothing in ((ratio, 1.0), (difference, 0.0)):
        if found and found["lo"] and _float(found["lo"]) <= nothing <= _float(found["hi"]):
            return Effect.NONE
    told = _two_arms(text)
    if told or ratio is None:
        return told or (Effect.DOWN if difference and difference["n"][0] in "-−–" else None)
    up = (_float(ratio["n"]) > 1) != ("survival" in text)  # a hazard is one of dying
    return Effect.UP if up else Effect.DOWN


def _two_arms(text: str) -> Effect | None:
    text = _SHARE.sub(r"\g<n>%", text)
    bare = _BRACKETS.sub(lambda found: " " * len(found[0]), text)
    values = _values(bare)
    if len(values) < 2:
        inside = [found for found in _BRACKETS.finditer(text) if _JOIN.search(found[0])]
        for found in inside:
            values = _values(found[0])
            if len(values) >= 2 and re.search(r"vs|versus|compared|and", found[0]):
                return _way(text[: found.start()], found[0], values)
        return None
    return _way(bare[: values[0].start()], bare, values)


def _values(text: str) -> list[re.Match[str]]:
    found = []
    for match in _VALUE.finditer(text):
        before = text[max(0, match.start() - 14) : match.start()]
        if not _TIMES.search(before) and not re.search(r"(?:±|\+/-|sd|se|ci|p)\s*$", before):
            found.append(match)
    return found


def _way(before: str, text: str, values: list[re.Match[str]]) -> Effect | None:
    one, two = values[0], values[1]
    between = text[one.end() : two.start()]
    joined = _JOIN.search(between)
    if joined is None:
        return None
    a, b = _float(one["n"]), _float(two["n"])
    if a == b or (max(a, b) < 10 and "." not in one["n"] + two["n"]):
        return None
    after = text[two.end() : _stop(text, two.end())]
    first, second = bool(CONTROL.search(between[: joined.start()])), bool(CONTROL.search(after))
    if first == second:
        named = re.search(
            r"(?P<x>[^,;]{2,60}) (?:and|versus|vs\.?|compared (?:with|to)) (?P<y>[^,;]{2,60})$", before
        )
        if named:
            first, second = bool(CONTROL.search(named["x"])), bool(CONTROL.search(named["y"]))
        else:
            later = CONTROL.search(between, joined.end())
            first, second = bool(CONTROL.search(before[-60:])) and not later, bool(later)
    more = a > b
    return Effect.UP if more != (first and not second) else Effect.DOWN


def _float(text: str) -> float:
    return float(text.replace("·", ".").replace("−", "-").replace("–", "-").replace("+", "").replace(",", ""))
