"""The similarity threshold of labelled pairs, by the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from core.store import open_workspace
from tests.evaluate import ward
from tests.evaluate.ward import A, B, C, D
from tests.ontology.tiny import OBO


def status(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    return int(ended.value.code or 0)


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    file = tmp_path / "pairs.csv"
    file.write_text(f"first,second,same\n{A},{B},yes\n{C},{D},no\n", "utf-8")
    return file


def test_with_an_ontology_of_the_workspace(workspace_path: Path, labelled: Path, capsys):
    with open_workspace(workspace_path) as workspace:
        ward.fill(workspace)
    words = ["--workspace", str(workspace_path), "calibrate", str(labelled), "--ontology", "hp"]
    assert status(*words, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["n"], found["j"], found["similarity"]) == (2, 1.0, "lin")
    assert status(*words, "--similarity", "lineage") == 0
    assert "Threshold of lineage similarity" in capsys.readouterr().out
    counted = ("--information", "corpus", "--gold", "imported:ward@1", "--json")
    assert status(*words, *counted) == 0
    assert json.loads(capsys.readouterr().out)["documents"] == "imported:ward@1"
    assert status(*words, "--similarity", "resnik") == 2
    assert "resnik" in capsys.readouterr().err


def test_with_an_ontology_file_and_no_workspace(tmp_path: Path, capsys):
    ontology, file = tmp_path / "tiny.obo", tmp_path / "pairs.csv"
    ontology.write_text(OBO, "utf-8")
    file.write_text("first,second,same\nTY:0000002,TY:0000004,yes\nTY:0000001,TY:0000002,no\n", "utf-8")
    assert status("calibrate", str(file), "--ontology", str(ontology)) == 0
    assert "threshold" in capsys.readouterr().out
    gold = tmp_path / "gold.json"
    gold.write_text(
        '{"documents": [{"doc_id": "d", "annotations": [{"concept_id": "TY:0000002"}]}]}', "utf-8"
    )
    words = ["--information", "corpus", "--gold", str(gold), "--json"]
    assert status("calibrate", str(file), "--ontology", str(ontology), *words) == 0
    assert json.loads(capsys.readouterr().out)["documents"].startswith("file:gold.json@")


def test_files_that_are_not_there_are_named(tmp_path: Path, capsys):
    assert status("calibrate", str(tmp_path / "none.csv"), "--ontology", str(tmp_path / "none.obo")) == 2
    assert "none" in capsys.readouterr().err
