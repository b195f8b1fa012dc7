"""Generated names become candidates: each goes to its nearest concept, if that is near enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.concepts import asking
from core.concepts.answers import placed, unmatched
from core.concepts.tools import Tools
from core.encode import Match
from core.records import STRONGEST_FIRST, Assertion, Candidate, Curie, Labelling, Verdict

STAGE = "generate"


@dataclass(frozen=True, slots=True)
class Name:
    """A generated name with its whereabouts."""

    name: str
    claim: int | None
    """Position in `Labelling.claims`."""
    assertion: Assertion
    call: int
    notes: tuple[str, ...] = ()
    """What was repaired in the answer about this name."""


async def matched(labelling: Labelling, names: Sequence[Name], tools: Tools, how: str) -> Labelling:
    """Candidates in the order in which their concepts first came up."""
    wording = list(dict.fromkeys(name.name for name in names))
    nearest = dict(zip(wording, await asking.nearest(wording, tools), strict=True))
    best: dict[Curie, Candidate] = {}
    for name in names:
        match = nearest[name.name]
        if match is None or match.score < tools.threshold:
            labelling = unmatched(labelling, STAGE, name.name, match, tools, name.call, name.claim)
            continue
        notes: dict[str, Any] = {"notes": list(name.notes)} if name.notes else {}
        labelling = labelling.record(
            STAGE,
            Verdict.CANDIDATE,
            match.concept,
            call=name.call,
            name=name.name,
            score=float(match.score),
            claim=name.claim,
            how=how,
            matched=match.name,
            assertion=name.assertion.value,
            **notes,
        )
        new = _candidate(labelling, name, match, tools)
        best[match.concept] = _merged(best.get(match.concept), new)
    return replace(labelling, candidates=tuple(best.values()))


def _candidate(labelling: Labelling, name: Name, match: Match, tools: Tools) -> Candidate:
    """The confidence is s times that of the claim."""
    concept = tools.by_id.get(match.concept)
    stated = None if name.claim is None else labelling.claims[name.claim].confidence
    place = placed(name.name, labelling.passage.text)
    return Candidate(
        match.concept,
        concept.name if concept else match.name,
        name=name.name,
        score=float(match.score),
        claim=name.claim,
        assertion=name.assertion,
        confidence=float(match.score) * (1.0 if stated is None else stated),
        reason=f"The generated name “{name.name}” is nearest to “{match.name}” (s = {match.score:.2f}).",
        evidence=(place,) if place else (),
        stage=STAGE,
        repaired=bool(name.notes),
    )


def _merged(old: Candidate | None, new: Candidate) -> Candidate:
    if old is None:
        return new
    ahead, behind = (new, old) if (new.score or 0) > (old.score or 0) else (old, new)
    return replace(
        ahead,
        assertion=min(old.assertion, new.assertion, key=STRONGEST_FIRST.index),
        confidence=max(old.confidence or 0.0, new.confidence or 0.0),
        evidence=ahead.evidence + tuple(e for e in behind.evidence if e not in ahead.evidence),
        repaired=old.repaired or new.repaired,
    )
