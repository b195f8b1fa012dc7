"""What a claim says to a question, by rule, and how many people a study had."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from core.conflicts.annotate.facts import finding
from core.conflicts.finding import Effect, Finding, read
from core.records import Claim

_SIGN = {Effect.UP: 1, Effect.GOOD: 1, Effect.LINK: 1, Effect.DOWN: -1, Effect.BAD: -1, Effect.NONE: 0}
_SIZE = re.compile(
    r"\bn\s*=\s*(?P<a>\d[\d,]*)|\b(?P<b>\d{1,3}(?:,\d{3})+|\d+)\s+(?:[\w-]+\s+){0,3}?"
    r"(?:patients|inpatients|outpatients|participants|women|men|children|adults|infants|people|subjects|cases"
    r"|individuals|volunteers|residents|students|employees|workers|nurses|adolescents|mice|rats|isolates)\b",
    re.IGNORECASE,
)
_YEARS = range(1900, 2100)


class Side(StrEnum):
    FOR = "for"
    AGAINST = "against"
    UNDECIDED = "undecided"


def sign(claim: Claim) -> int | None:
    """1: more of the outcome, or better, or a relation; -1: less, or worse; 0: no difference; None: no rule
    can read it."""
    return _sign(finding(claim)[0])


def asked(question: str, found: Iterable[int | None]) -> int:
    """What the question supposes, as `sign`: in its own words, else what most findings with an effect say."""
    own = _sign(read(question))
    if own is not None:
        return own
    counts = Counter(one for one in found if one)
    return max((1, -1), key=lambda one: counts[one])


def side(said: int | None, supposed: int) -> Side:
    if said is None:
        return Side.UNDECIDED
    return Side.FOR if said == supposed else Side.AGAINST


def _sign(found: Finding) -> int | None:
    if found.effect is None:
        return None
    return found.worth if found.worth and found.effect is not Effect.NONE else _SIGN[found.effect]


def study_size(text: str) -> int | None:
    """The largest number of people, animals or samples that an abstract counts; None where it counts none."""
    numbers = [int((m["a"] or m["b"]).replace(",", "")) for m in _SIZE.finditer(text)]
    return max((n for n in numbers if n > 1 and n not in _YEARS), default=None)
