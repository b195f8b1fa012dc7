"""Statuses to scores: which concepts count, on which documents, and what is said beside the numbers."""

import json

import pytest

from core.errors import InputError
from core.evaluate import Scope, Settings, evaluate
from core.evaluate.families.corpus import opened
from core.records import Assertion, GoldSet

AFFIRMED, NEGATED, UNCERTAIN = Assertion.AFFIRMED, Assertion.NEGATED, Assertion.UNCERTAIN


def imported(documents):
    return GoldSet("imported:toy@1", documents, frozenset(documents))


GOLD = imported({"a": {"X:1": AFFIRMED, "X:2": NEGATED, "X:3": UNCERTAIN}})
SAID = {"a": {"X:1": UNCERTAIN, "X:2": AFFIRMED, "X:4": NEGATED}}


def lists(evaluation):
    return [(o.doc_id, o.tp, o.fp, o.fn, o.undecided) for o in evaluation.outcomes]


@pytest.mark.parametrize(
    ("assertions", "tp", "fp", "fn"),
    [
        ("affirmed,uncertain", ("X:1",), ("X:2",), ("X:3",)),
        ("affirmed", (), ("X:2",), ("X:1",)),
        ("negated", (), ("X:4",), ("X:2",)),
        ("affirmed,negated,uncertain", ("X:1", "X:2"), ("X:4",), ("X:3",)),
    ],
)
def test_the_statuses_chosen_make_the_sets(assertions, tp, fp, fn):
    found = evaluate(GOLD, SAID, Settings.parse(assertions=assertions, bootstrap=0))
    assert lists(found) == [("a", tp, fp, fn, ())]
    assert found.to_json()["settings"]["assertions"] == assertions.split(",")


def test_affirmed_and_uncertain_count_unless_chosen_otherwise():
    assert lists(evaluate(GOLD, SAID)) == [("a", ("X:1",), ("X:2",), ("X:3",), ())]


def test_alternative_ids_are_resolved_on_both_sides():
    gold = imported({"a": {"X:old": AFFIRMED, "X:2": AFFIRMED}})
    said = {"a": {"X:1": AFFIRMED, "X:older": AFFIRMED}}
    found = evaluate(gold, said, scope=Scope({"X:old": "X:1", "X:older": "X:2"}, name="toy"))
    assert lists(found) == [("a", ("X:1", "X:2"), (), (), ())]
    assert found.beside["replaced_ids"] == 2


def test_two_ids_that_mean_one_concept_count_once():
    gold = imported({"a": {"X:1": AFFIRMED}})
    found = evaluate(gold, {"a": {"X:1": AFFIRMED, "X:old": AFFIRMED}}, scope=Scope({"X:old": "X:1"}))
    assert lists(found) == [("a", ("X:1",), (), (), ())]


def test_a_scope_drops_concepts_on_both_sides():
    gold = imported({"a": {"X:1": AFFIRMED, "X:2": AFFIRMED}})
    said = {"a": {"X:1": AFFIRMED, "X:3": AFFIRMED}}
    found = evaluate(gold, said, scope=Scope(keep=lambda c: c == "X:1", name="X:1 only"))
    assert lists(found) == [("a", ("X:1",), (), (), ())]
    assert found.beside["filtered"] == 2
    assert found.scope == "X:1 only"


REVIEWED = GoldSet(
    "reviewed@7:curator=alpha",
    documents={"closed": {"X:1": AFFIRMED, "X:2": AFFIRMED}, "open": {"X:4": NEGATED}},
    recall_documents=frozenset({"closed"}),
    rejected={"closed": frozenset({"X:3"}), "only_rejected": frozenset({"X:5"})},
    unsettled={"closed": frozenset({"X:9"})},
    excluded=2,
)
REVIEWED_SAID = {
    "closed": {"X:1": AFFIRMED, "X:3": AFFIRMED, "X:9": AFFIRMED},
    "open": {"X:4": AFFIRMED, "X:8": AFFIRMED},
    "only_rejected": {"X:5": AFFIRMED},
    "untouched": {"X:1": AFFIRMED},
}


def test_reviewed_gold_precision_over_decided_items_recall_over_closed_passages():
    found = evaluate(REVIEWED, REVIEWED_SAID)
    assert lists(found) == [
        ("closed", ("X:1",), ("X:3",), ("X:2",), ("X:9",)),
        ("only_rejected", (), ("X:5",), (), ()),
        ("open", (), ("X:4",), (), ("X:8",)),  # decided, but as negated
    ]
    micro = [found.estimate(f"micro_{m}") for m in ("precision", "recall", "f1")]
    assert [(e.value, e.n) for e in micro] == [(0.25, 3), (0.5, 1), (0.5, 1)]
    assert found.beside == {
        "excluded": 2,
        "undecided": 2,
        "unpredicted_documents": 0,
        "unscored_documents": 1,
        "learned_from": 0,
        "filtered": 0,
        "replaced_ids": 0,
        "outside_ontology": 0,
        "replaced": 0,
        "replaced_predictions": 0,
    }


def test_in_a_closed_passage_what_was_neither_found_nor_left_open_is_wrong():
    later = {**REVIEWED_SAID, "closed": {"X:1": AFFIRMED, "X:7": AFFIRMED, "X:9": AFFIRMED}}
    found = evaluate(REVIEWED, later)
    assert lists(found)[0] == ("closed", ("X:1",), ("X:7",), ("X:2",), ("X:9",))


def test_what_is_in_no_number_is_said_beside_it():
    notes = "\n".join(evaluate(REVIEWED, REVIEWED_SAID, exhaustive=True).notes)
    assert "Precision rests on the 3 documents with decided proposals" in notes
    assert "on the 1 complete (closed) ones" in notes
    assert "nobody has decided them: 2." in notes
    assert "unsure, not agreed or not adjudicated: 2." in notes
    assert "Predicted documents without gold, not scored: 1." in notes
    assert "not marked exhaustively" not in notes


def test_with_imported_gold_everything_outside_it_is_wrong():
    found = evaluate(imported({"a": {}}), {"a": {"X:1": AFFIRMED}})
    assert lists(found) == [("a", (), ("X:1",), (), ())]


def test_small_sets_and_gold_that_is_not_exhaustive_say_so():
    few = imported({f"{i}": {"X:1": AFFIRMED} for i in range(99)})
    enough = imported({f"{i}": {"X:1": AFFIRMED} for i in range(100)})
    assert "99 complete documents" in evaluate(few, {}, exhaustive=True).notes[0]
    assert not any("Small test set" in n for n in evaluate(enough, enough.documents, exhaustive=True).notes)
    for exhaustive in (False, None):
        notes = evaluate(enough, enough.documents, exhaustive=exhaustive).notes
        assert any("not marked exhaustively annotated" in n for n in notes)


def test_missing_documents_count_as_silence_and_are_counted():
    gold = imported({"a": {"X:1": AFFIRMED}, "b": {"X:1": AFFIRMED}})
    found = evaluate(gold, {"a": {"X:1": AFFIRMED}})
    assert found.estimate("micro_recall").value == 0.5
    assert found.beside["unpredicted_documents"] == 1


def test_the_items_behind_a_number_are_as_many_as_its_denominator():
    found = evaluate(REVIEWED, REVIEWED_SAID)
    totals, open_key = found.families["corpus"].totals, found.families["corpus"].open
    of_document = {o.doc_id: [o] for o in found.outcomes}
    assert len(open_key("micro_precision")) == totals.predicted == 4
    assert len(open_key("micro_recall")) == totals.gold == 2
    assert [i.id for i in open_key("fp")] == ["X:3", "X:5", "X:4"]
    assert [i.id for i in opened(of_document["closed"], "macro_f1")] == ["X:1", "X:3", "X:2"]
    assert opened(of_document["open"], "macro_f1") == []
    assert [i.outcome for i in open_key("weighted_precision")] == ["tp", "fp"]
    assert [i.id for i in opened(of_document["open"], "undecided")] == ["X:8"]
    with pytest.raises(KeyError):
        open_key("median_f1")


def test_document_rows_have_no_misses_and_no_recall_where_gold_is_open():
    rows = {row["doc_id"]: row for row in evaluate(REVIEWED, REVIEWED_SAID).documents()}
    assert rows["closed"] == {
        "doc_id": "closed",
        "complete": True,
        "tp": 1,
        "fp": 1,
        "fn": 1,
        "undecided": 1,
        "precision": 0.5,
        "recall": 0.5,
        "f1": 0.5,
    }
    assert (rows["open"]["fn"], rows["open"]["precision"], rows["open"]["recall"]) == (None, 0.0, None)


def test_json_is_complete_plain_and_reproducible():
    once, again = (json.dumps(evaluate(GOLD, SAID).to_json(), allow_nan=False) for _ in range(2))
    assert once == again
    read = json.loads(once)
    assert read["gold"] == "imported:toy@1"
    assert read["families"]["corpus"]["estimates"]["macro_f1"]["n"] == 1
    assert read["documents"][0]["items"] == {"tp": ["X:1"], "fp": ["X:2"], "fn": ["X:3"], "undecided": []}


def test_undefined_is_null_in_json_with_its_reason():
    estimates = evaluate(imported({"a": {}}), {}).to_json()["families"]["corpus"]["estimates"]
    assert estimates["weighted_f1"]["value"] is None
    assert "no gold concept" in estimates["weighted_f1"]["reason"]
    assert estimates["micro_f1"]["value"] == 1.0


def test_no_interval_without_resamples_and_another_seed_gives_another_one():
    gold = imported({f"{i}": {"X:1": AFFIRMED} for i in range(20)})
    said = {f"{i}": {"X:1": AFFIRMED} for i in range(0, 20, 3)}
    none, one, two = (
        evaluate(gold, said, Settings(bootstrap=b, seed=s)) for b, s in ((0, 13), (200, 13), (200, 14))
    )
    assert none.estimate("macro_f1").low is None
    first, second = (
        one.families["corpus"].resampled["micro_recall"],
        two.families["corpus"].resampled["micro_recall"],
    )
    assert first.shape == second.shape == (200,)
    assert (first != second).any()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"assertions": "affirmed,denied"}, "'denied' is no assertion status"),
        ({"assertions": " , "}, "No assertion status was chosen"),
        ({"families": "colours"}, "'colours' is no metric family. Choose from corpus"),
        ({"vacuous": "half"}, "'half' is no rule for vacuous documents. Choose from one, zero, skip"),
        ({"bootstrap": -1}, "Resamples and seed"),
        ({"seed": -1}, "Resamples and seed"),
        ({"level": 1.0}, "between 0 and 1"),
    ],
)
def test_wrong_settings_are_refused_with_the_known_ones(wrong, message):
    with pytest.raises(InputError, match=message):
        Settings.parse(**wrong)
