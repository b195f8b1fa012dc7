"""Stage 4 of 5, asking a model: keep or drop each candidate by the guideline (GF). HI-ALD, section 3.2,
figure 8.

One call for a passage (several for very many candidates) with the guideline in force (`Tools.guideline`). The
paper has the list written out anew; here each candidate gets a decision with a reason, so that what was left
out can be told from what was forgotten.

Repairs: decisions through `ALIASES`, ids through `answers.Sorted`. A candidate without a usable decision
stays, flagged as repaired; if that befalls more than half of them, the model is asked again. A passage
without candidates is not asked about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.concepts import asking
from core.concepts.answers import LONGEST_REASON, Sorted, shown
from core.concepts.tools import Tools
from core.errors import InputError
from core.llm.fields import Reply, Text, choice, lookup, shortened
from core.records import Candidate, Labelling, Verdict

STAGE = "guideline"
FOLDER = Path(__file__).parent

DECISIONS = {"keep": Verdict.KEPT, "drop": Verdict.DROPPED}
ALIASES = {
    "kept": Verdict.KEPT,
    "valid": Verdict.KEPT,
    "accept": Verdict.KEPT,
    "include": Verdict.KEPT,
    "yes": Verdict.KEPT,
    "true": Verdict.KEPT,
    "dropped": Verdict.DROPPED,
    "invalid": Verdict.DROPPED,
    "reject": Verdict.DROPPED,
    "remove": Verdict.DROPPED,
    "exclude": Verdict.DROPPED,
    "discard": Verdict.DROPPED,
    "no": Verdict.DROPPED,
    "false": Verdict.DROPPED,
}
"""Decisions that models write in place of those asked for."""


class Decided(Reply):
    id: Text
    reason: Text = ""
    decision: Text = choice(DECISIONS)


class Decisions(Reply):
    concepts: tuple[Decided, ...]


@dataclass(frozen=True, slots=True)
class _Decision:
    verdict: Verdict
    reason: str


async def ask(labelling: Labelling, tools: Tools) -> Labelling:
    """The passage without the candidates that the guideline speaks against.

    Raises:
        ReplyFailure: the call gave no usable answer.
        InputError: there is no guideline, or no endpoint; and whatever of the client's stops a run.
    """
    if not tools.guideline.strip():
        raise InputError(
            f"The profile {tools.profile.name} has no guideline. Add one, or leave the stage guideline out."
        )
    return await asking.in_parts(labelling, lambda part: _ask(part, tools))


async def _ask(labelling: Labelling, tools: Tools) -> Labelling:
    """One call."""
    candidates, passage = labelling.candidates, labelling.passage
    answer = await asking.asker(tools).ask(
        asking.prompt(FOLDER / "guideline.md"),
        Decisions,
        terms={**asking.terms(tools.profile), "guideline": _unmarked(tools.guideline)},
        data={"passage": passage.text, "concepts": asking.described(candidates, tools)},
        stage=STAGE,
        passage_id=passage.id,
        room=asking.room(len(candidates)),
        check=lambda reply: _decided(reply, candidates).checked(reply),
    )
    decided = _decided(answer.value, candidates)
    labelling = decided.record_strays(replace(labelling, candidates=()), STAGE, answer.call)
    for candidate in candidates:
        found = decided.answers.get(candidate.concept)
        notes = decided.payload(candidate.concept)
        labelling = labelling.record(
            STAGE,
            found.verdict if found else Verdict.KEPT,
            candidate.concept,
            found.reason if found else "The model gave this candidate no usable decision.",
            answer.call,
            **{"class": candidate.concept_class.value},
            **notes,
        )
        if found is None or found.verdict is Verdict.KEPT:
            kept = replace(candidate, repaired=candidate.repaired or bool(notes))
            labelling = replace(labelling, candidates=(*labelling.candidates, kept))
    return labelling


def _unmarked(guideline: str) -> str:
    """A guideline cannot end its own section or open one of data, whoever wrote it."""
    return re.sub(r"<(?=\s*/?\s*(data|guideline))", "‹", guideline.strip(), flags=re.IGNORECASE)


def _decided(reply: Decisions, candidates: Sequence[Candidate]) -> Sorted[_Decision]:
    decided: Sorted[_Decision] = Sorted(candidates)
    for one in reply.concepts:
        concept = decided.find(one.id)
        if concept is None:
            continue
        verdict, changed = lookup(one.decision, DECISIONS, ALIASES)
        if verdict is None:
            decided.note(concept, f"the decision {shown(one.decision)} is none of those asked for")
            continue
        if changed:
            word = "keep" if verdict is Verdict.KEPT else "drop"
            decided.note(concept, f"the decision {shown(one.decision)} was read as {word}")
        decided.put(concept, _Decision(verdict, shortened(one.reason, LONGEST_REASON)))
    return decided
