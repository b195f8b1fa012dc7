"""Oracle ablations: one part of a run is taken from gold, to see what the others are worth.

    sentences    the first stage reads only the sentences in which a gold mention stands: what it makes of the
                 right places, however they were found
    candidates   the first stage is gold itself: what the later stages lose or add
    assertions   every candidate that gold holds has the status that gold gives it, after every stage: what
                 the reading of statuses costs

Only documents whose gold is complete are labelled; on the others the run says nothing. A run of this kind is
no labelling: it has seen the answers, its settings name the oracle and the gold, and its proposals are shown
to no curator. Source: Full-Text HPO Extraction Benchmarking Framework, section 7.3 (gold chunks, gold
assertions); gold candidates are ours.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from core.concepts.tools import Tools
from core.records import (
    Assertion,
    Candidate,
    Curie,
    Evidence,
    GeneratedClaim,
    Labelling,
    Passage,
    Span,
    Verdict,
)
from core.text.assertion import statuses, strongest
from core.text.sentences import sentences
from core.text.spans import words

Kind = Literal["sentences", "candidates", "assertions"]
KINDS: tuple[Kind, ...] = get_args(Kind)
FIRST = "generate"
STAGE = "oracle"
"""In the records: what gold said in place of a stage."""

Run = Callable[[Iterable[Labelling], Tools], Iterable[Labelling]]
Ask = Callable[[Labelling, Tools], Awaitable[Labelling]]


@dataclass(frozen=True)
class Oracle:
    """Gold of one corpus, in place of one part of the stages."""

    kind: Kind
    statuses: Mapping[str, Mapping[Curie, Assertion]]
    """doc_id -> concept (current id) -> status; documents whose gold is complete, and no others."""
    places: Mapping[str, Mapping[Curie, Sequence[Span]]] = field(default_factory=dict)
    """doc_id -> concept -> where gold says that it stands."""

    def around_run(self, stage: str, run: Run) -> Run:
        """The offline form of a stage with the oracle before, after or in place of it."""

        def led(labellings: Iterable[Labelling], tools: Tools) -> Iterator[Labelling]:
            held = list(labellings)
            given = [self._before(stage, one, tools) for one in held]
            done = iter(run([one for one, goes_on in given if goes_on], tools))
            for before, (one, goes_on) in zip(held, given, strict=True):
                yield self._after(next(done), before.passage, stage) if goes_on else one

        return led

    def around_ask(self, stage: str, ask: Ask) -> Ask:
        """The same for the form that asks a model."""

        async def led(labelling: Labelling, tools: Tools) -> Labelling:
            given, goes_on = self._before(stage, labelling, tools)
            if self.kind == "sentences" and stage == FIRST and goes_on:
                given = self._claims(labelling)
                goes_on = bool(given.claims)
            return self._after(await ask(given, tools), labelling.passage, stage) if goes_on else given

        return led

    # --- before and after a stage ---

    def _before(self, stage: str, labelling: Labelling, tools: Tools) -> tuple[Labelling, bool]:
        """What goes into a stage, and whether it goes in at all."""
        passage = labelling.passage
        if passage.doc_id not in self.statuses:
            return labelling, False
        if stage == FIRST and self.kind == "candidates":
            return self._candidates(labelling, tools), False
        if stage == FIRST and self.kind == "sentences":
            masked = _only(passage.text, self._sentences(passage))
            return replace(labelling, passage=replace(passage, text=masked)), True
        return labelling, True

    def _after(self, labelling: Labelling, passage: Passage, stage: str) -> Labelling:
        """The whole passage again, with gold statuses where they are asked for."""
        labelling = replace(labelling, passage=passage)
        if self.kind != "assertions":
            return labelling
        gold = self.statuses[passage.doc_id]
        candidates = []
        for candidate in labelling.candidates:
            status = gold.get(candidate.concept, candidate.assertion)
            if status is not candidate.assertion:
                labelling = labelling.record(
                    STAGE,
                    Verdict.KEPT,
                    candidate.concept,
                    f"After {stage}: {candidate.assertion.value} made {status.value}, as gold has it.",
                    assertion=status.value,
                )
                evidence = tuple(replace(e, assertion=None) for e in candidate.evidence)
                candidate = replace(candidate, assertion=status, evidence=evidence)
            candidates.append(candidate)
        return replace(labelling, candidates=tuple(candidates))

    # --- gold in place of the first stage ---

    def _sentences(self, passage: Passage) -> list[Span]:
        """Those in which a part of a gold mention stands."""
        places = [span for held in self.places.get(passage.doc_id, {}).values() for span in held]
        return [
            s for s in sentences(passage.text) if any(p.start < s.end and s.start < p.end for p in places)
        ]

    def _claims(self, labelling: Labelling) -> Labelling:
        for number, span in enumerate(self._sentences(labelling.passage)):
            made = GeneratedClaim(span.quote, None, span.start, span.end)
            labelling = replace(labelling, claims=(*labelling.claims, made)).record(
                FIRST, Verdict.CLAIM, text=made.text, confidence=None, number=number
            )
        return labelling

    def _candidates(self, labelling: Labelling, tools: Tools) -> Labelling:
        """Every gold concept below the root, with the status that rules read in its places: gold gives the
        candidates, not their statuses."""
        passage = labelling.passage
        found = []
        for concept, places in self._placed(passage, tools).items():
            evidence = tuple(
                Evidence(span.quote, span.start, span.end, True, status)
                for span, status in zip(places, _statuses(passage.text, places), strict=True)
            )
            given = [e.assertion for e in evidence if e.assertion]
            label = tools.by_id[concept].name
            found.append(
                Candidate(
                    concept,
                    label,
                    name=evidence[0].quote if evidence else label,
                    assertion=strongest(given) if given else Assertion.AFFIRMED,
                    confidence=1.0,
                    reason="Gold holds it.",
                    evidence=evidence,
                    stage=FIRST,
                )
            )
        for candidate in found:
            labelling = labelling.record(
                FIRST,
                Verdict.CANDIDATE,
                candidate.concept,
                candidate.reason,
                name=candidate.name,
                score=None,
                claim=None,
                how=STAGE,
                assertion=candidate.assertion.value,
            )
        return replace(labelling, candidates=tuple(found))

    def _placed(self, passage: Passage, tools: Tools) -> dict[Curie, list[Span]]:
        """Gold concepts with their places; where gold gives none, those at which the dictionary finds it."""
        known = self.places.get(passage.doc_id, {})
        wanted = [c for c in self.statuses[passage.doc_id] if c in tools.by_id]
        said: dict[Curie, list[Span]] = {}
        if any(not known.get(concept) for concept in wanted):
            for draft in tools.lexicon.annotate(passage.text):
                said[draft.concept] = [
                    Span(e.start, e.end, e.quote)
                    for e in draft.evidence
                    if e.start is not None and e.end is not None
                ]
        return {concept: list(known.get(concept) or said.get(concept) or ()) for concept in wanted}


def _only(text: str, kept: Sequence[Span]) -> str:
    """The text with all but some spans blanked, every offset as it was. Line breaks end sentences."""
    pieces, at = [], 0
    for span in kept:
        pieces += ["\n" * (span.start - at), text[span.start : span.end]]
        at = span.end
    return "".join([*pieces, "\n" * (len(text) - at)])


def _statuses(text: str, places: Sequence[Span]) -> list[Assertion]:
    """What rules read at each place; affirmed where no word stands there."""
    found = words(text)
    mentions: list[tuple[int, int] | None] = []
    for span in places:
        inside = [i for i, start in enumerate(found.starts) if start < span.end and found.end(i) > span.start]
        mentions.append((inside[0], inside[-1]) if inside else None)
    given = iter(statuses(found, [m for m in mentions if m]))
    return [next(given) if mention else Assertion.AFFIRMED for mention in mentions]
