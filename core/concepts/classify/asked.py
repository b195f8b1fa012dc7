"""Stage 2 of 5, asking a model: how the passage expresses each candidate (CC). HI-ALD, section 3.2, figure 6.

One call for a passage (several for very many candidates), in one of three forms by `Tools.classes`, each with
its prompt:

- 4 classes: explicit, logically implicit, pragmatically implicit, not relevant
- 3 classes: explicit, implicit, not relevant. "Implicit" becomes pragmatically implicit, the weaker of the
  two that it may mean
- 2 classes: relevant, not relevant. "Relevant" leaves a candidate the class it came with: how, nobody said

What is not relevant is dropped, as is every class that the profile does not let through. A denied concept is
expressed: it keeps its class, with the assertion negated.

Repairs: labels through `ALIASES`, ids through `answers.Sorted`. An answer with any other label or id is left
out and recorded. A candidate without a usable answer is not called irrelevant: it goes on as pragmatically
implicit, the weakest claim, flagged as repaired. If that befalls more than half of them, the model is asked
again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import GenericAlias
from typing import Any, Literal

from pydantic import Field, create_model

from core.concepts import asking
from core.concepts.answers import LONGEST_REASON, Sorted, shown, with_evidence
from core.concepts.profile import Profile
from core.concepts.tools import Tools
from core.llm import quoted
from core.llm.fields import Reply, Text, choice, lookup, shortened
from core.records import Assertion, Candidate, ConceptClass, Labelling, Verdict

STAGE = "classify"
FOLDER = Path(__file__).parent
UNCHANGED: Literal["unchanged"] = "unchanged"
Label = ConceptClass | Literal["unchanged"]

PROMPTS = {4: "classify.md", 3: "classify_three.md", 2: "classify_two.md"}
LABELS: dict[int, dict[str, Label]] = {
    4: {
        "explicit": ConceptClass.EXPLICIT,
        "logically implicit": ConceptClass.LOGICALLY_IMPLICIT,
        "pragmatically implicit": ConceptClass.PRAGMATICALLY_IMPLICIT,
        "not relevant": ConceptClass.NOT_RELEVANT,
    },
    3: {
        "explicit": ConceptClass.EXPLICIT,
        "implicit": ConceptClass.PRAGMATICALLY_IMPLICIT,
        "not relevant": ConceptClass.NOT_RELEVANT,
    },
    2: {"relevant": UNCHANGED, "not relevant": ConceptClass.NOT_RELEVANT},
}
"""What each form asks for, by `plain`."""
ALIASES: dict[str, Label] = {
    "explicit": ConceptClass.EXPLICIT,
    "explicit concept": ConceptClass.EXPLICIT,
    "explicitly mentioned": ConceptClass.EXPLICIT,
    "explicitly stated": ConceptClass.EXPLICIT,
    "mentioned": ConceptClass.EXPLICIT,
    "stated": ConceptClass.EXPLICIT,
    "logically implicit": ConceptClass.LOGICALLY_IMPLICIT,
    "logically implied": ConceptClass.LOGICALLY_IMPLICIT,
    "logical implicit": ConceptClass.LOGICALLY_IMPLICIT,
    "logically implicit concept": ConceptClass.LOGICALLY_IMPLICIT,
    "implicit logically": ConceptClass.LOGICALLY_IMPLICIT,
    "pragmatically implicit": ConceptClass.PRAGMATICALLY_IMPLICIT,
    "pragmatically implied": ConceptClass.PRAGMATICALLY_IMPLICIT,
    "pragmatic implicit": ConceptClass.PRAGMATICALLY_IMPLICIT,
    "pragmatically implicit concept": ConceptClass.PRAGMATICALLY_IMPLICIT,
    "implicit pragmatically": ConceptClass.PRAGMATICALLY_IMPLICIT,
    "implicit": ConceptClass.PRAGMATICALLY_IMPLICIT,
    "implicit concept": ConceptClass.PRAGMATICALLY_IMPLICIT,
    "implied": ConceptClass.PRAGMATICALLY_IMPLICIT,
    "relevant": UNCHANGED,
    "not relevant concept": ConceptClass.NOT_RELEVANT,
    "irrelevant": ConceptClass.NOT_RELEVANT,
    "non relevant": ConceptClass.NOT_RELEVANT,
    "notrelevant": ConceptClass.NOT_RELEVANT,
    "not mentioned": ConceptClass.NOT_RELEVANT,
    "unrelated": ConceptClass.NOT_RELEVANT,
}
"""Labels that models write in place of those asked for, in any of the forms."""


class Classified(Reply):
    id: Text
    quote: Text = ""
    reason: Text = ""
    class_: Text = Field("", alias="class")
    assertion: Text = ""


class Classification(Reply):
    concepts: tuple[Classified, ...]


def _form(classes: int) -> type[Classification]:
    """The reply model whose JSON schema names the classes of one form; on reading, all labels pass."""
    field = choice(LABELS[classes], alias="class")
    one = create_model(f"Classified{classes}", __base__=Classified, class_=(Text, field))
    several: Any = GenericAlias(tuple, (one, ...))
    return create_model(f"Classification{classes}", __base__=Classification, concepts=(several, ...))


FORMS = {classes: _form(classes) for classes in LABELS}


@dataclass(frozen=True, slots=True)
class _Judgement:
    label: Label
    assertion: Assertion
    quote: str
    reason: str


async def ask(labelling: Labelling, tools: Tools) -> Labelling:
    """Candidates with class, assertion, reason and evidence; without those that were dropped. A passage
    without candidates is not asked about.

    Raises:
        ReplyFailure: the call gave no usable answer.
        InputError: the run has no endpoint; and whatever of the client's stops a run.
    """
    return await asking.in_parts(labelling, lambda part: _ask(part, tools))


async def _ask(labelling: Labelling, tools: Tools) -> Labelling:
    """One call."""
    candidates, passage = labelling.candidates, labelling.passage
    answer = await asking.asker(tools).ask(
        asking.prompt(FOLDER / PROMPTS[tools.classes]),
        FORMS[tools.classes],
        terms={**asking.terms(tools.profile), **_examples(tools.profile)},
        data={"passage": passage.text, "concepts": asking.described(candidates, tools)},
        stage=STAGE,
        passage_id=passage.id,
        room=asking.room(len(candidates)),
        check=lambda reply: _judged(reply, candidates, tools.classes).checked(reply),
    )
    judged = _judged(answer.value, candidates, tools.classes)
    labelling = judged.record_strays(replace(labelling, candidates=()), STAGE, answer.call)
    for candidate in candidates:
        new = _classified(candidate, judged, passage.text)
        reason = _refused(new.concept_class, tools.profile)
        labelling = labelling.record(
            STAGE,
            Verdict.DROPPED if reason is not None else Verdict.KEPT,
            new.concept,
            " ".join(part for part in (new.reason, reason) if part),
            answer.call,
            **{"class": new.concept_class.value},
            assertion=new.assertion.value,
            grounded=new.evidence[0].grounded if new.evidence else None,
            **judged.payload(candidate.concept),
        )
        if reason is None:
            labelling = replace(labelling, candidates=(*labelling.candidates, new))
    return labelling


def _examples(profile: Profile) -> dict[str, str]:
    return {
        f"{one.value}_example": profile.class_examples.get(one, "none given").strip() for one in ConceptClass
    }


def _refused(kind: ConceptClass, profile: Profile) -> str | None:
    """Why a class does not leave this stage, empty where the class says it all; None if it does."""
    if kind is ConceptClass.NOT_RELEVANT:
        return ""
    if kind not in profile.classes:
        return f"The profile does not take the class {kind.value.replace('_', ' ')}."
    return None


def _judged(reply: Classification, candidates: Sequence[Candidate], classes: int) -> Sorted[_Judgement]:
    """The usable answers by candidate."""
    judged: Sorted[_Judgement] = Sorted(candidates)
    for one in reply.concepts:
        concept = judged.find(one.id)
        if concept is None:
            continue
        label, changed = lookup(one.class_, LABELS[classes], ALIASES)
        if label is None:
            judged.note(concept, f"the class {shown(one.class_)} is none of those asked for")
            continue
        if changed:
            judged.note(concept, f"the class {shown(one.class_)} was read as {str(label).replace('_', ' ')}")
        assertion, changed = lookup(one.assertion, asking.ASSERTIONS, asking.ASSERTION_ALIASES)
        if changed and label is not ConceptClass.NOT_RELEVANT:
            read = assertion.value if assertion else "what it was"
            judged.note(concept, f"the assertion {shown(one.assertion)} was read as {read}")
        came_with = judged.candidates[concept].assertion
        reason = shortened(one.reason, LONGEST_REASON)
        judged.put(concept, _Judgement(label, assertion or came_with, one.quote, reason))
    return judged


def _classified(candidate: Candidate, judged: Sorted[_Judgement], text: str) -> Candidate:
    found = judged.answers.get(candidate.concept)
    if found is None:
        return replace(
            candidate,
            concept_class=ConceptClass.PRAGMATICALLY_IMPLICIT,
            reason="The model gave this candidate no usable class.",
            repaired=True,
        )
    return replace(
        candidate,
        concept_class=candidate.concept_class if found.label == UNCHANGED else ConceptClass(found.label),
        assertion=found.assertion,
        reason=found.reason or candidate.reason,
        evidence=with_evidence(candidate.evidence, quoted(found.quote, text)),
        repaired=candidate.repaired or candidate.concept in judged.notes,
    )
