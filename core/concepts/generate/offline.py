"""Stage 1 of 5, offline: sentences for claims, words and rule-made phrases for names.

A claim is a sentence, with its place. Names come from two sides. The dictionary (`core.concepts.lexicon`)
finds concepts that the passage says in words. Phrases that it does not explain are compared with all names of
the ontology by their vectors, and the nearest concept is a candidate if it is near enough. Phrases of many
passages are asked for together, and each phrase once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from core.concepts.generate.phrases import Phrase, phrases
from core.concepts.tools import Tools
from core.encode import Match
from core.records import Candidate, Draft, Evidence, GeneratedClaim, Labelling, Verdict
from core.text.assertion import statuses, strongest
from core.text.sentences import sentences
from core.text.spans import Words, words

STAGE = "generate"
PASSAGES = 64
"""Passages whose phrases are asked for together."""
REMEMBERED = 200_000
"""Phrases whose nearest concept is remembered from passage to passage."""
NEAR_MISS = 0.1
"""A name that is less than this below the threshold is recorded as unmatched; others tell nothing."""


class _Read(NamedTuple):
    """A passage with what it says."""

    labelling: Labelling
    found: Words
    drafts: list[Draft]
    phrases: list[Phrase]


def run(labellings: Iterable[Labelling], tools: Tools) -> Iterator[Labelling]:
    """Claims, candidates and near misses of each passage, in the order given. Streams."""
    nearest: dict[str, Match | None] = {}
    waiting = iter(labellings)
    while passages := [_read(labelling, tools) for labelling in islice(waiting, PASSAGES)]:
        names = {name(p.found, phrase) for p in passages for phrase in p.phrases}
        new = sorted(names - nearest.keys())
        if len(nearest) + len(new) > REMEMBERED:
            nearest, new = {}, sorted(names)
        if new:
            for asked, matches in zip(new, tools.matcher.nearest(new, 1), strict=True):
                nearest[asked] = matches[0] if matches else None
        for passage in passages:
            yield _write(passage, nearest, tools)


def name(found: Words, phrase: Phrase) -> str:
    """A phrase as it is asked for: in lower case, white space as single spaces."""
    return " ".join(found.span(*phrase).quote.lower().split())


def _read(labelling: Labelling, tools: Tools) -> _Read:
    text = labelling.passage.text
    found = words(text)
    drafts = tools.lexicon.annotate(text)
    said = sorted({(e.start or 0, e.end or 0) for draft in drafts for e in draft.evidence})
    starts = [start for start, _ in said]
    free = []
    for phrase in phrases(found, tools.lexicon.knows):
        start, end = found.starts[phrase.first], found.end(phrase.last)
        around = said[: bisect_right(starts, start)]
        explained = any(end <= e for _, e in around[-8:])  # the dictionary says all of it
        if not explained and tools.lexicon.tells(found.words[phrase.first : phrase.last + 1]):
            free.append(phrase)
    return _Read(labelling, found, drafts, free)


def _write(passage: _Read, nearest: dict[str, Match | None], tools: Tools) -> Labelling:
    labelling = passage.labelling
    spans = [] if tools.direct else sentences(labelling.passage.text) if passage.found.words else []
    claims = tuple(GeneratedClaim(span.quote, None, span.start, span.end) for span in spans)
    starts = [span.start for span in spans]
    made = [_said(draft, starts) for draft in passage.drafts]
    known = {candidate.concept for candidate in made}
    near, missed = _by_vectors(passage, nearest, tools, starts)
    made += [candidate for candidate in near if candidate.concept not in known]
    labelling = replace(labelling, claims=claims, candidates=tuple(made))
    for number, claim in enumerate(claims):
        labelling = labelling.record(
            STAGE, Verdict.CLAIM, text=claim.text, confidence=claim.confidence, number=number
        )
    for candidate in made:
        labelling = labelling.record(
            STAGE,
            Verdict.CANDIDATE,
            candidate.concept,
            candidate.reason,
            name=candidate.name,
            score=candidate.score,
            claim=candidate.claim,
            how="words" if candidate.score is None else "similarity",
        )
    for asked, match in missed:
        labelling = labelling.record(
            STAGE,
            Verdict.UNMATCHED,
            reason=f"The nearest concept, {match.concept}, is not near enough.",
            name=asked,
            score=match.score,
            nearest=match.concept,
        )
    return labelling


def _claim(evidence: Sequence[Evidence], starts: list[int]) -> int | None:
    """The claim that the first evidence stands in."""
    if not starts or not evidence or evidence[0].start is None:
        return None
    return max(0, bisect_right(starts, evidence[0].start) - 1)


def _said(draft: Draft, starts: list[int]) -> Candidate:
    return Candidate(
        draft.concept,
        draft.label,
        draft.assertion,
        draft.concept_class,
        draft.confidence,
        draft.reason,
        draft.evidence,
        name=draft.evidence[0].quote,
        claim=_claim(draft.evidence, starts),
    )


def _by_vectors(
    passage: _Read, nearest: dict[str, Match | None], tools: Tools, starts: list[int]
) -> tuple[list[Candidate], list[tuple[str, Match]]]:
    """Candidates from phrases, the best phrase of those that overlap; and near misses."""
    ranked = []
    for phrase in passage.phrases:
        asked = name(passage.found, phrase)
        match = nearest.get(asked)
        if match is not None and match.score >= tools.threshold - NEAR_MISS:
            ranked.append((-match.score, phrase, asked, match))
    taken: set[int] = set()
    places: dict[str, list[Phrase]] = {}
    best: dict[str, tuple[str, Match]] = {}
    missed: dict[str, Match] = {}
    for _, phrase, asked, match in sorted(ranked, key=lambda row: row[:3]):
        inside = range(phrase.first, phrase.last + 1)
        if not taken.isdisjoint(inside):
            continue
        taken.update(inside)
        if match.score >= tools.threshold:
            places.setdefault(match.concept, []).append(phrase)
            best.setdefault(match.concept, (asked, match))
        else:
            missed.setdefault(asked, match)
    made = [
        _near(passage.found, places[c], asked, match, tools, starts) for c, (asked, match) in best.items()
    ]
    return sorted(made, key=lambda c: c.evidence[0].start or 0), list(missed.items())


def _near(
    found: Words, places: list[Phrase], asked: str, match: Match, tools: Tools, starts: list[int]
) -> Candidate:
    places = sorted(places)
    given = statuses(found, [(p.first, p.last) for p in places])
    evidence = tuple(
        Evidence(span.quote, span.start, span.end, True, status)
        for p, status in zip(places, given, strict=True)
        for span in (found.span(p.first, p.last),)
    )
    return Candidate(
        match.concept,
        tools.by_id[match.concept].name,
        name=asked,
        score=match.score,
        claim=_claim(evidence, starts),
        assertion=strongest(given),
        confidence=round(match.score / 2, 2),
        reason=f"'{asked}' is near in meaning to '{match.name}' (s = {match.score:.2f}).",
        evidence=evidence,
        stage=STAGE,
    )
