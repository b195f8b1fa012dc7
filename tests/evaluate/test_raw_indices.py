"""Raw indices from a file: closeness by hand, of leaves and of what is none (definitions 1.3 to 1.5)."""

import json

import pytest
from jsonschema import validate

from core.errors import InputError
from core.evaluate import Options, score_given
from core.formats import schemas
from core.formats.index_answers import holds_indices, read_answers
from core.metrics.unseen import FAMILY


def close(value):
    return pytest.approx(value, abs=1e-9)


@pytest.fixture
def files(tmp_path):
    """Gold X:3 in d1, X:4 and X:1 in d2, X:1 seen in training; four concepts, two below each node."""
    named = {"d1": ["X:3"], "d2": ["X:4", "X:1"]}
    gold = {
        "documents": [
            {"doc_id": d, "annotations": [{"concept_id": c} for c in cs]} for d, cs in named.items()
        ]
    }
    train = {"documents": [{"doc_id": "t", "annotations": [{"concept_id": "X:1"}]}]}
    tree = {"X:1": [0, 0], "X:2": [0, 1], "X:3": [1, 0], "X:4": [1, 1]}
    for name, value in (("gold", gold), ("train", train), ("tree", tree)):
        (tmp_path / f"{name}.json").write_text(json.dumps(value), "utf-8")
    return tmp_path


def said(folder, *rows):
    path = folder / "said.jsonl"
    path.write_text("".join(json.dumps({"doc_id": d, "indices": i}) + "\n" for d, i in rows), "utf-8")
    return path


def scored(folder, *rows, **options):
    given = {"training": [folder / "train.json"], "index": folder / "tree.json"} | options
    return score_given(None, str(said(folder, *rows)), str(folder / "gold.json"), Options(**given))


def test_indices_of_leaves_and_of_no_leaf(files):
    # d1: [1] shares 1 of 2 levels with X:3, 2 concepts are left; d2: [1, 1] is X:4 exactly, [0, 0, 7] no leaf
    found = scored(files, ("d1", [[1], []]), ("d2", [[1, 1], [0, 0, 7]]), ("d9", [[0]]))
    values = {name: e.value for name, e in found.families["unseen"].estimates.items()}
    assert values["u_rc"] == close((1 / 2 + 1) / 2)
    assert values["u_cs"] == close(1 / ((1 / 2 + 1 / 1) / 2))
    assert values["unseen_recall"] == close(1 / 2)
    assert values["exact_precision"] == close(1 / 4)  # the raw ones are none of the gold
    assert found.beside == {
        "documents": 2,
        "indices": 4,
        "indices_that_are_no_leaf": 3,
        "documents_without_indices": 0,
        "unscored_documents": 1,
        "learned_from": 0,
    }
    details = [item.detail for item in found.families["unseen"].open("u_rc")]
    assert details[0] == "1 of 2 levels, 2 left, nearest [1]"
    assert found.to_json()["settings"]["families"] == ["unseen"]
    assert set(values) - {name for name in values if ":" in name} <= set(FAMILY.metrics)


def test_a_document_without_indices_is_an_empty_prediction_and_missing_files_are_named(files):
    found = scored(files, ("d2", [[1, 1]]))
    assert found.families["unseen"].estimates["u_rc"].value == close((0 + 1) / 2)
    assert found.beside["documents_without_indices"] == 1
    assert "label tree" in scored(files, ("d1", []), index=None).families["unseen"].absent
    assert "training set" in scored(files, ("d1", []), training=()).families["unseen"].absent


def test_what_is_no_file_of_indices_is_refused(files, workspace):
    with pytest.raises(InputError, match="share no document"):
        scored(files, ("d7", [[0]]))
    path = said(files, ("d1", [[0]]), ("d1", [[1]]), ("d2", [[-1]]), ("d3", [["0"]]))
    assert holds_indices(path)
    assert not holds_indices(files / "gold.json")
    with pytest.raises(InputError) as refused:
        read_answers(path)
    for part in ("line 2", "was used before", r"line 3, indices[0][0]", "line 4"):
        assert part in str(refused.value)
    with pytest.raises(InputError, match="raw indices, which are scored against a file"):
        score_given(workspace, str(path), "imported:gold@1")
    validate({"doc_id": "d", "indices": [[0, 1], []]}, schemas.schema("raw-indices-line"))
