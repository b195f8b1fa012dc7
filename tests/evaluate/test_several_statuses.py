"""A concept with several statuses in one document: each counts (metric-definitions 5.1, 5.3)."""

import json

import pytest

from core.evaluate import Settings, evaluate_file, evaluate_files, evaluate_run
from core.exchange import add_corpus, add_proposals
from core.metrics.documents import Item

ASKED = Settings.parse(families="assertions,slices", by="assertion", bootstrap=0)
TEXT = "No fever now. Fever before."
BOTH = (("HP:1", "affirmed", 14, "Fever"), ("HP:1", "negated", 3, "fever"))


def written(path, *documents):
    rows = [
        {
            "doc_id": f"d{number}",
            "text": TEXT,
            "annotations": [
                {
                    "concept_id": c,
                    "assertion_status": status,
                    "start_offset": at,
                    "end_offset": at + 5,
                    "text_span": words,
                }
                for c, status, at, words in held
            ],
        }
        for number, held in enumerate(documents)
    ]
    path.write_text(json.dumps({"documents": rows}), encoding="utf-8")
    return path


@pytest.fixture
def gold(tmp_path):
    return written(tmp_path / "gold.json", BOTH)


@pytest.fixture
def said(tmp_path):
    """The negated mention alone."""
    return written(tmp_path / "said.json", BOTH[1:])


def checked(found):
    """Gold {affirmed, negated}, proposed {negated}: 1 right of 1 and of 2, F1 2/3; one pair, right."""
    values = {name: e.value for name, e in found.families["assertions"].estimates.items()}
    assert values["joint_precision"] == 1
    assert values["joint_recall"] == pytest.approx(1 / 2, abs=1e-9)
    assert values["joint_f1"] == pytest.approx(2 / 3, abs=1e-9)
    assert (values["term_f1"], values["accuracy"]) == (1, 1)
    assert (values["recall:affirmed"], values["recall:negated"]) == (0, 1)
    result = found.families["assertions"]
    both = "gold affirmed and negated, proposed negated"
    assert result.open("joint_f1") == [Item("d0", "HP:1", "fn", both), Item("d0", "HP:1", "tp", both)]
    assert result.open("confusion:negated:negated") == [Item("d0", "HP:1", "tp", both)]
    slices = found.families["slices"].estimates
    assert (slices["recall:assertion:affirmed"].value, slices["recall:assertion:negated"].value) == (0, 1)
    (missed,) = found.families["slices"].open("fn:assertion:affirmed")
    assert (missed.id, missed.detail) == ("HP:1", both)


def test_of_two_files(gold, said):
    checked(evaluate_files(said, gold, ASKED))


def test_of_imported_gold(workspace, gold, said):
    add_corpus(workspace, gold, name="cases")
    checked(evaluate_file(workspace, said, "imported:cases", ASKED))


def test_of_a_run_on_imported_gold(workspace, gold, said):
    add_corpus(workspace, gold, name="cases")
    add_proposals(workspace, said, run="silver", source="by hand", corpus="cases")
    checked(evaluate_run(workspace, "silver", "imported:cases", ASKED).before)


def test_several_proposed_statuses_are_paired_with_several_of_gold(tmp_path):
    """d0: both on both sides, the diagonal. d1: affirmed against {negated, uncertain}: canonical order."""
    gold = written(tmp_path / "gold.json", BOTH, BOTH[:1])
    other = (("HP:1", "uncertain", 14, "Fever"), BOTH[1])
    found = evaluate_files(written(tmp_path / "said.json", BOTH, other), gold, ASKED).families["assertions"]
    (confusion,) = [table for table in found.tables if table.name == "confusion"]
    assert confusion.rows == [("affirmed", 1, 1, 0), ("negated", 0, 1, 0), ("uncertain", 0, 0, 0)]
    # triples: 2 right; d1 misses affirmed and makes two up
    assert found.estimates["joint_f1"].value == pytest.approx(2 * 2 / (3 + 4), abs=1e-9)


def test_the_document_itself_keeps_its_strongest_status(gold, said):
    """Corpus values speak of documents: what is affirmed somewhere is missed by a negated prediction."""
    assert evaluate_files(said, gold, ASKED).families["corpus"].totals.fn == 1
