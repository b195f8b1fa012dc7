"""What becomes of a candidate that is more general than another one, as the task profile says."""

from __future__ import annotations

from collections.abc import Sequence

from core.concepts.profile import Hypernyms
from core.concepts.tools import Tools
from core.records import Candidate, Curie

Place = tuple[int, int]


def outdone(candidates: Sequence[Candidate], tools: Tools, text: str) -> dict[Curie, str]:
    """Candidates to be dropped for a more specific candidate, with the reason.

    A more specific candidate counts only if its assertion is the same: "no seizures" does not outdo "febrile
    seizures". For `keep_named_apart` a mention of the general concept, be it a located quote or words that
    the dictionary matcher finds, must stand clear of every mention of the more specific ones.
    """
    policy = tools.profile.hypernyms
    if policy is Hypernyms.KEEP or len(candidates) < 2:
        return {}
    specific = _more_specific(candidates, tools)
    if not specific:
        return {}
    labels = {candidate.concept: candidate.label for candidate in candidates}
    if policy is Hypernyms.DROP:
        return {general: f"More general than {labels[below[0]]}." for general, below in specific.items()}
    places = _places(candidates, tools, text)
    dropped = {}
    for general, below in specific.items():
        taken = [place for curie in below for place in places[curie]]
        if not any(_clear(place, taken) for place in places[general]):
            dropped[general] = f"More general than {labels[below[0]]}, and not named apart from it."
    return dropped


def _more_specific(candidates: Sequence[Candidate], tools: Tools) -> dict[Curie, list[Curie]]:
    """General candidate -> the candidates below it that have the same assertion."""
    found: dict[Curie, list[Curie]] = {}
    for candidate in candidates:
        if candidate.concept not in tools.lineage:
            continue
        above = tools.lineage.ancestors(candidate.concept)
        for other in candidates:
            if other.concept in above and other.assertion is candidate.assertion:
                found.setdefault(other.concept, []).append(candidate.concept)
    return found


def _places(candidates: Sequence[Candidate], tools: Tools, text: str) -> dict[Curie, list[Place]]:
    places: dict[Curie, list[Place]] = {candidate.concept: [] for candidate in candidates}
    said = [(candidate.concept, candidate.evidence) for candidate in candidates]
    said += [(draft.concept, draft.evidence) for draft in tools.lexicon.annotate(text)]
    for concept, evidence in said:
        if concept in places:
            places[concept] += [
                (e.start, e.end) for e in evidence if e.grounded and e.start is not None and e.end is not None
            ]
    return places


def _clear(place: Place, taken: Sequence[Place]) -> bool:
    return all(place[1] <= start or place[0] >= end for start, end in taken)
