"""What becomes of a candidate that is more general than another one, as the task profile says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.concepts.profile import Hypernyms
from core.concepts.tools import Tools
from core.ontology.lineage import Lineage
from core.records import Candidate, Curie, Draft

Place = tuple[int, int]


def outdone(candidates: Sequence[Candidate], tools: Tools, text: str) -> dict[Curie, str]:
    """Candidates to be dropped for a more specific candidate, with the reason. Words that the dictionary
    matcher finds count as mentions, too."""
    policy = tools.profile.hypernyms
    if policy is Hypernyms.KEEP or len(candidates) < 2:
        return {}
    return set_aside(candidates, policy, tools.lineage, tools.lexicon.annotate(text))


def set_aside(
    said: Sequence[Draft], policy: Hypernyms, lineage: Lineage, found: Sequence[Draft] = ()
) -> dict[Curie, str]:
    """Concepts of one text to be dropped for a more specific one, with the reason.

    A more specific concept counts only if its assertion is the same: "no seizures" does not outdo "febrile
    seizures". For `keep_named_apart` a mention of the general concept must stand clear of every mention of
    the more specific ones.

    Args:
        found: further mentions.
    """
    specific = {} if policy is Hypernyms.KEEP else _more_specific(said, lineage)
    if not specific:
        return {}
    labels = {one.concept: one.label for one in said}
    if policy is Hypernyms.DROP:
        return {general: f"More general than {labels[below[0]]}." for general, below in specific.items()}
    places = _places(said, found)
    dropped = {}
    for general, below in specific.items():
        taken = [place for curie in below for place in places[curie]]
        if not any(_clear(place, taken) for place in places[general]):
            dropped[general] = f"More general than {labels[below[0]]}, and not named apart from it."
    return dropped


def left(said: Sequence[Draft], policy: Hypernyms, lineage: Lineage) -> list[Draft]:
    """What is left of the drafts of a text; a more specific one tells in its reason what it outdid."""
    dropped = set_aside(said, policy, lineage)
    if not dropped:
        return list(said)
    outdid: dict[Curie, list[str]] = {}
    for general, below in _more_specific(said, lineage).items():
        if general in dropped:
            name = next(one.label for one in said if one.concept == general)
            outdid.setdefault(below[0], []).append(name)
    return [
        replace(one, reason=f"{one.reason} Set aside as more general: {', '.join(outdid[one.concept])}.")
        if one.concept in outdid
        else one
        for one in said
        if one.concept not in dropped
    ]


def _more_specific(said: Sequence[Draft], lineage: Lineage) -> dict[Curie, list[Curie]]:
    """General concept -> the concepts below it that have the same assertion."""
    found: dict[Curie, list[Curie]] = {}
    for one in said:
        if one.concept not in lineage:
            continue
        above = lineage.ancestors(one.concept)
        for other in said:
            if other.concept in above and other.assertion is one.assertion:
                found.setdefault(other.concept, []).append(one.concept)
    return found


def _places(said: Sequence[Draft], found: Sequence[Draft]) -> dict[Curie, list[Place]]:
    places: dict[Curie, list[Place]] = {one.concept: [] for one in said}
    for one in (*said, *found):
        if one.concept in places:
            places[one.concept] += [
                (e.start, e.end)
                for e in one.evidence
                if e.grounded and e.start is not None and e.end is not None
            ]
    return places


def _clear(place: Place, taken: Sequence[Place]) -> bool:
    return all(place[1] <= start or place[0] >= end for start, end in taken)
