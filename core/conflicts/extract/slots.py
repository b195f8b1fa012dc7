"""Who, what, against what, on what: the slots of a claim, by the shapes such sentences have."""

from __future__ import annotations

import re
from typing import Any

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
_VERBS = (
    r"improve[ds]|reduce[ds]|increase[ds]|decrease[ds]|prevent(?:ed|s)|enhance[ds]|lower(?:ed|s)|"
    r"prolong(?:ed|s)|shorten(?:ed|s)|worsen(?:ed|s)|affect(?:ed|s)|changed|alter(?:ed|s)|influence[ds]|"
    r"cause[ds]|induce[ds]|inhibit(?:ed|s)|attenuate[ds]|led to|leads to|resulted in|results in|produce[ds]|"
    r"promote[ds]|predict(?:ed|s)|elicit(?:ed|s)|provide[ds]|ameliorate[ds]|alleviate[ds]|suppress(?:ed|es)|"
    r"lessen(?:ed|s)|accelerate[ds]|delay(?:ed|s)|raise[ds]|modulate[ds]|relieve[ds]"
)
_BARE = (
    r"improve|reduce|increase|decrease|prevent|enhance|lower|prolong|shorten|worsen|affect|change|alter|"
    r"influence|cause|induce|inhibit|attenuate|lead to|result in|produce|promote|predict|provide|alleviate|"
    r"lessen|delay|relieve"
)
_ACTED = re.compile(
    rf"^(?:[^,;:]{{0,60}}?(?:that|showed|found|suggests?|indicates?|demonstrates?|,|however)\s+"
    rf")?(?P<x>{_PHRASE})\s+(?:(?:also|significantly|substantially|markedly|effectively|marginally|modestly|"
    rf"slightly|greatly|strongly|independently|further|immediately|only)\s+)*(?:(?:{_VERBS})|(?:did|does|do|"
    rf"may|can|could|might|would)\s+"
    rf"(?:\w+\s+){{0,2}}?(?:{_BARE}))\s+(?P<o>{_PHRASE}){_STOP}",
    re.IGNORECASE,
)
_WAS = re.compile(
    rf"^(?:[^,;:]{{0,60}}?(?:that|,|however)\s+)?(?:the\s+)?(?P<o>{_PHRASE})\s+(?:was|were|is|are|did|"
    rf"did not|had)\s+(?:not\s+|also\s+|significantly\s+|markedly\s+|slightly\s+|statistically\s+|no\s+"
    rf")*(?:higher|lower|greater|less|more|better|worse|longer|shorter|similar|comparable|reduced|increased|"
    rf"decreased|improved|elevated|unchanged|different|differ|larger|smaller)\b"
    rf"(?:\s+(?:in|with|for|among|after|by)\s+(?:the\s+)?(?P<x>{_PHRASE}){_STOP})?",
    re.IGNORECASE,
)
_IN_OUTCOME = re.compile(
    rf"\b(?:differences?|changes?|improvements?|reductions?|increases?|decreases?|decline|benefit)\s+"
    rf"(?:was |were )?(?:\w+ )?(?:in|of|for|on)\s+(?:the\s+)?(?P<o>{_PHRASE})(?=\s+(?:between|among|in|with|"
    rf"for|from|was|were|after|by|at|compared|of the)\b|"
    rf"\s*[.,;:()\[\]]|$)",
    re.IGNORECASE,
)
_ASSOCIATED = re.compile(
    rf"^(?:[^,;:]{{0,60}}?(?:that|,|however)\s+)?(?:the\s+)?(?P<x>{_PHRASE})\s+(?:was|were|is|are|has|"
    rf"had)\s+(?:[\w-]+\s+){{0,3}}?(?:associated|correlated|related|linked|predict\w+|risk factors?)\s+"
    rf"(?:with|to|of|"
    rf"for)\s+(?P<o>{_PHRASE}){_STOP}",
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
    intervention = outcome = comparator = None
    for pattern in (_ASSOCIATED, _EFFECT_ON, _ACTED, _WAS, _IN_OUTCOME):
        match = pattern.search(claim)
        if match:
            found = match.groupdict()
            intervention, outcome = _clean(found.get("x")), _clean(found.get("o"))
            break
    against = _COMPARATOR.search(claim)
    between = None if against else _BETWEEN.search(claim)
    if against:
        comparator = _clean(against["x"])
    elif between:
        comparator = _clean(between["y"])
        intervention = intervention or _clean(between["x"])
    people = _POPULATION.search(claim)
    return {
        "population": _clean(people["a"] or people["b"]) if people else None,
        "intervention": intervention,
        "comparator": comparator,
        "outcome": outcome,
        "numbers": [match[0].strip() for match in _NUMBERS.finditer(claim)][:_LONGEST],
    }


def _clean(text: str | None) -> str | None:
    """Without articles in front and white space around; None for a word that stands for another."""
    if text is None:
        return None
    bare = _LEADING.sub("", text.strip())
    return None if bare.lower() in _STANDS_FOR else bare
