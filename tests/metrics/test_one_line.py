"""A value of the corpus family is one row: with it the value is computed, shown, compared and opened."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from core.metrics import corpus
from core.metrics.definition import Family, Metric
from core.metrics.documents import compare

ROOT = Path(__file__).parents[2]
ROW = (
    '"micro_jaccard": Metric("Micro Jaccard", "Which share of all concepts do both sides name?",'
    ' "ΣTP / (ΣTP + ΣFP + ΣFN)", of=lambda s: ratio(s.tp, s.tp + s.fp + s.fn), over="complete"),'
)
ASKED = """
import json
from core.evaluate import Settings, evaluate
from core.evaluate.comparison import compare_scores
from core.evaluate.evaluation import reviewed
from core.evaluate.report.html import report_html
from core.evaluate.tables import cells
from core.metrics import METRICS
from core.records import Assertion, GoldSet

YES = Assertion.AFFIRMED
def statuses(sets):
    return {d: dict.fromkeys(ids, YES) for d, ids in sets.items()}
gold = GoldSet("file:gold@1", statuses({"d1": "ab", "d2": "c", "d3": "d"}), frozenset(("d1", "d2", "d3")))
a, b = (
    evaluate(gold, statuses(said), Settings(bootstrap=100), name=name)
    for name, said in (("a", {"d1": "ax", "d2": "c"}), ("b", {"d1": "ab", "d3": "e"}))
)
twice = reviewed(a, b, "reviewed@9:agreement")
compared = compare_scores(a, b)
def rows(tables):
    return [row for table in tables for row in table.rows if row[0] == "Micro Jaccard"]
print(json.dumps({
    "meaning": METRICS["corpus.micro_jaccard"].to_json(),
    "estimate": a.to_json()["families"]["corpus"]["estimates"]["micro_jaccard"],
    "terminal": rows(cells.evaluation_tables(a)),
    "review": rows(cells.evaluation_tables(twice)),
    "compared": [row[:3] for row in rows(compared.result.tables)],
    "items": [item[:3] for item in a.families["corpus"].open("micro_jaccard")],
    "opened": [item[:3] for item in compared.result.open("a:micro_jaccard")],
    "in report": "Micro Jaccard" in report_html(a),
}))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What a copy with the row answers."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "core", copy / "core", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "data", copy / "data")
    shutil.copy(ROOT / "pyproject.toml", copy)
    file = copy / "core/metrics/corpus.py"
    lines = file.read_text().splitlines(keepends=True)
    (place,) = [i for i, line in enumerate(lines) if line.strip() == '"std": Metric(']
    file.write_text("".join([*lines[:place], ROW + "\n", *lines[place:]]))
    done = subprocess.run(
        [sys.executable, "-c", ASKED],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_new_value_is_computed_with_its_interval(found):
    """TP a, c; FP x; FN b, d: 2 / 5."""
    estimate = found["estimate"]
    assert (estimate["value"], estimate["n"]) == (pytest.approx(2 / 5), 3)
    assert 0 <= estimate["low"] <= 2 / 5 <= estimate["high"] <= 1


def test_the_new_value_says_what_it_means(found):
    family = corpus.FAMILY
    assert found["meaning"]["title"] == "Micro Jaccard"
    said = [found["meaning"][field] for field in ("range", "direction", "source", "undefined")]
    assert said == [family.range, family.direction, family.source, family.undefined]


def test_the_new_value_stands_in_the_tables(found):
    ((_, shown, documents),) = found["terminal"]
    assert (shown[:5], documents) == ("0.400", 3)
    rows = found["review"]
    assert [row[1][:5] for row in rows] == ["0.400", "0.400"]
    assert rows[1][2].startswith("0.400")  # b: TP a, b; FP e; FN c, d
    assert found["compared"] == [["Micro Jaccard", pytest.approx(0.4), pytest.approx(0.4)]]
    assert found["in report"]


def test_the_new_value_opens(found):
    items = [["d1", "a", "tp"], ["d1", "x", "fp"], ["d1", "b", "fn"], ["d2", "c", "tp"], ["d3", "d", "fn"]]
    assert found["items"] == found["opened"] == items


# --- the row ----------------------------------------------------------------------------------------------


def test_a_row_gives_only_what_differs_from_its_family():
    rows = {"a": Metric("A", "a?", "a"), "b": Metric("B", "b?", "b", "[0, ∞)", "none", undefined="Never.")}
    a, b = Family("F", "f", rows, source="S", undefined="U").metrics.values()
    assert (a.range, a.direction, a.source, a.undefined) == ("[0, 1]", "higher", "S", "U")
    assert (b.range, b.direction, b.source, b.undefined) == ("[0, ∞)", "none", "S", "Never.")


def test_names_and_values_of_rows_that_give_one_value_of_each_thing():
    rows = {
        "each": Metric("Each", "?", "", of=lambda s: s.counts, per="thing"),
        "all": Metric("All", "?", "", of=lambda s: s.counts.sum(axis=1)),
        "other": Metric("Other", "?", ""),
    }
    family = Family("F", "f", rows)
    assert family.names(["x", 0.5]) == ("each:x", "each:0.5", "all")
    values = family.values(SimpleNamespace(counts=np.array([[1.0, 2.0], [3.0, 4.0]])))
    assert values.tolist() == [[1, 2, 3], [3, 4, 7]]


def test_a_metric_without_a_formula_of_sums_is_no_computed_one():
    assert "std" not in corpus.FAMILY.computed
    with pytest.raises(NotImplementedError):
        corpus.FAMILY.metrics["std"].of(None)


def test_every_row_names_documents_and_sums_that_there_are():
    for name, row in corpus.FAMILY.computed.items():
        assert (row.over, row.rests_on) in corpus.COLUMNS, name
        assert not row.std or (row.over, row.std) in corpus.COLUMNS, name


def test_each_value_rests_on_the_documents_that_its_row_names():
    outcomes = compare(
        {"a": {1}, "b": set(), "c": {2}}, {"a": {1}, "c": {3}}, decided={}, complete={"a", "b"}
    )
    found = {name: e.n for name, e in corpus.score(outcomes, vacuous="skip").estimates.items()}
    assert (found["micro_recall"], found["macro_recall"], found["weighted_f1"]) == (2, 1, 1)
