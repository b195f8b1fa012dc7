"""The widgets that show any table of scores and any family, on a page of their own."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.reader import links, queues, select, table
from tests.patience import SECONDS


def script() -> None:
    import streamlit as st

    from core.charts import Cell, Chart, Estimate, Table
    from core.evaluate.families.result import FamilyResult
    from core.metrics.documents import Item
    from pages.widgets.item_list import Links
    from pages.widgets.metrics import show_family

    behind = {
        "tp": [Item(f"d{n}", "HP:1", "tp") for n in range(120)],
        "fp": [Item("d1", "HP:2", "fp", "gold <b>negated</b>")],
        "f1": [Item("d1", "HP:1", "tp"), Item("d2", "HP:3", "confused")],
    }

    def cell(value, key):
        return Cell(value, key, lambda: behind[key])

    confusion = Table.of(
        "Confusion of [statuses](http://evil.example)",
        ("gold", "affirmed", "negated"),
        [("affirmed", cell(8, "tp"), cell(1, "fp")), ("<img src=x onerror=alert(1)>", cell(0, "fp"), 3)],
        "confusion",
        chart=Chart("heatmap", "gold", ("affirmed", "negated")),
        note="Rows are gold.",
    )
    values = Table.of(
        "By status",
        ("status", "F1", "share"),
        [
            ("affirmed", cell(Estimate(0.5, 3, low=0.25, high=0.75), "f1"), 0.25),
            ("negated", cell(Estimate(None, 0, reason="Neither side has it."), "f1"), None),
        ],
        "by_status",
        help={"F1": "corpus.macro_f1"},
    )
    result = FamilyResult(
        "corpus",
        {
            "macro_f1": Estimate(0.5, 3, low=0.25, high=0.75),
            "macro_recall": Estimate(None, 0, reason="No gold."),
        },
        (confusion, values),
        notes=("Read *this*.",),
    )
    after = FamilyResult("corpus", {"macro_f1": Estimate(0.75, 3, low=0.5, high=0.875)})
    st.session_state.setdefault("metrics.family", "corpus")
    links = Links(
        lambda found: [7 if item.doc_id == "d1" else None for item in found],
        {"HP:1": "Seizure"},
        page="https://app.example/concept_labels",  # this script is no app with pages
        corpus="ward",
        about="a against b",
    )
    changes = {"macro_f1": Estimate(0.25, 3, low=0.125, high=0.375)}
    show_family(result, "metrics.", links, after=after, changes=changes)


@pytest.fixture
def shown():
    page = AppTest.from_function(script, default_timeout=SECONDS).run()
    assert not page.exception
    return page


def test_a_family_shows_cards_tables_and_why_values_are_undefined(shown):
    assert [(m.label, m.value, m.delta) for m in shown.metric] == [
        ("Macro F1", "0.750", "+0.250"),
        ("Macro recall", "–", ""),
    ]
    said = [c.value for c in shown.caption]
    assert "after review; 0\\.500 before" in said
    assert "fraction · 95% interval 0\\.500 to 0\\.875 · 3 documents, few" in said
    assert "by review\\: 95% interval \\+0\\.125 to \\+0\\.375, paired" in said
    assert "fraction · No gold\\." in said
    assert "– Neither side has it\\." in said
    assert "Rows are gold\\." in said
    first, second = shown.info[0].value.splitlines()
    assert first == r"- Read \*this\*\."
    assert second.startswith(r"- Few documents\: 1 of 2 values rest on fewer than 10, some on 3\.")
    by_status = table(shown, "metrics.corpus_by_status_table")
    assert by_status[0] == {"status": "affirmed", "F1": "0.500 [0.250, 0.750]", "share": 0.25}


def test_text_from_outside_stays_text(shown):
    assert shown.subheader[0].value.startswith("Confusion of \\[statuses\\]\\(http\u2060")
    select(shown, "metrics.corpus_confusion_table", cells=[(1, "affirmed")])
    assert any(r"\<img src\=x" in m.value for m in shown.markdown)


def test_a_cell_opens_its_items(shown):
    select(shown, "metrics.corpus_confusion_table", cells=[(0, "negated")])
    (item,) = table(shown, "metrics.corpus_confusion_items")
    assert item == {
        "outcome": "spurious",
        "document": "d1",
        "concept": "HP:2",
        "detail": "gold <b>negated</b>",
    }


def test_an_item_that_is_nowhere_to_be_seen_says_so(shown):
    select(shown, "metrics.corpus_by_status_table", cells=[(0, "F1")])
    select(shown, "metrics.corpus_by_status_items", cells=[(1, "document")])
    assert not links(shown)
    assert any("nothing to review" in c.value for c in shown.caption)


def test_many_items_come_a_page_at_a_time(shown):
    select(shown, "metrics.corpus_confusion_table", cells=[(0, "affirmed")])
    assert len(table(shown, "metrics.corpus_confusion_items")) == 100
    assert any(c.value.startswith("120 items") for c in shown.caption)


def test_all_items_are_one_queue_and_those_without_a_review_are_counted(shown):
    select(shown, "metrics.corpus_by_status_table", cells=[(0, "F1")])
    name, back = "affirmed, F1: a against b", "metrics?open=metrics.corpus_by_status%2Ff1"
    assert queues(shown) == [("Review this one", "concept_labels", [7], name, "ward", back)]
    assert shown.caption[-1].value.endswith("1 of 2 has nothing to review.")


def test_a_cell_that_opens_nothing_says_what_to_choose(shown):
    select(shown, "metrics.corpus_confusion_table", cells=[(0, "gold")])
    assert any("Choose a count" in c.value for c in shown.caption)
    assert "open" not in shown.query_params


def test_an_undefined_cell_says_why(shown):
    select(shown, "metrics.corpus_by_status_table", cells=[(1, "F1")])
    assert [m.value for m in shown.markdown] == ["**negated, F1: –**"]
    assert [c.value for c in shown.caption].count(r"Neither side has it\.") == 1


def test_a_closed_cell_leaves_the_address(shown):
    select(shown, "metrics.corpus_confusion_table", cells=[(0, "negated")])
    assert shown.query_params["open"] == "metrics.corpus_confusion/fp"
    select(shown, "metrics.corpus_confusion_table")
    assert "open" not in shown.query_params


def test_a_figure_is_drawn_anew_where_a_number_changes_or_is_of_another_type():
    def page():
        from core.charts import Chart, Table
        from pages.widgets.metrics.tables import show_figure

        for key, number in (("whole", 1), ("again", 1), ("part", 1.0), ("other", 2)):
            chart = Chart("bars", "of", ("n",))
            show_figure(Table("Numbers", ("of", "n"), [("x", number)], "t", chart=chart), key)

    charts = AppTest.from_function(page, default_timeout=SECONDS).run().get("plotly_chart")
    drawn = [json.loads(chart.proto.spec)["data"][0] for chart in charts]
    assert [one["text"] for one in drawn] == [["1"], ["1"], ["1.00"], ["2"]]
    assert [one["y"] for one in drawn] == [[1], [1], [1.0], [2]]
