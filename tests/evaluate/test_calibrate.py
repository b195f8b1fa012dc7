"""The threshold that labelled pairs speak for, on the ontology of the relaxed families' tests."""

from math import log
from pathlib import Path

import pytest

from core.errors import InputError
from core.evaluate import Scope
from core.evaluate.calibrate import LabelledPair, calibrate, calibrate_given, read_pairs, tables
from core.ontology.lineage import Lineage
from core.records import Assertion, GoldSet
from tests.evaluate.test_relaxed_families import IS_A, NEAR

SCOPE = Scope(
    {"X:old": "X:X"}, name="toy@1", lineage=lambda: Lineage({c for link in IS_A for c in link}, IS_A)
)
IC_P = 1 - log(4) / log(7)


def pairs(*rows):
    return [LabelledPair(f"X:{a}", f"X:{b}", same) for a, b, same in rows]


def close(value):
    return pytest.approx(value, abs=1e-9)


def test_by_hand():
    # lin: Q-V 0.783 the same; X-Y 0.288 not; X-V (the root alone) 0 not
    found = calibrate(pairs(("Q", "V", True), ("X", "Y", False), ("X", "V", False)), SCOPE)
    assert found.found.threshold == close(NEAR)
    assert found.found.j == 1
    rows = [(p.first, p.second, value, shared) for p, value, shared in found.pairs]
    assert rows == [
        ("X:Q", "X:V", close(NEAR), close(1 - log(2) / log(7))),
        ("X:X", "X:Y", close(IC_P), close(IC_P)),
        ("X:X", "X:V", 0, 0),
    ]
    summary, rates, wrong = tables(found)
    assert summary.rows[0][1].value == close(NEAR)
    assert repr(found.found.threshold) in summary.note
    assert rates.rows[0] == (close(NEAR), 1, 0, 1)
    assert wrong.rows == []


def test_a_pair_counts_once_whichever_way_round_and_by_its_current_ids():
    given = pairs(("X", "Y", True), ("Y", "X", True), ("old", "Y", True), ("X", "V", False))
    assert calibrate(given, SCOPE).found.n == 2


def test_a_pair_labelled_both_ways_is_refused():
    with pytest.raises(InputError, match="both as the same and as not"):
        calibrate(pairs(("X", "Y", True), ("Y", "X", False)), SCOPE)


def test_concepts_that_the_ontology_does_not_hold_are_named():
    found = calibrate(pairs(("X", "none", False), ("X", "X", True)), SCOPE, "lineage")
    assert found.unknown == ("X:none",)
    assert [(value, shared) for _, value, shared in found.pairs] == [(1, 1), (0, None)]


def test_what_the_threshold_gets_wrong_is_listed():
    # Q-V 0.783 yes, X-Y 0.288 yes, P-Y 0.447 no: J(0.783) = 1/2, J(0.447) = -1/2, J(0.288) = 0
    found = calibrate(pairs(("Q", "V", True), ("X", "Y", True), ("P", "Y", False)), SCOPE)
    (_, _, wrong) = tables(found)
    assert [row[:3] for row in wrong.rows] == [("X:X", "X:Y", "yes")]


def test_without_both_classes_there_is_none_and_the_reason_stands_there():
    found = calibrate(pairs(("X", "Y", True)), SCOPE)
    summary, *_ = tables(found)
    assert summary.rows[0][1].value is None
    assert "both kinds" in summary.note
    assert found.to_json()["threshold"] is None


def test_a_low_threshold_is_of_no_use_to_relaxed_matching():
    summary, *_ = tables(calibrate(pairs(("X", "Y", True), ("X", "V", False)), SCOPE))
    assert summary.rows[0][1].value == close(IC_P)
    assert "At most 0.5" in summary.note


def test_information_from_a_corpus_counts_complete_documents_and_what_is_not_negated():
    # X:X stands in d1 (also by an old id, which counts once) and d2; negated in d3, and d4 is not complete
    yes, no = Assertion.AFFIRMED, Assertion.NEGATED
    gold = GoldSet(
        "imported:toy@1",
        {
            "d1": {"X:old": yes, "X:X": Assertion.UNCERTAIN},
            "d2": {"X:old": yes},
            "d3": {"X:X": no},
            "d4": {"X:X": yes},
        },
        frozenset({"d1", "d2", "d3"}),
    )
    found = calibrate(pairs(("X", "Y", True), ("X", "V", False)), SCOPE, documents=gold)
    # of the 7 concepts X alone stands in documents, in 2: m(root) = 7 + 2 = 9, m(P) = 4 + 2 = 6
    (row, _) = found.pairs
    assert row[2] == close(1 - log(6) / log(9))
    assert found.documents == "imported:toy@1"
    assert (found.to_json()["information"], found.to_json()["documents"]) == ("corpus", "imported:toy@1")
    assert calibrate(pairs(("X", "Y", True)), SCOPE).to_json()["information"] == "structure"


def test_cells_open_the_pairs_behind_them():
    # as below: Q-V 0.783 yes, P-Y 0.447 no, X-Y 0.288 yes; the threshold is 0.783
    found = calibrate(pairs(("Q", "V", True), ("X", "Y", True), ("P", "Y", False)), SCOPE)
    summary, rates, _ = tables(found)
    opened = [
        [[(i.doc_id, i.id, i.outcome) for i in rates.items[key]()] for key in row] for row in rates.opens
    ]
    near, middle, far = (("X:Q", "X:V"), ("X:P", "X:Y"), ("X:X", "X:Y"))
    assert opened[0][0] == [(*near, "tp")]
    assert opened[0][1] == [(*near, "tp"), (*far, "fn")]
    assert opened[0][2] == [(*middle, "tn")]
    assert opened[1][0] == [(*near, "tp"), (*middle, "fp")]
    assert [(i.doc_id, i.outcome) for i in summary.items[summary.key_at(0, 1)]()] == [("X:X", "fn")]
    assert len(summary.items[summary.key_at(2, 1)]()) == 3
    assert summary.items["unknown"]() == []
    said = found.to_json()
    assert [point["pairs_taken"] for point in said["curve"]] == [1, 2, 3]
    assert [pair["outcome"] for pair in said["pairs"]] == ["tp", "tn", "fn"]
    assert {*rates.items} == {f"{kind}:{i}" for kind in ("from", "same", "different") for i in range(3)}


def test_options_that_do_not_fit_are_refused(tmp_path: Path):
    file = tmp_path / "pairs.csv"
    file.write_text("first,second,same\nX:X,X:Y,yes\n", "utf-8")
    for options in ({"information": "corpus"}, {"gold": "imported:a@1"}):
        with pytest.raises(InputError, match="both --information corpus and --gold"):
            calibrate_given(None, file, "hp", **options)
    with pytest.raises(InputError, match="no ontology file hp"):
        calibrate_given(None, file, "hp")


def test_it_needs_an_ontology():
    with pytest.raises(InputError, match="--ontology"):
        calibrate([], Scope())


def test_files_of_pairs(tmp_path: Path):
    file = tmp_path / "pairs.tsv"
    file.write_text("same\tfirst\tsecond\tnote\nYes\tX:X\tX:Y\tseen\n0\tX:X\t X:V \t\n", "utf-8")
    assert list(read_pairs(file)) == pairs(("X", "Y", True), ("X", "V", False))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("first,second\nX:1,X:2\n", "no column same"),
        ("first,second,same\nX:1,,yes\n", "line 2"),
        ("first,second,same\nX:1,X:2,maybe\n", "maybe"),
        ("", "is empty"),
    ],
)
def test_files_that_are_none_of_pairs_are_refused(tmp_path: Path, text: str, words: str):
    file = tmp_path / "pairs.csv"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError, match=words):
        list(read_pairs(file))
