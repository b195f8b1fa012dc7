"""A pair in one line: what each claim says, whether that goes together, and what both speak of; by rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache

from core.conflicts.annotate.facts import facts
from core.conflicts.cues.drugs import drugs_of
from core.conflicts.finding import Finding
from core.conflicts.finding.terms import content
from core.records import Claim, PairTask

LONGEST = 120
"""Characters of what a claim says in short."""
LEAST_SUBJECT = 5
"""Characters of what both name, from which it says something."""
_CONTEXT = re.compile(
    r"^(?:(?:in|among|by|with|at|after|for|during|using|of|on|from|when|compared)\b[^,]*,\s+)+", re.IGNORECASE
)
"""What stands before a claim begins: "Among outpatients in Norway, ..."."""
_TAIL = re.compile(r"[;:,]\s|\s[(\[]|\.$")
_COPULA = re.compile(r"^(?:(?:was|were|is|are|has been|have been|remained)\s+)(?!not\b)", re.IGNORECASE)
_TOKEN = re.compile(r"\w(?:[\w.,'’%+/-]*\w)?")
_UNIT = re.compile(r"[\d.,]+|iu|mg|g|ml|kg|mcg|µg|mmol|days?|weeks?|months?|years?", re.IGNORECASE)
_LINKING = """
a an the of in on at by with for to from and or as who which that was were is are has had have did also been
remained appeared
"""
_LINKS = frozenset(_LINKING.split())


class Relation(StrEnum):
    OPPOSED = "opposed"
    """The findings speak against each other."""
    ALIKE = "alike"
    """They say the same of the same outcome."""
    OTHER = "other"
    """They are about other outcomes, or no rule can read one of them."""


@dataclass(frozen=True, slots=True)
class InShort:
    """What a pair says, in words of its claims."""

    a: str
    b: str
    relation: Relation
    subject: str | None
    """What both name before they say what was found: "isolates that carried the plasmid"."""
    drugs: tuple[tuple[str, ...], tuple[str, ...]]
    """Those that each claim names."""


@lru_cache(maxsize=5_000)
def _in_short(key: _Key) -> InShort:
    task = key.task
    one, two = task.pair.a, task.pair.b
    read = facts(task)
    opposed = read.opposition
    relation = Relation.OPPOSED if opposed else Relation.OTHER
    if not opposed and read.same_outcome and read.a.effect and read.a.effect == read.b.effect:
        relation = Relation.ALIKE
    subject = _subject(_before(one, read.a), _before(two, read.b))
    whole = subject is None or bool(opposed and opposed.kind == "size")
    return InShort(
        _said(one, read.a, whole),
        _said(two, read.b, whole),
        relation,
        subject,
        (drugs_of(one.text), drugs_of(two.text)),
    )


@dataclass(frozen=True, slots=True)
class _Key:
    """A pair, told from others by what its texts say."""

    task: PairTask

    def _told(self) -> tuple[object, ...]:
        sides = ((self.task.pair.a, self.task.a), (self.task.pair.b, self.task.b))
        return tuple(
            (claim.text, claim.direction, claim.negated, claim.claim_type, side.title, side.text)
            for claim, side in sides
        )

    def __hash__(self) -> int:
        return hash(self._told())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._told() == other._told()


def in_short(task: PairTask) -> InShort:
    """Read a pair; what was read is kept."""
    return _in_short(_Key(task))


def _said(claim: Claim, finding: Finding, whole: bool) -> str:
    """The clause that tells the finding, without asides; the claim itself where no rule finds one."""
    text = claim.text.strip()
    part = "" if whole or finding.effect is None else claim.text[finding.start : finding.end].strip()
    if len(part.split()) < 2 or part == text:
        part = _CONTEXT.sub("", text)
    cut = _TAIL.search(part, 12)
    part = _COPULA.sub("", part[: cut.start()] if cut else part).rstrip(" .")
    if len(part) <= LONGEST:
        return part
    return f"{part[:LONGEST].rpartition(' ')[0]}…"


def _before(claim: Claim, finding: Finding) -> str:
    text = claim.text[: finding.start] if finding.effect is not None and finding.start else claim.text
    return _CONTEXT.sub("", text) or text


def _subject(a: str, b: str) -> str | None:
    """The longest run of words that both have, without those at its ends that say nothing."""
    ours, theirs = list(_TOKEN.finditer(a)), list(_TOKEN.finditer(b))
    matched = SequenceMatcher(
        None, [one[0].lower() for one in ours], [one[0].lower() for one in theirs], autojunk=False
    ).find_longest_match()
    run = ours[matched.a : matched.a + matched.size]
    while run and (run[0][0].lower() in _LINKS or _UNIT.fullmatch(run[0][0])):
        run.pop(0)
    while run and run[-1][0].lower() in _LINKS:
        run.pop()
    found = a[run[0].start() : run[-1].end()] if run else ""
    return found if len(found) >= LEAST_SUBJECT and content(found) else None
