"""Families as sections: nothing left out, nothing said twice, every difference is after - before."""

import json

import pytest

from core.charts import Chart, Estimate, Table
from core.errors import InputError
from core.evaluate import (
    Evaluation,
    ReviewedEvaluation,
    Settings,
    evaluate,
    evaluate_run,
    evaluation_tables,
    registered,
    report_html,
    report_markdown,
)
from core.evaluate.families.result import FamilyResult, absent
from core.evaluate.tables import sections as s
from core.metrics import FAMILIES, METRICS
from core.records import GoldSet
from tests.evaluate import ward
from tests.evaluate.ward import AFFIRMED


def scored(*families, notes=(), beside=None, **more):
    """An evaluation of anything but documents."""
    results = {f.family: f for f in families}
    return Evaluation("said", "gold@1", Settings(), results, beside or {}, notes, "mentions", **more)


def sections(*sides, difference=None):
    return s.sections(ReviewedEvaluation(*sides, difference=difference))


def shown(value, low=None, high=None):
    return Estimate(value, 12, None, low, high)


F1, KAPPA, NONE = shown(0.5, 0.4, 0.6), shown(0.25), Estimate(None, 0, reason="Nothing was scored.")


@pytest.fixture
def family():
    table = Table(
        "By status",
        ("status", "F1"),
        [("affirmed", F1)],
        name="by",
        opens=[(None, "joint_f1")],
        chart=Chart("bars", x="status", y=("F1",)),
        note="Read it slowly.",
    )
    estimates = {"joint_f1": F1, "f1:negated": KAPPA, "f1:uncertain": NONE}
    return FamilyResult("assertions", estimates, (table,), notes=("Few documents.",))


def test_values_that_no_table_shows_stand_in_one_of_their_own(family):
    (section,) = sections(scored(family))
    assert section.title == FAMILIES["assertions"].title
    assert section.notes == ("Few documents.",)
    assert [t.title for t in section.tables] == ["Values", "By status", "Undefined"]
    values, _, undefined = section.tables
    assert [row[1] for row in values.rows] == [KAPPA, NONE]  # joint F1 stands in the table by status
    assert [row[0] for row in values.rows] == ["F1 of one status (negated)", "F1 of one status (uncertain)"]
    assert undefined.rows == [("F1 of one status (uncertain)", "Nothing was scored.")]


def test_a_value_that_a_cell_opens_is_shown_by_it():
    counted = Table("Counts", ("n",), [(8,)], opens=[("exact",)])
    found = FamilyResult("relaxed", {"exact": shown(8.0)}, (counted,))
    (section,) = sections(scored(found))
    assert section.tables == (counted,)


def test_after_review_every_value_has_its_difference(family):
    after = FamilyResult("assertions", {"joint_f1": shown(0.75), "f1:negated": NONE}, family.tables)
    (section,) = sections(scored(family), scored(after))
    review, _, later, _ = section.tables
    assert later.title == "By status, after review"
    assert [row[1:3] for row in review.rows] == [(F1, shown(0.75)), (KAPPA, NONE), (NONE, None)]
    assert [row[3] and row[3].value for row in review.rows] == [0.25, None, None]
    paired = {"assertions": {"joint_f1": shown(0.25, 0.1, 0.3)}}
    (section,) = sections(scored(family), scored(after), difference=paired)
    assert section.tables[0].rows[0][3].low == 0.1


def test_what_is_absent_says_why_and_shows_nothing(family):
    (section,) = sections(scored(absent("unseen", "Give an index with --index.")))
    assert section.tables == ()
    assert section.notes == ("Give an index with --index.",)
    # absent after review only: the tables of before stand alone
    (section,) = sections(scored(family), scored(absent("assertions", "No places.")))
    assert "By status, after review" not in [t.title for t in section.tables]


def test_any_kind_of_labels_has_tables_and_a_report(family):
    made = scored(family, notes=("Two files.",), pairs=12, beside={"off_schema_axes": 3})
    found = {t.title: t for t in evaluation_tables(made)}
    assert found["said against gold@1"].rows == [("pairs", 12), ("off schema axes", 3)]
    assert found["Read with these numbers"].rows == [("Two files.",)]
    text = report_markdown(made)
    headings = [line for line in text.splitlines() if line.startswith("#")]
    title = FAMILIES["assertions"].title
    assert headings == [
        "# Evaluation",
        "## Configuration",
        "## Counts",
        f"## {title}",
        "### Values",
        "### By status",
        "### Undefined",
        "## Read with these numbers",
        "## What the numbers mean",
    ]
    assert "| affirmed | 0.500 \\[0.400, 0.600\\] |" in text
    assert "Read it slowly." in text
    for name, metric in FAMILIES["assertions"].metrics.items():
        assert metric.question.replace("|", "\\|").split("(")[0][:20] in text, name
    page = report_html(made)
    assert page.count("plotly-graph-div") == 1
    assert page.count("plotly.js v") == 1, "the script stands once"
    assert report_html(made, figures=False).count("<script") == 0


def test_long_tables_are_cut_and_say_so():
    rows = [(f"d{n}", n) for n in range(s.LISTED + 5)]
    long = FamilyResult("relaxed", {}, (Table("Many", ("document", "n"), rows, note="By name."),))
    text = report_markdown(scored(long))
    assert "| d999 | 999 |" in text
    assert "| d1000 |" not in text
    assert "By name. The first 1,000 of 1,005 rows." in text
    gold = GoldSet("imported:x@1", {f"d{n:04}": {} for n in range(s.LISTED + 1)}, frozenset())
    page = report_html(evaluate(gold, {}, Settings(bootstrap=0)), figures=False)
    assert "d0999" in page
    assert "d1000" not in page


def test_every_family_of_the_registry_can_be_asked_for_and_reported(workspace):
    ward.review(workspace, ward.fill(workspace))
    settings = Settings.parse(families="all", bootstrap=100)
    found = evaluate_run(workspace, ward.RUN, ward.GOLD, settings)
    assert [*found.before.families] == [*FAMILIES]
    assert found.after.families.keys() == found.before.families.keys()
    text = report_markdown(found)
    for family in FAMILIES.values():
        assert f"## {family.title}\n" in text or family is FAMILIES["corpus"]
    kept = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert kept["families"].keys() == FAMILIES.keys()
    assert kept["after_review"]["families"].keys() == FAMILIES.keys()
    for name, family in found.before.families.items():
        for table in family.tables:
            for row, keys in zip(table.rows, table.opens or [()] * len(table.rows), strict=True):
                assert len(row) == len(table.columns), (name, table.title)
                for key in filter(None, keys):
                    assert isinstance(found.before.families[name].open(key), list), (name, key)
        for estimate in family.estimates:
            assert isinstance(family.open(estimate), list), (name, estimate)
            assert f"{name}.{estimate.partition(':')[0]}" in METRICS


def test_before_and_after_of_a_family_by_hand(workspace):
    """Before: {A, E} for {A, B}; {C, D} for {C} and D negated; A for A. After: E is gone, B is there, D is
    negated. Joint: TP 2 (A, A), gold 5, proposed 5 before; after, all but C (uncertain, gold affirmed)."""
    ward.review(workspace, ward.fill(workspace))
    found = evaluate_run(workspace, ward.RUN, ward.GOLD, Settings(families=("assertions",), bootstrap=0))
    before, after = found.before.families["assertions"], found.after.families["assertions"]
    assert before.estimates["joint_f1"].value == pytest.approx(2 / 5, abs=1e-9)
    assert after.estimates["joint_f1"].value == pytest.approx(4 / 5, abs=1e-9)
    review = s.before_and_after(before, after)
    (row,) = [row for row in review.rows if row[1] is before.estimates["joint_f1"]]
    assert row[3].value == pytest.approx(2 / 5, abs=1e-9)


def test_the_registry_is_asked_by_family_and_by_name():
    assert registered() == METRICS
    assert {key.partition(".")[0] for key in registered("corpus")} == {"corpus"}
    assert list(registered("corpus.macro_f1")) == ["corpus.macro_f1"]
    with pytest.raises(InputError, match=r"no metric 'f7'.*assertions"):
        registered("f7")


def test_a_status_that_counts_for_nothing_is_not_hidden():
    gold = GoldSet("imported:x@1", {"d": {"A": AFFIRMED}}, frozenset({"d"}))
    found = evaluate(gold, {"d": {"A": AFFIRMED}}, Settings(families=("assertions",), bootstrap=0))
    undefined = [t for t in evaluation_tables(found) if t.title.endswith("Undefined") and t.rows]
    assert any("negated" in str(row[0]) for t in undefined for row in t.rows)  # rule U0
