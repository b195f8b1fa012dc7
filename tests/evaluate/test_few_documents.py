"""What an evaluation says where there are too few documents for an interval or a test."""

import json

import pytest

from core.errors import InputError
from core.evaluate import (
    Settings,
    compare_scores,
    evaluate_files,
    evaluation_tables,
    report_html,
    report_markdown,
)

ALL = "corpus,assertions,spans,relaxed,bounds,thresholds,auprc,slices,gold_quality"


def annotation(at, concept):
    return {
        "concept_id": concept,
        "assertion_status": "affirmed",
        "start_offset": at,
        "end_offset": at + 4,
        "text_span": "word",
        "confidence": 0.5 + at / 100,
    }


def written(path, documents):
    rows = [
        {
            "doc_id": f"d{i}",
            "text": "word " * 8,
            "annotations": [annotation(5 * n, c) for n, c in enumerate(held)],
        }
        for i, held in enumerate(documents)
    ]
    path.write_text(json.dumps({"documents": rows}), encoding="utf-8")
    return path


@pytest.fixture
def scored(tmp_path):
    def made(n, said=("HP:1", "HP:2"), families=ALL):
        gold = written(tmp_path / f"gold{n}.json", [("HP:1", "HP:3")] * n)
        silver = written(tmp_path / "silver.json", [said] * n)
        return evaluate_files(silver, gold, Settings.parse(families=families, bootstrap=100, by="all"))

    return made


def estimates(found):
    held = {"corpus": found.families["corpus"].estimates} | {
        n: f.estimates for n, f in found.families.items()
    }
    return {(family, name): e for family, values in held.items() for name, e in values.items()}


def test_one_document_has_no_interval_in_any_family(scored):
    found = scored(1)
    assert [name for name, e in estimates(found).items() if (e.low, e.high) != (None, None)] == []
    families = found.to_json()["families"]
    micro = families["corpus"]["estimates"]["micro_f1"]
    assert (micro["value"], micro["low"], micro["high"], micro["few"]) == (0.5, None, None, True)
    assert "at least 2 documents" in micro["interval_reason"]
    cells = [cell for f in found.families.values() for t in f.tables for row in t.rows for cell in row]
    assert [cell for cell in cells if getattr(cell, "low", None) is not None] == []


def test_the_terminal_and_both_reports_say_so_in_words(scored):
    found = scored(1)
    for text in (
        "\n".join(str(row) for table in evaluation_tables(found) for row in table.rows),
        report_markdown(found),
        report_html(found, figures=False),
    ):
        assert "Values without an interval" in text
    words = report_markdown(scored(3))
    assert "rest on fewer than 10" in words
    assert "Values without an interval" not in words
    assert "fewer than 10," not in report_markdown(scored(10, families="corpus"))


def test_two_systems_on_one_document_are_not_tested(scored):
    """The second finds both concepts, the first one of two: + 0.5, and no word on chance."""
    first, second = scored(1), scored(1, ("HP:1", "HP:3"))
    found = compare_scores(first, second)
    change = found.to_json()["differences"]["macro_f1"]
    assert (change["value"], change["low"], change["p"]) == (0.5, None, None)
    assert (found.t_test.p, found.wilcoxon.p, found.mcnemar.p) == (None, None, None)
    (tests,) = [table for table in found.result.tables if table.name == "tests"]
    assert [row[-1] for row in tests.rows if row[-1] in ("yes", "not shown")] == []
    for differences in found.families.values():
        assert {(d.estimate.low, d.p) for d in differences.values()} <= {(None, None)}
    assert any("Values without an interval" in note for note in found.result.notes)


@pytest.mark.parametrize("about", ["concepts", "pairs", "mentions"])
def test_fewer_than_100_resamples_are_refused(about):
    for few in (1, 10, 99):
        with pytest.raises(InputError, match="at least 100"):
            Settings(about=about, bootstrap=few)
    assert Settings(about=about, bootstrap=100).bootstrap == 100
    assert Settings(about=about, bootstrap=0).bootstrap == 0
