"""From mentions to drafts: which mentions stand, their status, and what a curator is told about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from typing import NamedTuple, Protocol

from core.concepts.lexicon.grounds import confidence, reason
from core.concepts.lexicon.index import Name
from core.concepts.lexicon.matching import Level, Mention
from core.concepts.lexicon.processes import OPERATORS
from core.records import Assertion, Concept, ConceptClass, Curie, Draft, Evidence
from core.text.assertion import statuses, strongest
from core.text.spans import Words

Ancestors = Callable[[Curie], Set[Curie]]


Status = dict[tuple[int, int], Assertion]
"""Words of a mention -> its status."""


class Reading(NamedTuple):
    """One mention read as one concept."""

    mention: Mention
    name: Name
    outer: Mention | None
    """The longer mention it stands in, where it does."""


class Said(NamedTuple):
    """A concept that a text says, in one or more places."""

    concept: Concept
    readings: Sequence[Reading]


class Heard(NamedTuple):
    """All that a text says: concepts in order of first mention."""

    found: Words
    said: Sequence[Said]
    status: Status


_JOINED = 3
"""Words from what is normal to the next thing that is, too: "normal growth and psychomotor development"."""


class Judge(Protocol):
    """What was learned (`core.concepts.learned`)."""

    def drafts(self, texts: Sequence[Heard]) -> Iterator[list[Draft]]:
        """Of each text drafts of the concepts that are kept, with a confidence that was learned."""
        ...


def hear(
    found: Words,
    mentions: Sequence[Mention],
    concepts: Sequence[Concept],
    ancestors: Ancestors,
    *,
    nested: bool,
) -> Heard:
    """Which mentions stand, and their statuses."""
    standing = _standing(mentions, concepts, ancestors, nested=nested)
    places = [(mention.first, mention.last) for mention, _ in standing]
    status = dict(zip(places, statuses(found, places), strict=True))
    readings: dict[int, list[Reading]] = {}
    denied = -_JOINED
    for mention, outer in standing:
        if mention.normal:  # never a finding
            place = mention.first, mention.last
            if mention.unchanged and status[place] is not Assertion.OTHER_PERSON:
                status[place] = Assertion.NEGATED
            if status[place] is Assertion.AFFIRMED:
                if place[0] - denied > _JOINED:
                    continue
                status[place] = Assertion.NEGATED
            denied = place[1]
        for name in mention.names:
            readings.setdefault(name.concept, []).append(Reading(mention, name, outer))
    return Heard(found, [Said(concepts[number], several) for number, several in readings.items()], status)


def drafts(heard: Heard) -> list[Draft]:
    """One draft per concept, in order of first mention."""
    return [draft(heard, said) for said in heard.said]


def _standing(
    mentions: Sequence[Mention], concepts: Sequence[Concept], ancestors: Ancestors, *, nested: bool
) -> list[tuple[Mention, Mention | None]]:
    """Mentions in order, with the longest mention around them.

    The longer reading of the same words replaces the shorter one, unless the shorter names an ancestor of the
    longer: in "acoustic neuroma" no neuroma is meant, but a sensorineural hearing loss is a hearing loss.
    Misspelt ones, those read out of a coordination, or around one, those of names that follow by a pattern,
    and those of the regulation of a process stand beside what they hold.
    """

    def stands_beside(name: Name) -> bool:
        return name.patterned or concepts[name.concept].name.startswith(OPERATORS)

    result: list[tuple[Mention, Mention | None]] = []
    open_: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.first, -m.last)):
        first, last = mention.first, mention.last
        around = [m for m in open_ if last <= m.last and m.last - m.first > last - first]
        misspelt = mention.level is Level.MISSPELT
        apart = mention.split or mention.coordinated or misspelt or first == last
        if not apart and not all(map(stands_beside, mention.names)):
            open_ = [m for m in open_ if m.last >= first]
            open_.append(mention)
        if mention.split or not around:
            result.append((mention, None))
        elif nested:
            implied = [ancestors(concepts[name.concept].curie) for m in around for name in m.names]
            names = tuple(
                name
                for name in mention.names
                if any(concepts[name.concept].curie in several for several in implied)
            )
            if names:
                result.append((mention._replace(names=names), around[0]))
    return result


def by_table(heard: Heard, said: Said, reading: Reading) -> float:
    """How sure a reading is where nothing was learned."""
    return confidence(reading.mention, reading.name, nested=reading.outer is not None)


def draft(heard: Heard, said: Said, sure_of: Callable[[Heard, Said, Reading], float] = by_table) -> Draft:
    """What is proposed of one concept, by its surest reading."""
    found, status = heard.found, heard.status
    concept, readings = said
    evidence: dict[tuple[int, int], Evidence] = {}
    best, surest = readings[0], -1.0
    for reading in readings:
        mention = reading.mention
        place = mention.first, mention.last
        if place not in evidence:
            start, end = found.starts[mention.first], found.end(mention.last)
            evidence[place] = Evidence(found.text[start:end], start, end, True, status[place])
        sure = sure_of(heard, said, reading)
        if sure > surest:
            best, surest = reading, sure
    return Draft(
        concept.curie,
        concept.name,
        strongest([e.assertion for e in evidence.values() if e.assertion is not None]),
        ConceptClass.EXPLICIT,
        surest,
        reason(found, best.mention, best.name, best.outer),
        tuple(evidence.values()),
    )
