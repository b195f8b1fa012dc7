"""What a learned head says of the candidates of a passage: whether each is kept, and how sure that is.

A head knows what the dictionary reads. Candidates from elsewhere, by their vectors or with other words in
between, are none of its business. The stages that keep and drop (classify, relabel, guideline) go by it,
whichever comes first; the confidence that it leaves is what select rates passages by.
"""

from __future__ import annotations

from dataclasses import replace

from core.concepts.tools import Tools
from core.records import Candidate, Labelling, Verdict

_DROPPED = "What was learned says that such a reading is not kept here."


def is_read(candidate: Candidate) -> bool:
    """Whether the dictionary read it in the passage, in one piece."""
    return candidate.score is None and candidate.stage == "generate"


def judged(labelling: Labelling, tools: Tools, stage: str) -> Labelling:
    """The passage without what the learned head drops, each other reading as sure as it says; as it is where
    there is no head."""
    if tools.judge is None:
        return labelling
    told = {draft.concept: draft for draft in tools.judge.annotate(labelling.passage.text)}
    kept = []
    for candidate in labelling.candidates:
        draft = told.get(candidate.concept)
        if not is_read(candidate):
            kept.append(candidate)
        elif draft is not None:
            kept.append(replace(candidate, confidence=draft.confidence, reason=draft.reason))
        else:
            given = {"class": candidate.concept_class.value}
            labelling = labelling.record(stage, Verdict.DROPPED, candidate.concept, _DROPPED, None, **given)
    return replace(labelling, candidates=tuple(kept))
