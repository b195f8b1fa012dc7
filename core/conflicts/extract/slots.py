"""Who, what, against what, on what: the slots of a claim, by the shapes such sentences have."""

from __future__ import annotations

import re
from typing import Any

_PEOPLE = (
    r"patients?|women|men|children|adults?|infants?|neonates?|newborns?|participants?|subjects?|people|individuals?|"
    r"adolescents?|students?|volunteers?|mothers?|boys|girls|persons?|populations?|cohort|survivors?|smokers?|athletes?|"
    r"mice|rats|dogs|pigs|rabbits|isolates|strains|cases|users|workers|nurses|pregnancies|residents|carriers|recipients|"
    r"males|females|veterans|teeth|lesions|tumou?rs|cells|eyes|households|elderly|diabetics"
)
_STOP = r"(?=\s*(?:[.;:()\[\]]|,\s|$)|\s+(?:and|but|while|whereas|although|who|which|that|is|are|was|were|had|has|have|did|"
_STOP += r"with no|compared|than|versus|vs|after|during|at|by|when|for|over|showed|may|can)\b)"
_PHRASE = r"[^.;:()\[\],]{2,90}?"

_POPULATION = re.compile(
    rf"\b(?:in|among|of|for)\s+(?P<a>(?:[\w%≥≤<>'’/.+-]+\s+){{0,6}}?(?:{_PEOPLE})\b(?:\s+(?:with|of|undergoing|treated for|"
    rf"suffering from|aged|at risk (?:of|for)|without|receiving)\s+{_PHRASE})?){_STOP}"
    rf"|\b(?P<b>(?:patients|women|men|children|adults|infants|participants|individuals|subjects)\s+(?:with|undergoing|aged|"
    rf"receiving)\s+{_PHRASE}){_STOP}",
    re.IGNORECASE,
)
_COMPARATOR = re.compile(
    rf"\b(?:compared\s+(?:with|to)|in comparison (?:with|to)|versus|vs\.?|relative to|superior to|inferior to|than(?! or)|"
    rf"as (?:effective|safe|good|well|accurately) as(?: does| do| can)?)\s+(?:did\s+|that (?:of|in|with)\s+|those (?:of|in|with)"
    rf"\s+|in\s+|with\s+|for\s+|by\s+)?(?!\d)(?P<x>{_PHRASE}){_STOP}",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    rf"\bbetween\s+(?:the\s+)?(?P<x>(?!groups?\b|the\b|two\b|both\b){_PHRASE})\s+(?:and|versus|vs\.?)\s+(?:the\s+)?"
    rf"(?P<y>{_PHRASE}){_STOP}",
    re.IGNORECASE,
)
_EFFECT_ON = re.compile(
    rf"\b(?:effects?|impact|influence|efficacy|benefits?)\s+of\s+(?P<x>{_PHRASE})\s+(?:on|upon|in reducing|in improving)\s+"
    rf"(?P<o>{_PHRASE}){_STOP}",
    re.IGNORECASE,
)
_VERBS = (
    r"improv(?:ed|es|e)|reduc(?:ed|es|e)|increas(?:ed|es|e)|decreas(?:ed|es|e)|prevent(?:ed|s)?|enhanc(?:ed|es|e)|lower(?:ed|s)|"
    r"prolong(?:ed|s)|shorten(?:ed|s)?|worsen(?:ed|s)|affect(?:ed|s)?|chang(?:ed|e)|alter(?:ed)?|influenc(?:ed|e|es)|"
    r"caus(?:ed|es|e)|induc(?:ed|es)|inhibit(?:ed|s)|attenuat(?:ed|es)|led to|leads to|resulted in|results in|result in|"
    r"produc(?:ed|es)|promot(?:ed|es)|predict(?:ed|s)|elicit(?:ed|s)|provid(?:ed|es|e)|ameliorat(?:ed|es)|alleviat(?:ed|es)|"
    r"suppress(?:ed|es)|lessen(?:ed)?|accelerat(?:ed|es)|delay(?:ed|s)|rais(?:ed|es)|modulat(?:ed|es)|reliev(?:ed|es)"
)
_ACTED = re.compile(
    rf"^(?:[^,;:]{{0,60}}?(?:that|showed|found|suggests?|indicates?|demonstrates?|,|however)\s+)?(?P<x>{_PHRASE})\s+(?:(?:did|does|"
    rf"may|can|could|might|do|not|also|significantly|substantially|markedly|effectively|marginally|modestly|slightly|greatly|"
    rf"strongly|independently|further|immediately|only)\s+)*(?:{_VERBS})\s+(?P<o>{_PHRASE}){_STOP}",
    re.IGNORECASE,
)
_WAS = re.compile(
    rf"^(?:[^,;:]{{0,60}}?(?:that|,|however)\s+)?(?:the\s+)?(?P<o>{_PHRASE})\s+(?:was|were|is|are|did|did not|had)\s+(?:not\s+|also\s+|"
    rf"significantly\s+|markedly\s+|slightly\s+|statistically\s+|no\s+)*(?:higher|lower|greater|less|more|better|worse|longer|"
    rf"shorter|similar|comparable|reduced|increased|decreased|improved|elevated|unchanged|different|differ|larger|smaller)\b"
    rf"(?:\s+(?:in|with|for|among|after|by)\s+(?:the\s+)?(?P<x>{_PHRASE}){_STOP})?",
    re.IGNORECASE,
)
_IN_OUTCOME = re.compile(
    rf"\b(?:differences?|changes?|improvements?|reductions?|increases?|decreases?|decline|benefit)\s+(?:was |were )?(?:\w+ )?"
    rf"(?:in|of|for|on)\s+(?:the\s+)?(?P<o>{_PHRASE})(?=\s+(?:between|among|in|with|for|from|was|were|after|by|at|compared|of the)\b|"
    rf"\s*[.,;:()\[\]]|$)",
    re.IGNORECASE,
)
_ASSOCIATED = re.compile(
    rf"^(?:[^,;:]{{0,60}}?(?:that|,|however)\s+)?(?:the\s+)?(?P<x>{_PHRASE})\s+(?:was|were|is|are|has|had)\s+(?:[\w-]+\s+){{0,3}}?"
    rf"(?:associated|correlated|related|linked|predict\w+|risk factors?)\s+(?:with|to|of|for)\s+(?P<o>{_PHRASE}){_STOP}",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    r"\bp\s*(?:-value\s*)?(?:=|<|>|≤|≥|< or =)\s*0?\.\d+|(?:\d{2}\s*%\s*)?(?:CI|confidence interval)s?[\s,:=]*[-−\d.]+\s*(?:%)?"
    r"\s*(?:-|–|to|,|;)\s*[-−\d.]+\d|\b(?:OR|HR|RR|SMD|MD|odds ratio|hazard ratio|relative risk|risk ratio)s?(?:\s*\[[^\]]*\])?"
    r"[\s,:=]*(?:of\s+|was\s+)?-?\d+(?:[.·]\d+)?|[-−]?\d+(?:[.,·]\d+)*\s*(?:±|\+/-)\s*\d+(?:[.·]\d+)?(?:\s*%)?|"
    r"[-−]?\d+(?:[.,·]\d+)*\s*%|\bn\s*=\s*\d+|[-−]?\d+(?:[.,·]\d+)*(?:\s*(?:mg|kg|mm ?Hg|mmol/L|g|cm|mm|ml|mL|h|min|days?|weeks?|"
    r"months?|years?|points?)\b)?",
    re.IGNORECASE,
)
_LONGEST = 20
"""Numbers kept of one claim."""


def slots_of(claim: str) -> dict[str, Any]:
    """population, intervention, comparator, outcome: words of the claim, or None; numbers: a list of them as they
    stand there (P values, intervals, ratios, shares, values with their units)."""
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
    bare = re.sub(
        r"^(?:(?:the|a|an|both|all|that|there|these|this|our)\s+)+", "", text.strip(), flags=re.IGNORECASE
    ).strip()
    return (
        None
        if bare.lower() in {"", "it", "they", "we", "there", "this", "those", "that", "which", "who"}
        else bare
    )
