"""The offline stages with a learned head: it drops and rates what the dictionary reads, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.concepts.judged import judged
from core.concepts.learned import learned_lexicon
from core.concepts.tools import Tools
from core.records import Candidate
from core.records.learned import Head
from tests.concepts.offline_parts import run, start, tools

TEXT = "Sensorineural hearing impairment and seizures."


def headed(least: float = 0.5) -> Tools:
    """A head by hand: chance 0.8, and 0.2 for what stands inside a longer name only."""
    head = Head(
        kind="logistic",
        features=("inside a longer name only",),
        weights=(-2.7726,),
        intercept=1.3863,
        least=least,
    )
    made = tools()
    return replace(made, judge=learned_lexicon(made.lexicon, (), head))


def test_the_text_names_one_concept_inside_another() -> None:
    assert labels(run(TEXT, "generate")) == {
        "Seizure",
        "Sensorineural hearing impairment",
        "Hearing impairment",
    }


def labels(made: object) -> set[str]:
    return {candidate.label for candidate in made.candidates}  # type: ignore[attr-defined]


@pytest.mark.parametrize("stage", ["classify", "relabel", "guideline"])
def test_a_stage_drops_what_the_head_drops_and_tells_how_sure_it_is(stage: str) -> None:
    made = run(TEXT, f"generate {stage}", headed())
    assert labels(made) == {"Seizure", "Sensorineural hearing impairment"}
    assert {candidate.confidence for candidate in made.candidates} == {0.8}
    told = [r.reason for r in made.records if r.stage == stage and r.verdict == "dropped"]
    assert told == ["What was learned says that such a reading is not kept here."]


def test_the_first_stage_proposes_all() -> None:
    assert len(run(TEXT, "generate", headed()).candidates) == 3
    assert len(run(TEXT, "generate classify", headed(least=0.1)).candidates) == 3


def test_selection_rates_by_the_head_and_keeps_the_labels() -> None:
    """Support 0.8, two of three labels stand: 0.53, which is good; by the table it was excellent or good."""
    made = run(TEXT, "generate select", headed())
    assert len(made.candidates) == 3
    assert (
        made.records[-1].reason == "Labels are sure to 0.80 on average and cover 0.67 of what is spoken of."
    )


def test_candidates_from_elsewhere_are_left_alone() -> None:
    near = Candidate("HP:0000001", "Near", name="near", score=0.7, confidence=0.35)
    apart = Candidate("HP:0000002", "Apart", name="apart", stage="relabel", confidence=0.4)
    labelling = replace(start(TEXT), candidates=(near, apart))
    assert judged(labelling, headed(), "classify").candidates == (near, apart)
    assert judged(labelling, tools(), "classify") is labelling
