"""Reports, tables and downloads: complete, escaped, self-contained."""

import csv
import io
import re

import pytest

from core.charts import Table
from core.evaluate import (
    Settings,
    documents_csv,
    evaluate,
    evaluate_run,
    evaluation_tables,
    items_csv,
    report_html,
    report_markdown,
)
from core.formats.source import Source
from core.formats.tables import read_table
from core.records import Assertion, GoldSet
from tests.evaluate import ward

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "![x](http://evil.example/x.png)",
    "| a | b |",
    "line\nbreak\u2028and more",
    '"><script>alert(1)</script>',
    "=HYPERLINK(1)",
)


@pytest.fixture
def hostile():
    """Every document id and label is an attack."""
    documents = {text: {f"X:{i}": Assertion.AFFIRMED} for i, text in enumerate(HOSTILE)}
    gold = GoldSet("file:<b>gold</b>.json@0", documents, frozenset(documents))
    labels = {f"X:{i}": text for i, text in enumerate(HOSTILE)}
    return evaluate(gold, {}, Settings(bootstrap=0), name="<i>said</i>", labels=labels)


@pytest.fixture
def reviewed(workspace):
    ward.review(workspace, ward.fill(workspace))
    return evaluate_run(workspace, ward.RUN, ward.GOLD)


def test_markdown_holds_every_section_and_the_numbers(reviewed):
    text = report_markdown(reviewed)
    headings = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert headings == [
        "Configuration",
        "Corpus statistics: lexicon-1",
        "Corpus statistics: lexicon-1, reviewed",
        "Primary metrics (macro-averaged)",
        "Aggregation comparison",
        "Before and after review (what alpha decided, up to decision 6)",
        "Read with these numbers",
        "Published by others",
        "Documents",
        "What the numbers mean",
    ]
    assert "| gold | imported:ward@1 |" in text
    assert re.search(r"\| F1 \| 0\.792 \| \\\[0\.583, 1\.000\\\] \| 0\.217 \| 4 \|", text)
    assert "| micro F1 | 0.667 " in text
    assert "| d1 | yes | 1 | 1 | 1 | 0 | 0.500 | 0.500 | 0.500 |" in text


def test_markdown_lets_nothing_from_outside_become_markup(hostile):
    text = report_markdown(hostile)
    assert not re.search(r"(?<!\\)<", text)
    assert "![x]" not in text
    documents = text.partition("## Documents")[2].partition("## ")[0].strip().splitlines()
    assert len(documents) == 2 + len(HOSTILE)  # header, rule, and one line each whatever it holds
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in documents} == {10}  # nine cells


def test_html_lets_nothing_from_outside_become_markup(hostile):
    text = report_html(hostile, figures=False)
    assert "<img" not in text
    assert "<script" not in text
    assert "<b>gold" not in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in text


def test_html_is_one_file_that_forbids_itself_the_network(reviewed):
    text = report_html(reviewed)
    assert "default-src 'none'" in text
    assert not re.search(r"""<(script|link|img|iframe)[^>]+(src|href)=["']?https?:""", text)
    assert text.count("plotly-graph-div") == 2
    assert "<dt>missed</dt><dd>Bruising (HP:0000002)</dd>" in text


def test_tables_for_the_terminal(reviewed):
    found = {table.title: table for table in evaluation_tables(reviewed)}
    assert next(iter(found)) == "lexicon-1 against the imported gold ward, version 1"
    averages = found["lexicon-1 against the imported gold ward, version 1"]
    assert averages.rows[0] == (
        "macro",
        "0.750 [0.500, 1.000]",
        "0.875 [0.625, 1.000]",
        "0.792 [0.583, 1.000]",
        "4",
    )
    assert averages.rows[1][0] == "macro, standard deviation"
    assert ("right (TP)", 3) in found["Corpus statistics: lexicon-1"].rows
    assert all(isinstance(table, Table) for table in evaluation_tables(reviewed))


def test_undefined_values_are_dashes_with_their_reason():
    found = evaluate(GoldSet("imported:x@1", {}, frozenset()), {})
    (undefined,) = [table for table in evaluation_tables(found) if table.title == "Undefined"]
    assert len(undefined.rows) == 9
    assert undefined.rows[0] == ("micro precision", "The gold standard holds no documents.")
    assert "| macro | – | – | – | 0 |" in report_markdown(found)


def test_the_gold_that_is_the_review_itself_is_named(workspace):
    ward.review(workspace, ward.fill(workspace))
    found = evaluate_run(workspace, ward.RUN, "reviewed@now:curator=alpha")
    assert any(
        "by construction" in row[0] for table in evaluation_tables(found) for row in table.rows if row[0]
    )


def test_documents_download_is_exact_and_reads_back(reviewed, tmp_path):
    path = tmp_path / "documents.csv"
    path.write_bytes(documents_csv(reviewed.before))
    rows = [row for _, row in read_table(Source(path), ["doc_id"])]
    assert [float(row["f1"]) for row in rows] == [0.5, 2 / 3, 1.0, 1.0]
    assert rows[0]["fn"] == "1"


def test_items_download_has_no_live_formula_and_reads_back(hostile, tmp_path):
    data = items_csv(hostile)
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8"), newline="")))
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]
    path = tmp_path / "items.csv"
    path.write_bytes(data)
    back = [row for _, row in read_table(Source(path), ["doc_id"])]
    assert {row["doc_id"] for row in back} == set(HOSTILE)
    assert {row["outcome"] for row in back} == {"fn"}
