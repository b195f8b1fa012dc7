"""The widgets that show any table of scores and any family, on a page of their own."""

import pytest
from streamlit.testing.v1 import AppTest


def script() -> None:
    import streamlit as st

    from core.charts import Chart, Estimate, Table
    from core.evaluate.family import FamilyResult
    from core.metrics.documents import Item
    from pages.widgets.item_list import Links
    from pages.widgets.metrics import show_family

    behind = {
        "tp": [Item(f"d{n}", "HP:1", "tp") for n in range(120)],
        "fp": [Item("d1", "HP:2", "fp", "gold <b>negated</b>")],
        "f1": [Item("d1", "HP:1", "tp"), Item("d2", "HP:3", "confused")],
    }
    confusion = Table(
        "Confusion of [statuses](http://evil.example)",
        ("gold", "affirmed", "negated"),
        [("affirmed", 8, 1), ("<img src=x onerror=alert(1)>", 0, 3)],
        "confusion",
        [(None, "tp", "fp"), (None, "fp", None)],
        Chart("heatmap", "gold", ("affirmed", "negated")),
        note="Rows are gold.",
    )
    values = Table(
        "By status",
        ("status", "F1", "share"),
        [
            ("affirmed", Estimate(0.5, 3, low=0.25, high=0.75), 0.25),
            ("negated", Estimate(None, 0, reason="Neither side has it."), None),
        ],
        "by_status",
        [(None, "f1", None), (None, "f1", None)],
        help={"F1": "corpus.macro_f1"},
    )
    result = FamilyResult(
        "corpus",
        {
            "macro_f1": Estimate(0.5, 3, low=0.25, high=0.75),
            "macro_recall": Estimate(None, 0, reason="No gold."),
        },
        (confusion, values),
        behind.__getitem__,
        notes=("Read *this*.",),
    )
    after = FamilyResult("corpus", {"macro_f1": Estimate(0.75, 3)})
    st.session_state.setdefault("metrics.family", "corpus")
    links = Links(
        lambda item: {"item": "7"} if item.doc_id == "d1" else {}, {"HP:1": "Seizure"}, page="app.py"
    )
    show_family(result, "metrics.", links, after=after)


@pytest.fixture
def page():
    shown = AppTest.from_function(script, default_timeout=30).run()
    assert not shown.exception
    return shown
