"""Under which conditions two claims hold, as far as the texts say: which conditions differ and where that is
said, which are the same, whether evidence is thin, whether the field is divided."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.conflicts.cues import AxisRow, find_cues, line_up
from core.records import Axis, Claim, Cue, PairTask, Side, Span

FEW = 30
"""Participants up to which a study says little by itself."""

_WEAK = re.compile(
    r"\b(?:pilot|feasibility|preliminary|exploratory|underpowered|under-powered|inconclusive"
    r"|small (?:sample|study|studies|trial|trials|number|numbers|series|cohort)|case (?:series|reports?)"
    r"|too few|so few|insufficient (?:evidence|data|power)|low (?:statistical )?power"
    r"|limited (?:evidence|data)|no (?:firm )?conclusions?|(?:before|until) any conclusions?"
    r"|(?:cannot|can not|could not|neither .{1,60}can) be (?:claimed|concluded|drawn)"
    r"|(?:larger|adequately powered)[\w, -]{0,40} (?:are|is) (?:needed|required|warranted|necessary)"
    r"|no control group|uncontrolled|open pilot|low[- ](?:quality|certainty) evidence)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:appear(?:ed|s)? to|seem(?:ed|s)? to|did not seem|tended to|trend towards?|a trend|suggestive)\b",
    re.IGNORECASE,
)
_PEOPLE = re.compile(
    r"\b(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty) (?:\w+ ){0,2}"
    r"(?:patients|adults|children|participants|subjects|volunteers|women|men|people|infants|cases)\b",
    re.IGNORECASE,
)
_DISPUTE = re.compile(
    r"\b(?:controvers(?:y|ies|ial)|debat(?:e|ed|able)|disput(?:e|ed)|conflicting (?:results|reports|evidence"
    r"|findings|data|views)|contradict(?:ory|ed each other)|inconsistent (?:results|findings|evidence)"
    r"|mixed (?:results|findings|evidence)|no consensus|(?:question|issue) (?:is|remains) (?:open|unresolved)"
    r"|incompatible views|been argued|contested|remains? (?:unresolved|unsettled)|others have reported"
    r"|point in the same direction)\b",
    re.IGNORECASE,
)
_NUMBERS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "fifteen": 15,
    "twenty": 20,
}


@dataclass(frozen=True, slots=True)
class Conditions:
    """What was read off both sides of a pair. Spans are in the normalised abstracts of their sides."""

    stated: tuple[AxisRow, ...]
    """Axes that differ, by what the claims themselves say."""
    half_stated: tuple[AxisRow, ...]
    """Axes that differ, by what one claim says and the abstract of the other."""
    around: tuple[AxisRow, ...]
    """Axes that differ, by what the abstracts say."""
    matched: tuple[Axis, ...]
    """Axes on which both abstracts say the same of something, and nothing that differs."""
    weak: tuple[tuple[Span, ...], tuple[Span, ...]]
    dispute: tuple[tuple[Span, ...], tuple[Span, ...]]


def conditions(task: PairTask) -> Conditions:
    """Read both sides."""
    one, two = task.pair.a, task.pair.b
    cues_a, cues_b = _cues(task.a.text), _cues(task.b.text)
    inside_a, inside_b = _inside(cues_a, one), _inside(cues_b, two)
    rows = line_up(cues_a, cues_b)
    return Conditions(
        _differing(line_up(inside_a, inside_b)),
        _differing([*line_up(inside_a, cues_b), *line_up(cues_a, inside_b)]),
        _differing(rows),
        tuple(row.axis for row in rows if not row.differs and _values(row.a) & _values(row.b)),
        (_weak(one, task.a), _weak(two, task.b)),
        (_found(_DISPUTE, task.a.text), _found(_DISPUTE, task.b.text)),
    )


# --- axes ---------------------------------------------------------------------------------------------------


@lru_cache(4_096)
def _cues(text: str) -> tuple[Cue, ...]:
    return tuple(find_cues(text))


def _inside(cues: tuple[Cue, ...], claim: Claim) -> tuple[Cue, ...]:
    return tuple(cue for cue in cues if claim.start <= cue.start and cue.end <= claim.end)


def _differing(rows: list[AxisRow]) -> tuple[AxisRow, ...]:
    """The first row of each axis that differs."""
    found: dict[Axis, AxisRow] = {}
    for row in rows:
        if row.differs:
            found.setdefault(row.axis, _at_odds(row))
    return tuple(found[axis] for axis in Axis if axis in found)


def _values(cues: tuple[Cue, ...]) -> set[str]:
    return {cue.value for cue in cues}


def _at_odds(row: AxisRow) -> AxisRow:
    """A row with only those cues that differ: of kinds that both sides speak of, and not shared."""
    shared = _values(row.a) & _values(row.b)
    kinds = {_kind(cue) for cue in row.a} & {_kind(cue) for cue in row.b} - set(map(_kind_of, shared))

    def kept(cues: tuple[Cue, ...]) -> tuple[Cue, ...]:
        return tuple(cue for cue in cues if _kind(cue) in kinds) or cues

    return AxisRow(row.axis, kept(row.a), kept(row.b), row.differs)


def _kind(cue: Cue) -> str:
    return _kind_of(cue.value)


def _kind_of(value: str) -> str:
    """Of "age: 65+": age."""
    return value.partition(":")[0]


# --- evidence -----------------------------------------------------------------------------------------------


def _weak(claim: Claim, side: Side) -> tuple[Span, ...]:
    """Words that call the evidence thin, a study of few people, a claim that hedges."""
    spans = list(_found(_WEAK, side.text))
    people = [found for found in _PEOPLE.finditer(side.text) if _number(found.group(1))]
    if people and max(_number(found.group(1)) for found in people) <= FEW:
        spans.append(Span(people[0].start(), people[0].end(), people[0].group()))
    hedged = _HEDGED.search(claim.text)
    if hedged and side.text[claim.start : claim.end] == claim.text:
        spans.append(Span(claim.start + hedged.start(), claim.start + hedged.end(), hedged.group()))
    return tuple(sorted(spans, key=lambda span: (span.start, span.end)))


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _NUMBERS.get(word.lower(), 0)


def _found(pattern: re.Pattern[str], text: str) -> tuple[Span, ...]:
    return tuple(Span(found.start(), found.end(), found.group()) for found in pattern.finditer(text))
