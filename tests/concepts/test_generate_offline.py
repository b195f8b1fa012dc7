"""Stage 1 offline: claims are sentences, names are words and phrases."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.concepts import generate
from core.concepts.generate.phrases import phrases, stretches
from core.records import Assertion
from core.text.spans import words
from tests.concepts.offline_parts import WordsOnly, labels, records, run, start, tools

TEXT = "She had seizures. There was no cataract. Ataxia was suspected at 39 °C. Then hearing loss."


def test_claims_are_the_sentences_with_their_places() -> None:
    made = run(TEXT, "generate")
    assert [claim.text for claim in made.claims] == [
        "She had seizures.",
        "There was no cataract.",
        "Ataxia was suspected at 39 °C.",
        "Then hearing loss.",
    ]
    assert all(TEXT[c.start : c.end] == c.text for c in made.claims)
    assert [r.payload["number"] for r in records(made, "generate", "claim")] == [0, 1, 2, 3]


def test_candidates_of_the_dictionary_with_claim_status_and_evidence() -> None:
    made = run(TEXT, "generate")
    assert [(c.label, c.claim, c.assertion) for c in made.candidates] == [
        ("Seizure", 0, Assertion.AFFIRMED),
        ("Cataract", 1, Assertion.NEGATED),
        ("Ataxia", 2, Assertion.UNCERTAIN),
        ("Hearing impairment", 3, Assertion.AFFIRMED),
    ]
    assert [c.name for c in made.candidates] == ["seizures", "cataract", "Ataxia", "hearing loss"]
    assert all(TEXT[e.start : e.end] == e.quote for c in made.candidates for e in c.evidence)
    assert [r.payload["how"] for r in records(made, "generate", "candidate")] == ["words"] * 4
    assert all(r.call_id is None for r in made.records)


def test_direct_makes_no_claims() -> None:
    made = run(TEXT, "generate", tools(direct=True))
    assert made.claims == ()
    assert labels(made) == ["Seizure", "Cataract", "Ataxia", "Hearing impairment"]
    assert {c.claim for c in made.candidates} == {None}


@pytest.mark.parametrize("text", ["", " \n ", "...", "Nothing of the kind."])
def test_a_passage_without_findings(text: str) -> None:
    assert run(text, "generate classify relabel guideline select").candidates == ()


def test_a_phrase_near_a_name_is_a_candidate_by_similarity() -> None:
    near = run("A good speech development.", "generate", tools(vectors=True, threshold=0.3))
    (found,) = [c for c in near.candidates if c.score is not None]
    assert found.label == "Delayed speech and language development"
    assert found.name == "speech development"
    assert found.score is not None
    assert 0.3 <= found.score < 1
    assert [e.quote for e in found.evidence] == ["speech development"]


def test_a_near_miss_is_recorded_and_is_no_candidate() -> None:
    made = tools(vectors=True, threshold=0.3)
    (found,) = [c for c in run("The speech development.", "generate", made).candidates if c.score]
    assert found.score is not None
    missed = run("The speech development.", "generate", replace(made, threshold=found.score + 0.05))
    assert missed.candidates == ()
    (record,) = records(missed, "generate", "unmatched")
    assert record.concept is None
    assert record.payload["name"] == "speech development"
    assert record.payload["nearest"] == found.concept
    assert record.payload["score"] == pytest.approx(found.score)


def test_phrases_of_many_passages_are_asked_for_together_and_once() -> None:
    matcher = WordsOnly()
    made = replace(tools(), matcher=matcher)
    texts = ["A kidney stones clinic.", "The kidney stones clinic.", "A heart speech rhythm."]
    assert len(list(generate.run((start(t, i) for i, t in enumerate(texts)), made))) == 3
    assert len(matcher.asked) == 1
    assert len(matcher.asked[0]) == len(set(matcher.asked[0]))


def test_passages_come_back_in_order_and_one_by_one() -> None:
    taken = []

    def passages():  # type: ignore[no-untyped-def]
        for number in range(200):
            taken.append(number)
            yield start("Seizures.", number)

    stream = generate.run(passages(), tools())
    assert next(stream).passage.id == 0
    assert len(taken) < 200
    assert [made.passage.id for made in stream] == list(range(1, 200))


def test_stretches_end_at_punctuation_function_words_and_adverbs() -> None:
    found = words("Severe basal cell nevi, were highly variable in size (left-sided hand); no fever")
    assert [found.span(a, b).quote for a, b in stretches(found)] == [
        "Severe basal cell nevi",
        "variable",
        "size",
        "left-sided hand",
        "fever",
    ]


def test_phrases_join_over_of_and_need_a_telling_word() -> None:
    found = words("enlargement of the liver with table top")
    told = {"enlargement", "liver"}.__contains__
    assert [found.span(*p).quote for p in phrases(found, told)] == ["enlargement of the liver"]
