"""Mentions that are a part of the name of something else: a test, an agent, a gene, a treatment."""

from __future__ import annotations

from core.records import Candidate, Evidence
from core.text.spans import Words

_NOUNS = """
antibody antibodies antigen antigens assay assays clinic clinics drug drugs gene genes locus loci medication
medications panel panels protein proteins questionnaire registry score scores screen serology suppressor
vaccine vaccination virus viruses
"""
_THINGS = frozenset(_NOUNS.split())
"""Nouns that make the finding before them a part of another thing's name."""


def aside(found: Words, candidate: Candidate) -> bool:
    """Whether every place of a candidate, at least one, belongs to the name of something else."""
    if candidate.score is not None or not candidate.evidence:
        return False
    ends = {e.end for e in candidate.evidence if e.grounded}
    following = {found.end(i): i + 1 for i in range(len(found.words) - 1) if found.end(i) in ends}
    return all(_named_on(found, e, following) for e in candidate.evidence)


def _named_on(found: Words, evidence: Evidence, following: dict[int, int]) -> bool:
    at = following.get(evidence.end) if evidence.end is not None else None
    return at is not None and found.gaps[at] == " " and found.words[at] in _THINGS
