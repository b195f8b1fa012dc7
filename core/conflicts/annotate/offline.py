"""Labels without a model: the second annotator, and what a run falls back to where a model failed.

In this order; the first rule that holds decides, and `notes` names it:

1. other question    the claims do not seem to answer one question                    no_conflict
2. agreement         nothing speaks for their disagreeing                             no_conflict
3. stated axis       the claims themselves differ in a condition                      contextual
4. weak evidence     both texts call their evidence thin                              evidence insufficiency
5. dispute           both texts tell of a dispute in the literature                   controversy
6. axis around       a claim and the other abstract, or the abstracts, differ         contextual
7. matched           nothing differs, and conditions are stated and alike             direct
8. nothing stated    nothing differs, for too little is stated                        underspecified

Whether both answer one question: of any pair the words of outcome and exposure say so, of a mined one its
likelihood, too; a pair that was given without scores is taken as one, if both share a word. Whether they
disagree: by their findings where outcome and exposure match, else by the learned weights of
`core.conflicts.stance`, which also say how sure a label is: `tests/benchmarks/quality_stance.py` prints how
often a stated chance comes true. Like all of its kind it sees words, not meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.conflicts.annotate.check import addressed, settled
from core.conflicts.annotate.conditions import conditions
from core.conflicts.annotate.facts import Facts, facts
from core.conflicts.cues import AxisRow
from core.conflicts.stance import conflict
from core.kinds.names import called
from core.records import (
    LIKELY,
    POSSIBLE,
    Axis,
    Claim,
    ConflictType,
    Cue,
    Level,
    Origin,
    PairLabel,
    PairSpan,
    PairTask,
    Side,
    Span,
)

VERSION = "heuristic-4"
"""Changes whenever a rule or a learned weight does: labels say which made them."""
GUESS = 0.4
"""Confidence of "other question" where words alone tell."""
MOST_AXES = 3
"""Axes of a label at most: the smallest sufficient set, not all that differs."""
LEAST_MATCHED = 3
"""Axes on which both texts say the same, from which conditions count as matched."""

_WEIGHT = (
    Axis.GENE_MUTATION_MOLECULAR_BACKGROUND,
    Axis.ORGANISM_STRAIN_LINEAGE,
    Axis.DISEASE_SUBTYPE,
    Axis.DOSAGE_INTERVENTION,
    Axis.CLINICAL_SETTING,
    Axis.POPULATION_COHORT,
    Axis.ASSAY_MEASUREMENT_PROTOCOL,
    Axis.ENDPOINT_DEFINITION,
    Axis.SAMPLE_SOURCE,
    Axis.STUDY_DESIGN,
    Axis.GEOGRAPHY,
    Axis.YEAR_TIME_PERIOD,
    Axis.UNKNOWN_LATENT_FACTOR,
)
"""Which axis explains more, where several differ: what changes the biology before what changes the measuring,
and that before where and when."""
_NOT_AROUND = (Axis.YEAR_TIME_PERIOD, Axis.STUDY_DESIGN)
"""Axes that differ between most abstracts and explain little, unless a claim itself states them."""


@dataclass(frozen=True, slots=True)
class _Ruling:
    rule: str
    conflict_type: ConflictType
    rows: tuple[AxisRow, ...] = ()
    """What explains it, the most telling first."""
    spans: tuple[tuple[Span, ...], tuple[Span, ...]] = ((), ())
    """Words besides those of axes and findings that the ruling rests on, by side."""
    axes: tuple[Axis, ...] = ()


def run(tasks: Iterable[PairTask]) -> Iterator[PairLabel]:
    """A label of each pair, in order."""
    for task in tasks:
        yield label(task)


def label(task: PairTask) -> PairLabel:
    """The label of a pair by the first rule that holds."""
    read = facts(task)
    chance = conflict(task.pair.a.text, task.pair.b.text)
    one_question = _one_question(task, read)
    ruling = _ruled(task, read, chance) if one_question else _OTHER
    ticked = (*(row.axis for row in ruling.rows), *ruling.axes)
    confounder = next(iter(ticked), None)
    axes, confounder, _ = settled(ruling.conflict_type, ticked, confounder)
    notes = f"Labelled by rule: {ruling.rule}. {_reason(read)}{_GIVEN if _as_given(task) else ''}"
    return PairLabel(
        one_question or read.comparable,
        ruling.conflict_type,
        axes,
        confounder,
        _reconciliation(read, ruling),
        tuple(dict.fromkeys(_evidence(task, read, ruling))),
        _confidence(task, ruling, chance),
        " ".join(part for part in (notes, addressed(task)) if part),
        Origin.HEURISTIC,
        VERSION,
    )


_GIVEN = " The pair came without scores: that both claims answer one question is taken from the file."
_OTHER = _Ruling("other question", ConflictType.NO_CONFLICT)


def _as_given(task: PairTask) -> bool:
    """Whether a pair came without scores: nothing was measured of whether its claims are on one question."""
    return task.pair.likelihood is None and task.pair.scores.sim <= 0


def _one_question(task: PairTask, read: Facts) -> bool:
    """Whether both claims seem to answer one question."""
    likelihood = task.pair.likelihood
    if _as_given(task):
        return read.shared > 0
    matched = read.comparable and read.same_outcome
    return matched or (likelihood is not None and likelihood.value >= POSSIBLE)


def _ruled(task: PairTask, read: Facts, chance: float) -> _Ruling:
    """Of two claims of one question."""
    matched = read.comparable and read.same_outcome
    disagree = read.opposition is not None if matched else chance >= LIKELY
    if not disagree:
        return _Ruling("agreement", ConflictType.NO_CONFLICT)
    under = conditions(task)
    if under.stated:
        return _Ruling("stated axis", ConflictType.CONTEXTUAL_CONTRADICTION, _telling(under.stated))
    if all(under.weak):
        return _Ruling("weak evidence", ConflictType.EVIDENCE_INSUFFICIENCY, spans=under.weak)
    if all(under.dispute):
        return _Ruling("dispute", ConflictType.UNRESOLVED_SCIENTIFIC_CONTROVERSY, spans=under.dispute)
    around = [row for row in (*under.half_stated, *under.around) if row.axis not in _NOT_AROUND]
    if around:
        return _Ruling("axis around", ConflictType.CONTEXTUAL_CONTRADICTION, _telling(around)[:1])
    if len(under.matched) >= LEAST_MATCHED:
        return _Ruling("matched", ConflictType.DIRECT_CONTRADICTION)
    return _Ruling(
        "nothing stated",
        ConflictType.UNDERSPECIFIED_APPARENT_CONTRADICTION,
        axes=(Axis.UNKNOWN_LATENT_FACTOR,),
    )


def _confidence(task: PairTask, ruling: _Ruling, chance: float) -> float:
    """How sure it is that there is a conflict, or none; of the type it says nothing."""
    likelihood = task.pair.likelihood
    if ruling is _OTHER:
        return GUESS if likelihood is None else round(1 - likelihood.value, 3)
    return round(chance if ruling.conflict_type is not ConflictType.NO_CONFLICT else 1 - chance, 3)


def _telling(rows: Iterable[AxisRow]) -> tuple[AxisRow, ...]:
    return tuple(sorted(rows, key=lambda row: _WEIGHT.index(row.axis))[:MOST_AXES])


# --- words --------------------------------------------------------------------------------------------------


def _reason(read: Facts) -> str:
    found = [
        stance.effect.value if stance.effect else "nothing that a rule can read"
        for stance in (read.a, read.b)
    ]
    if read.opposition:
        found = [read.opposition.a, read.opposition.b]
    return f"Side a: {found[0]}; side b: {found[1]}."


def _reconciliation(read: Facts, ruling: _Ruling) -> str:
    """A sentence filled from what was found."""
    if ruling.conflict_type is ConflictType.NO_CONFLICT:
        return {
            "other question": "By rule: the claims seem to answer other questions, so both can hold.",
        }.get(ruling.rule, "By rule: nothing in the claims speaks against the other, so both can hold.")
    opposition = read.opposition
    findings = (
        f"side a reports {opposition.a} and side b {opposition.b}" if opposition else "the claims differ"
    )
    if ruling.rows:
        said = "; ".join(
            f"{called(row.axis)} ({_values(row.a)} in a, {_values(row.b)} in b)" for row in ruling.rows
        )
        return f"By rule: {findings}; they differ in {said}, so each may hold under its own conditions."
    return {
        "weak evidence": f"By rule: {findings}, and both texts call their evidence thin.",
        "dispute": f"By rule: {findings}, and both texts tell of a dispute in the literature.",
        "matched": f"By rule: {findings}, under conditions that agree as far as they are stated.",
    }.get(ruling.rule, f"By rule: {findings}; the texts state too little to tell why.")


def _values(cues: Iterable[Cue]) -> str:
    """What a side says along an axis, each thing once."""
    return ", ".join(f"“{words}”" for words in list(dict.fromkeys(cue.quote for cue in cues))[:3])


# --- evidence -----------------------------------------------------------------------------------------------


def _evidence(task: PairTask, read: Facts, ruling: _Ruling) -> Iterator[PairSpan]:
    """The findings; the conditions that differ; what else the rule rests on."""
    sides = (
        ("a", task.pair.a, task.a, read.a, [row.a for row in ruling.rows], ruling.spans[0]),
        ("b", task.pair.b, task.b, read.b, [row.b for row in ruling.rows], ruling.spans[1]),
    )
    for name, claim, side, stance, cues, spans in sides:
        if side.text[claim.start : claim.end] != claim.text:
            continue  # the claim is of another text: nothing can be placed
        yield _span(name, claim, side, claim.start + stance.start, claim.start + stance.end, "finding")
        for row in cues:
            cue = next((cue for cue in row if claim.start <= cue.start and cue.end <= claim.end), row[0])
            yield _span(name, claim, side, cue.start, cue.end, "context")
        for span in spans[:2]:
            yield _span(name, claim, side, span.start, span.end, "context")


def _span(name: str, claim: Claim, side: Side, start: int, end: int, role: str) -> PairSpan:
    inside = claim.start <= start and end <= claim.end
    return PairSpan(name, side.text[start:end], start, end, Level.CLAIM if inside else Level.ABSTRACT, role)
