"""What a gold standard says of itself: the ward (tests/evaluate/ward.py) imported and reviewed, and files."""

import json

import pytest

from core.evaluate import Settings, evaluate, evaluate_run
from core.evaluate.families.inputs import Known, Mention
from core.records import GoldSet
from tests.evaluate import ward
from tests.evaluate.ward import AFFIRMED, A, B, C, D, E

ASKED = Settings(families=("corpus", "gold_quality"), bootstrap=100)
REVIEWED = "reviewed@now:curator=alpha"


def family(evaluation):
    return evaluation.families["gold_quality"]


@pytest.fixture
def reviewed(workspace):
    ids = ward.fill(workspace)
    ward.review(workspace, ids)
    ward.second_review(workspace, ids)
    return workspace


def test_imported_gold(reviewed):
    found = family(evaluate_run(reviewed, ward.RUN, ward.GOLD, ASKED).before)
    # four passages "Passage 1." of three tokens; gold that counts: A, B | C | | A
    e = found.estimates
    assert e["documents"].value == 4
    assert e["density"].value == pytest.approx(100 * 4 / 12, abs=1e-9)
    assert (e["concepts"].value, e["completeness"].value) == (1, 1)
    assert [e[name].value for name in ("agreement", "confidence")] == [None, None]
    assert "imported" in e["agreement"].reason
    assert [(i.doc_id, i.id) for i in found.open("density")] == [("d1", A), ("d1", B), ("d2", C), ("d4", A)]
    assert [t.name for t in found.tables] == ["figures"]  # marked exhaustive: no bounds
    assert "Small test set: 4" in found.notes[0]


def test_reviewed_gold_knows_its_curators(reviewed):
    found = family(evaluate_run(reviewed, ward.RUN, REVIEWED, ASKED).before)
    e = found.estimates
    # alpha has closed d1 and decided in d2; D negated does not count, A and B do
    assert (e["documents"].value, e["completeness"].value) == (1, pytest.approx(1 / 2))
    assert e["density"].value == pytest.approx(100 * 2 / 3, abs=1e-9)
    assert e["agreement"].value == pytest.approx(1 - 0.75 * 56 / 34, abs=1e-9)  # test_curators.py
    # alpha judged A, B, E, D and is unsure of C; beta judged A, E, D, C: 8 of 9
    assert e["confidence"].value == pytest.approx(8 / 9, abs=1e-9)
    assert [(i.doc_id, i.id) for i in found.open("agreement")] == [("d1", B), ("d1", E), ("d2", D)]
    assert {i.detail for i in found.open("agreement")} == {""}  # nobody learns here what others said


def test_agreement_of_a_gold_is_that_of_its_time(reviewed):
    found = family(evaluate_run(reviewed, ward.RUN, "reviewed@6:curator=alpha", ASKED).before)
    assert found.estimates["agreement"].value is None
    assert "only one" in found.estimates["agreement"].reason


def scored(exhaustive, **known):
    gold = GoldSet("file:g@1", {"d": {A: AFFIRMED, B: AFFIRMED}}, frozenset({"d"}))
    said = {"d": {A: AFFIRMED, E: AFFIRMED}}
    return family(evaluate(gold, said, ASKED, exhaustive=exhaustive, known=Known(**known)))


@pytest.mark.parametrize("exhaustive", [False, None])
def test_a_set_not_marked_exhaustive_shows_the_bounds(exhaustive):
    found = scored(exhaustive)
    bounds = found.tables[1]
    values = {row[0]: [cell.value for cell in row[1:]] for row in bounds.rows}
    # TP 1, FP 1, FN 1; no confidences: the optimistic reading forgives E
    assert values["conservative"] == pytest.approx([1 / 2, 1 / 2, 1 / 2])
    assert values["optimistic"] == pytest.approx([1, 1 / 2, 2 / 3])
    assert [i.id for i in found.open(bounds.key_at(0, 1))] == [A, E]
    assert "read the bounds" in found.notes[1]


def test_places_count_where_the_gold_marks_them():
    mentions = {
        "d": [
            Mention(0, 4, A, AFFIRMED, "abcd"),
            Mention(0, 4, A, AFFIRMED, "abcd"),
            Mention(5, 9, A, AFFIRMED),
            Mention(5, 9, D, AFFIRMED),
            Mention(None, None, B, AFFIRMED),
        ]
    }
    found = scored(True, gold_mentions=lambda: mentions, texts=lambda: {"d": "abcd efgh, ijkl"})
    # A at two places; D is not in the gold, B has no place: 2 in 4 tokens (words and signs)
    assert found.estimates["density"].value == pytest.approx(50, abs=1e-9)


def test_without_texts_there_is_no_density():
    found = scored(True)
    assert (found.estimates["density"].value, found.estimates["density"].reason) == (
        None,
        "The texts of the documents are not known.",
    )
    json.dumps(found.to_json(), allow_nan=False)
    with pytest.raises(KeyError):
        found.open("kappa")


def test_no_gold_at_all():
    found = family(evaluate(GoldSet("file:g@1", {}, frozenset()), {}, ASKED))
    values = {name: e.value for name, e in found.estimates.items()}
    assert values == {"documents": 0, **dict.fromkeys(list(values)[1:])}
