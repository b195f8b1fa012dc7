"""What a claim says happened to its outcome, and whether it denies."""

from __future__ import annotations

import re

from core.records import Direction

_UP = (
    r"increas\w*|higher|greater|more(?! than \d)|elevat\w*|rise[sn]?|rose|rais(?:ed|es)|longer|prolong\w*|larger|gain(?:ed|s)?|"
    r"enhanc\w*|upregulat\w*|up-regulat\w*|augment\w*|accelerat\w*|stronger|promot(?:ed|es)|highest|superior|exceed\w*|"
    r"overexpress\w*|stimulat\w*"
)
_DOWN = (
    r"decreas\w*|reduc(?:e|ed|es|ing|tion|tions)|lower(?:ed|s|ing)?|fewer|less|declin\w*|diminish\w*|attenuat\w*|shorter|"
    r"shorten\w*|smaller|drop(?:ped)?|fell|prevent(?:ed|s|ing)?|alleviat\w*|ameliorat\w*|relie(?:f|ved|ves)|lessen\w*|"
    r"suppress\w*|inhibit\w*|downregulat\w*|down-regulat\w*|weaker|delay\w*|lowest|inferior|impair\w*|loss of|lost"
)
_BETTER = r"improv\w*|better|beneficial|benefit(?:s|ed)?|favou?r(?:ed|s|able)?|effective(?:ly)?|efficacious"
_WORSE = r"worsen\w*|worse|deteriorat\w*|poorer|detriment\w*|harmful"
_SAME = (
    r"(?:no|not|neither|nor|without|lack of|absence of|failed to|little)(?:[ -][\w'-]+){0,4}?[ -](?:differences?|differ\w*|"
    r"changes?d?|effects?|effective|affect\w*|alter\w*|influenc\w*|associat\w*|correlat\w*|relationship|relation|related|"
    r"benefits?|benefi\w+|improv\w*|increas\w*|decreas\w*|reduc\w*|superior\w*|inferior\w*|predict\w*|moderat\w*|impact|"
    r"significant(?:ly)?|higher|lower|better|worse|greater|evidence|added value|favou?r)|similar(?:ly)?|comparable|equivalent|"
    r"equal(?:ly)?|identical|unchanged|the same|as (?:effective|safe|good|well|accurate(?:ly)?) as|non-?significant(?:ly)?|"
    r"did not (?:reach|achieve)|unaffected|no more|ineffective|remained (?:stable|constant)"
)
_WORDS = re.compile(
    rf"(?<![\w-])(?:(?P<same>{_SAME})|(?P<up>{_UP})|(?P<down>{_DOWN})|(?P<better>{_BETTER})|(?P<worse>{_WORSE}))(?![\w-])",
    re.IGNORECASE,
)
_BAD = re.compile(
    r"\b(?:pain|symptoms?|mortality|deaths?|depress\w+|anxiety|stress|fatigue|nausea|vomiting|bleeding|complications?|"
    r"infections?|adverse|toxicity|risk|incidence|burden|disability|severity|relapse|recurrence|inflammation|insomnia|"
    r"distress|cholesterol|blood pressure|hypertension|HbA1c|glyc\w+ (?:control|index)|length of stay|failure|resistance)\b",
    re.IGNORECASE,
)

_DENIES = re.compile(
    r"(?<![\w-])(?:no|not|none|neither|nor|never|cannot|failed to|fails to|fail to|lack(?:ed|s)? of|lacked|absence of|n't|"
    r"\w+n['’]t)(?![\w-])",
    re.IGNORECASE,
)
_NOT_DENIED = re.compile(
    r"\bnot only\b|\bwhether or not\b|\bno (?:later|more|fewer|less) than\b|\bor not\b|\bnot (?:necessarily|yet|least)\b|"
    r"\b(?:is|was|are|were) not (?:surprising|uncommon|unusual)\b|\bno doubt\b|\(not \w+\)|\bi\.e\. not\b|\bwho (?:did|had|were|"
    r"was|do|have) (?:not|no)\b|\bthat (?:did|were) not\b",
    re.IGNORECASE,
)


def direction_of(claim: str) -> Direction:
    """By the first word that tells one: "improved pain" is less of it, "improved survival" more. A denied change
    is no change. Unclear where no word tells."""
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
