"""The unit of a column stands in its head on pages, terminal and reports; files keep the bare head."""

from __future__ import annotations

import pytest

from core.charts import Table, heads, labels, table_csv
from core.cli.output import print_scores, print_table
from core.evaluate import Settings, evaluate, report_html, report_markdown
from core.records import Assertion, GoldSet

TABLE = Table(
    "Errors",
    ("status", "how many", "share", "ranked", "n"),
    [("negated", 0.5, 0.25, 2.0, 3)],
    help={"status": "corpus.macro_f1", "how many": "corpus.macro_f1", "ranked": "placement.mrr"},
)


def test_units_come_from_the_registry_or_the_name() -> None:
    found = labels(TABLE)
    assert found[:3] == ["status", "how many (fraction)", "share (fraction)"]
    assert found[4] == "n"
    assert heads(TABLE) == list(TABLE.columns)
    assert (
        table_csv(TABLE).splitlines()[0].decode("utf-8-sig") == "status,how many,share,ranked,n,guarded_cells"
    )


def test_the_terminal_shows_them(capsys: pytest.CaptureFixture[str]) -> None:
    print_scores([TABLE])
    print_table("Calls paid for", ["stage", "seconds", "price"], [("classify", 2.5, 0.01)])
    said = capsys.readouterr().out
    assert "how many (fraction)" in said
    assert "price (US$)" in said


def test_reports_show_them() -> None:
    statuses = {"d1": {"X:1": Assertion.AFFIRMED}, "d2": {"X:2": Assertion.AFFIRMED}}
    found = evaluate(GoldSet("file:gold@1", statuses, frozenset(statuses)), statuses, Settings(bootstrap=100))
    for report in (report_markdown(found), report_html(found)):
        assert "Precision (fraction)" in report or "P (fraction)" in report
