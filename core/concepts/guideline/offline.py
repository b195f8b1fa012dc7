"""Stage 4 of 5, offline: what the task profile says of single concepts.

Dropped are the root of the task and the concepts that the profile names as too general (`drop_names`), by
name or exact synonym: another synonym may be the name of something else. The guideline's prose is for those
who can read it: a model, or a curator. What a learned head does not keep is left out, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from core.concepts.judged import judged
from core.concepts.tools import Tools
from core.records import Curie
from core.records.labelling import Labelling, Verdict

STAGE = "guideline"


def run(labellings: Iterable[Labelling], tools: Tools) -> Iterator[Labelling]:
    """Each passage without the concepts that the profile leaves out. Streams."""
    dropped = _left_out(tools)
    for labelling in labellings:
        labelling = judged(labelling, tools, STAGE)
        kept = []
        for candidate in labelling.candidates:
            reason = dropped.get(candidate.concept)
            labelling = labelling.record(
                STAGE,
                Verdict.DROPPED if reason else Verdict.KEPT,
                candidate.concept,
                reason or "No rule of the task profile speaks against it.",
                None,
                **{"class": candidate.concept_class.value},
            )
            if not reason:
                kept.append(candidate)
        yield replace(labelling, candidates=tuple(kept))


def _left_out(tools: Tools) -> dict[Curie, str]:
    """Concept -> why it is left out."""
    title = tools.profile.title
    names = {name.lower(): name for name in tools.profile.drop_names}
    result: dict[Curie, str] = {}
    for concept in tools.concepts:
        exact = (synonym.text for synonym in concept.synonyms if synonym.scope == "EXACT")
        for name in (concept.name, *exact):
            if name.lower() in names:
                result[concept.curie] = f"The task profile '{title}' leaves out '{names[name.lower()]}'."
                break
    if tools.profile.root is not None:
        result[tools.profile.root] = f"The root of the task profile '{title}' tells nothing by itself."
    return result
