"""A type or axis that neither side has: a dash on page and report, 0 in JSON (9.2, 9.3)."""

import json
from pathlib import Path

import pytest

from core.evaluate import Settings, evaluate_pair_files, evaluation_tables, report_html, report_markdown
from tests.evaluate.pairs.test_pair_files import gold, write

ABSENT = "evidence_insufficiency"


@pytest.fixture
def found(tmp_path: Path):
    right = [gold("p1", "contextual_contradiction", divergence_axes=["geography"]), gold("p2")]
    said = [{"pair_id": p, "conflict_type": "contextual_contradiction"} for p in ("p1", "p2")]
    files = write(tmp_path / "said.jsonl", said), write(tmp_path / "gold.jsonl", right)
    return evaluate_pair_files(*files, Settings(about="pairs", bootstrap=100))


def test_json_keeps_0_with_support_and_predicted_0(found) -> None:
    family = found.families["conflict_types"].to_json()
    estimate = family["estimates"][f"f1:{ABSENT}"]
    assert (estimate["value"], estimate["low"], estimate["high"]) == (0.0, 0.0, 0.0)
    row = next(row for row in family["tables"]["classes"]["rows"] if row[0] == ABSENT)
    assert row[1:7] == [0.0, 0.0, 0.0, 0, 0, 0]
    # contextual 2/3, five types 0: 1/9 over six; over the two that occur 1/3
    assert family["estimates"]["macro_f1"]["value"] == pytest.approx(1 / 9, abs=1e-9)
    assert family["estimates"]["macro_f1_observed"]["value"] == pytest.approx(1 / 3, abs=1e-9)
    json.dumps(found.to_json(), allow_nan=False)


def test_tables_show_a_dash_and_say_why(found) -> None:
    for family, name, absent in (
        ("conflict_types", "classes", ABSENT),
        ("divergence_axes", "axes", "unknown_latent_factor"),
    ):
        table = next(t for t in found.families[family].tables if t.name == name)
        row = next(i for i, held in enumerate(table.rows) if held[0] == absent)
        assert [table.shown(row, at) for at in (1, 2, 3)] == [None] * 3
    types = next(t for t in found.families["conflict_types"].tables if t.name == "classes")
    one_sided = next(i for i, row in enumerate(types.rows) if row[0] == "no_conflict")
    assert types.shown(one_sided, 3).startswith("0.000"), "in the gold, never predicted: really 0"
    why = "Neither gold nor prediction has the type"
    for text in (report_markdown(found), report_html(found, figures=False)):
        assert why in text
    assert any(why in str(row) for table in evaluation_tables(found) for row in table.rows)
