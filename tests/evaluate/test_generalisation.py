"""Generalisation of concept documents: splits, looks and closeness, from files, runs and uploads."""

import json

import pytest

from core.errors import InputError, NotFoundError
from core.evaluate import Settings, evaluate_files, evaluate_run
from core.evaluate.generalise import (
    Upload,
    as_files,
    evaluate_uploads,
    generalise,
    training_of,
    training_sets,
)
from core.index.tree import LabelTree
from core.metrics.mem_syn_con import Training
from tests.evaluate import ward
from tests.evaluate.trained import add_training
from tests.evaluate.ward import A, B, C, E

EXACT = 1e-9
FAMILIES = Settings(families=("mem_syn_con", "names", "unseen"), bootstrap=100)
TREE = LabelTree({A: (0, 0), B: (0, 1), C: (1, 0), E: (1, 1)}, "ward tree")


def about(value):
    return pytest.approx(value, abs=EXACT)


def annotation(concept, text, quote, status="affirmed"):
    start = text.index(quote)
    return {
        "concept_id": concept,
        "text_span": quote,
        "start_offset": start,
        "end_offset": start + len(quote),
        "assertion_status": status,
    }


TEXT = "Skin tumour, AT and new name; no other."


def documents(*annotations):
    held = [annotation(concept, TEXT, quote, *status) for concept, quote, *status in annotations]
    return json.dumps({"metadata": {}, "documents": [{"doc_id": "d1", "text": TEXT, "annotations": held}]})


GOLD = documents(("X:1", "Skin tumour"), ("X:2", "AT"), ("X:9", "new name"), ("X:3", "other", "negated"))
SAID = documents(("X:1", "Skin tumour"), ("X:2", "AT and"), ("X:8", "new name"), ("X:3", "other", "negated"))
TRAINING = Training.of(["at"], ["X:1", "X:2"])
X_TREE = LabelTree({"X:1": (0, 0), "X:2": (0, 1), "X:8": (1, 0), "X:9": (1, 1)}, "x")


@pytest.fixture
def scored(tmp_path):
    for name, text in (("gold.json", GOLD), ("said.json", SAID)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return evaluate_files(
        tmp_path / "said.json", tmp_path / "gold.json", FAMILIES, training=TRAINING, tree=X_TREE
    )


def test_splits_of_concept_documents(scored):
    # Skin tumour: SYN, found; AT: MEM, missed (one word too long); new name: CON, found (its id is no part
    # of the place). The negated mention does not count by default.
    found = {name: e.value for name, e in scored.families["mem_syn_con"].estimates.items()}
    assert (found["recall:MEM"], found["recall:SYN"], found["recall:CON"]) == (0.0, 1.0, 1.0)
    assert (found["precision"], found["recall"]) == (about(2 / 3), about(2 / 3))
    assert found["overestimation"] == about(2 / 3 - 1)


def test_a_warning_where_most_mentions_can_be_had_by_heart(scored, tmp_path):
    assert scored.families["mem_syn_con"].warnings == ()  # one of three
    known = Training.of(["at", "new name"], ["X:1"])
    found = evaluate_files(tmp_path / "said.json", tmp_path / "gold.json", FAMILIES, training=known)
    [said] = found.families["mem_syn_con"].warnings
    assert said.startswith("Memorisable mentions dominate: 67% of the gold mentions")
    assert "overall recall of 0.667" in said
    assert said.endswith("the recall of the others is 1.000.")
    assert said in found.families["mem_syn_con"].to_json()["notes"]


def test_items_are_concepts_of_documents(scored):
    opened = scored.families["mem_syn_con"].open("recall:MEM")
    assert [(i.doc_id, i.id, i.outcome, i.detail) for i in opened] == [
        ("d1", "X:2", "fn", "“AT” at 13 to 15; MEM")
    ]


def test_closeness_of_concept_documents(scored):
    # X:9 is the only unseen gold; the nearest prediction is X:8 beside it: 1 of 2 levels, 2 concepts left.
    found = scored.families["unseen"]
    assert found.estimates["u_rc"].value == about(1 / 2)
    assert found.estimates["u_cs"].value == about(2)
    # any other concept: X:8 shares 1 of 2, X:1 and X:2 nothing; sizes 2, 4, 4
    assert found.estimates["baseline_closeness:random"].value == about(1 / 6)
    assert found.estimates["baseline_size:random"].value == about(3 / (1 / 2 + 1 / 4 + 1 / 4))
    assert any("same tree" in note for note in found.notes)
    (item,) = found.open("u_rc")
    assert (item.id, item.outcome, item.detail) == ("X:9", "fn", "1 of 2 levels, 2 left, nearest X:8")


def opens_as_it_counts(families):
    for result in families.values():
        for table in result.tables:
            for row, keys in zip(table.rows, table.opens, strict=False):
                for cell, key in zip(row, keys, strict=True):
                    if key:
                        opened = result.open(key)
                        assert not isinstance(cell, int) or len(opened) == cell, (table.name, key)
        for name in result.estimates:
            result.open(name)
        with pytest.raises(KeyError):
            result.open("nonsense")


def test_every_key_opens_and_counts_are_as_many_as_their_items(scored):
    opens_as_it_counts(scored.families)


def test_a_tree_that_breaks_rules_says_so_and_opens_what_breaks_them(tmp_path):
    for name, text in (("gold.json", GOLD), ("said.json", SAID)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    tree = LabelTree({"X:9": (0, 1), "X:8": (0, 1), "X:1": (0,), "X:2": (2, 0)}, "bad")
    found = evaluate_files(
        tmp_path / "said.json", tmp_path / "gold.json", FAMILIES, training=TRAINING, tree=tree
    ).families["unseen"]
    assert any("breaks rules" in note for note in found.notes)
    assert [i.id for i in found.open("tree:shared")] == ["X:8", "X:9"]
    assert [i.id for i in found.open("tree:inner")] == ["X:1"]
    assert [i.id for i in found.open("tree:single_child")] == ["[0]", "[2]"]
    assert [i.id for i in found.open("tree:gaps")] == ["[]", "[0]"]


@pytest.mark.parametrize(
    ("given", "absent"),
    [
        ({}, {"mem_syn_con": "training set", "unseen": "label tree"}),
        ({"training": Training.of(["at"], None), "tree": X_TREE}, {"unseen": "has none"}),
        ({"tree": X_TREE}, {"mem_syn_con": "training set", "unseen": "training set"}),
    ],
)
def test_what_is_missing_is_named(tmp_path, given, absent):
    for name, text in (("gold.json", GOLD), ("said.json", SAID)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = evaluate_files(tmp_path / "said.json", tmp_path / "gold.json", FAMILIES, **given).families
    for family, word in absent.items():
        assert word in found[family].absent


# --- a workspace --------------------------------------------------------------------------------------------


def test_labels_without_places_have_no_splits(workspace):
    ward.fill(workspace)
    result = evaluate_run(workspace, ward.RUN, ward.GOLD, FAMILIES, training=TRAINING)
    assert "no place" not in (result.before.families["mem_syn_con"].absent or "")
    assert "offsets" in result.before.families["mem_syn_con"].absent


def test_a_run_on_a_tree_with_the_ontology_of_the_run(workspace):
    # gold: d1 A, B; d2 C; d4 A (by an old id). A is seen. Unseen: (d1, B) with A and E proposed: 1 of 2, 2
    # left; (d2, C) with C proposed: exact. Parents: of B it is A (1 of 2, 2 left); C's is the root, no index.
    ward.fill(workspace)
    training = Training.of([], [ward.OLD_A])  # an old id stands for A
    result = evaluate_run(workspace, ward.RUN, ward.GOLD, FAMILIES, training=training, tree=TREE)
    found = result.before.families["unseen"].estimates
    assert found["u_rc"].value == about((1 / 2 + 1) / 2)
    assert found["u_cs"].value == about(2 / (1 / 2 + 1))
    assert (found["baseline_closeness:parent"].value, found["baseline_closeness:parent"].n) == (
        about(1 / 2),
        1,
    )
    # siblings of B: none; of C: A (0 of 2) and E (1 of 2)
    assert (found["baseline_closeness:sibling"].value, found["baseline_closeness:sibling"].n) == (
        about(1 / 4),
        1,
    )
    assert found["baseline_size:sibling"].value == about(1 / ((1 / 4 + 1 / 2) / 2))
    opens_as_it_counts({"unseen": result.before.families["unseen"]})
    assert [i.id for i in result.before.families["unseen"].open("units:parent")] == [B]


def test_closeness_before_and_after_review(workspace):
    ids = ward.fill(workspace)
    ward.review(workspace, ids)
    result = evaluate_run(workspace, ward.RUN, ward.GOLD, FAMILIES, training=Training.of([], [A]), tree=TREE)
    before, after = (
        side.families["unseen"].estimates["u_rc"].value for side in (result.before, result.after)
    )
    assert (before, after) == (about(3 / 4), about(1))  # alpha adds B


def test_an_imported_set_as_training_set(workspace):
    ward.fill(workspace)
    add_training(workspace)
    assert set(training_sets(workspace)) == {"imported:ward@1", "imported:train@1"}
    assert training_of(workspace, "imported:train@1") == Training(
        frozenset({"anaemia"}), frozenset({A}), "imported:train@1"
    )
    with pytest.raises(NotFoundError, match="imported:ward@1"):
        training_of(workspace, "imported:nothing@1")


def test_a_run_with_a_training_set_of_the_workspace_and_an_uploaded_tree(workspace):
    ward.fill(workspace)
    add_training(workspace)
    index = Upload("../tree.json", json.dumps({c: list(i) for c, i in TREE.indices.items()}).encode())
    result = generalise(workspace, ward.RUN, ward.GOLD, FAMILIES, "imported:train@1", index=(index,))
    assert result.before.families["unseen"].estimates["u_rc"].value == about(3 / 4)


# --- uploads ------------------------------------------------------------------------------------------------


def test_uploaded_tags():
    gold, said = Upload("gold.txt", b"AT B\nx O\nnew B\n"), Upload("gold.txt", b"AT B\nx O\nnew O\n")
    found = evaluate_uploads(said, gold, Settings(), names=(Upload("names.txt", b"at\n"),))
    estimates = found.families["mem_syn_con"].estimates
    assert (estimates["recall:MEM"].value, estimates["recall:UNS"].value) == (1.0, 0.0)


@pytest.mark.parametrize(
    "name", ["../../etc/x.txt", "/x.txt", "..", "", "a\0b.txt", "é" * 300 + ".json.gz", ".x"]
)
def test_the_name_of_an_upload_is_never_a_path(name):
    with as_files((Upload(name, b"1"), Upload(name, b"2"))) as paths:
        folder = paths[0].parents[1]
        assert [path.read_bytes() for path in paths] == [b"1", b"2"]
        assert all(path.resolve().is_relative_to(folder.resolve()) for path in paths)
        assert paths[0].suffixes[-2:] == [".json", ".gz"] or not name.endswith(".json.gz")
    assert not folder.exists()


def test_an_upload_that_cannot_be_read_is_named():
    with pytest.raises(InputError, match=r"gold\.txt, line 1"):
        evaluate_uploads(Upload("said.txt", b"a B\n"), Upload("gold.txt", b"a\n"), Settings())
