"""touchstone learn and touchstone learned: what is printed, written and read back."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.cli import cli
from core.errors import InputError
from core.store import open_workspace
from tests.pipeline.test_learn import fill


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("learn") / "w.db"
    with open_workspace(made) as workspace:
        fill(workspace)
    return made


def told(path: Path, *arguments: str) -> dict[str, Any]:
    done = CliRunner().invoke(cli, ["--workspace", str(path), *arguments, "--json"])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_learned_shown_silenced_exported_and_added(path: Path, tmp_path: Path) -> None:
    made = told(path, "learn", "--gold", "imported:c", "--ontology", "toy", "--out", "gaits")
    assert (made["learned"], made["names"], made["head"]) == ("gaits@1", 1, None)
    shown = told(path, "learned", "show", "gaits")
    assert [k["name"] for k in shown["known"] if k["name"]] == ["wobbly gait"]
    assert shown["known"][-1]["label"] == "Ataxia"
    assert told(path, "learned", "mute", "gaits", "Wobbly gait", "--concept", "X:3")["muted"] is True
    assert told(path, "learned", "show", "gaits")["muted"][0]["words"] == "wobbly gait"
    told(path, "learned", "unmute", "gaits", "wobbly gait", "--concept", "X:3")
    assert told(path, "learned", "show", "gaits")["muted"] == []

    file = tmp_path / "theirs.json"
    told(path, "learned", "export", "gaits", "--out", str(file))
    added = told(path, "learned", "add", str(file))
    listed = {row["reference"]: row for row in told(path, "learned", "list")["learned"]}
    assert added["reference"] == "theirs@1"
    assert listed["theirs@1"]["digest"] == listed["gaits@1"]["digest"]
    assert listed["theirs@1"]["source"] == "added"


def test_new_synonyms_for_the_editors_of_an_ontology(path: Path, tmp_path: Path) -> None:
    """By the KGCL grammar (`create related synonym 'x' for ID`) and as a ROBOT template."""
    told(path, "learn", "--gold", "imported:c", "--ontology", "toy", "--name", "gaits")
    for form in ("kgcl", "robot"):
        told(path, "learned", "export", "gaits", "--out", str(tmp_path / form), "--format", form)
    assert "create related synonym 'wobbly gait' for X:3" in (tmp_path / "kgcl").read_text().splitlines()
    with (tmp_path / "robot").open() as lines:
        head, template, row = csv.reader(lines, delimiter="\t")
    assert (template[0], template[2]) == ("ID", "A oboInOwl:hasRelatedSynonym")
    assert dict(zip(head, row, strict=True)) == {
        "ID": "X:3",
        "Label": "Ataxia",
        "Synonym": "wobbly gait",
        "Right in": "2",
        "Of documents": "2",
        "From": "c@1",
    }


@pytest.mark.parametrize(
    "content", ["", "[]", '{"form": 1}', '{"form": 2}', "not json", "\x80", '{"form": 1e400}']
)
def test_a_file_that_is_no_set_is_refused(path: Path, tmp_path: Path, content: str) -> None:
    file = tmp_path / "broken.json"
    file.write_bytes(content.encode("latin-1"))
    done = CliRunner().invoke(cli, ["--workspace", str(path), "learned", "add", str(file)])
    assert done.exit_code != 0
    assert "learned export" in str(done.exception or done.output)
    assert "broken@1" not in CliRunner().invoke(cli, ["--workspace", str(path), "learned", "list"]).output


def test_a_score_tells_what_it_left_out(path: Path) -> None:
    told(path, "learn", "--gold", "imported:c", "--ontology", "toy", "--name", "gaits")
    told(path, "annotate", "--corpus", "rest", "--ontology", "toy", "--learned", "gaits", "--run", "r")
    scored = told(path, "evaluate", "r", "--gold", "imported:rest", "--bootstrap", "0")
    assert scored["beside"]["learned_from"] == 4
    whole = told(path, "evaluate", "r", "--gold", "imported:rest", "--bootstrap", "0", "--in-sample")
    assert whole["settings"]["in_sample"] is True


def test_a_report_of_what_was_learned_from_is_refused_unless_it_is_asked_for(path: Path) -> None:
    told(path, "learn", "--gold", "imported:c", "--ontology", "toy", "--name", "gaits")
    told(path, "annotate", "--corpus", "c", "--ontology", "toy", "--learned", "gaits", "--run", "own")
    out = path.parent / "own.html"
    asked = ["--workspace", str(path), "report", "--run", "own", "--gold", "imported:c", "--out", str(out)]
    for verb in (asked, ["--workspace", str(path), "evaluate", "own", "--gold", "imported:c"]):
        done = CliRunner().invoke(cli, verb)
        assert isinstance(done.exception, InputError), "which ends with 2"
        assert "--in-sample" in str(done.exception)
    assert not out.exists()
    assert CliRunner().invoke(cli, [*asked, "--in-sample"]).exit_code == 0
    assert "Documents that a run was learned from count, too" in out.read_text()
