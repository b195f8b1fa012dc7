"""Every miss and every false positive goes to exactly one stage, for one reason."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics.documents import compare
from core.metrics.faults import CAUSES, REVIEW, attribute, plain
from core.metrics.stage_lists import Stages, Step
from core.records import Assertion
from tests.repeats import times

ORDER = ("generate", "classify", "relabel", "select")
YES, NO, MAYBE = Assertion.AFFIRMED, Assertion.NEGATED, Assertion.UNCERTAIN
COUNTED = (YES, MAYBE)


def came(stage="generate", name=None, status=None, verdict="candidate"):
    return Step(stage, verdict, None, status, name)


def kept(stage, status=None):
    return Step(stage, "kept", None, status)


def dropped(stage, reason="no"):
    return Step(stage, "dropped", reason)


def faults(gold, proposed, steps=None, **beside):
    """Of one document `d`; gold and proposed: concept -> status."""
    also = {name: beside.pop(name) for name in ("words", "gold_places", "places") if name in beside}
    stages = Stages(ORDER, {"d": steps or {}}, **beside)
    outcomes = compare(*({"d": {c for c, s in side.items() if s in COUNTED}} for side in (gold, proposed)))
    found = attribute(outcomes, stages, {"d": gold}, {"d": proposed}, **also)
    return {(f.concept, f.outcome): (f.stage, f.cause) for f in found}


# --- misses -------------------------------------------------------------------------------------------------


def test_what_never_came_up_is_the_first_stages_miss():
    assert faults({"a": YES}, {}) == {("a", "fn"): ("generate", "never")}


@pytest.mark.parametrize("stage", ORDER[1:])
def test_what_a_stage_dropped_is_its_miss(stage):
    said = {"a": [came(), dropped(stage)]}
    assert faults({"a": YES}, {}, said) == {("a", "fn"): (stage, "dropped")}


def test_the_last_drop_counts_where_a_stage_had_brought_it_back():
    said = {"a": [came(), dropped("classify"), came("relabel", verdict="added"), dropped("relabel")]}
    assert faults({"a": YES}, {}, said)["a", "fn"] == ("relabel", "dropped")


def test_a_document_that_was_thrown_away_takes_what_was_still_listed_with_it():
    said = {"a": [came()], "b": [came(), dropped("classify")]}
    found = faults({"a": YES, "b": YES, "c": YES}, {}, said, discarded={"d": "select"})
    assert found == {
        ("a", "fn"): ("select", "discarded"),
        ("b", "fn"): ("classify", "dropped"),
        ("c", "fn"): ("generate", "never"),
    }


def test_a_failed_document_misses_everything_at_the_stage_that_failed():
    found = faults({"a": YES, "b": YES}, {}, failed={"d": "relabel"})
    assert set(found.values()) == {("relabel", "failed")}


def test_what_review_took_out_is_reviews_miss():
    assert faults({"a": YES}, {}, {"a": [came()]})["a", "fn"] == (REVIEW, "removed")


def test_a_name_below_the_threshold_is_told_from_no_name():
    near = {"d": {"a": Step("relabel", "unmatched", "0.55 is too little", None, "fit")}}
    assert faults({"a": YES}, {}, near=near)["a", "fn"] == ("relabel", "too far")


def test_a_status_that_does_not_count_is_a_miss_of_the_stage_that_set_it():
    said = {"a": [came(status=YES), kept("classify", NO), kept("relabel")]}
    assert faults({"a": YES}, {"a": NO}, said)["a", "fn"] == ("classify", "status")
    said = {"a": [came(status=NO), kept("classify", NO)]}
    assert faults({"a": YES}, {"a": NO}, said)["a", "fn"] == ("generate", "status"), "unchanged since"
    assert faults({"a": YES}, {"a": NO}, {"a": [came(status=YES)]})["a", "fn"] == (REVIEW, "status")


# --- false positives ----------------------------------------------------------------------------------------


def test_a_false_positive_is_of_the_stage_that_brought_it_in():
    said = {"a": [came(), kept("classify")], "b": [came("relabel", verdict="added")]}
    found = faults({}, {"a": YES, "b": YES}, said)
    assert found == {("a", "fp"): ("generate", "brought in"), ("b", "fp"): ("relabel", "brought in")}


def test_it_is_the_later_stage_that_brought_back_what_one_had_dropped():
    said = {"a": [came(), came(), dropped("classify"), came("relabel", verdict="added")]}
    assert faults({}, {"a": YES}, said)["a", "fp"] == ("relabel", "brought in")


def test_a_second_name_for_the_same_concept_changes_nothing():
    said = {"a": [came(), came("relabel", verdict="added")]}
    assert faults({}, {"a": YES}, said)["a", "fp"] == ("generate", "brought in")


def test_what_people_added_or_kept_against_the_run_is_reviews():
    said = {"b": [came(), dropped("classify")]}
    found = faults({}, {"a": YES, "b": YES}, said)
    assert found == {("a", "fp"): (REVIEW, "added"), ("b", "fp"): (REVIEW, "added")}


def test_what_gold_denies_and_the_run_affirms_is_a_wrong_status():
    found = faults({"a": NO}, {"a": YES}, {"a": [came(status=YES)]})
    assert found == {("a", "fp"): ("generate", "status")}


# --- wrongly matched ----------------------------------------------------------------------------------------


def test_words_of_a_missed_concept_that_led_to_another_one_make_a_pair():
    said = {"b": [came(name="Short  STATURE.")]}
    found = faults({"a": YES}, {"b": YES}, said, words={"d": {"a": ["short stature"]}})
    assert found == {("a", "fn"): ("generate", "mismatched"), ("b", "fp"): ("generate", "mismatched")}


def test_places_that_overlap_are_the_same_words_and_places_that_touch_are_not():
    said = {"b": [came("relabel", verdict="added")]}
    gold_places = {"d": {"a": [(10, 15)]}}
    over = faults({"a": YES}, {"b": YES}, said, gold_places=gold_places, places={"d": {"b": [(14, 20)]}})
    assert set(over.values()) == {("relabel", "mismatched")}
    touch = faults({"a": YES}, {"b": YES}, said, gold_places=gold_places, places={"d": {"b": [(15, 20)]}})
    assert touch == {("a", "fn"): ("generate", "never"), ("b", "fp"): ("relabel", "brought in")}


def test_words_that_led_to_another_gold_concept_are_no_mismatch():
    said = {"b": [came(name="fit")]}
    found = faults({"a": YES, "b": YES}, {"b": YES}, said, words={"d": {"a": ["fit"]}})
    assert found == {("a", "fn"): ("generate", "never")}


def test_names_are_compared_by_words_and_case():
    assert plain("  Low-set  EARS ") == plain("low set ears") == "low set ears"


# --- it adds up ---------------------------------------------------------------------------------------------

CONCEPTS = "abcde"
status = st.sampled_from(list(Assertion))
step = st.builds(
    Step,
    st.sampled_from(ORDER),
    st.sampled_from(["candidate", "kept", "dropped", "added"]),
    st.none(),
    st.none() | status,
    st.none() | st.sampled_from(["x", "y"]),
)
side = st.dictionaries(st.sampled_from(CONCEPTS), status)


@st.composite
def world(draw):
    documents = ["d1", "d2", "d3"]
    gold, proposed = ({d: draw(side) for d in documents} for _ in range(2))
    steps = {
        d: draw(st.dictionaries(st.sampled_from(CONCEPTS), st.lists(step, min_size=1, max_size=5)))
        for d in documents
    }
    some = st.dictionaries(st.sampled_from(documents), st.sampled_from(ORDER), max_size=2)
    near = {"d1": {"a": Step("generate", "unmatched")}} if draw(st.booleans()) else {}
    words = {d: {c: [draw(st.sampled_from("xyz"))] for c in gold[d]} for d in documents}
    return gold, proposed, Stages(ORDER, steps, draw(some), draw(some), near), words


def shuffled(mapping, seed):
    items = list(mapping.items())
    random.Random(seed).shuffle(items)
    return dict(items)


@settings(max_examples=times(60, 200), deadline=None)
@given(world(), st.integers(0, 99))
def test_every_error_has_one_stage_and_the_stages_add_up_whatever_the_order(made, seed):
    gold, proposed, stages, words = made
    counted = [
        {d: {c for c, s in held.items() if s in COUNTED} for d, held in side.items()} for side in made[:2]
    ]
    outcomes = compare(*counted)
    found = attribute(outcomes, stages, gold, proposed, words=words)
    assert Counter((f.doc_id, f.concept, f.outcome) for f in found) == Counter(
        [(o.doc_id, c, kind) for o in outcomes for kind in ("fn", "fp") for c in getattr(o, kind)]
    )
    assert all(f.stage in (*ORDER, REVIEW) and f.cause in CAUSES for f in found)
    mixed = Stages(
        ORDER,
        shuffled({d: shuffled(held, seed) for d, held in stages.steps.items()}, seed),
        stages.failed,
        stages.discarded,
        stages.near,
    )
    again = attribute(outcomes, mixed, shuffled(gold, seed), shuffled(proposed, seed), words=words)
    assert again == found


def test_a_perfect_run_has_no_fault():
    assert faults({"a": YES, "b": NO}, {"a": YES, "b": NO}, {"a": [came()], "b": [came()]}) == {}


def test_open_documents_count_the_false_positives_that_somebody_judged():
    """d2 is open: what it misses is not known. Sums are those of the corpus values: 1 FN, 2 FP."""
    outcomes = compare(
        {"d1": {"a"}, "d2": set()},
        {"d1": {"b"}, "d2": {"b", "c"}},
        decided={"d1": {"b"}, "d2": {"b"}},
        complete=["d1"],
    )
    said = {d: {"b": [came()], "c": [came()]} for d in ("d1", "d2")}
    found = attribute(outcomes, Stages(ORDER, said), {"d1": {"a": YES}}, {"d1": {"b": YES}, "d2": {"b": YES}})
    assert Counter(f.outcome for f in found) == {"fn": 1, "fp": 2}
