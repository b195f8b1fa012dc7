"""Stage 2 of 5, offline: how a candidate was found tells how the passage expresses it.

Said in words of its own: explicit. Said only inside the words of a more specific candidate, which implies
it: logically implicit. Near in meaning to a phrase that bears the name out but for a word: pragmatically
implicit. Near in meaning and no more: not relevant, dropped. What is negated or uncertain keeps its status
and stays. Where a head was learned, it says first which readings are kept, and how sure they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from core.concepts.classify.support import Support
from core.concepts.classify.within import inside
from core.concepts.judged import judged
from core.concepts.tools import Tools
from core.records import Candidate, ConceptClass, Labelling, Verdict

STAGE = "classify"


def run(labellings: Iterable[Labelling], tools: Tools) -> Iterator[Labelling]:
    """Each passage with a class for every candidate, those that are not relevant left out. Streams."""
    support = Support(tools)
    for labelling in labellings:
        yield _judge(judged(labelling, tools, STAGE), tools, support)


def _judge(labelling: Labelling, tools: Tools, support: Support) -> Labelling:
    around = inside(labelling.candidates, tools.lineage)
    kept: list[Candidate] = []
    for candidate in labelling.candidates:
        if candidate.score is not None:
            doubt = support.missing(candidate.name, candidate.concept)
            given = ConceptClass.NOT_RELEVANT if doubt else ConceptClass.PRAGMATICALLY_IMPLICIT
            reason = doubt or "Nearly a name of the concept: the phrase says all of it but one word at most."
        elif outer := around.get(candidate.concept):
            given = ConceptClass.LOGICALLY_IMPLICIT
            reason = f"Named only inside '{outer}', which implies it."
        else:
            given, reason = ConceptClass.EXPLICIT, "The passage says it in words."
        stays = given is not ConceptClass.NOT_RELEVANT and given.value in tools.profile.classes
        if not stays and given is not ConceptClass.NOT_RELEVANT:
            reason += " The task profile leaves this class out."
        labelling = labelling.record(
            STAGE,
            Verdict.KEPT if stays else Verdict.DROPPED,
            candidate.concept,
            reason,
            None,
            **{"class": given.value},
        )
        if stays:
            kept.append(replace(candidate, concept_class=given))
    return replace(labelling, candidates=tuple(kept))
