"""Gold in place of one part of the stages, on the demonstration ontology."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from core.concepts import generate
from core.concepts.oracle import KINDS, Oracle
from core.records import Assertion, Candidate, Labelling, Passage, Span, Verdict
from tests.concepts.offline_parts import STAGES, tools
from tests.concepts.scripted import ATAXIA, CATARACT, MICROCEPHALY, SEIZURE, kept, one, records, scene

YES, NO, MAYBE = Assertion.AFFIRMED, Assertion.NEGATED, Assertion.UNCERTAIN
TEXT = "He had a cataract. There was no ataxia. Seizures began at two."


def passage(text: str = TEXT, doc_id: str = "d1") -> Passage:
    return Passage(1, "alpha", doc_id, 1, text)


def place(words: str, text: str = TEXT) -> Span:
    start = text.index(words)
    return Span(start, start + len(words), words)


def through(oracle: Oracle, *stages: str, passages: tuple[Passage, ...] = (passage(),)) -> list[Labelling]:
    labellings = [Labelling(p) for p in passages]
    for stage in stages:
        labellings = list(oracle.around_run(stage, STAGES[stage])(labellings, tools()))
    return labellings


def spoken(labelling: Labelling) -> dict[str, Assertion]:
    return {c.concept: c.assertion for c in labelling.candidates}


def test_without_an_oracle_the_text_gives_all_three() -> None:
    (found,) = generate.run([Labelling(passage())], tools())
    assert spoken(found) == {CATARACT: YES, ATAXIA: NO, SEIZURE: YES}


# --- sentences ----------------------------------------------------------------------------------------------


def test_only_sentences_with_a_gold_mention_are_read() -> None:
    oracle = Oracle("sentences", {"d1": {ATAXIA: NO}}, {"d1": {ATAXIA: [place("ataxia")]}})
    (found,) = through(oracle, "generate", "classify")
    assert spoken(found) == {ATAXIA: NO}
    assert [claim.text for claim in found.claims] == ["There was no ataxia."]
    (evidence,) = one(found, ATAXIA).evidence
    assert TEXT[evidence.start : evidence.end] == evidence.quote == "ataxia", "offsets are the text's own"
    assert found.passage == passage(), "later stages read the whole text"


def test_a_mention_over_two_sentences_opens_both() -> None:
    oracle = Oracle("sentences", {"d1": {CATARACT: YES}}, {"d1": {CATARACT: [place("cataract. There")]}})
    (found,) = through(oracle, "generate")
    assert set(spoken(found)) == {CATARACT, ATAXIA}


def test_a_passage_without_a_gold_mention_has_nothing_to_read() -> None:
    (found,) = through(Oracle("sentences", {"d1": {}}), "generate")
    assert (found.candidates, found.claims) == ((), ())


def test_asked_gold_sentences_are_the_claims_and_no_call_is_made_for_them() -> None:
    def script(data: dict[str, object]) -> object:
        assert "statements" in data, "only names are asked for"
        return {"concepts": [{"claim": 1, "name": "Ataxia", "status": "negated"}]}

    oracle = Oracle("sentences", {"d1": {ATAXIA: NO}, "d2": {}}, {"d1": {ATAXIA: [place("ataxia")]}})
    with scene(script) as made:
        found = made.ask(oracle.around_ask("generate", generate.ask), Labelling(passage()))
        assert made.data()["statements"] == [{"number": 1, "statement": "There was no ataxia."}]
        assert spoken(found) == {ATAXIA: NO}
        assert [r.payload["text"] for r in records(found, Verdict.CLAIM)] == ["There was no ataxia."]
        silent = oracle.around_ask("generate", generate.ask)(Labelling(passage(doc_id="d2")), made.tools)
        assert asyncio.run(silent).candidates == ()  # type: ignore[arg-type]
        assert len(made.server.requests) == 1


# --- candidates ---------------------------------------------------------------------------------------------


def test_gold_is_the_list_and_rules_read_its_statuses() -> None:
    gold = {SEIZURE: NO, ATAXIA: YES, "HP:9999999": YES}
    (found,) = through(Oracle("candidates", {"d1": gold}, {"d1": {ATAXIA: [place("ataxia")]}}), "generate")
    assert spoken(found) == {SEIZURE: YES, ATAXIA: NO}, "not the statuses of gold, and nothing unknown"
    assert one(found, ATAXIA).evidence[0].quote == "ataxia"
    assert one(found, SEIZURE).evidence[0].quote == "Seizures", "where gold gives no place, the dictionary's"
    assert [r.concept for r in records(found, Verdict.CANDIDATE)] == [SEIZURE, ATAXIA]


def test_gold_that_no_words_name_is_affirmed_without_a_place() -> None:
    (found,) = through(Oracle("candidates", {"d1": {MICROCEPHALY: NO}}), "generate", "classify", "relabel")
    candidate = one(found, MICROCEPHALY)
    assert (candidate.assertion, candidate.evidence, candidate.confidence) == (YES, (), 1.0)


def test_asked_gold_candidates_cost_no_call_and_the_next_stage_judges_them() -> None:
    from core.concepts import classify

    def script(data: dict[str, object]) -> object:
        return {"concepts": [{"id": ATAXIA, "class": "not_relevant"}, {"id": SEIZURE, "class": "explicit"}]}

    oracle = Oracle("candidates", {"d1": {ATAXIA: YES, SEIZURE: YES}})
    with scene(script) as made:
        first = made.ask(oracle.around_ask("generate", generate.ask), Labelling(passage()))
        assert (kept(first), made.server.requests) == ([ATAXIA, SEIZURE], [])
    with scene(script) as made:
        assert kept(made.ask(oracle.around_ask("classify", classify.ask), first)) == [SEIZURE]


# --- assertions ---------------------------------------------------------------------------------------------


def test_what_gold_holds_has_its_status_after_every_stage_and_the_rest_its_own() -> None:
    oracle = Oracle("assertions", {"d1": {ATAXIA: MAYBE, CATARACT: YES}})
    (found,) = through(oracle, "generate", "classify", "relabel")
    assert spoken(found) == {CATARACT: YES, ATAXIA: MAYBE, SEIZURE: YES}
    assert [e.assertion for e in one(found, ATAXIA).evidence] == [None], "its mentions speak no more"
    (changed,) = [r for r in found.records if r.stage == "oracle"]
    assert (changed.concept, changed.payload) == (ATAXIA, {"assertion": "uncertain"})


def test_asked_statuses_are_set_once_more_after_a_stage_that_changed_them() -> None:
    async def says(labelling: Labelling, _: object) -> Labelling:
        new = Candidate(ATAXIA, "Ataxia", YES, name="ataxia")
        return replace(labelling, candidates=(new,))

    oracle = Oracle("assertions", {"d1": {ATAXIA: NO}})
    found = asyncio.run(oracle.around_ask("classify", says)(Labelling(passage()), tools()))  # type: ignore[arg-type]
    assert spoken(found) == {ATAXIA: NO}


# --- every oracle -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_whose_gold_is_open_is_left_out_and_the_order_stays(kind: str) -> None:
    gold = {"d1": {ATAXIA: NO}, "d3": {ATAXIA: NO}}
    places = {doc_id: {ATAXIA: [place("ataxia")]} for doc_id in gold}
    three = tuple(passage(doc_id=f"d{n}") for n in (1, 2, 3))
    found = through(Oracle(kind, gold, places), "generate", "classify", passages=three)  # type: ignore[arg-type]
    assert [one.passage.doc_id for one in found] == ["d1", "d2", "d3"]
    assert [bool(one.candidates) for one in found] == [True, False, True]
    assert found[1].records == ()
