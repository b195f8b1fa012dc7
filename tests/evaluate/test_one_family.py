"""A family is one file and one row: with these it is computed, shown, compared, opened and reported."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILE = '''"""How much both sides share."""

from core.metrics.definition import Family, Metric
from core.metrics.sums import ratio

FAMILY = Family(
    title="Shared concepts",
    item="a concept of a document",
    source="A test",
    undefined="No documents: undefined.",
    metrics={
        "jaccard": Metric(
            "Jaccard",
            "Which share of all concepts do both sides name?",
            "ΣTP / (ΣTP + ΣFP + ΣFN)",
            of=lambda s: ratio(s.shared, s.named),
        ),
        "missing": Metric(
            "Missing",
            "Which share of all concepts did only the gold name?",
            "ΣFN / (ΣTP + ΣFP + ΣFN)",
            direction="lower",
            of=lambda s: ratio(s.missed, s.named),
            opens="fn",
        ),
    },
    adds=lambda o: {
        "shared": len(o.tp), "missed": len(o.fn), "named": len(o.tp) + len(o.fp) + len(o.fn)
    },
)
'''
ASKED = """
import json
from pages.widgets.metrics import views
from core.evaluate import Settings, compare_scores, evaluate, evaluation_tables, registered, report_html
from core.records import Assertion, GoldSet

def statuses(sets):
    return {d: dict.fromkeys(ids, Assertion.AFFIRMED) for d, ids in sets.items()}
right = {"d1": "ab", "d2": "c", "d3": "d"}
chosen = Settings.parse(families="corpus,shared", bootstrap=100)
a, b, none = (
    evaluate(GoldSet("file:gold@1", statuses(gold), frozenset(gold)), statuses(said), chosen, name=name)
    for name, gold, said in (
        ("a", right, {"d1": "ax", "d2": "c"}), ("b", right, {"d1": "ab", "d3": "e"}), ("none", {}, {})
    )
)
found, compared = a.families["shared"], compare_scores(a, b)
(table,) = [t for t in compared.result.tables if t.name == "shared_differences"]
print(json.dumps({
    "meaning": list(registered("shared")),
    "estimate": a.to_json()["families"]["shared"]["estimates"]["jaccard"],
    "none": none.families["shared"].estimates["jaccard"].reason,
    "terminal": [t.title for t in evaluation_tables(a)],
    "compared": [row[:3] for row in table.rows],
    "items": [item[:3] for item in found.tables[0].items["missing"]()],
    "all": "shared" in Settings.parse(families="all").families,
    "in report": "Shared concepts" in report_html(a),
}))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What a copy with the file and the row answers."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("core", "pages", "data"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    (copy / "core/metrics/shared.py").write_text(FILE)
    registry = copy / "core/metrics/__init__.py"
    row = '    "corpus": corpus.FAMILY,\n'
    lines = registry.read_text().replace(row, f'{row}    "shared": shared.FAMILY,\n')
    registry.write_text(lines.replace("    relaxed,\n", "    relaxed,\n    shared,\n"))
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


def test_its_values_are_computed_with_their_intervals(found):
    """TP a, c; FP x; FN b, d: 2 / 5."""
    estimate = found["estimate"]
    assert (estimate["value"], estimate["n"]) == (pytest.approx(2 / 5), 3)
    assert 0 <= estimate["low"] <= 2 / 5 <= estimate["high"] <= 1
    assert found["none"] == "The gold holds no complete document."


def test_it_can_be_asked_for_and_is_shown(found):
    assert found["meaning"] == ["shared.jaccard", "shared.missing"]
    assert "Shared concepts" in found["terminal"]
    assert (found["all"], found["in report"]) == (True, True)


def test_it_is_compared_and_opens(found):
    values = [["Jaccard", pytest.approx(2 / 5), pytest.approx(2 / 5)], ["Missing", 2 / 5, 2 / 5]]
    assert found["compared"] == values  # b: TP a, b; FP e; FN c, d
    assert found["items"] == [["d1", "b", "fn"], ["d3", "d", "fn"]]
