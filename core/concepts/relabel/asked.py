"""Stage 3 of 5, asking a model: labels checked against the passage (RL). HI-ALD, section 3.2, figure 7.

One call for a passage with its candidates. What the model calls missing is removed; concepts that it finds
besides go through the matcher, as generated names do, and those near enough are added. A candidate said to be
explicit becomes so; one said to be implicit keeps the finer class it has, or becomes pragmatically implicit.
An addition is explicit where its quote stands in the passage, else pragmatically implicit; the classes that
the profile lets through hold for additions, too. Last, general candidates beside more specific ones are
treated as the profile says (`hypernyms`).

Repairs: a candidate in several groups belongs to the first of explicit, implicit, missing; one called missing
and named anew as an addition stays; a candidate in no group stays; all three are flagged. If more than half
of the candidates are in no group, the model is asked again. The quality is recorded, not used: that is stage
5's.

A passage without candidates is asked about, too: what an earlier stage has missed is named here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

from core.concepts import asking, hypernyms
from core.concepts.answers import LONGEST_REASON, Sorted, shown, unmatched, with_evidence
from core.concepts.ratings import QUALITIES, quality
from core.concepts.tools import Tools
from core.encode import Match
from core.llm import quoted
from core.llm.fields import Reply, Text, choice, lookup, plain, shortened
from core.records import Assertion, Candidate, ConceptClass, Labelling, Verdict

STAGE = "relabel"
FOLDER = Path(__file__).parent
MOST_ADDITIONS = 100
"""Names in one answer at most: more is a model that goes in circles."""


class Found(Reply):
    id: Text
    quote: Text = ""


class Missing(Reply):
    id: Text
    reason: Text = ""


class Additional(Reply):
    quote: Text = ""
    name: Text
    status: Text = ""


class Relabelled(Reply):
    explanation: Text = ""
    explicit: tuple[Found, ...] = ()
    implicit: tuple[Found, ...] = ()
    missing: tuple[Missing, ...] = ()
    additional: tuple[Additional, ...] = ()
    quality: Text = choice(QUALITIES)


class Group(Enum):
    EXPLICIT = "Explicit in the passage."
    IMPLICIT = "Implicit in the passage."
    MISSING = "Not in the passage."


@dataclass(frozen=True, slots=True)
class _Place:
    group: Group
    quote: str = ""
    reason: str = ""


async def ask(labelling: Labelling, tools: Tools) -> Labelling:
    """The passage with the labels that the model lets stand and those it adds.

    Raises:
        ReplyFailure: the call gave no usable answer.
        InputError: the run has no endpoint; and whatever of the client's stops a run.
    """
    candidates, passage = labelling.candidates, labelling.passage
    if not passage.text.strip():
        return labelling
    answer = await asking.asker(tools).ask(
        asking.prompt(FOLDER / "relabel.md"),
        Relabelled,
        terms=asking.terms(tools.profile),
        data={"passage": passage.text, "concepts": asking.described(candidates, tools)},
        stage=STAGE,
        passage_id=passage.id,
        room=asking.room(len(candidates), besides=1000),
        check=lambda reply: _grouped(reply, candidates).checked(reply, _too_many(reply)),
    )
    reply, call = answer.value, answer.call
    grouped = _grouped(reply, candidates)
    matches = await _matches(reply.additional, tools)
    named_again = {match.concept for _, match in matches if match and match.score >= tools.threshold}
    rated = quality(reply.quality)[0]
    labelling = labelling.record(
        STAGE,
        Verdict.RATED,
        None,
        shortened(reply.explanation, 2 * LONGEST_REASON),
        call,
        quality=rated.value if rated else None,
    )
    labelling = grouped.record_strays(replace(labelling, candidates=()), STAGE, call)
    for candidate in candidates:
        labelling = _checked(labelling, candidate, grouped, call, again=candidate.concept in named_again)
    for one, match in matches:
        labelling = _added(labelling, one, match, tools, call)
    return _without_hypernyms(labelling, tools, call)


def _grouped(reply: Relabelled, candidates: Sequence[Candidate]) -> Sorted[_Place]:
    grouped: Sorted[_Place] = Sorted(candidates)
    places = [(one.id, _Place(Group.EXPLICIT, one.quote)) for one in reply.explicit]
    places += [(one.id, _Place(Group.IMPLICIT, one.quote)) for one in reply.implicit]
    places += [(one.id, _Place(Group.MISSING, reason=one.reason)) for one in reply.missing]
    for stated, place in places:
        concept = grouped.find(stated)
        if concept is not None:
            grouped.put(concept, place)
    return grouped


def _too_many(reply: Relabelled) -> list[str]:
    count = len(reply.additional)
    return [f"There are {count} additions; name at most {MOST_ADDITIONS}."] if count > MOST_ADDITIONS else []


def _checked(
    labelling: Labelling, candidate: Candidate, grouped: Sorted[_Place], call: int, *, again: bool
) -> Labelling:
    """One candidate: kept, with what was said of it, or dropped."""
    concept = candidate.concept
    place = grouped.answers.get(concept)
    payload = grouped.payload(concept)
    repaired = candidate.repaired or bool(payload)
    if place is None:
        reason = "The model put this candidate into no group."
    elif place.group is not Group.MISSING:
        reason = place.group.value
        candidate = replace(
            candidate,
            concept_class=_class(candidate, place.group),
            evidence=with_evidence(candidate.evidence, quoted(place.quote, labelling.passage.text)),
        )
    elif again:
        reason, repaired = "Called missing, and named again as an addition.", True
    else:
        reason = shortened(place.reason, LONGEST_REASON) or place.group.value
        return labelling.record(STAGE, Verdict.DROPPED, concept, reason, call, **payload)
    labelling = labelling.record(
        STAGE, Verdict.KEPT, concept, reason, call, **{"class": candidate.concept_class.value}, **payload
    )
    return replace(labelling, candidates=(*labelling.candidates, replace(candidate, repaired=repaired)))


def _class(candidate: Candidate, group: Group) -> ConceptClass:
    if group is Group.EXPLICIT:
        return ConceptClass.EXPLICIT
    if candidate.concept_class is ConceptClass.EXPLICIT:
        return ConceptClass.PRAGMATICALLY_IMPLICIT
    return candidate.concept_class


# --- additions ----------------------------------------------------------------------------------------------


async def _matches(additional: Sequence[Additional], tools: Tools) -> list[tuple[Additional, Match | None]]:
    """Each name once, with its nearest concept."""
    distinct = {plain(one.name): one for one in reversed(additional)}
    named = [one for key, one in reversed(distinct.items()) if key not in asking.BLANK]
    nearest = await asking.nearest([one.name for one in named], tools)
    return list(zip(named, nearest, strict=True))


def _added(labelling: Labelling, one: Additional, match: Match | None, tools: Tools, call: int) -> Labelling:
    if match is None or match.score < tools.threshold:
        return unmatched(labelling, STAGE, one.name, match, tools, call, None)
    if any(candidate.concept == match.concept for candidate in labelling.candidates):
        return labelling
    status, changed = lookup(one.status, asking.ASSERTIONS, asking.ASSERTION_ALIASES)
    place = quoted(one.quote, labelling.passage.text)
    grounded = place is not None and place.grounded
    concept = tools.by_id.get(match.concept)
    new = Candidate(
        match.concept,
        concept.name if concept else match.name,
        status or Assertion.AFFIRMED,
        ConceptClass.EXPLICIT if grounded else ConceptClass.PRAGMATICALLY_IMPLICIT,
        float(match.score),
        f"Missed before; “{one.name}” is nearest to “{match.name}” (s = {match.score:.2f}).",
        (place,) if place else (),
        stage=STAGE,
        repaired=changed,
        name=one.name,
        score=float(match.score),
    )
    notes: dict[str, Any] = (
        {"notes": [f"the status {shown(one.status)} was read as {new.assertion.value}"]} if changed else {}
    )
    labelling = labelling.record(
        STAGE,
        Verdict.ADDED,
        new.concept,
        new.reason,
        call,
        name=new.name,
        score=new.score,
        claim=None,
        how="relabel",
        matched=match.name,
        assertion=new.assertion.value,
        **{"class": new.concept_class.value},
        **notes,
    )
    if new.concept_class not in tools.profile.classes:
        reason = f"The profile does not take the class {new.concept_class.value.replace('_', ' ')}."
        return labelling.record(STAGE, Verdict.DROPPED, new.concept, reason, call)
    return replace(labelling, candidates=(*labelling.candidates, new))


def _without_hypernyms(labelling: Labelling, tools: Tools, call: int) -> Labelling:
    outdone = hypernyms.outdone(labelling.candidates, tools, labelling.passage.text)
    for concept, reason in outdone.items():
        labelling = labelling.record(STAGE, Verdict.DROPPED, concept, reason, call)
    left = tuple(candidate for candidate in labelling.candidates if candidate.concept not in outdone)
    return replace(labelling, candidates=left)
