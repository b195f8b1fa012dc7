"""Who, what, against what, on what: the slots of a claim, by the shapes such sentences have."""

from __future__ import annotations

import re
from typing import Any

from core.conflicts.finding import read
from core.conflicts.finding.terms import content

_PEOPLE = (
    r"patients?|women|men|children|adults?|infants?|neonates?|newborns?|participants?|subjects?|people|"
    r"individuals?|adolescents?|students?|volunteers?|mothers?|boys|girls|persons?|populations?|cohort|"
    r"survivors?|smokers?|athletes?|mice|rats|dogs|pigs|rabbits|isolates|strains|cases|users|workers|nurses|"
    r"pregnancies|residents|carriers|recipients|males|females|veterans|teeth|lesions|tumou?rs|cells|eyes|"
    r"households|elderly|diabetics"
)
_STOP = r"(?=\s*(?:[.;:()\[\]]|,\s|$)|\s+(?:and|but|while|whereas|although|who|which|that|is|are|was|were|"
r"had|has|have|did|"
_STOP += r"with no|compared|than|versus|vs|after|during|at|by|when|for|over|showed|may|can)\b)"
_PHRASE = r"[^.;:()\[\],]{2,90}?"

_POPULATION = re.compile(
    rf"\b(?:in|among|of|for)\s+(?P<a>(?:[\w%≥≤<>'’/.+-]+\s+){{0,6}}?(?:{_PEOPLE})\b(?:\s+(?:with|of|"
    rf"undergoing|treated for|suffering from|aged|at risk (?:of|for)|without|receiving)\s+"
    rf"{_PHRASE})?){_STOP}|\b(?P<b>(?:patients|women|men|children|adults|infants|participants|individuals|"
    rf"subjects)\s+(?:with|undergoing|aged|"
    rf"receiving)\s+{_PHRASE}){_STOP}",
    re.IGNORECASE,
)
_COMPARATOR = re.compile(
    rf"\b(?:compared\s+(?:with|to)|in comparison (?:with|to)|versus|vs\.?|relative to|superior to|"
    rf"inferior to|than(?! or)|as (?:effective|safe|good|well|accurately) as(?: does| do| can)?)\s+(?:did\s+"
    rf"|that (?:of|in|with)\s+|those (?:of|in|with)"
    rf"\s+|in\s+|with\s+|for\s+|by\s+)?(?!\d)(?P<x>{_PHRASE}){_STOP}",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    rf"\bbetween\s+(?:the\s+)?(?P<x>(?!groups?\b|the\b|two\b|both\b){_PHRASE})\s+(?:and|versus|vs\.?)\s+"
    rf"(?:the\s+)?"
    rf"(?P<y>{_PHRASE}){_STOP}",
    re.IGNORECASE,
)
_EFFECT_ON = re.compile(
    rf"\b(?:effects?|impact|influence|efficacy|benefits?)\s+of\s+(?P<x>{_PHRASE})\s+(?:on|upon|in reducing|"
    rf"in improving)\s+"
    rf"(?P<o>{_PHRASE}){_STOP}",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"[\s\S]*(?:\bthat\b|\b(?:showed|suggests?|indicates?|demonstrated?s?|revealed)\b|,(?! (?:and|or) )|;|:"
    r"|\. )",
    re.IGNORECASE,
)
"""What stands before the subject of a finding."""
_JOINING = """
was were is are had has have did does do may can could might would be been showed led resulted also a an the
to in with no not there significant statistically much even more less group groups associated found observed
seen noted reported produced provided caused experienced achieved gave
"""
_LINKING = frozenset(_JOINING.split())
"""What joins a subject to a finding."""
_OPENING = re.compile(
    r"^[\s,]*(?:(?:was|were|is|are|statistically|significant\w*|found|observed|seen|noted|detected|evident)\s+)*"
    r"(?:(?:between|among|within|in)\s+(?:the\s+)?(?:\w+\s+){0,2}(?:groups?|arms|treatments)[\s,]+)?"
    r"(?:(?:in|of|on|for|with|to|upon|regarding|respect|regards?|terms|rates?|mean|median|changes?"
    r"|from baseline)\s+)*",
    re.IGNORECASE,
)
"""What stands between a finding and its outcome."""
_BRACKETS = re.compile(r"\s*[(\[]")
_GROUP = re.compile(
    r"\b(?:in|with|for|among|by|of|the)\s+(?:the\s+)?(?P<x>(?!(?:two|both|all|study|experimental|intervention|treatment|"
    r"each|three|control|the|other|placebo|same)\b)[\w.%+-]+(?:\s[\w.%+-]+){0,2}?)[\s-]+(?:treatment\s+|treated\s+)?"
    r"(?:group|arm)\b",
    re.IGNORECASE,
)
_CONTROL = re.compile(
    r"\b(?:placebo|sham(?:\s\w+)?|(?:usual|standard|routine|conventional)\s+(?:care|treatment|therapy)|controls|control\s+"
    r"(?:group|arm|subjects|participants|patients))\b",
    re.IGNORECASE,
)
_BEFORE_ARM = re.compile(r"^\s*(?:(?:in|of|on|for|with|to|by)\s+)*", re.IGNORECASE)
_REST = re.compile(
    r"\s+(?:in|with|among|between|after|by|for|during|from|over|following|when|than|throughout|within|until|as|on"
    r"|was|were|is|are|had|did|and (?:was|were|did|had)|who|which|that|to|under|across|per"
    r"|compared|versus|vs\.?)\s"
    r"|\s+at\s+(?:\d|the\b|baseline|follow|days?\b|weeks?\b|months?\b|one|two|three|four|six|twelve)|[.;:()\[\],]",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    r"\bp\s*(?:-value\s*)?(?:=|<|>|≤|≥|< or =)\s*0?\.\d+|(?:\d{2}\s*%\s*)?(?:CI|"
    r"confidence interval)s?[\s,:=]*[-−\d.]+\s*(?:%)?\s*(?:-|–|to|,|;)\s*[-−\d.]+\d|\b(?:OR|HR|RR|SMD|MD|"
    r"odds ratio|hazard ratio|relative risk|risk ratio)s?(?:\s*\[[^\]]*\])?[\s,:=]*(?:of\s+|was\s+"
    r")?-?\d+(?:[.·]\d+)?|[-−]?\d+(?:[.,·]\d+)*\s*(?:±|\+/-)\s*\d+(?:[.·]\d+)?(?:\s*%)?|"
    r"[-−]?\d+(?:[.,·]\d+)*\s*%|\bn\s*=\s*\d+|[-−]?\d+(?:[.,·]\d+)*(?:\s*(?:mg|kg|mm ?Hg|mmol/L|g|cm|mm|ml|"
    r"mL|h|min|days?|weeks?|"
    r"months?|years?|points?)\b)?",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^(?:(?:the|an?|both|all|that|there|these|this|our|also|of|in|(?!early|daily|weekly|monthly|elderly|family|only)\w{3,}ly|significant|statistically)\s+)+",
    re.IGNORECASE,
)
_STANDS_FOR = frozenset("it they we there this those that which who significant".split()) | {""}  # noqa: SIM905
_LONGEST = 20
"""Numbers kept of one claim."""


def slots_of(claim: str) -> dict[str, Any]:
    """population, intervention, comparator, outcome: words of the claim, or None; numbers: a list of what
    stands there (P values, intervals, ratios, shares, values with their units)."""
    found = read(claim)
    before, outcome_at, bearer, against = found.places
    inside = outcome_at[0] <= bearer[0] < outcome_at[1]  # "in the levels of x"
    tried = against if found.turned else before if inside else bearer
    effect_on = _EFFECT_ON.search(claim)
    if effect_on:
        intervention, outcome = _clean(effect_on["x"]), _clean(effect_on["o"])
    elif found.effect is None:
        intervention = outcome = None
    else:
        outcome = _phrase(claim, outcome_at, found.start, _OPENING)
        intervention = _phrase(claim, tried, found.start, _BEFORE_ARM)
    versus, between, control = _COMPARATOR.search(claim), _BETWEEN.search(claim), _CONTROL.search(claim)
    comparator = None
    if versus and not found.turned:
        comparator = _clean(versus["x"])
    elif between and not versus:
        intervention, comparator = _clean(between["x"]), _clean(between["y"])
    elif control:
        comparator = control[0]
    if intervention in (outcome, comparator) or not content(intervention or ""):  # "the study group"
        group = _GROUP.search(claim)
        intervention = _clean(group["x"]) if group and group["x"] != comparator else None
    people = _POPULATION.search(claim)
    return {
        "population": _clean(people["a"] or people["b"]) if people else None,
        "intervention": intervention,
        "comparator": comparator,
        "outcome": outcome,
        "numbers": [match[0].strip() for match in _NUMBERS.finditer(claim)][:_LONGEST],
    }


def _phrase(claim: str, at: tuple[int, int], finding: int, opening: re.Pattern[str]) -> str | None:
    """The words at a place that name what it speaks of: the last ones of a subject, the first ones of what
    follows the finding."""
    words = claim[slice(*at)]
    if at[1] <= finding:
        words = _BRACKETS.split(words)[0] if _BRACKETS.search(words) else words
        words = _unlinked(_SAID.sub("", words.rstrip(" ,"), 1))
    words = opening.sub("", words).lstrip()
    rest = _REST.search(words, 1) if words else None
    return _clean(words[: rest.start()] if rest else words)


def _unlinked(words: str) -> str:
    """Without the words at the end that join a subject to its finding."""
    while True:
        words = words.rstrip()
        head, _, last = words.rpartition(" ")
        if not head or not (last.lower() in _LINKING or last.endswith("ly")):
            return words
        words = head


def _clean(text: str | None) -> str | None:
    """Without articles in front and white space around; None for a word that stands for another."""
    if text is None:
        return None
    bare = _LEADING.sub("", text.strip())
    return None if bare.lower() in _STANDS_FOR else bare
