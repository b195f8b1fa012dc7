"""Candidates that the passage names only inside the name of a more specific candidate."""

from __future__ import annotations

from collections.abc import Sequence

from core.ontology.lineage import Lineage
from core.records import Candidate, Curie, Evidence


def above(candidates: Sequence[Candidate], lineage: Lineage) -> dict[Curie, list[Candidate]]:
    """Concept -> its descendants among the candidates, for candidates that have any."""
    known = {c.concept for c in candidates}
    result: dict[Curie, list[Candidate]] = {}
    for candidate in candidates:
        if len(known) > 1 and candidate.concept in lineage:
            for ancestor in lineage.ancestors(candidate.concept) & known:
                result.setdefault(ancestor, []).append(candidate)
    return result


def inside(candidates: Sequence[Candidate], lineage: Lineage) -> dict[Curie, str]:
    """Concept -> the longer words around its first place, for candidates without a place of their own."""
    below = above(candidates, lineage)
    result: dict[Curie, str] = {}
    for candidate in candidates:
        longer = [e for c in below.get(candidate.concept, ()) for e in c.evidence]
        outer = [next((o.quote for o in longer if _holds(o, e)), None) for e in candidate.evidence]
        if longer and outer and outer[0] is not None and None not in outer:
            result[candidate.concept] = outer[0]
    return result


def _holds(outer: Evidence, inner: Evidence) -> bool:
    """Whether one place holds another and is longer."""
    if outer.start is None or outer.end is None or inner.start is None or inner.end is None:
        return False
    return (
        outer.start <= inner.start
        and inner.end <= outer.end
        and outer.end - outer.start > inner.end - inner.start
    )
