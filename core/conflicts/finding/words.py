"""Words that tell a finding, by what they tell."""

from __future__ import annotations

import re
from enum import StrEnum


class Effect(StrEnum):
    UP = "more"
    DOWN = "less"
    GOOD = "better"
    BAD = "worse"
    LINK = "a relation"
    NONE = "no effect"


TURN = {
    Effect.UP: Effect.DOWN,
    Effect.DOWN: Effect.UP,
    Effect.GOOD: Effect.BAD,
    Effect.BAD: Effect.GOOD,
}

_KINDS: tuple[tuple[Effect, str], ...] = (
    (
        Effect.NONE,
        r"no(?:t| longer)? (?:\w+ ){0,3}(?:differen\w+|differ|effects?|impact|influence|associations?|"
        r"correlations?|relationships?|changes?|benefits?|improvements?|increases?|reductions?|decreases?|"
        r"evidence|interactions?|advantages?|superior\w*|inferior\w*|better|worse)"
        r"|un(?:changed|affected|altered|related)|similar(?:ly)?(?!,)|comparable|equivalent|equally|equal"
        r"|non-?inferior|as (?:effective|good|likely|frequent|common|safe|well|accurate\w*) as"
        r"|non-?significant(?:ly)?|insignificant(?:ly)?"
        r"|(?:was|were|is|are|remained|had|have) the same|remained (?:stable|constant)"
        r"|did not|does not|do not|was not|were not|is not|are not|had no|has no|have no|cannot|could not"
        r"|(?:may|might|will|would|should|can) not|(?:do|does|did|is|are|was|were|ca|wo|would)n['’]t"
        r"|failed to|fails? to|unable to|neither|without (?:\w+ ){0,2}(?:effect|change|benefit)"
        r"|lack of|(?<!presence and )(?<!presence or )absence of"
        r"|little (?:effect|difference|change|evidence|benefit)"
        r"|independent of|identical|no|not|nor|never",
    ),
    (
        Effect.GOOD,
        r"improv(?:ed|es?|ing|ements?)|better|efficacious|effective|benefi(?:ts?|ted|cial)"
        r"|superior|protect(?:s|ed|ive)?|favou?rabl[ey]|favou?r(?:ed|ing)|successful(?:ly)?|reliev(?:ed|es)"
        r"|neutrali[sz](?:ed|es?)|alleviat(?:ed|es|ing)|ameliorat(?:ed|es|ing)|susceptible|active against"
        r"|worked|works|cured|advantages?",
    ),
    (
        Effect.BAD,
        r"wors(?:e|ens?|ened|ening)|poorer|deteriorat(?:ed|ion)|impair(?:ed|s|ment)?|inferior|harm(?:s|ed|ful)?"
        r"|ineffective|detrimental|fail(?:ed|s|ure)|resistant|unfavou?rabl[ey]|inactive|toxic|aggravat(?:ed|es)",
    ),
    (
        Effect.UP,
        r"increas(?:ed|es?|ing)|higher|(?:(?<=was )|(?<=were )|(?<=significantly ))high"
        r"|greater|greatest|highest|rais(?:ed|es?)|elevat(?:ed|es?)|longer|rose"
        r"|gain(?:ed|s)?|prolong(?:ed|s)"
        r"|lengthened|larger|enhanc(?:ed|es)|up-?regulat(?:ed|es)|doubled|tripled|exceeded|more|promot(?:ed|es)"
        r"|induc(?:ed|es)|stimulat(?:ed|es)|accelerat(?:ed|es)|positively|faster|stronger",
    ),
    (
        Effect.DOWN,
        r"decreas(?:ed|es?|ing)|reduc(?:ed|es?|tions?|ing)|lower(?:ed|s)?|lowest|fewer|less(?:er)?"
        r"|short(?:er|en|ened|ens)"
        r"|fell|fall|declin(?:ed|es?)|diminish(?:ed|es)|attenuat(?:ed|es)|suppress(?:ed|es)|inhibit(?:ed|s)"
        r"|prevent(?:ed|s|ing)?|dropped|smaller|slow(?:ed|er|s)|down-?regulat(?:ed|es)|block(?:ed|s)"
        r"|halved|lost|negatively|inversely|weaker|rarer|lessen(?:ed|s)|minimi[sz](?:ed|es)",
    ),
    (
        Effect.LINK,
        r"associat(?:ed|ions?)|correlat(?:ed|es?|ions?)|predict(?:ed|s|ive|ors?)?|linked|related"
        r"|(?<!-)caus(?:ed?|ing)|followed by|risk factors?|affect(?:ed|s)?|influenc(?:ed|es?)|alter(?:ed|s)?"
        r"|differ(?:ed|s|ences?|ent)?|effects?|chang(?:ed|es?)|contribut(?:ed|es?)|determin(?:ed|es|ants?)",
    ),
)
FINDING = re.compile("|".join(rf"(?P<{kind.name}>\b(?:{words})\b(?! than \d))" for kind, words in _KINDS))
"""A group for each effect, named like it."""
UNDIRECTED = re.compile(r"susceptible|active|resistant|inactive|toxic|works|worked")
"""Words of worth that say nothing about more or less."""
BARE = frozenset(("no", "not", "nor", "never", "neither", "lack of", "absence of"))
"""Negations that tell nothing by themselves."""

_NOT_DENIED = re.compile(
    r"\bnot only\b|\bwhether or not\b|\bno (?:later|more|fewer|less) than\b|\bor not\b|\bnot (?:necessarily|"
    r"yet|least)\b|\bno(?= (?:[\w-]+ ){0,4}evidence (?:on|of|as to|about) whether\b)|"
    r"\b(?:is|was|are|were) not (?:surprising|uncommon|unusual)\b|\bno doubt\b|\(not \w+\)|"
    r"\bi\.e\. not\b|\bwho (?:did|had|were|"
    r"was|do|have) (?:not|no)\b|\b(?:that|which) (?:did|were|was|is|are|do|does|have|has|had) not\b",
    re.IGNORECASE,
)


_DENIED = re.compile(r"(?<!\w)not?(?!\w)", re.IGNORECASE)


def without_idle_denials(text: str) -> str:
    """A text of the same length without the negations that deny nothing: "not only", "those who did not"."""
    if not _DENIED.search(text):
        return text
    return _NOT_DENIED.sub(lambda found: " " * len(found[0]), text)
