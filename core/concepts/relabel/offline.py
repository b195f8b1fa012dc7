"""Stage 3 of 5, offline: what is written plainly and was missed comes in, what the words contradict goes out.

Added: names with other words between (`gapped`). Removed: more general concepts, as the task profile says
(`core.concepts.hypernyms`), concepts of a phrase whose words the dictionary reads as something related, and
words that only name something else ("hepatitis panel", `aside`). A denied or doubted concept keeps its status
and stays. What a learned head does not keep goes out, too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.concepts.hypernyms import outdone
from core.concepts.judged import judged
from core.concepts.relabel.aside import aside
from core.concepts.relabel.gapped import Names
from core.concepts.tools import Tools
from core.records import Candidate, Curie, Evidence, Labelling, Verdict
from core.text.assertion import statuses, strongest
from core.text.spans import Words, words

STAGE = "relabel"
_SURE = 0.4
"""About the share of added concepts that experts kept in small corpora (tests/benchmarks)."""


def run(labellings: Iterable[Labelling], tools: Tools) -> Iterator[Labelling]:
    """Each passage with its list corrected. Streams."""
    names = Names(tools)
    for labelling in labellings:
        yield _relabel(judged(labelling, tools, STAGE), tools, names)


def _relabel(labelling: Labelling, tools: Tools, names: Names) -> Labelling:
    found = words(labelling.passage.text)
    added = _missed(labelling, found, tools, names)
    together = (*labelling.candidates, *added)
    out = {c.concept: "The words only name something else." for c in together if aside(found, c)}
    out |= _weaker(together, tools)
    out |= outdone([c for c in together if c.concept not in out], tools, labelling.passage.text)
    for candidate in added:
        labelling = labelling.record(
            STAGE,
            Verdict.ADDED,
            candidate.concept,
            candidate.reason,
            name=candidate.name,
            score=candidate.score,
            claim=candidate.claim,
            how="words apart",
        )
    for candidate in together:
        if reason := out.get(candidate.concept):
            labelling = labelling.record(STAGE, Verdict.DROPPED, candidate.concept, reason)
        elif candidate.stage != STAGE:
            labelling = labelling.record(STAGE, Verdict.KEPT, candidate.concept, "Nothing contradicts it.")
    told = f"{len(labelling.candidates)} listed, {len(added)} missed and added, {len(out)} contradicted."
    labelling = labelling.record(STAGE, Verdict.RATED, reason=told, quality=None)
    kept = tuple(candidate for candidate in together if candidate.concept not in out)
    return replace(labelling, candidates=kept)


def _missed(labelling: Labelling, found: Words, tools: Tools, names: Names) -> list[Candidate]:
    """Concepts whose names stand in the text with other words between."""
    known = {candidate.concept for candidate in labelling.candidates}
    read = sorted(
        (e.start, e.end)
        for c in labelling.candidates
        if c.score is None
        for e in c.evidence
        if e.start is not None and e.end is not None
    )
    places: dict[Curie, list[tuple[int, int]]] = {}
    said: dict[Curie, str] = {}
    for gapped in names.read(found):
        end = found.end(gapped.last)
        inner = found.end(gapped.last - 1)
        explained = any(e >= end and s < inner for s, e in read if s < end)
        if gapped.concept not in known and not explained:
            places.setdefault(gapped.concept, []).append((gapped.first, gapped.last))
            said.setdefault(gapped.concept, gapped.name)
    return [_added(labelling, found, tools, c, several, said[c]) for c, several in places.items()]


def _added(
    labelling: Labelling,
    found: Words,
    tools: Tools,
    concept: Curie,
    places: Sequence[tuple[int, int]],
    name: str,
) -> Candidate:
    evidence = tuple(
        Evidence(span.quote, span.start, span.end, True, status)
        for place, status in zip(places, statuses(found, places), strict=True)
        for span in (found.span(*place),)
    )
    starts = [claim.start for claim in labelling.claims if claim.start is not None]
    inside = len(starts) == len(labelling.claims) > 0
    return Candidate(
        concept,
        tools.by_id[concept].name,
        name=evidence[0].quote,
        claim=max(0, bisect_right(starts, evidence[0].start or 0) - 1) if inside else None,
        assertion=strongest([e.assertion for e in evidence if e.assertion]),
        confidence=_SURE,
        reason=f"'{evidence[0].quote}' says the name '{name}' with other words between.",
        evidence=evidence,
        stage=STAGE,
    )


def _weaker(candidates: Sequence[Candidate], tools: Tools) -> dict[Curie, str]:
    """Concepts by similarity whose words are read, by name, as a concept above or below them."""
    spoken = [c for c in candidates if c.score is None]
    out: dict[Curie, str] = {}
    for candidate in candidates:
        if candidate.score is None or candidate.concept not in tools.lineage:
            continue
        above = tools.lineage.ancestors(candidate.concept)
        for other in spoken:
            related = other.concept in above or candidate.concept in tools.lineage.ancestors(other.concept)
            if related and _meet(candidate.evidence, other.evidence):
                out[candidate.concept] = f"The same words name {other.label}."
                break
    return out


def _meet(some: Sequence[Evidence], others: Sequence[Evidence]) -> bool:
    return any((a.start or 0) < (b.end or 0) and (b.start or 0) < (a.end or 0) for a in some for b in others)
