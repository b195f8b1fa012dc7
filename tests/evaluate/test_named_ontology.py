"""Ids that a named ontology does not hold, and obsolete ids with a replacement: not resolved, but told."""

import json

import pytest

from core.evaluate import Settings, evaluate_file, evaluate_files, scope, scope_of_file
from core.exchange import add_corpus, add_ontology

OBO = """format-version: 1.2
data-version: tiny/1

[Term]
id: HP:0000001
name: All

[Term]
id: HP:0000002
name: New name
is_a: HP:0000001

[Term]
id: HP:0000003
name: obsolete Old name
is_obsolete: true
replaced_by: HP:0000002
"""
OLD, NEW, FOREIGN = "HP:0000003", "HP:0000002", "MESH:D000001"


def written(path, *sets):
    rows = [
        {"doc_id": f"d{i}", "text": "Words.", "annotations": [{"concept_id": c} for c in held]}
        for i, held in enumerate(sets)
    ]
    path.write_text(json.dumps({"documents": rows}), encoding="utf-8")
    return path


@pytest.fixture
def ontology(tmp_path):
    path = tmp_path / "tiny.obo"
    path.write_text(OBO, encoding="utf-8")
    return path


def checked(found):
    """d0: the replacement of its obsolete gold id was proposed; d1: nothing of the kind; d2: the reverse."""
    assert (
        found.families["corpus"].totals.tp,
        found.families["corpus"].totals.fn,
        found.families["corpus"].totals.fp,
    ) == (1, 3, 2)
    beside = found.to_json()["beside"]
    assert (beside["replaced"], beside["replaced_predictions"], beside["outside_ontology"]) == (1, 1, 2)
    (told,) = [note for note in found.notes if note.startswith("Obsolete gold ids")]
    assert f"{OLD}, now {NEW}" in told
    assert any(f"does not hold, on either side: 2 ({FOREIGN})" in note for note in found.notes)


GOLD = ([OLD], [OLD, FOREIGN], [NEW])
SAID = ([NEW], [FOREIGN], [OLD])


def test_of_an_ontology_file(tmp_path, ontology):
    files = written(tmp_path / "said.json", *SAID), written(tmp_path / "gold.json", *GOLD)
    checked(evaluate_files(*files, Settings(bootstrap=0), scope_of_file(ontology)))
    plain = evaluate_files(*files, Settings(bootstrap=0))
    assert (plain.beside["replaced"], plain.beside["outside_ontology"]) == (0, 0)


def test_of_an_ontology_of_the_workspace(workspace, tmp_path, ontology):
    add_ontology(workspace, ontology, name="tiny")
    add_corpus(workspace, written(tmp_path / "gold.json", *GOLD), name="cases")
    said = written(tmp_path / "said.json", *SAID)
    checked(evaluate_file(workspace, said, "imported:cases", Settings(bootstrap=0), scope(workspace, "tiny")))


def test_with_a_root_the_old_id_is_outside_and_still_told(tmp_path, ontology):
    files = written(tmp_path / "said.json", *SAID), written(tmp_path / "gold.json", *GOLD)
    found = evaluate_files(*files, Settings(bootstrap=0), scope_of_file(ontology, "HP:0000001"))
    assert (
        found.families["corpus"].totals.gold,
        found.beside["replaced"],
        found.beside["outside_ontology"],
    ) == (1, 1, 2)
