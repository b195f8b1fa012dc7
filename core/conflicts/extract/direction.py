"""What a claim says happened to its outcome, and whether it denies."""

from __future__ import annotations

import re

from core.records import Direction

_UP = (
    r"increas\w*|higher|greater|more(?! than \d)|elevat\w*|rise[sn]?|rose|rais(?:ed|es)|longer|prolong\w*|"
    r"larger|gain(?:ed|s)?|enhanc\w*|upregulat\w*|up-regulat\w*|augment\w*|accelerat\w*|stronger|"
    r"promot(?:ed|es)|highest|superior|exceed\w*|overexpress\w*|stimulat\w*"
)
_DOWN = (
    r"decreas\w*|reduc(?:e|ed|es|ing|tion|tions)|lower(?:ed|s|ing)?|fewer|less|declin\w*|diminish\w*|"
    r"attenuat\w*|shorter|shorten\w*|smaller|drop(?:ped)?|fell|prevent(?:ed|s|ing)?|alleviat\w*|"
    r"ameliorat\w*|relie(?:f|ved|ves)|lessen\w*|suppress\w*|inhibit\w*|downregulat\w*|down-regulat\w*|"
    r"weaker|delay\w*|lowest|inferior|impair\w*|loss of|lost"
)
_BETTER = r"improv\w*|better|beneficial|benefit(?:s|ed)?|favou?r(?:ed|s|able)?|effective(?:ly)?|efficacious"
_WORSE = r"worsen\w*|worse|deteriorat\w*|poorer|detriment\w*|harmful"
_SAME = (
    r"(?:no|not|neither|nor|without|lack of|absence of|failed to|"
    r"little)(?:[ -][\w'-]+){0,4}?[ -](?:differences?|differ\w*|changes?d?|effects?|effective|affect\w*|"
    r"alter\w*|influenc\w*|associat\w*|correlat\w*|relationship|relation|related|benefits?|benefi\w+|"
    r"improv\w*|increas\w*|decreas\w*|reduc\w*|superior\w*|inferior\w*|predict\w*|moderat\w*|impact|"
    r"significant(?:ly)?|higher|lower|better|worse|greater|evidence|added value|favou?r)|similar|"
    r"comparable|equivalent|equal(?:ly)?|identical|unchanged|the same|as (?:effective|safe|good|well|"
    r"accurate(?:ly)?) as|non-?significant(?:ly)?|did not (?:reach|achieve)|unaffected|no more|ineffective|"
    r"remained (?:stable|constant)"
)
_WORDS = re.compile(
    rf"(?<![\w-])(?<!\bor )(?:(?P<same>{_SAME})|(?P<up>{_UP})|(?P<down>{_DOWN})|(?P<better>{_BETTER})|"
    rf"(?P<worse>{_WORSE}))(?![\w-])",
    re.IGNORECASE,
)
_BAD = re.compile(
    r"\b(?:pain|symptoms?|mortality|deaths?|depress\w+|anxiety|stress|fatigue|nausea|vomiting|bleeding|"
    r"complications?|infections?|adverse|toxicity|risk|incidence|burden|disability|severity|relapse|"
    r"recurrence|inflammation|insomnia|distress|cholesterol|blood pressure|hypertension|HbA1c|"
    r"glyc\w+ (?:control|index)|length of stay|"
    r"failure|resistance)\b",
    re.IGNORECASE,
)

_DENIES = re.compile(
    r"(?<![\w-])(?:no|not|none|neither|nor|never|cannot|failed to|fails to|fail to|lack(?:ed|s)? of|lacked|"
    r"absence of|n't|"
    r"\w+n['’]t)(?![\w-])",
    re.IGNORECASE,
)
_NOT_DENIED = re.compile(
    r"\bnot only\b|\bwhether or not\b|\bno (?:later|more|fewer|less) than\b|\bor not\b|\bnot (?:necessarily|"
    r"yet|least)\b|\b(?:is|was|are|were) not (?:surprising|uncommon|unusual)\b|\bno doubt\b|\(not \w+\)|"
    r"\bi\.e\. not\b|\bwho (?:did|had|were|"
    r"was|do|have) (?:not|no)\b|\bthat (?:did|were) not\b",
    re.IGNORECASE,
)


def direction_of(claim: str) -> Direction:
    """By the first word that tells: "improved pain" is less of it, "improved survival" more. A denied change
    is no change. Unclear where no word tells."""
    claim = _NOT_DENIED.sub(" ", claim)
    match = _WORDS.search(claim)
    if match is None:
        return Direction.UNCLEAR
    if match["same"]:
        return Direction.UNCHANGED
    if match["up"]:
        return Direction.INCREASED
    if match["down"]:
        return Direction.DECREASED
    bad = bool(_BAD.search(claim, match.start()) or _BAD.search(claim, 0, match.start()))
    return Direction.DECREASED if bool(match["better"]) == bad else Direction.INCREASED


def is_negated(claim: str) -> bool:
    """Whether a claim denies something; "not only" and "those who did not" deny nothing."""
    return bool(_DENIES.search(_NOT_DENIED.sub(" ", claim)))
