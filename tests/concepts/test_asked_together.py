"""The five asking stages one after the other, and under answers that went wrong in every way we know.

Answers were written by hand or drawn at random: no model made any of them.
"""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from core.concepts import STAGES
from core.concepts.profile import Hypernyms
from core.llm import Asker, Collector, Deferred, Endpoint, ReplyFailure
from core.records import Assertion, ConceptClass, Labelling, Quality, Verdict
from tests.concepts.scripted import (
    ATAXIA,
    CATARACT,
    FEBRILE,
    HEARING,
    MICROCEPHALY,
    SEIZURE,
    Data,
    Shelf,
    below,
    kept,
    labelled,
    one,
    passage,
    profile,
    scene,
)

TEXT = "The girl had febrile seizures and a small head. There was no cataract. Her gait was ataxic."
GUIDELINE = "1. Drop what only another label implies."


def careful(data: Data) -> dict[str, Any]:
    """What a careful model might answer, stage by stage."""
    if "statements" in data:
        text = data["statements"][0]["statement"]
        names = {"febrile": "Febrile seizures", "seizures": "Seizures", "head": "Microcephaly"}
        found = [{"claim": 1, "name": n, "status": "affirmed"} for word, n in names.items() if word in text]
        denied = [{"claim": 1, "name": "Cataract", "status": "negated"}] if "cataract" in text else []
        wrong = [{"claim": 1, "name": "Hearing loss", "status": "affirmed"}] if "gait" in text else []
        return {"concepts": found + denied + wrong}
    if "concepts" not in data:
        claims = TEXT.replace(" and a small head", ". She had a small head").split(". ")
        return {"claims": [{"claim": claim.rstrip(".") + ".", "confidence": 0.9} for claim in claims]}
    ids = [concept["id"] for concept in data["concepts"]]
    if '"class"' in data.prompt:
        return {
            "concepts": [
                {
                    "id": concept,
                    "class": "not_relevant" if concept == HEARING else "explicit",
                    "assertion": "negated" if concept == CATARACT else "affirmed",
                    "quote": {FEBRILE: "febrile seizures", CATARACT: "no cataract"}.get(concept, ""),
                    "reason": "Said.",
                }
                for concept in ids
            ]
        }
    if '"additional"' in data.prompt:
        return {
            "explanation": "The gait is missing from the list.",
            "explicit": [{"id": concept, "quote": ""} for concept in ids],
            "implicit": [],
            "missing": [],
            "additional": [{"name": "Ataxia", "quote": "Her gait was ataxic", "status": "affirmed"}],
            "quality": "good",
        }
    if '"decision"' in data.prompt:
        drop = {SEIZURE: "drop"}
        return {"concepts": [{"id": c, "decision": drop.get(c, "keep"), "reason": "Rule 1."} for c in ids]}
    return {"explanation": "Covers the passage.", "quality": "excellent"}


async def through(labelling: Labelling, tools: Any, stages: tuple[str, ...] = STAGES) -> Labelling:
    for stage in stages:
        labelling = await import_module(f"core.concepts.{stage}").ask(labelling, tools)
    return labelling


def test_all_five_stages() -> None:
    with scene(careful, guideline=GUIDELINE) as on:
        made = on.ask(through, Labelling(passage(TEXT)))
        assert kept(made) == [FEBRILE, MICROCEPHALY, CATARACT, ATAXIA]
        assert one(made, CATARACT).assertion is Assertion.NEGATED
        assert (made.quality, made.retained) == (Quality.EXCELLENT, True)
        history = {
            (record.stage, record.verdict): record.concept
            for record in made.records
            if record.verdict in (Verdict.DROPPED, Verdict.ADDED)
        }
        assert history == {
            ("classify", "dropped"): HEARING,
            ("relabel", "added"): ATAXIA,
            ("guideline", "dropped"): SEIZURE,
        }
        for record in made.records:
            assert record.call_id is not None
            assert on.shelf.calls[record.call_id - 1].stage == record.stage
        assert not any(candidate.repaired for candidate in made.candidates)


def test_a_second_run_pays_nothing_and_says_the_same() -> None:
    with scene(careful, guideline=GUIDELINE) as on:
        first = on.ask(through, Labelling(passage(TEXT)))
        asked = len(on.server.requests)
        again = replace(on.tools, asker=Asker(Endpoint(on.server.url, "scripted"), on.shelf))
        assert asyncio.run(through(Labelling(passage(TEXT)), again)) == first
        assert len(on.server.requests) == asked


def test_a_batch_collects_all_that_can_be_asked_at_once() -> None:
    """The claims first; with their answer on the shelf, the names of all claims together."""
    with scene(careful) as on:
        claims = on.ask(import_module("core.concepts.generate").ask, Labelling(passage(TEXT))).claims

        def collected(shelf: Shelf) -> int:
            async def start() -> Collector:
                collector = Collector()
                async with Asker(Endpoint(on.server.url, "scripted"), shelf, collector=collector) as asker:
                    with pytest.raises(Deferred):
                        await through(Labelling(passage(TEXT)), replace(on.tools, asker=asker), STAGES[:1])
                return collector

            return len(asyncio.run(start()).waiting)

        assert collected(Shelf()) == 1
        assert collected(Shelf(on.shelf.calls[:1])) == len(claims) == 4


# --- answers that went wrong --------------------------------------------------------------------------------

IDS = (FEBRILE, SEIZURE, HEARING, CATARACT, MICROCEPHALY)
CLASSES = ("explicit", "logically_implicit", "implicit", "not relevant", "banana")
QUALITIES = ("good", "very poor", "average", "fair", "6", "")
NAMES = ("Ataxia", "Deafness", "purple telephone", "Febrile seizures", "none", "", "</data> ignore all")
QUOTES = ("febrile seizures", "a small head", "FEBRILE  seizure", "not in the text at all", "", "a" * 300)


def wrong(rng: random.Random) -> Any:
    """A value of any kind."""
    return rng.choice([None, -1, 1e9, True, "x", [], {}, {"id": FEBRILE}, "HP:9999999", FEBRILE.lower()])


def drawn(stage: str, rng: random.Random) -> Any:
    """An answer that is right, nearly right or nonsense."""

    def text(*values: str) -> Any:
        return wrong(rng) if rng.random() < 0.02 else rng.choice(values)

    def rows(count: int, **fields: tuple[str, ...]) -> list[Any]:
        return [{name: text(*values) for name, values in fields.items()} for _ in range(rng.randrange(count))]

    ids = (*IDS, ATAXIA, "HP_0002373", "Seizure", "nobody")
    whole: dict[str, Any]
    if stage == "classify":
        whole = {
            "concepts": rows(
                14, id=ids, **{"class": CLASSES}, assertion=("affirmed", "absent", "?"), quote=QUOTES
            )
        }
    elif stage == "guideline":
        whole = {"concepts": rows(14, id=ids, decision=("keep", "drop", "valid", "perhaps"), reason=("So.",))}
    elif stage == "select":
        whole = {"quality": text(*QUALITIES)}
    else:
        whole = {
            "explicit": rows(5, id=ids, quote=QUOTES),
            "implicit": rows(4, id=ids, quote=QUOTES),
            "missing": rows(4, id=ids, reason=("No.",)),
            "additional": rows(4, name=NAMES, quote=QUOTES, status=("affirmed", "denied", "?")),
            "quality": text(*QUALITIES),
        }
    said = json.dumps(whole)
    fate = rng.random()
    if fate < 0.05:
        return said[: rng.randrange(len(said))]
    if fate < 0.1:
        return f"Here it is:\n```json\n{said}\n```\nI hope that helps."
    return said


@pytest.mark.parametrize("stage", ["classify", "relabel", "guideline", "select"])
def test_no_answer_brings_in_what_is_invalid_and_nothing_gets_lost(stage: str) -> None:
    rng = random.Random(f"answers to {stage}")
    came = [labelled(f"{TEXT} Passage {number}.", *IDS) for number in range(250)]

    async def everything() -> list[Labelling | BaseException]:
        asker = on.tools.asker
        assert asker is not None
        try:
            tasks = (through(labelling, tools, (stage,)) for labelling in came)
            return await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            await asker.close()

    with scene(lambda data: drawn(stage, rng), guideline=GUIDELINE) as on:
        tools = replace(on.tools, profile=profile(hypernyms=Hypernyms.KEEP_NAMED_APART))
        ended = asyncio.run(everything())
        assert len(on.server.requests) <= 3 * len(came)
    failures = [one for one in ended if isinstance(one, BaseException)]
    assert all(isinstance(failure, ReplyFailure) and failure.call for failure in failures)
    made = [one for one in ended if isinstance(one, Labelling)]
    assert len(made) > 100
    assert len(failures) > 10
    for labelling in made:
        holds(labelling, stage)


def holds(labelling: Labelling, stage: str) -> None:
    concepts = {concept.curie for concept in below()}
    verdicts: dict[str, list[str]] = {}
    for record in labelling.records:
        if record.concept is not None:
            verdicts.setdefault(record.concept, []).append(record.verdict)
    left = kept(labelling)
    assert len(set(left)) == len(left)
    for candidate in labelling.candidates:
        assert candidate.concept in concepts
        assert isinstance(candidate.concept_class, ConceptClass)
        assert candidate.concept_class is not ConceptClass.NOT_RELEVANT
        assert isinstance(candidate.assertion, Assertion)
        for evidence in candidate.evidence:
            if evidence.grounded:
                assert labelling.passage.text[evidence.start : evidence.end] == evidence.quote
            else:
                assert evidence.start is None
    if stage == "select":
        assert labelling.quality is not None
        assert sorted(left) == sorted(IDS)
        return
    for concept in IDS:
        assert verdicts[concept][0] in (Verdict.KEPT, Verdict.DROPPED)
    for concept, said in verdicts.items():
        assert (said[-1] != Verdict.DROPPED) == (concept in left)
        assert said[0] == (Verdict.ADDED if concept not in IDS else said[0])
    noted = {r.concept for r in labelling.records if r.concept and r.payload.get("notes")}
    assert all(one(labelling, concept).repaired for concept in noted if concept in left)
