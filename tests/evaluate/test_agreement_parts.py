"""Agreement by field, class and time: the ward (tests/evaluate/ward.py) and planted answers, by hand."""

import random

import pytest
from sklearn.metrics import cohen_kappa_score

from core.evaluate import Settings, agreement_of
from core.evaluate.agreement_parts import parts
from core.evaluate.curator_answers import Answers
from core.evaluate.curators import Ratings
from core.metrics.agreement_intervals import Bootstrap
from tests.evaluate import ward
from tests.evaluate.ward import A, B, D, E

PLAIN = Settings(bootstrap=0)
NOT_DRAWN = Bootstrap(0)
LABELS = ("affirmed", "negated", "uncertain")


@pytest.fixture
def reviewed(workspace):
    ids = ward.fill(workspace)
    ward.review(workspace, ids)
    ward.second_review(workspace, ids)
    return workspace


def table(tables, name):
    return next(t for t in tables if t.name == name)


def rows(t):
    return [dict(zip(t.columns, row, strict=True)) for row in t.rows]


def planted(number, curators=("alpha", "beta"), seed=2):
    """One item a document, answered in order of the documents by one curator after the other."""
    chance = random.Random(seed)
    labels, numbers = {c: {} for c in curators}, {c: {} for c in curators}
    for n in range(number):
        doc_id = f"d{n:03}"
        for k, curator in enumerate(curators):
            labels[curator][doc_id] = {A: chance.choice(LABELS)}
            numbers[curator][doc_id, A] = n * len(curators) + k + 1
    people = {c: c.title() for c in curators}
    return Answers({"status": Ratings("ward", "concepts", tuple(curators), labels, people=people)}, numbers)


def days(numbers):
    """Ten decisions a day."""
    return {n: f"2026-01-{1 + n // 10:02}T00:00:00Z" for n in numbers}


def of(answers, how=NOT_DRAWN, moments=days):
    return parts(answers, answers.fields["status"], "named", how, moments).tables


# --- fields -------------------------------------------------------------------------------------------------


def test_fields_stand_worst_first(reviewed):
    found = rows(table(agreement_of(reviewed, "ward", settings=PLAIN).result.tables, "fields"))
    # tests/evaluate/test_curator_answers.py; status: (4 - 7)/(16 - 7); class as presence, all explicit
    expected = {"status": -1 / 3, "presence": -1 / 3, "class": -1 / 3, "concept": 4 / 7}
    assert {row["answer"]: row["kappa"].value for row in found} == pytest.approx(expected, abs=1e-9)
    # 6 explicit, 2 absent of 8: D_o 1/2, D_e 24/56, alpha 1 - 56/48; the status: 1 - 0.75·56/34
    alphas = [row["alpha"].value for row in found]
    assert alphas == sorted(alphas)
    assert [row["answer"] for row in found] == ["status", "presence", "class", "concept"]
    assert alphas[:3] == pytest.approx([1 - 0.75 * 56 / 34, 1 - 56 / 48, 1 - 56 / 48], abs=1e-9)
    assert [row["in words"] for row in found] == [*["-0.33, poor"] * 3, "0.57, moderate"]
    assert [(row["items"], row["differ"]) for row in found] == [(4, 3), (4, 2), (4, 2), (3, 1)]


def test_a_field_opens_what_they_say_in_it(reviewed):
    found = agreement_of(reviewed, "ward", ontology="hp", settings=PLAIN).result
    assert [(i.id, i.detail) for i in found.open("fields:presence:differ")] == [
        (B, "Alpha: present; Beta: absent"),
        (E, "Alpha: absent; Beta: present"),
    ]
    (item,) = found.open("fields:concept:alpha")
    assert item.detail == f"Alpha: absent; Beta: {E} (=Eczema)"


def test_a_field_has_the_values_of_its_own_look(reviewed):
    asked = Settings(bootstrap=100, seed=5)
    every = rows(table(agreement_of(reviewed, "ward", settings=asked).result.tables, "fields"))
    for row in every:
        alone = agreement_of(reviewed, "ward", field=row["answer"], settings=asked).result
        assert row["kappa"] == alone.estimates["kappa:Alpha, Beta"]
        assert row["alpha"] == alone.estimates["alpha"]


# --- classes ------------------------------------------------------------------------------------------------


def test_by_class_of_the_proposal(reviewed):
    found = rows(table(agreement_of(reviewed, "ward", settings=PLAIN).result.tables, "classes"))
    by = {row["proposed as"]: row for row in found}
    # B was added by hand; A, E and D are proposed as explicit
    assert {name: (row["items"], row["differ"]) for name, row in by.items()} == {
        "explicit": (3, 2),
        "not proposed": (1, 1),
    }
    assert (by["explicit"]["kappa"].value, by["explicit"]["observed"].value) == (0, pytest.approx(1 / 3))
    assert by["explicit"]["kappa"].n == 2  # documents that hold its items
    # one item, affirmed and absent: D_o = D_e = 1
    assert (by["not proposed"]["kappa"].value, by["not proposed"]["alpha"].value) == (0, 0)


# --- time ---------------------------------------------------------------------------------------------------


def test_windows_of_equally_many_items(reviewed):
    answers = planted(45)
    found = rows(table(of(answers), "time"))
    # 45 items make 4 windows: ends at 11.25, 22.5 and 33.75, rounded to even
    assert [row["items so far"] for row in found] == [11, 22, 34, 45]
    assert [row["items"] for row in found] == [11, 11, 12, 11]
    # item n (from 0) got its second answer by decision 2n + 2, ten decisions a day
    assert [row["until"] for row in found] == ["2026-01-03", "2026-01-05", "2026-01-07", "2026-01-10"]
    said = [[answers.fields["status"].labels[c][f"d{n:03}"][A] for n in range(45)] for c in ("alpha", "beta")]
    cuts = ((0, 11), (11, 22), (22, 34), (34, 45))
    expected = [cohen_kappa_score(said[0][a:b], said[1][a:b]) for a, b in cuts]
    assert [row["kappa"].value for row in found] == pytest.approx(expected, abs=1e-9)


def test_the_time_of_a_decision_counts_and_not_its_number():
    answers = planted(20)
    later = table(of(answers, moments=lambda numbers: {n: f"{9999 - n}" for n in numbers}), "time")
    opened = later.items[later.key_at(0, 2)]()
    assert {i.doc_id for i in opened} == {f"d{n:03}" for n in range(10, 20)}


def test_closing_answers_what_was_not_named(reviewed):
    found = agreement_of(reviewed, "ward", settings=PLAIN)
    numbers = {
        "alpha": {("d1", A): 1, ("d1", B): 3, ("d1", E): 2, ("d2", D): 5},
        "beta": {("d1", A): 7, ("d1", E): 8, ("d2", D): 10},
    }
    answers = Answers({"status": found.ratings}, numbers, {"beta": {"d1": 9}})
    asked = []
    parts(answers, found.ratings, "named", Bootstrap(0), lambda numbers: asked.extend(numbers) or {})
    assert sorted(asked) == [7, 8, 9, 10]


def test_few_items_have_no_windows():
    found = table(of(planted(19)), "time")
    assert (found.rows, found.note) == (
        [],
        "Agreement over time needs 20 items with two answers; there are 19.",
    )
    assert len(table(of(planted(20)), "time").rows) == 2


# --- more than two ------------------------------------------------------------------------------------------


def test_three_curators_have_the_kappa_of_several():
    answers = planted(30, ("alpha", "beta", "gamma"))
    found = table(of(answers, Bootstrap(100)), "fields")
    (row,) = rows(found)
    assert "kappa" not in row
    assert row["Fleiss' kappa"].low <= row["Fleiss' kappa"].value <= row["Fleiss' kappa"].high
    del answers.fields["status"].labels["gamma"]["d000"]
    (row,) = rows(table(of(answers), "fields"))
    assert (row["items"], row["Fleiss' kappa"].n) == (30, 29)
    answers.fields["status"].labels["gamma"].clear()
    answers.fields["status"].labels["gamma"]["other"] = {A: "affirmed"}
    (row,) = rows(table(of(answers), "fields"))
    assert (row["items"], row["Fleiss' kappa"].value, row["in words"]) == (30, None, None)
    assert row["Fleiss' kappa"].reason == "No item was rated by all raters."


def test_thousands_of_labels_cost_no_more_than_their_use():
    n = 3000
    labels = {c: {f"d{i}": {i: f"C{(i * (3 + k)) % n}"} for i in range(n)} for k, c in enumerate(("a", "b"))}
    ratings = Ratings("ward", "concepts", ("a", "b"), labels, people={"a": "A", "b": "B"})
    (row,) = rows(table(of(Answers({"status": ratings}), Bootstrap(100), lambda _: {}), "fields"))
    sides = [[labels[c][f"d{i}"][i] for i in range(n)] for c in ("a", "b")]
    assert row["kappa"].value == pytest.approx(cohen_kappa_score(*sides), abs=1e-9)
    assert row["kappa"].low <= row["kappa"].value <= row["kappa"].high
