"""The threshold that labelled pairs speak for, on the ontology of the relaxed families' tests."""

from math import log
from pathlib import Path

import pytest

from core.errors import InputError
from core.evaluate import Scope
from core.evaluate.calibrate import LabelledPair, calibrate, read_pairs, tables
from core.ontology.lineage import Lineage
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
