"""Status of findings: affirmed, negated, uncertain or of another person, from cue phrases and their reach.

Rules in the family of NegEx (Chapman et al. 2001) and ConText (Harkema et al. 2009), with tables of our own
(`cues.tsv`, `words.tsv`). A cue reaches forwards or backwards within its sentence, over lists, up to where
something else begins: a word of `ends`, a clause of its own (`clauses`), a semicolon. A cue inside a finding
("absent thumb") belongs to it. Whose a finding is, `persons` tells.

Decisions: a negation outweighs a doubt. What is said of a relative is said of another person, negated or not;
"no family history of X" negates all the same. X is uncertain after "risk of", "screened for" or "if", and
in a question. What is normal is negated as a finding: "reflexes were normal"; what a text says to be so,
`sound` tells.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from functools import cache

from core.records import STRONGEST_FIRST, Assertion
from core.text.assertion.cues import openers
from core.text.assertion.persons import KIN
from core.text.assertion.reach import REACH, Reach
from core.text.assertion.sound import FELT, abnormal, free_of, negative, normal, unchanged
from core.text.sentences import boundaries
from core.text.spans import Words

__all__ = ["FELT", "REACH", "abnormal", "free_of", "negative", "normal", "statuses", "strongest", "unchanged"]

_COUNTED = re.compile(r"(?: ?\(|: | in )(?:[-\u2212\u2013]\)|0 ?(?:/|of|out of) ?\d)")
"""Behind a finding that nobody has: "tremor (-), rigidity (+)", "tremor: 0/5", "tremor in 0 of 5"."""
_SIGNS = ("?", "-)", "\u2212)", "\u2013)", "(0", ": 0", " in 0")
"""Without one of these no text tells so, nor asks: "CT: ?embolism"."""
_Place = tuple[int, int]
"""A mention: first word, last word."""


def statuses(found: Words, mentions: Sequence[_Place]) -> list[Assertion]:
    """The status of each mention (first word, last word), in the order given."""
    opening = _opening()
    marked = any(sign in found.text for sign in _SIGNS)
    if not mentions or (opening.isdisjoint(found.distinct) and not marked):
        return [Assertion.AFFIRMED] * len(mentions)
    firsts = [*boundaries(found), len(found.words)]
    near: dict[int, list[_Place]] = {}
    for mention in dict.fromkeys(mentions):
        sentence = bisect_right(firsts, mention[0])
        if mention[1] < firsts[sentence]:
            near.setdefault(sentence, []).append(mention)
    verdict: dict[_Place, Assertion] = {}
    for sentence, together in near.items():
        begin, end = firsts[sentence - 1], firsts[sentence]
        if not opening.isdisjoint(found.words[begin:end]):
            Reach(found, sorted(together), begin, end, verdict).judge()
        for mention in together if marked else ():
            if _COUNTED.match(found.text, found.end(mention[1])):
                verdict[mention] = Assertion.NEGATED
            elif "?" in found.gaps[end] or found.gaps[mention[0]].endswith("?"):
                verdict.setdefault(mention, Assertion.UNCERTAIN)
    return [verdict.get(mention, Assertion.AFFIRMED) for mention in mentions]


@cache
def _opening() -> frozenset[str]:
    """Words without which a sentence affirms everything."""
    return openers() | KIN


def strongest(given: Collection[Assertion]) -> Assertion:
    """The status of a concept with mentions of these: affirmed beats uncertain beats negated beats the rest.

    Raises:
        ValueError: no mention.
    """
    for status in STRONGEST_FIRST:
        if status in given:
            return status
    raise ValueError("a concept without a mention has no status")
