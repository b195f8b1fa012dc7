"""`ontology search`: the rows of the review page, in their order, as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from core.encode import models
from core.review.search import Search
from core.store import ontologies, open_workspace
from tests.review.search.ward import ontology


def call(workspace: Path, *words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(["--workspace", str(workspace), "ontology", "search", *words])
    return int(end.value.code or 0)


@pytest.fixture
def ward(workspace_path: Path) -> Path:
    with open_workspace(workspace_path) as workspace:
        ontologies.add_ontology(workspace, ontology())
    return workspace_path


def test_rows_say_why_they_are_there(ward: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(ward, "ward", "VSD", "--limit", "3", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["query"], said["ontology"], said["complete"]) == ("VSD", "ward@1", True)
    assert said["rows"][0] == {
        "curie": "HP:0001629",
        "name": "Ventricular septal defect",
        "matched": "Ventricular septal defect",
        "scope": "NAME",
        "why": "abbreviation",
    }
    assert [row["curie"] for row in said["matches"]] == [row["curie"] for row in said["rows"]]
    with open_workspace(ward) as workspace:
        search = Search.of(workspace, 1)
        search.meaning.make(workspace)
        assert [row["curie"] for row in said["rows"]] == [row.curie for row in search.all("VSD", 3).rows]


def test_without_an_encoder_the_answer_is_not_complete(
    ward: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "PACKAGE", "no_such_package")
    assert call(ward, "ward", "seizure", "--json") == 0
    out, err = capsys.readouterr()
    said = json.loads(out)
    assert (said["complete"], said["rows"][0]["name"]) == (False, "Seizure")
    assert "Rows by meaning are missing." in err
    assert "is not installed" in err


def test_errors_name_what_is_wrong(ward: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(ward, "zoo", "seizure") == 2
    assert "There is no ontology 'zoo' in this workspace. Known: ward@1." in capsys.readouterr().err
    assert call(ward, "ward", "  ") == 2
    assert "The query is empty." in capsys.readouterr().err
    assert call(ward, "ward", "🧠 ?!", "--json") == 0
    assert json.loads(capsys.readouterr().out)["rows"] == []
