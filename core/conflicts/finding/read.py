"""What a sentence says was found, by rule: which way, of what, for whom, and whether that is good or bad.

A reader of words, not of sentences: it knows verbs and comparatives of change ("reduced", "higher"), words of
worth ("effective", "worse"), of relation ("associated with", "predicted") and of sameness ("similar", "no
difference"), and negations before them (`words.py`); which arm of a trial has it, and the numbers of two arms
where no word tells (`arms.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from core.conflicts.finding.arms import Place, arms, by_numbers
from core.conflicts.finding.terms import content, wanted
from core.conflicts.finding.turning import DIFFERENT, OF_SUBJECT, hits, turns_on
from core.conflicts.finding.words import FINDING, TURN, UNDIRECTED, Effect, without_idle_denials
from core.records import Direction
from core.text.normalise import lower


@dataclass(frozen=True, slots=True)
class Finding:
    """Offsets in the text that was read."""

    effect: Effect | None
    """None: no word or number of it tells."""
    worth: int
    """1 good, -1 bad, 0 where that is not known or nothing happened."""
    direction: Direction
    """Of the outcome: "improved pain" is less of it, "improved survival" more."""
    start: int
    end: int
    """Of the clause, so that its outcome is quoted, too."""
    before: frozenset[str]
    """Stems of the words that stand before the finding: what was given or seen, as a rule."""
    outcome: frozenset[str]
    """Stems of the words that the finding is about."""
    within: bool
    """Whether groups are compared with themselves, before and after, or at baseline: not with each other."""
    bearer: frozenset[str]
    """Stems of the words for those who have it."""
    against: frozenset[str]
    """Stems of the words for those they are compared with."""
    places: tuple[Place, ...]
    """Where `before`, `outcome`, `bearer` and `against` stand."""
    turned: bool
    """Whether it is told of the control."""


_END = re.compile(
    r"\((?![a-z][a-z ,/-]*\))|[;:]"
    r"|,? (?:but|whereas|while|although|compared|versus|vs|than|and (?:did|was|were|had)) |\.$"
)
_WITHIN = re.compile(
    r"\b(?:before and after|(?:increas|decreas|declin|improv|reduc|rose|fell)\w*(?: \w+){0,2} from [(-]?\d"
    r"|within (?:the )?groups?|from baseline"
    r"|(?:in|within|for) (?:each|both|all|the two|two|the three|three)(?: \w+){0,2} groups?"
    r"|(?:than|with|to) (?:their |the )?(?:respective )?(?:baseline|pre-?operative|pre-?treatment)\b)"
)
_BASELINE = re.compile(
    r"\b(?:at baseline|before (?:the )?(?:intervention|treatment|training|surgery|education)\b"
    r"|baseline (?:mean|score|character|demograph|value|differ))"
)
_RELATION = re.compile(r"associat|correlat|relation|link")
_BETWEEN = re.compile(r"(?: \w+){0,3} between (.+?) and (.+)", re.DOTALL)
_CONCEDED = re.compile(r"(?:although|though|even though|while|whereas|despite)\b[^,]*(?:\([^)]*\)[^,]*)?,")
_AT_FIRST = re.compile(r"[^;]*\b(?:at baseline|before (?:the )?\w+),? (?:but|whereas|while|however)\b")
_TURNED = re.compile(
    r"(?: \w+ly)? (?:between|in|among|by|for|with|after|following|during|at|over|from)\b(?!-)"
)
_TOWARDS = re.compile(r"\w+ (?:to|of|against)\b|(?:associat|correlat|link)\w* with\b|related to\b")
_CHANGE_IN = re.compile(
    r"(?:increase|decrease|reduction|decline|improvement|gain|rise|fall|loss|worsening|deterioration)s? "
    r"(?:in|of) $"
)
_NOT_BETWEEN = re.compile(
    r"\b(?:no(?:t)?|without)(?: \w+){0,6} between(?:[ -]\w+){0,5}[ -]"
    r"(?:groups?|arms|treatments|two|regimens|interventions)"
    r"|\bno(?: \w+){0,3} between-group|between-group differences? (?:was|were|did) not"
    r"|\b(?:did|were|was) not(?: \w+){0,3} (?:differ|different)(?: \w+){0,3} between"
    r"|(?:comparison|compared|differences?) with (?:the )?(?:control|placebo)(?: \w+){0,2} "
    r"(?:was not|were not|failed)"
)
_P_VALUE = re.compile(r"\bp[ -]?(?:values?)? ?(?:was|of|is)? ?(<|=|>|≤|≥)? ?(0?\. ?\d+)")
_NOT_SIGNIFICANT = re.compile(
    r"\b(?:not|no|non|without)[ -](?:\w+ ){0,2}significan(?:t|tly|ce)|\(ns\)|\bn\.s\."
)
_SIGNIFICANT = re.compile(r"\bsignificant")
_RATED = re.compile(
    r"(?:(?:no|not) (?:\w+ )?)?(?:better|superior|worse|inferior"
    r"|(?:as |equally |more |less )?(?:effective|efficacious)|comparable"
    r"|similar|equivalent)(?: (?:than|to|as|compared (?:with|to)|versus|vs\.?) [^,;.]{2,60}?)? "
    r"(?:for|at|regarding|with regard to|in terms of|in (?=\w+ing\b)) ?(?P<z>[^,;.(]{3,80})"
)
_MORE_OF = re.compile(
    r"(?:greater|larger|higher|more|less|smaller|lower) (?P<x>(?:[\w-]+ ){0,2}?(?!mean|median|percent)[\w-]+)"
    r" (?:loss|reductions?|decreases?|increases?|gains?|relief|improvements?|declines?)\b"
)
_IS = re.compile(r"\b(?:was|were|is|are)\b")
_WITHOUT = re.compile(
    r",? (?:and )?(?:without|with no|with few|with minimal) (?!.*\b(?:than|compared|versus|vs)\b)"
)
"""What goes with a finding: "prolongs survival without significant side effects" is no lack of an effect."""
_CUT = re.compile(
    r"; |\. (?=[a-z])|,? (?:but|whereas|however),? |, (?:while|although) "
    r"|,? and (?=(?:did|was|were|had|no|there) )"
)


@lru_cache(4_096)
def read(text: str) -> Finding:
    """The finding that a claim states first."""
    text = without_idle_denials(lower(text))
    conceded = _CONCEDED.match(text) or _AT_FIRST.match(text)
    if conceded and FINDING.search(text, conceded.end()):  # "Although x fell, y rose" tells of y
        text = " " * conceded.end() + text[conceded.end() :]
    found = hits(text)
    if not found:
        insignificant = _insignificant(text)
        effect = by_numbers(text) if _P_VALUE.search(text) else None
        if insignificant:
            effect = Effect.NONE
        whole = (0, len(text))
        verb = _IS.search(text) if effect else None  # "pain was 31 with x and 42 with y"
        subject, rest = ((0, verb.start()), (verb.end(), len(text))) if verb else (whole, whole)
        outcome = text[slice(*subject)]
        others = content(text[slice(*rest)])
        return Finding(
            effect,
            _worth(effect, outcome),
            _way(effect, outcome),
            *whole,
            others,
            content(outcome),
            bool(_WITHIN.search(text)),
            others,
            frozenset() if verb else others,
            (rest, subject, rest, (0, 0) if verb else whole),
            False,
        )
    effect, start, end, last = turns_on(text, found)
    sides = arms(text, start, end)
    places = (*_parts(text, start, end, last), sides.bearer, sides.against)
    outcome = text[slice(*places[1])]
    aside = _WITHOUT.search(text, start + 1)
    insignificant = _insignificant(text[: aside.start()] if aside else text)
    within = bool(_BASELINE.search(text) or (effect is not Effect.NONE and _WITHIN.search(text)))
    if effect is not Effect.NONE and (insignificant or _NOT_BETWEEN.search(text)):
        effect, within = Effect.NONE, False
    elif effect is Effect.LINK and DIFFERENT.match(text, start):
        effect = by_numbers(text) or effect
    elif sides.turned and not within:
        effect = TURN.get(effect, effect)
    return Finding(
        effect,
        _worth(effect, outcome),
        Direction.UNCLEAR if UNDIRECTED.match(text, start) and effect in TURN else _way(effect, outcome),
        start,
        _clause(text, end),
        content(text[slice(*places[0])]),
        content(outcome),
        within,
        content(text[slice(*places[2])]),
        content(text[slice(*places[3])]),
        places,
        sides.turned,
    )


def findings(text: str) -> tuple[Finding, ...]:
    """The finding that a claim states first, then those of its later clauses, which may be about other
    outcomes: "x reduced pain, but did not change function". A clause that names nobody speaks of the same."""
    first = read(text)
    found = [first]
    for start, end in _pieces(text, first.start):
        later = read(text[start:end])
        if later.effect is None or later.end <= later.start or start + later.start <= first.start:
            continue
        named = later.before | later.bearer
        found.append(
            replace(
                later,
                start=start + later.start,
                end=start + later.end,
                before=later.before or first.before,
                bearer=later.bearer if named - later.outcome else first.bearer | first.before,
                places=tuple((start + a, start + b) for a, b in later.places),
            )
        )
    return tuple(found)


def _pieces(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Clauses that begin behind a place."""
    cuts = [cut.end() for cut in _CUT.finditer(lower(text)) if cut.start() > at]
    return pairwise((*cuts, len(text))) if cuts else iter(())


def _parts(text: str, start: int, end: int, last: int) -> tuple[Place, Place]:
    """Where the words before a finding and those of its outcome stand. "X was lower": X is the outcome."""
    stop = _END.search(text, end)
    before, after = (0, start), (end, stop.start() if stop else len(text))
    said = text[slice(*after)]
    linked = _BETWEEN.match(said)
    if linked and _RELATION.search(text[start:end]):
        return (end + linked.start(1), end + linked.end(1)), (end + linked.start(2), end + linked.end(2))
    rated = _RATED.match(text, last)
    if rated:  # "x was no better than y for z"
        return before, rated.span("z")
    if _CHANGE_IN.search(text[start:end] + said[:4]):  # "a greater reduction in x"
        return before, after
    lessened = _MORE_OF.match(text, start)
    if lessened:  # "greater weight loss"
        return before, lessened.span("x")
    told_of = OF_SUBJECT.search(text[:last]) or _TURNED.match(said)
    turned = told_of and not _TOWARDS.match(text, last)
    if (turned and content(text[:start])) or not content(said):
        return after, before
    return before, after


def clause(text: str) -> tuple[int, int]:
    """Where the clause stands that states the first finding: a denial beyond it denies something else."""
    found = read(text)
    return _around(lower(text), found.start) if found.effect else (0, len(text))


def stated(text: str) -> str:
    """A claim without what goes with its finding: "with no side effects"."""
    if not _WITHOUT.search(text):  # most have none, and to read a claim takes longer
        return text
    aside = _WITHOUT.search(text, read(text).start + 1)
    return text[: aside.start()] if aside else text


def _around(text: str, start: int) -> tuple[int, int]:
    cuts = [cut.end() for cut in _CUT.finditer(text)]
    before = max((at for at in cuts if at <= start), default=0)
    after = min((at for at in cuts if at > start), default=len(text))
    beside = _WITHOUT.search(text, start + 1, after)
    return before, beside.start() if beside else after


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


def _way(effect: Effect | None, outcome: str) -> Direction:
    if effect in (None, Effect.LINK):
        return Direction.UNCLEAR
    if effect is Effect.NONE:
        return Direction.UNCHANGED
    good, bad = wanted(outcome)
    up = effect is Effect.UP or (
        effect in (Effect.GOOD, Effect.BAD) and (effect is Effect.GOOD) != (bad and not good)
    )
    return Direction.INCREASED if up else Direction.DECREASED


def _insignificant(text: str) -> bool:
    """Whether the claim calls nothing significant, and all its p values are above 0.05, or it says so."""
    values = [(sign, float(value.replace(" ", ""))) for sign, value in _P_VALUE.findall(text)]
    above = [value > 0.05 or (sign in (">", "≥") and value == 0.05) for sign, value in values]
    if values:
        return all(above)
    return bool(_NOT_SIGNIFICANT.search(text)) and not _SIGNIFICANT.search(_NOT_SIGNIFICANT.sub("", text))
