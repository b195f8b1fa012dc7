"""What others have printed: named as such, beside the values it belongs to, and off until asked for."""

import re

import pytest

from core.charts import Chart, Estimate, Reference, Table
from core.evaluate import report_html, report_markdown
from core.evaluate.families.result import FamilyResult
from core.evaluate.tables.published import beside, printed, published
from core.metrics import METRICS
from core.metrics.published import PUBLISHED
from tests.evaluate.test_family_sections import scored as evaluation_of

HALF = Estimate(0.5, 7, None, 0.4, 0.6)
SPLITS = Table(
    "Recall of each split",
    ("split", "mentions", "recall"),
    [("MEM", 4, HALF), ("SYN", 2, HALF), ("all", 6, HALF)],
    opens=[(None, "mentions:MEM", "recall:MEM"), (None, None, "recall:SYN"), (None, None, "recall:all")],
    chart=Chart("intervals", x="split", y=("recall",), unit=True),
)


def test_every_published_value_is_one_of_the_registry_with_its_source():
    assert len({(row.family, row.name) for row in PUBLISHED}) == len(PUBLISHED)
    for row in PUBLISHED:
        assert row.source
        for name, value in row.values.items():
            assert f"{row.family}.{name.partition(':')[0]}" in METRICS
            assert value >= 0
            assert value <= 1 or name == "u_cs"  # a number of concepts


def test_published_values_are_named_as_such():
    (table,) = published("corpus")
    assert "None of these was measured here" in table.note
    assert table.columns == ("system", "data", "Macro precision", "Macro recall", "Macro F1", "source")
    assert {row[0] for row in table.rows} == {row.system for row in printed("corpus")}
    assert published("relaxed") == []


def test_a_line_stands_beside_the_cell_of_its_value_alone():
    """Paper 002, table 3, BioBERT on NCBI-disease: MEM 95.5, SYN 80.9; what `all` opens it does not print."""
    (biobert, *_), one = printed("mem_syn_con"), printed("corpus")[0]
    found = beside(SPLITS, "mem_syn_con", [biobert, one])
    name = "BioBERT, NCBI-disease, published"
    source = "MEM / SYN / CON (paper 002), table 3"
    assert found.chart.references == (Reference(name, source, {(0, 2): 0.955, (1, 2): 0.809}),)
    assert found.rows == SPLITS.rows
    assert beside(SPLITS, "mem_syn_con", []) is SPLITS
    assert beside(SPLITS, "corpus", [biobert]) is SPLITS


def test_both_sides_of_a_review_have_the_same_line():
    """RAG-HPO's printed F1 of 0.80, beside either side."""
    table = Table(
        "T",
        ("value", "as proposed", "after review"),
        [("Macro F1", HALF, HALF)],
        opens=[(None, "before:macro_f1", "after:macro_f1")],
        chart=Chart("intervals", "value", ("as proposed", "after review")),
    )
    (reference,) = beside(table, "corpus", printed("corpus")[:1]).chart.references
    assert reference.at == {(0, 1): 0.8, (0, 2): 0.8}


def test_a_table_that_is_not_drawn_is_drawn_for_them_where_its_values_are_shares():
    rows = [("Accuracy", HALF, 7)]
    table = Table("T", ("value", "estimate", "pairs"), rows, opens=[(None, "accuracy", None)])
    asked = printed("confounders")
    drawn = beside(table, "confounders", asked).chart
    assert (drawn.kind, drawn.y, len(drawn.references)) == ("intervals", ("estimate",), len(asked))
    many = Table("T", ("value", "estimate"), [("Accuracy", Estimate(7.0, 7))], opens=[(None, "accuracy")])
    assert beside(many, "confounders", asked).chart is None
    nameless = Table("T", ("accuracy",), [(HALF,)], opens=[("accuracy",)])
    assert beside(nameless, "confounders", asked).chart is None


@pytest.fixture
def scored():
    return evaluation_of(FamilyResult("mem_syn_con", {"recall:MEM": HALF}, (SPLITS,)))


def test_a_report_draws_them_once_their_name_is_clicked(scored):
    page = report_html(scored)
    lines = re.findall(r'"meta":"reference".*?"visible":"(\w+)"', page)
    assert lines == ["legendonly"] * len(printed("mem_syn_con"))
    assert "Published values are off" in page
    assert "None of these was measured here" in page


def test_a_report_in_markdown_lists_them(scored):
    text = report_markdown(scored)
    assert "### Published by others" in text
    assert re.search(r"\| BioBERT \| NCBI-disease \| 0\.867 \|.*paper 002", text)
