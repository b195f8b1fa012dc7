"""Labels checked and completed by the model-asking form of stage 3. Answers were written by hand."""

from __future__ import annotations

from typing import Any

import pytest

from core.concepts import relabel
from core.concepts.profile import Hypernyms
from core.llm import ReplyFailure
from core.records import Assertion, ConceptClass, Verdict
from tests.concepts.scripted import (
    ATAXIA,
    CATARACT,
    FEBRILE,
    HEARING,
    MICROCEPHALY,
    SEIZURE,
    SENSORINEURAL,
    kept,
    labelled,
    one,
    profile,
    records,
    scene,
)

TEXT = "He had febrile seizures and wears hearing aids. His gait was ataxic. There was no cataract."


def answer(**parts: Any) -> Any:
    whole: dict[str, Any] = {
        "explanation": "The list has the seizures and lacks the gait.",
        "explicit": [],
        "implicit": [],
        "missing": [],
        "additional": [],
        "quality": "good",
    }
    return lambda data: whole | parts


def at(concept: str, quote: str = "") -> dict[str, str]:
    return {"id": concept, "quote": quote}


def test_missing_ones_go_and_additional_ones_come() -> None:
    script = answer(
        explicit=[at(FEBRILE, "febrile seizures")],
        implicit=[at(HEARING, "wears hearing aids")],
        missing=[{"id": MICROCEPHALY, "reason": "No word on the head."}],
        additional=[
            {"name": "Ataxia", "quote": "His gait was ataxic", "status": "affirmed"},
            {"name": "Cataract", "quote": "no cataract", "status": "negated"},
        ],
    )
    with scene(script) as on:
        made = on.ask(relabel.ask, labelled(TEXT, FEBRILE, HEARING, MICROCEPHALY))
        assert kept(made) == [FEBRILE, HEARING, ATAXIA, CATARACT]
        assert one(made, FEBRILE).concept_class is ConceptClass.EXPLICIT
        assert one(made, HEARING).concept_class is ConceptClass.PRAGMATICALLY_IMPLICIT
        assert one(made, CATARACT).assertion is Assertion.NEGATED
        new = one(made, ATAXIA)
        assert (new.stage, new.name, new.score, new.claim) == ("relabel", "Ataxia", 1.0, None)
        assert new.concept_class is ConceptClass.EXPLICIT
        assert TEXT[new.evidence[0].start : new.evidence[0].end] == "His gait was ataxic"
        assert not any(c.repaired for c in made.candidates)
        (dropped,) = records(made, Verdict.DROPPED)
        assert (dropped.concept, dropped.reason) == (MICROCEPHALY, "No word on the head.")
        assert [r.concept for r in records(made, Verdict.KEPT)] == [FEBRILE, HEARING]
        assert [r.concept for r in records(made, Verdict.ADDED)] == [ATAXIA, CATARACT]
        (whole,) = [record for record in made.records if record.concept is None]
        assert whole.reason == "The list has the seizures and lacks the gait."
        assert whole.payload == {"quality": "good"}
        assert {record.call_id for record in made.records} == {1}
        assert made.retained
        assert made.quality is None


def test_implicit_keeps_the_finer_class_it_has() -> None:
    came = labelled(TEXT, FEBRILE, concept_class=ConceptClass.LOGICALLY_IMPLICIT)
    with scene(answer(implicit=[at(FEBRILE)])) as on:
        assert one(on.ask(relabel.ask, came), FEBRILE).concept_class is ConceptClass.LOGICALLY_IMPLICIT
    with scene(answer(explicit=[at(FEBRILE)])) as on:
        assert one(on.ask(relabel.ask, came), FEBRILE).concept_class is ConceptClass.EXPLICIT


def test_additions_far_from_every_concept_are_recorded_only() -> None:
    extra = [{"name": "purple telephone", "quote": "", "status": "affirmed"}]
    with scene(answer(explicit=[at(FEBRILE)], additional=extra)) as on:
        made = on.ask(relabel.ask, labelled(TEXT, FEBRILE))
        assert kept(made) == [FEBRILE]
        (record,) = records(made, Verdict.UNMATCHED)
        assert record.payload["name"] == "purple telephone"
        assert record.payload["score"] < on.tools.threshold


def test_an_addition_without_a_quote_in_the_passage_is_implicit_and_marked() -> None:
    extra = [{"name": "Ataxia", "quote": "unsteady since birth", "status": "affirmed"}]
    with scene(answer(explicit=[at(FEBRILE)], additional=extra)) as on:
        new = one(on.ask(relabel.ask, labelled(TEXT, FEBRILE)), ATAXIA)
        assert new.concept_class is ConceptClass.PRAGMATICALLY_IMPLICIT
        assert [(e.quote, e.grounded) for e in new.evidence] == [("unsteady since birth", False)]
    only_explicit = profile(classes=(ConceptClass.EXPLICIT,))
    with scene(answer(explicit=[at(FEBRILE)], additional=extra), profile=only_explicit) as on:
        made = on.ask(relabel.ask, labelled(TEXT, FEBRILE))
        assert kept(made) == [FEBRILE]
        assert [r.concept for r in records(made, Verdict.ADDED)] == [ATAXIA]
        assert [r.concept for r in records(made, Verdict.DROPPED)] == [ATAXIA]


def test_additions_that_repeat() -> None:
    """The same name twice, another name of the same concept, and a name of what is in the list."""
    extra = [
        {"name": name, "quote": "", "status": "affirmed"}
        for name in ("Ataxia", "ataxia ", "Cerebellar ataxia", "Febrile seizures", "none")
    ]
    with scene(answer(explicit=[at(FEBRILE)], additional=extra)) as on:
        made = on.ask(relabel.ask, labelled(TEXT, FEBRILE))
        assert kept(made) == [FEBRILE, ATAXIA]
        assert len(records(made, Verdict.ADDED)) == 1
        assert records(made, Verdict.UNMATCHED) == []


def test_contradictions_keep_the_candidate_flagged() -> None:
    """In two groups; called missing and named again; in no group."""
    script = answer(
        explicit=[at(FEBRILE)],
        missing=[{"id": FEBRILE, "reason": ""}, {"id": HEARING, "reason": "Not there."}],
        additional=[{"name": "Deafness", "quote": "wears hearing aids", "status": "affirmed"}],
    )
    with scene(script) as on:
        made = on.ask(relabel.ask, labelled(TEXT, FEBRILE, HEARING, SEIZURE))
        assert kept(made) == [FEBRILE, HEARING, SEIZURE]
        assert all(c.repaired for c in made.candidates)
        assert records(made, Verdict.DROPPED) == records(made, Verdict.ADDED) == []
        assert one(made, FEBRILE).concept_class is ConceptClass.EXPLICIT


def test_ids_of_no_candidate_never_become_one() -> None:
    script = answer(explicit=[at(FEBRILE), at(ATAXIA)], missing=[{"id": "HP:9999999", "reason": ""}])
    with scene(script) as on:
        made = on.ask(relabel.ask, labelled(TEXT, FEBRILE))
        assert kept(made) == [FEBRILE]
        assert [r.payload["name"] for r in records(made, Verdict.UNMATCHED)] == [ATAXIA, "HP:9999999"]


def test_groups_that_leave_most_out_are_asked_for_again_then_fail() -> None:
    with scene(answer()) as on:
        with pytest.raises(ReplyFailure):
            on.ask(relabel.ask, labelled(TEXT, FEBRILE, HEARING))
        assert 2 <= len(on.server.requests) <= 3


def test_an_empty_list_is_completed() -> None:
    script = answer(additional=[{"name": "Ataxia", "quote": "His gait was ataxic", "status": "affirmed"}])
    with scene(script) as on:
        assert kept(on.ask(relabel.ask, labelled(TEXT))) == [ATAXIA]


def test_no_text_no_call() -> None:
    with scene(answer()) as on:
        assert on.ask(relabel.ask, labelled(" ")) == labelled(" ")
        assert on.server.requests == []


DEAF = "Sensorineural deafness in both ears."
DEAF_TWICE = "Sensorineural deafness in both ears. Hearing loss was found at birth."


@pytest.mark.parametrize(
    ("policy", "text", "left"),
    [
        (Hypernyms.KEEP, DEAF, [HEARING, SENSORINEURAL]),
        (Hypernyms.KEEP_NAMED_APART, DEAF, [SENSORINEURAL]),
        (Hypernyms.KEEP_NAMED_APART, DEAF_TWICE, [HEARING, SENSORINEURAL]),
        (Hypernyms.DROP, DEAF_TWICE, [SENSORINEURAL]),
    ],
)
def test_hypernyms_as_the_profile_says(policy: Hypernyms, text: str, left: list[str]) -> None:
    said = [at(HEARING, "deafness"), at(SENSORINEURAL, "Sensorineural deafness")]
    with scene(answer(explicit=said), profile=profile(hypernyms=policy)) as on:
        made = on.ask(relabel.ask, labelled(text, HEARING, SENSORINEURAL))
        assert kept(made) == left
        reasons = [str(record.reason) for record in records(made, Verdict.DROPPED)]
        assert all("More general than Sensorineural hearing impairment" in reason for reason in reasons)
        assert len(reasons) == 2 - len(left)


def test_a_denied_general_concept_is_not_outdone_by_an_affirmed_specific_one() -> None:
    from dataclasses import replace

    came = labelled(DEAF, HEARING, SENSORINEURAL)
    denied = replace(came.candidates[0], assertion=Assertion.NEGATED)
    came = replace(came, candidates=(denied, came.candidates[1]))
    with scene(
        answer(explicit=[at(HEARING), at(SENSORINEURAL)]), profile=profile(hypernyms=Hypernyms.DROP)
    ) as on:
        assert kept(on.ask(relabel.ask, came)) == [HEARING, SENSORINEURAL]


def test_a_quality_in_no_table_is_recorded_as_none() -> None:
    with scene(answer(explicit=[at(FEBRILE)], quality="splendid-ish")) as on:
        made = on.ask(relabel.ask, labelled(TEXT, FEBRILE))
        assert records(made, Verdict.RATED)[0].payload["quality"] is None
        assert kept(made) == [FEBRILE]
