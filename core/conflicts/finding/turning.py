"""Which of the words that tell a finding a sentence turns on, and what nouns of change make of it."""

from __future__ import annotations

import re
from itertools import zip_longest

from core.conflicts.finding.words import BARE, FINDING, TURN, Effect

Hit = tuple[Effect, int, int]
"""A word that tells of a finding: what, start, end."""
_VERB = re.compile(r"(?:ed|es|s|ing|rose|fell|cause|improve|reduce|increase|lower|shorten|prevent|predict)$")
OF_SUBJECT = re.compile(r"\b(?:was|were|is|are|remained|became)(?: \w+ly)?(?: much| even| slightly)? $")
_RELATES = re.compile(r"associat|correlat|predict|link|relat|risk|contribut|determin|caus")
_NOUN = re.compile(
    r"(?:increase|decrease|reduction|change|effect|difference|decline|improvement|gain|rise|association"
    r"|correlation|relation)s?(?= (?:in|of|on|between|from|are|were|is|was|did) )"
)
_OF_CHANGE = re.compile(
    r" (?:\w+ ){0,2}?(?:(?P<DOWN>reductions?|decreases?|declines?|fall|loss|drop)"
    r"|(?P<UP>increases?|rise|gains?)"
    r"|(?P<GOOD>improvements?|relief|benefits?|progress)|(?P<BAD>worsening|deterioration))\b(?! rates?\b)"
)
_MORE = re.compile(
    r"(?:greater|larger|higher|more|stronger|better|faster|lower|smaller|less|slower|weaker|fewer)$"
)
DIFFERENT = re.compile(r"differ|effect|chang")
_AIM = re.compile(
    r"\b(?!(?:shown|found|seem|appear|tend|able|unable|likely|proved|proven|known|expected|reported|thought|not"
    r"|demonstrated|continued?|fail|failed|suggested|observed|help|potential|ability|enough|due|lead|led)s? )"
    r"\w+ to (?:\w+ly )?(?:improve|reduce|increase|decrease|lower|raise|enhance|promote|induce|stimulate"
    r"|accelerate|prevent|shorten|diminish|minimi[sz]e|predict|influence|determine)$"
)
"""How a sentence comes to an aim: "mixed with propofol to prevent pain"."""
_AIM_REACH = 40
"""Characters before its verb that are looked at."""
_OPEN = re.compile(
    r"\b(?:evidence (?:on|of|as to|about) whether|(?:unclear|unknown|uncertain) (?:whether|if)"
    r"|(?:is|was) not (?:yet )?(?:known|clear|certain|established) (?:whether|if))\b"
)
"""How a sentence comes to what nobody knows."""
_REACH = 7
"""Words over which a negation or relation reaches."""
_NOUN_REACH = 14
"""Words between a noun of change and what is said of it: "reductions in pain at week six were similar"."""


def hits(text: str) -> list[Hit]:
    """Words that tell of a finding; a bare "no" or "not" only where it stands before one. An aim tells
    nothing where more follows: "given to prevent pain did not affect sleep"; nor does what nobody knows."""
    unknown = _OPEN.search(text)
    until = unknown.start() if unknown else len(text)
    told = [
        (Effect[found.lastgroup or "LINK"], *found.span())
        for found in FINDING.finditer(text)
        if found.end() <= until
    ]
    every = [hit for hit, after in zip_longest(told, told[1:]) if not (after and _is_aim(text, hit))]
    return [
        hit
        for hit, after in zip_longest(every, every[1:])
        if hit
        and (text[hit[1] : hit[2]] not in BARE or (after and text.count(" ", hit[2], after[2]) <= _REACH))
    ]


def _is_aim(text: str, hit: Hit) -> bool:
    return bool(_AIM.search(text, max(0, hit[1] - _AIM_REACH), hit[2]))


def turns_on(text: str, found: list[Hit]) -> tuple[Effect, int, int, int]:
    """What the claim says first: effect, start and end of its words, and the start of the word that the
    outcome stands next to."""
    chosen = _verb(text, found)
    kind, start, end = found[chosen]
    if kind is Effect.NONE:  # "did not improve": the outcome follows what is negated
        reached = [hit for hit in found[chosen + 1 :] if text.count(" ", end, hit[1]) <= _REACH]
        inner = next((hit for hit in reached if hit[0] is not Effect.NONE), None)
        return Effect.NONE, start, inner[2] if inner else end, inner[1] if inner else start
    if kind is Effect.LINK and DIFFERENT.match(text, start):  # "the change in x was smaller"
        said = (hit for hit in found[chosen + 1 :] if hit[0] in TURN and OF_SUBJECT.search(text[: hit[1]]))
        inner = next((hit for hit in said if _MORE.match(text[hit[1] : hit[2]])), None)
        if inner is not None:
            return inner[0], inner[1], inner[2], inner[1]
    if kind is Effect.LINK:
        later = (hit for hit in found[chosen + 1 :] if text.count(" ", end, hit[1]) <= _REACH)
        inner = next((hit for hit in later if hit[0] not in (Effect.LINK,)), None)
        if inner is not None and inner[0] is not Effect.NONE:
            return inner[0], start, inner[2], inner[1]
    noun = _noun(text, found[:chosen], start)
    if noun and kind in TURN and _MORE.match(text[start:end]):  # "the reduction was greater" is less
        return (noun[0] if kind in (Effect.UP, Effect.GOOD) else TURN[noun[0]]), noun[1], end, noun[1]
    changed = _OF_CHANGE.match(text, end) if kind in (Effect.UP, Effect.DOWN) else None
    if changed:  # "a greater reduction" is less, "less decline" more
        changes = Effect[changed.lastgroup or "UP"]
        return (changes if kind is Effect.UP else TURN[changes]), start, changed.end(), start
    return kind, start, end, start


def _noun(text: str, before: list[Hit], start: int) -> tuple[Effect, int] | None:
    """The noun of change that a comparative is said of, and where it stands."""
    for kind, at, end in before:
        if kind in TURN and _NOUN.match(text, at) and text.count(" ", end, start) <= _NOUN_REACH:
            return kind, at
    return None


def _verb(text: str, found: list[Hit]) -> int:
    """Which finding the sentence turns on: the first negation or verb; a comparative that only describes what
    a relation is about ("longer telomeres were associated") comes after it."""
    for at, (kind, start, end) in enumerate(found):
        word = text[start:end]
        if _NOUN.match(text, start):
            said = (hit for hit in found[at + 1 :] if text.count(" ", end, hit[1]) <= _NOUN_REACH)
            if any(hit[0] is Effect.NONE or _MORE.match(text[hit[1] : hit[2]]) for hit in said):
                continue
        follows = next((hit for hit in found[at + 1 :] if text.count(" ", end, hit[1]) <= _REACH), None)
        describes = kind in (Effect.UP, Effect.DOWN) and not OF_SUBJECT.search(text[:start])
        relates = follows and (follows[0] is Effect.NONE or _RELATES.match(text, follows[1]))
        if describes and relates and not _VERB.search(word):
            continue
        return at
    return 0
