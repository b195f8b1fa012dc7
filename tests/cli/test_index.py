"""touchstone index: built from a file without a workspace, measured, kept, listed, scored on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from core.cli import cli

ONTOLOGY = """format-version: 1.2
data-version: toy/releases/2020-01-01
ontology: toy

[Term]
id: T:0
name: all
""" + "".join(f"\n[Term]\nid: T:{n}\nname: thing {n}\nis_a: T:{(n - 1) // 4}\n" for n in range(1, 41))


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    path = tmp_path / "toy.obo"
    path.write_text(ONTOLOGY, encoding="utf-8")
    return path


def told(*arguments: object, code: int = 0) -> dict[str, Any]:
    done = CliRunner().invoke(cli, [*map(str, arguments), "--json"])
    assert done.exit_code == code, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_tree_of_a_file_is_the_same_twice_and_its_statistics_are_the_contract(
    toy: Path, tmp_path: Path
) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    built = told("index", "build", "--ontology", toy, "--kind", "osi", "--out", one)
    told("index", "build", "--ontology", toy, "--kind", "osi", "--out", two, "--seed", 7)
    assert one.read_bytes() == two.read_bytes()
    stats = told("index", "stats", one, "--ontology", toy)
    named = ["concepts", "depth", "internal_nodes", "most_children", "over_limit", "single_child", "unique"]
    for field in [*named, "every_concept_a_leaf", "ontology_agreement"]:
        assert stats[field] == built[field], field
    assert (stats["concepts"], stats["depth"]["max"], stats["unique"]) == (40, 2, True)
    # of an is_a tree of 40 that is cut into parts of at most 10, whoever shares a part with its parent shares
    # 1 of 2 levels: the agreement is half the share of those, and the parent baseline the same
    indices = json.loads(one.read_bytes())
    with_parent = [n for n in range(1, 41) if (n - 1) // 4]
    together = [n for n in with_parent if indices[f"T:{n}"][0] == indices[f"T:{(n - 1) // 4}"][0]]
    expected = sum(1 / len(indices[f"T:{n}"]) for n in together) / len(with_parent)
    assert stats["ontology_agreement"] == pytest.approx(expected)
    assert stats["baselines"]["parent"]["closeness"] == pytest.approx(expected)
    assert stats["baselines"]["parent"]["n"] == len(with_parent)
    assert told("index", "stats", one)["ontology_agreement"] is None  # no ontology, no relations


def test_kept_exported_imported_listed_and_scored_on(toy: Path, tmp_path: Path) -> None:
    home = ["--workspace", tmp_path / "w.db"]
    told(*home, "ontology", "add", toy, "--name", "toy")
    kept = told(*home, "index", "build", "--ontology", "toy", "--name", "toy-osi")
    assert (kept["reference"], kept["recipe"]["ontologies"][0]["root"]) == ("toy-osi@1", "T:0")
    out = tmp_path / "out.csv"
    told(*home, "index", "export", "toy-osi", "--out", out)
    assert told(*home, "index", "import", out, "--name", "theirs")["sha256"] == kept["sha256"]
    listed = told(*home, "index", "list")["trees"]
    assert [row["reference"] for row in listed] == ["theirs@1", "toy-osi@1"]
    stats = told(*home, "index", "stats", "toy-osi")
    assert stats["ontology_agreement"] == kept["ontology_agreement"]

    for name, concepts in (("gold", (40, 3)), ("said", (39, 3)), ("train", (3, 3, 7))):
        notes = [{"concept_id": f"T:{n}", "label": "x"} for n in concepts]
        document = {"doc_id": "d", "text": "Some text.", "annotations": notes}
        (tmp_path / f"{name}.json").write_text(json.dumps({"metadata": {}, "documents": [document]}))
    files = [tmp_path / "said.json", "--gold", tmp_path / "gold.json", "--training", tmp_path / "train.json"]
    asked = ["--families", "unseen", "--index", "toy-osi", "--bootstrap", 0]
    scored = told(*home, "evaluate", *files, *asked)
    values = scored["families"]["unseen"]["estimates"]
    told(*home, "index", "export", "toy-osi", "--out", tmp_path / "t.json")
    paths = json.loads((tmp_path / "t.json").read_bytes())
    shared = paths["T:40"][0] == paths["T:39"][0]
    assert values["u_rc"]["value"] == pytest.approx(1 / len(paths["T:40"]) if shared else 0)
    often = paths["T:40"][0] == paths["T:3"][0]  # what training is annotated with most often
    free = values["baseline_closeness:frequent"]["value"]
    assert free == pytest.approx(1 / len(paths["T:40"]) if often else 0)


def test_bad_input_is_refused_with_the_next_step(toy: Path, tmp_path: Path) -> None:
    for arguments, said in (
        (("build", "--ontology", toy), "The tree would be lost"),
        (("stats", tmp_path / "none.json"), "There is no file"),
        (("build", "--ontology", toy, "--root", "T:99", "--out", tmp_path / "o.json"), "T:99"),
        (f"curve a.json --gold g.json --index t.json {' '.join(['--training t.json'] * 2)}".split(), "order"),
    ):
        done = CliRunner().invoke(cli, ["index", *map(str, arguments)])
        assert done.exit_code != 0
        assert said in str(done.exception), (arguments, done.output)
    assert not (tmp_path / "o.json").exists()
