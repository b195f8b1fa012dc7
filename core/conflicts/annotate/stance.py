"""What a claim says was found, by rule: which way, of what, and whether that is good or bad.

A reader of words, not of sentences: it knows verbs and comparatives of change ("reduced", "higher"), words of
worth ("effective", "worse"), of relation ("associated with", "predicted") and of sameness ("similar", "no
difference"), and negations before them. `claim.direction` and `claim.negated` fill in where none stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from core.conflicts.annotate.terms import content, wanted
from core.records import Claim, Direction
from core.text.normalise import lower


class Effect(StrEnum):
    UP = "more"
    DOWN = "less"
    GOOD = "better"
    BAD = "worse"
    LINK = "a relation"
    NONE = "no effect"


@dataclass(frozen=True, slots=True)
class Stance:
    """A finding. Offsets in the text of the claim."""

    effect: Effect | None
    """None: no word of it tells."""
    worth: int
    """1 good, -1 bad, 0 where that is not known or nothing happened."""
    start: int
    end: int
    """Of the clause, so that its outcome is quoted, too."""
    before: frozenset[str]
    """Stems of the words that stand before the finding: what was given or seen, as a rule."""
    outcome: frozenset[str]
    """Stems of the words that the finding is about."""
    within: bool
    """Whether groups are compared with themselves, before and after, or at baseline: not with each other."""


_KINDS: tuple[tuple[Effect, str], ...] = (
    (
        Effect.NONE,
        r"no(?:t| longer)? (?:\w+ ){0,3}(?:differen\w+|differ|effects?|impact|influence|associations?|"
        r"correlations?|relationships?|changes?|benefits?|improvements?|increases?|reductions?|decreases?|"
        r"evidence|interactions?|advantages?|superior\w*|inferior\w*|better|worse)"
        r"|un(?:changed|affected|altered|related)|similar(?:ly)?(?!,)|comparable|equivalent|equally|equal"
        r"|non-?inferior|as (?:effective|good|likely|frequent|common) as|non-?significant(?:ly)?"
        r"|(?:was|were|is|are|remained) the same"
        r"|did not|does not|do not|was not|were not|is not|are not|had no|has no|have no|cannot|could not"
        r"|failed to|fails? to|unable to|neither|without (?:\w+ ){0,2}(?:effect|change|benefit)"
        r"|independent of|no|not|nor|never",
    ),
    (
        Effect.GOOD,
        r"improv(?:ed|es?|ing|ements?)|better|efficacious|effective|benefi(?:ts?|ted|cial)"
        r"|superior|protect(?:s|ed|ive)?|favou?rabl[ey]|favou?red|successful(?:ly)?|reliev(?:ed|es)"
        r"|neutrali[sz](?:ed|es?)|alleviat(?:ed|es)|ameliorat(?:ed|es)|susceptible|active against|worked"
        r"|works|cured",
    ),
    (
        Effect.BAD,
        r"wors(?:e|ens?|ened|ening)|poorer|deteriorat(?:ed|ion)|impair(?:ed|s|ment)?|inferior|harm(?:s|ed|ful)?"
        r"|ineffective|detrimental|fail(?:ed|s|ure)|resistant|unfavou?rabl[ey]|inactive|toxic",
    ),
    (
        Effect.UP,
        r"increas(?:ed|es?|ing)|higher|greater|rais(?:ed|es?)|elevat(?:ed|es?)|longer|rose|gain(?:ed|s)?|prolong(?:ed|s)"
        r"|lengthened|larger|enhanc(?:ed|es)|up-?regulat(?:ed|es)|doubled|tripled|exceeded|more|promot(?:ed|es)"
        r"|induc(?:ed|es)|stimulat(?:ed|es)|accelerat(?:ed|es)|positively|faster|stronger",
    ),
    (
        Effect.DOWN,
        r"decreas(?:ed|es?|ing)|reduc(?:ed|es?|tions?|ing)|lower(?:ed|s)?|fewer|less(?:er)?|short(?:er|en|ened|ens)"
        r"|fell|fall|declin(?:ed|es?)|diminish(?:ed|es)|attenuat(?:ed|es)|suppress(?:ed|es)|inhibit(?:ed|s)"
        r"|prevent(?:ed|s|ing)?|dropped|smaller|slow(?:ed|er|s)|down-?regulat(?:ed|es)|block(?:ed|s)"
        r"|halved|lost|negatively|inversely|weaker|rarer",
    ),
    (
        Effect.LINK,
        r"associat(?:ed|ions?)|correlat(?:ed|es?|ions?)|predict(?:ed|s|ive|ors?)?|linked|related"
        r"|caus(?:ed?|ing)|followed by|risk factors?|affect(?:ed|s)?|influenc(?:ed|es?)|alter(?:ed|s)?"
        r"|differ(?:ed|s|ences?)?|effects?|chang(?:ed|es?)|contribut(?:ed|es?)|determin(?:ed|es|ants?)",
    ),
)
_FINDING = re.compile("|".join(rf"(?P<{kind.name}>\b(?:{words})\b(?! than \d))" for kind, words in _KINDS))
_VERB = re.compile(r"(?:ed|es|s|ing|rose|fell|cause|improve|reduce|increase|lower|shorten|prevent|predict)$")
_END = re.compile(
    r"[(;:]|,? (?:but|whereas|while|although|compared|versus|vs|than|and (?:did|was|were|had)) |\.$"
)
_WITHIN = re.compile(
    r"\b(?:before and after|within (?:the )?groups?|from baseline"
    r"|(?:in|within|for) (?:each|both|all|the two|two|the three|three)(?: \w+){0,2} groups?"
    r"|(?:than|with|to) (?:their |the )?(?:respective )?(?:baseline|pre-?operative|pre-?treatment)\b)"
)
_BASELINE = re.compile(r"\b(?:at baseline|baseline (?:mean|score|character|demograph|value|differ))")
_OF_SUBJECT = re.compile(r"\b(?:was|were|is|are|remained|became)(?: \w+ly)?(?: much| even| slightly)? $")
_RELATION = re.compile(r"associat|correlat|relation|link")
_BETWEEN = re.compile(r"(?: \w+){0,3} between (.+?) and (.+)", re.DOTALL)
_CONCEDED = re.compile(r"(?:although|though|even though|while|whereas|despite)\b[^,]*(?:\([^)]*\)[^,]*)?,")
_TURNED = re.compile(r" (?:between|in|among|by|for|with)\b")
_TOWARDS = re.compile(r"\w+ (?:to|of|against)\b|(?:associat|correlat|link)\w* with\b|related to\b")
_NOUN = re.compile(
    r"(?:increase|decrease|reduction|change|effect|difference|decline|improvement|gain|rise|association"
    r"|correlation|relation)s?(?= (?:in|of|on|between|from|are|were|is|was|did) )"
)
_OF_CHANGE = re.compile(
    r" (?:\w+ )?(?P<DOWN>reductions?|decreases?|declines?|fall|loss)\b|"
    r" (?:\w+ )?(?P<UP>increases?|rise|gains?)\b"
)
_IN_CONTROLS = re.compile(
    r" (?:\w+ ){0,2}(?:in|with|for|among|on) (?:the |those |patients |\w+ ){0,2}"
    r"(?:controls?|placebo|untreated|unvaccinated|usual care|standard care)\b"
)
_BARE = frozenset(("no", "not", "nor", "never", "neither"))
_P_VALUE = re.compile(r"\bp(?: ?values?)? ?(?:was|of)? ?(<|=|>|≤|≥)? ?(0?\.\d+)")
_NOT_SIGNIFICANT = re.compile(
    r"\b(?:not|no|non|without)[ -](?:\w+ ){0,2}significan(?:t|tly|ce)|\(ns\)|\bn\.s\."
)
_SIGNIFICANT = re.compile(r"\bsignificant")
_REACH = 7
"""Words over which a negation or relation reaches."""
_NOUN_REACH = 14
"""Words between a noun of change and what is said of it: "reductions in pain at week six were similar"."""


def stance(claim: Claim) -> Stance:
    """The finding that a claim states first; the whole claim, and what it was extracted with, where no word
    tells."""
    text = lower(claim.text)
    conceded = _CONCEDED.match(text)
    if conceded and _FINDING.search(text, conceded.end()):  # "Although x fell, y rose" tells of y
        text = " " * conceded.end() + text[conceded.end() :]
    found = _hits(text)
    if not found:
        return _given(claim, text, _insignificant(text))
    effect, start, end, last = _main(text, found)
    if effect is not Effect.NONE and _insignificant(text):
        effect = Effect.NONE
    before, outcome = _parts(text, start, end, last)
    worth = _worth(effect, outcome)
    within = bool(_BASELINE.search(text) or (effect is not Effect.NONE and _WITHIN.search(text)))
    return Stance(effect, worth, start, _clause(text, end), content(before), content(outcome), within)


def _hits(text: str) -> list[tuple[Effect, int, int]]:
    """Words that tell of a finding; a bare "no" or "not" only where it stands before one."""
    every = [
        (Effect[found.lastgroup or "LINK"], found.start(), found.end()) for found in _FINDING.finditer(text)
    ]
    return [
        hit
        for hit, after in zip_longest(every, every[1:])
        if hit
        and (text[hit[1] : hit[2]] not in _BARE or (after and text.count(" ", hit[2], after[2]) <= _REACH))
    ]


def _main(text: str, found: list[tuple[Effect, int, int]]) -> tuple[Effect, int, int, int]:
    """What the claim says first: effect, start and end of its words, and the start of the word that the
    outcome stands next to."""
    chosen = _verb(text, found)
    kind, start, end = found[chosen]
    if kind is Effect.NONE:  # "did not improve": the outcome follows what is negated
        reached = [hit for hit in found[chosen + 1 :] if text.count(" ", end, hit[1]) <= _REACH]
        inner = next((hit for hit in reached if hit[0] is not Effect.NONE), None)
        return Effect.NONE, start, inner[2] if inner else end, inner[1] if inner else start
    if kind is Effect.LINK:
        later = (hit for hit in found[chosen + 1 :] if text.count(" ", end, hit[1]) <= _REACH)
        inner = next((hit for hit in later if hit[0] not in (Effect.LINK,)), None)
        if inner is not None and inner[0] is not Effect.NONE:
            return inner[0], start, inner[2], inner[1]
    changed = _OF_CHANGE.match(text, end) if kind in (Effect.UP, Effect.DOWN) else None
    if changed:  # "a greater reduction" is less, "less decline" more
        noun = Effect[changed.lastgroup or "UP"]
        return (noun if kind is Effect.UP else _TURN[noun]), start, changed.end(), start
    if _IN_CONTROLS.match(text, end):  # "higher in the placebo group": lower with what was tried
        return _TURN.get(kind, kind), start, end, start
    return kind, start, end, start


_TURN = {
    Effect.UP: Effect.DOWN,
    Effect.DOWN: Effect.UP,
    Effect.GOOD: Effect.BAD,
    Effect.BAD: Effect.GOOD,
}


def _verb(text: str, found: list[tuple[Effect, int, int]]) -> int:
    """Which finding the sentence turns on: the first negation or verb; a comparative that only describes what
    a relation is about ("longer telomeres were associated") comes after it."""
    for at, (kind, start, end) in enumerate(found):
        word = text[start:end]
        if _NOUN.match(text, start):
            said = (hit for hit in found[at + 1 :] if text.count(" ", end, hit[1]) <= _NOUN_REACH)
            if any(hit[0] in (Effect.NONE, Effect.UP, Effect.DOWN) for hit in said):
                continue
        follows = next((hit for hit in found[at + 1 :] if text.count(" ", end, hit[1]) <= _REACH), None)
        describes = kind in (Effect.UP, Effect.DOWN) and not _OF_SUBJECT.search(text[:start])
        if describes and follows and follows[0] in (Effect.LINK, Effect.NONE) and not _VERB.search(word):
            continue
        return at
    return 0


def _parts(text: str, start: int, end: int, last: int) -> tuple[str, str]:
    """Words before a finding, and words of its outcome. "X was lower": X is the outcome."""
    stop = _END.search(text, end)
    before, after = text[:start], text[end : stop.start() if stop else len(text)]
    linked = _BETWEEN.match(after)
    if linked and _RELATION.search(text[start:end]):
        return linked.group(1), linked.group(2)
    told_of = _OF_SUBJECT.search(text[:last]) or _TURNED.match(after)
    turned = told_of and not _TOWARDS.match(text, last)
    if (turned and content(before)) or not content(after):
        return after, before
    return before, after


def _clause(text: str, end: int) -> int:
    stop = _END.search(text, end)
    return len(text[: stop.start() if stop else len(text)].rstrip(" ."))


def _worth(effect: Effect | None, outcome: str) -> int:
    if effect in (None, Effect.NONE, Effect.LINK):
        return 0
    if effect in (Effect.GOOD, Effect.BAD):
        return 1 if effect is Effect.GOOD else -1
    good, bad = wanted(outcome)
    if good == bad:
        return 0
    return 1 if (effect is Effect.UP) == good else -1


def _insignificant(text: str) -> bool:
    """Whether the claim calls nothing significant, and all its p values are above 0.05, or it says so."""
    values = [(sign, float(value)) for sign, value in _P_VALUE.findall(text)]
    above = [value > 0.05 or (sign in (">", "≥") and value == 0.05) for sign, value in values]
    if values:
        return all(above)
    return bool(_NOT_SIGNIFICANT.search(text)) and not _SIGNIFICANT.search(_NOT_SIGNIFICANT.sub("", text))


def _given(claim: Claim, text: str, insignificant: bool) -> Stance:
    effect = {
        Direction.INCREASED: Effect.UP,
        Direction.DECREASED: Effect.DOWN,
        Direction.UNCHANGED: Effect.NONE,
        Direction.UNCLEAR: Effect.NONE if claim.negated else None,
    }[claim.direction]
    effect = Effect.NONE if insignificant else effect
    every = content(text)
    return Stance(effect, _worth(effect, text), 0, len(text), every, every, bool(_WITHIN.search(text)))
