"""What an answer off the schema becomes. Every answer was written by hand or made up by hypothesis."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.conflicts.annotate import ask
from core.conflicts.annotate.repair import repair
from core.conflicts.annotate.reply import Labelled
from core.llm import Asker, ReplyFailure
from core.records import Axis, ConflictType, inconsistencies
from tests.concepts.scripted import data_of
from tests.conflicts.labelling import (
    ABSTRACT_A,
    ABSTRACT_B,
    CONTEXTUAL,
    DIRECT,
    FITS,
    NONE,
    NOTHING,
    PLACE,
    SETTING,
    Expected,
    good,
    pair,
    scene,
    without,
)
from tests.llm.asking import Memory, endpoint
from tests.llm.server import scripted_server
from tests.repeats import times

REPAIRED: list[tuple[dict[str, Any], Expected, str]] = [
    # conflict types
    (good(conflict_type="partial_conflict"), NOTHING, "'partial_conflict' is none of the six"),
    (good(conflict_type="contextual"), NOTHING, "'contextual' is none of the six"),
    (good(conflict_type=""), NOTHING, "'' is none of the six"),
    (good(conflict_type=None), NOTHING, "'None' is none of the six"),
    (good(conflict_type=3), NOTHING, "'3' is none of the six"),
    (good(conflict_type=True), NOTHING, "'True' is none of the six"),
    (good(conflict_type=["direct_contradiction", "no_conflict"]), NOTHING, "is none of the six"),
    (good(conflict_type={"why": "x"}), NOTHING, "is none of the six"),
    (good(conflict_type="contextual_contradiction, direct_contradiction"), NOTHING, "is none of the six"),
    (without("conflict_type"), NOTHING, "the conflict type is missing"),
    (good(conflict_type="gene_mutation_molecular_background"), NOTHING, "is none of the six"),
    # axes
    (good(divergence_axes=["clinical_setting", "weather"]), FITS, "'weather' is none of the thirteen"),
    (good(divergence_axes=["setting", "clinical_setting"]), FITS, "'setting' is none of the thirteen"),
    (good(divergence_axes="clinical_setting; diet"), FITS, "'diet' is none of the thirteen"),
    (good(divergence_axes=[7, "clinical_setting", None]), FITS, "'7' is none of the thirteen"),
    (good(divergence_axes=[["clinical_setting"], "clinical_setting"]), FITS, "is none of the thirteen"),
    (good(divergence_axes=["temporal"]), FITS, "'temporal' is none of the thirteen"),
    (good(divergence_axes=7), FITS, "'7' is none of the thirteen"),
    (without("divergence_axes"), FITS, "the axes are missing"),
    # confounders
    (
        good(dominant_confounder="weather"),
        (CONTEXTUAL, (SETTING,), None),
        "'weather' is none of the thirteen",
    ),
    (good(dominant_confounder=4), (CONTEXTUAL, (SETTING,), None), "'4' is none of the thirteen"),
    (
        good(dominant_confounder=["geography", "clinical_setting"]),
        (CONTEXTUAL, (SETTING,), None),
        "is none of the thirteen",
    ),
    (good(dominant_confounder="geography"), (CONTEXTUAL, (PLACE, SETTING), PLACE), "its axis was added"),
    (good(divergence_axes=[]), FITS, "its axis was added"),
    (
        good(conflict_type="direct_contradiction", divergence_axes=None),
        (DIRECT, (SETTING,), SETTING),
        "its axis was added",
    ),
    # no conflict beside axes
    (good(conflict_type="no_conflict"), NOTHING, "no_conflict has no axes: clinical_setting dropped"),
    (
        good(conflict_type="no_conflict", divergence_axes=[]),
        NOTHING,
        "no_conflict has no confounder: clinical_setting dropped",
    ),
    # the rest
    (good(confidence=85), FITS, "'85' was read as per cent"),
    (good(confidence="85%"), FITS, "'85%' was read as per cent"),
    (good(confidence="high"), FITS, "'high' is no share"),
    (good(confidence=-0.2), FITS, "'-0.2' is no share"),
    (good(confidence=4), FITS, "'4' is no share"),
    (good(confidence=1.3), FITS, "'1.3' is no share"),
    (good(confidence=1000), FITS, "'1000' is no share"),
    (good(confidence=True), FITS, "'True' is no share"),
    (good(confidence=[0.9]), FITS, "is no share"),
    (good(comparable="perhaps"), FITS, "comparable was 'perhaps': taken as true"),
    (without("comparable"), FITS, "comparable is missing: taken as true"),
    (good(reconciliation={"text": "x"}), FITS, "reconciliation is no text"),
    (good(notes=["x", 1]), FITS, "notes is no text"),
    (good(evidence_a=[{"quote": 7}]), FITS, "'7' is no quote"),
    (good(evidence_b=[f"word {n}" for n in range(40)]), FITS, "more than 12 quotes"),
]


@pytest.mark.parametrize(("said", "expected", "told"), REPAIRED)
def test_what_is_off_the_schema_is_repaired_and_told(
    said: dict[str, Any], expected: Expected, told: str
) -> None:
    with scene(said) as on:
        label, call = on.ask()
        assert len(on.server.requests) == 1
    assert (label.conflict_type, label.axes, label.confounder) == expected
    assert label.repaired
    assert any(told in repair for repair in label.repairs), label.repairs
    assert inconsistencies(label.conflict_type, label.axes, label.confounder) == []
    assert call == 1


SPELLINGS: list[dict[str, Any]] = [
    good(conflict_type="Contextual Contradiction"),
    good(conflict_type="contextual-contradiction."),
    good(conflict_type=["contextual_contradiction"]),
    good(divergence_axes=["Clinical setting"], dominant_confounder="clinical-setting"),
    good(divergence_axes="clinical_setting"),
    good(divergence_axes={"clinical_setting": True, "geography": False}),
    good(divergence_axes=[{"axis": "clinical_setting", "why": "wards"}]),
    good(divergence_axes=["clinical_setting", "clinical_setting"]),
    good(dominant_confounder=["clinical_setting"]),
    good(comparable="yes"),
    good(comparable=1),
    good(confidence="0.9"),
    good(surplus="field"),
    good(reconciliation=["The care setting", "differs."]),
    good(evidence_a=["outpatients"], evidence_b="intensive care"),
]


@pytest.mark.parametrize("said", SPELLINGS)
def test_another_way_of_writing_the_same_is_no_repair(said: dict[str, Any]) -> None:
    with scene(said) as on:
        label, _ = on.ask()
    assert (label.conflict_type, label.axes, label.confounder) == FITS
    assert label.reconciliation == "The care setting differs."
    assert (label.repaired, label.repairs) == (False, ())
    assert [span.quote for span in label.evidence] == ["outpatients", "intensive care"]


def test_null_where_nothing_was_found_is_no_repair() -> None:
    said = good(conflict_type="no_conflict", divergence_axes=["none"], dominant_confounder="None")
    with scene({**said, "confidence": None, "evidence_a": None, "evidence_b": []}) as on:
        label, _ = on.ask()
    assert (label.conflict_type, label.axes, label.confounder) == NOTHING
    assert (label.confidence, label.evidence, label.repaired) == (None, (), False)


def test_confidence_in_per_cent_is_a_share() -> None:
    with scene(good(confidence="85 %")) as on:
        assert on.ask()[0].confidence == pytest.approx(0.85)


# --- whatever it says ---------------------------------------------------------------------------------------

LABELS = st.sampled_from([one.value for one in (*ConflictType, *Axis)])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=20) | LABELS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | LABELS, inner, max_size=4)
    ),
    max_leaves=8,
)
REPLIES = st.fixed_dictionaries(
    {},
    optional={
        "comparable": ANYTHING,
        "evidence_a": ANYTHING,
        "evidence_b": ANYTHING,
        "conflict_type": ANYTHING | st.sampled_from([one.value for one in ConflictType]),
        "divergence_axes": ANYTHING | st.lists(LABELS, max_size=6),
        "dominant_confounder": ANYTHING | LABELS,
        "reconciliation": ANYTHING,
        "confidence": ANYTHING,
        "notes": ANYTHING,
    },
)


@given(REPLIES)
@settings(max_examples=times(150, 500), deadline=None)
def test_whatever_an_answer_says_the_label_is_consistent(said: dict[str, Any]) -> None:
    made = repair(Labelled.model_validate(said))
    assert inconsistencies(made.conflict_type, made.axes, made.confounder) == []
    assert list(made.axes) == [axis for axis in Axis if axis in made.axes]
    assert made.confidence is None or 0 <= made.confidence <= 1
    assert isinstance(made.comparable, bool)
    assert all(quote.words.strip() for quote in (*made.quotes_a, *made.quotes_b))
    given_type = said.get("conflict_type")
    if made.conflict_type.value != given_type and made.conflict_type is NONE:
        assert made.repairs or isinstance(given_type, str | list)


@given(st.lists(REPLIES, min_size=25, max_size=25))
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
def test_over_http_an_answer_gives_a_consistent_label_or_none(
    said: list[dict[str, Any]],
) -> None:
    texts = iter([json.dumps(one) for one in said])
    spoken: dict[str, str] = {}

    def answer(body: dict[str, Any]) -> str:
        key = data_of(body)["a"]["title"]
        return spoken.setdefault(key, next(texts, "{}"))

    async def ask_all(url: str) -> list[Any]:
        async with Asker(endpoint(url), Memory()) as asker:
            tasks = [pair(side_a={"title": f"pair {number}"}) for number in range(len(said))]
            return await asyncio.gather(*(ask(one, asker) for one in tasks), return_exceptions=True)

    with scripted_server(answer) as server:
        ended = asyncio.run(ask_all(server.url))
    for one in ended:
        if isinstance(one, BaseException):
            assert isinstance(one, ReplyFailure)
            continue
        label, _ = one
        assert inconsistencies(label.conflict_type, label.axes, label.confounder) == []
        assert label.repaired == bool(label.repairs)
        sides: dict[str, str] = {"a": ABSTRACT_A, "b": ABSTRACT_B}
        assert all(
            sides[span.side][span.start : span.end] == span.quote for span in label.evidence if span.grounded
        )
