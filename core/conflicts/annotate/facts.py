"""What can be read off two claims by rule: whether they are about the same, and what speaks against what."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.conflicts.finding import Effect, Finding, findings
from core.conflicts.finding.terms import GENERIC, content
from core.conflicts.finding.words import TURN
from core.records import Claim, ClaimType, Direction, PairTask

LEAST_SHARED = 0.3
"""Share of the words of the shorter claim that both have, from which two claims are about like things."""
LEAST_OUTCOME = 0.3
"""Share of the words of an outcome that the other claim has, too."""
LEAST_ALIKE, LEAST_COMMON = 0.6, 3
"""Share of the words of the shorter claim from which what was given or seen is taken to be among them, and
words that their outcomes share, then."""
LEAST_SUBJECT = 0.5
"""Share of the words of the shorter title from which two articles are about the same."""
OPENING = 300
"""Characters of an abstract that stand in for a title."""
LEAST_SAME = 0.5
"""Share of the words of the shorter claim from which two shares are taken for shares of the same thing."""
LEAST_RATIO = 2.0
"""Two shares of the same thing are at odds from here: twice as many."""

_GIVEN = {
    Direction.INCREASED: Effect.UP,
    Direction.DECREASED: Effect.DOWN,
    Direction.UNCHANGED: Effect.NONE,
}
_PEOPLE = re.compile(
    r"\b(?:patients|people|women|men|children|adults|individuals|subjects|participants|infants|adolescents)"
    r" (?:with|suffering from|undergoing) [^,;.()]{3,60}?"
    r"(?= (?:who|had|was|were|did|in|at|after|by|received)\b|[,;.()]|$)",
    re.IGNORECASE,
)
_USUAL = content(
    "training exercise supplementation supplement supplementary consumption program programme care "
    "management plasma serum combination infusion anesthesia analgesia concluded conclusion obtained support"
)
"""Words that two treatments, and the sentences that tell of them, may share without being the same."""
_NUMBERED = re.compile(r"\b(?:groups?|arms?) (?:[A-Z]|\d|[IV]+|one|two|three)\b")
_PER_CENT = re.compile(
    r"(?<![\d.,-])(\d{1,3}(?:\.\d+)?) ?(?:%|per ?cent)(?! (?:confidence|CI))", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Opposition:
    kind: str
    """`reversed`: opposite findings; `absent`: a finding and none; `size`: shares far apart."""
    a: str
    b: str
    """What each side found, in a few words."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What was read off the two claims of a pair."""

    comparable: bool
    shared: float
    """Share of the words of the shorter claim that both have."""
    same_outcome: bool
    a: Finding
    b: Finding
    opposition: Opposition | None


def facts(task: PairTask) -> Facts:
    """Read a pair."""
    one, two = task.pair.a, task.pair.b
    words_a, words_b = content(one.text), content(two.text)
    shared = len(words_a & words_b) / max(1, min(len(words_a), len(words_b)))
    topic = shared >= LEAST_SHARED and len(words_a & words_b) >= 2
    first, second, outcome = _matched(finding(one), finding(two), words_a, words_b)
    same = outcome and _same_exposure(task, first, second, shared) and not _other_comparison(first, second)
    opposed = _opposed(first, second) or _apart(one, two)
    sizes = bool(opposed and opposed.kind == "size" and shared >= LEAST_SAME)
    return Facts(topic, shared, same or sizes, first, second, opposed)


def finding(claim: Claim) -> tuple[Finding, ...]:
    """What the claim states; what it was extracted with, where its words do not tell."""
    first, *later = findings(claim.text)
    given = _GIVEN.get(claim.direction, Effect.NONE if claim.negated else None)
    if first.effect is None:
        first = replace(first, effect=given, direction=claim.direction)
    return first, *later


def _matched(
    ours: tuple[Finding, ...], theirs: tuple[Finding, ...], words_a: frozenset[str], words_b: frozenset[str]
) -> tuple[Finding, Finding, bool]:
    """The two findings that are most about one outcome, the first ones where several are, and whether they
    are about one. A claim with one finding is taken whole, as its outcome may stand anywhere in it."""
    best = ours[0], theirs[0], -1.0
    for a in ours:
        for b in theirs:
            around_a = words_a if len(ours) == 1 else a.outcome | a.before
            around_b = words_b if len(theirs) == 1 else b.outcome | b.before
            common = min(_covered(a.outcome, around_b), _covered(b.outcome, around_a))
            if common > best[2]:
                best = a, b, common
    return best[0], best[1], best[2] >= LEAST_OUTCOME


# --- what is compared ---------------------------------------------------------------------------------------


def _same_exposure(task: PairTask, a: Finding, b: Finding, shared: float) -> bool:
    """Whether what a finding says was given or seen is named by the other side's claim or title, too. Where
    it names nothing, the titles must be of one subject, or the claims of much the same words, which says
    nothing of groups that are only numbered."""
    outcomes = a.outcome | b.outcome | GENERIC
    numbered = _NUMBERED.search(task.pair.a.text) or _NUMBERED.search(task.pair.b.text)
    alike = shared >= LEAST_ALIKE and len((a.outcome & b.outcome) - GENERIC) >= LEAST_COMMON
    unnamed = (alike and not numbered) or _same_subject(task, outcomes)
    one, two = task.pair.a, task.pair.b
    for mine, claim, other, side in ((a, one, two, task.b), (b, two, one, task.a)):
        named = (mine.before | mine.bearer) - outcomes - _USUAL - _people(claim.text) - _people(other.text)
        there = content(other.text) | content(side.title or "")
        if named.isdisjoint(there) if named else not unnamed:
            return False
    return True


def _people(text: str) -> frozenset[str]:
    """Stems of the words for whom a claim is about: "patients with diabetes"."""
    return content(" ".join(_PEOPLE.findall(text)))


def _other_comparison(a: Finding, b: Finding) -> bool:
    """Whether both say what they compare with, and neither word of it is the other's; unless the arms have
    changed places."""
    return bool(a.against and b.against) and a.against.isdisjoint(b.against) and not _crossed(a, b)


def _crossed(a: Finding, b: Finding) -> bool:
    """Whether what has the finding of one is what that of the other is compared with."""
    straight = bool(a.bearer & b.bearer) or bool(a.against & b.against)
    return not straight and bool(a.bearer & b.against) and bool(b.bearer & a.against)


# --- findings -----------------------------------------------------------------------------------------------


def _opposed(a: Finding, b: Finding) -> Opposition | None:
    if a.effect is None or b.effect is None or a.within != b.within:
        return None
    there, worth = b.effect, b.worth
    if _crossed(a, b):
        there, worth = TURN.get(there, there), -worth
    if (a.effect is Effect.NONE) != (there is Effect.NONE):
        return Opposition("absent", a.effect.value, b.effect.value)
    if a.worth and worth:
        return Opposition("reversed", a.effect.value, b.effect.value) if a.worth != worth else None
    if {a.effect, there} in ({Effect.UP, Effect.DOWN}, {Effect.GOOD, Effect.BAD}):
        return Opposition("reversed", a.effect.value, b.effect.value)
    return None


def _apart(a: Claim, b: Claim) -> Opposition | None:
    """Shares of the same thing that are far apart."""
    if a.claim_type is not ClaimType.PREVALENCE or b.claim_type is not ClaimType.PREVALENCE:
        return None
    ours, theirs = _PER_CENT.findall(a.text), _PER_CENT.findall(b.text)
    if len(ours) != 1 or len(theirs) != 1:
        return None
    low, high = sorted((float(ours[0]), float(theirs[0])))
    if high - low < 5 or high < LEAST_RATIO * low:
        return None
    return Opposition("size", f"{ours[0]}%", f"{theirs[0]}%")


def _same_subject(task: PairTask, without: frozenset[str]) -> bool:
    """Whether titles, or the first words of abstracts, name a common subject; for claims that name none ("was
    lower in group B")."""
    heads = [content((side.title or "") or side.text[:OPENING]) - without for side in (task.a, task.b)]
    shared = heads[0] & heads[1]
    return len(shared) >= 2 and len(shared) >= LEAST_SUBJECT * min(map(len, heads))


def _covered(outcome: frozenset[str], words: frozenset[str]) -> float:
    return len(outcome & words) / len(outcome) if outcome else 0.0
