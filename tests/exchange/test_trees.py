"""Label trees in and out of a workspace: by version, never changed, refused where a rule is broken."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
from pathlib import Path

import pytest

from core.errors import InputError, NotFoundError
from core.exchange.trees import add_tree, export_tree
from core.formats.label_trees import read_indices
from core.records.trees import Recipe
from core.store import Workspace, trees
from tests.evaluate import ward
from tests.evaluate.ward import A, B, C, E

INDICES = {A: [0, 0], B: [0, 1], C: [1, 0], E: [1, 1]}


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    ward.fill(workspace)
    return workspace


def written(path: Path, indices: dict[str, list[int]]) -> Path:
    path.write_text(json.dumps(indices), encoding="utf-8")
    return path


def test_a_tree_comes_in_and_goes_out_as_it_was(filled: Workspace, tmp_path: Path) -> None:
    file = written(tmp_path / "theirs.json", dict(reversed(INDICES.items())))
    row = add_tree(filled, file, "theirs", "hp")
    assert (row.reference, row.concepts, row.of) == ("theirs@1", 4, "hp@test")
    assert row.recipe.file == "theirs.json"
    assert row.recipe.file_sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    export_tree(filled, "theirs", tmp_path / "out.json")
    export_tree(filled, "theirs", tmp_path / "out.json.gz")
    whole = (tmp_path / "out.json").read_bytes()
    assert hashlib.sha256(whole).hexdigest() == row.sha256
    assert gzip.decompress((tmp_path / "out.json.gz").read_bytes()) == whole
    assert {c: list(i) for c, i in read_indices(tmp_path / "out.json").items()} == INDICES


def test_csv_holds_names_and_is_read_again(filled: Workspace, tmp_path: Path) -> None:
    add_tree(filled, written(tmp_path / "t.json", INDICES), "t", "hp")
    export_tree(filled, "t", tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["concept_id"], row["index"]) for row in rows] == [
        (A, "0 0"),
        (B, "0 1"),
        (C, "1 0"),
        (E, "1 1"),
    ]
    assert [row["label"] for row in rows] == ["Anaemia", "Bruising", "Cough", "'=Eczema"]  # no live formula
    assert add_tree(filled, tmp_path / "t.csv", "again").sha256 == trees.find(filled, "t").sha256


def test_versions_are_counted_and_the_same_is_no_new_one(filled: Workspace) -> None:
    with filled.write() as db:
        one = trees.add(db, "t", {A: (0,), B: (1,)}, Recipe(kind="osi"))
        assert trees.add(db, "t", {B: (1,), A: (0,)}, Recipe(kind="osi")) == one
        other = trees.add(db, "t", {A: (1,), B: (0,)}, Recipe(kind="osi"))
    assert [row.reference for row in trees.list_trees(filled)] == ["t@1", "t@2"]
    assert trees.find(filled, "t") == other
    assert trees.read(filled, trees.find(filled, "t@1")) == {A: (0,), B: (1,)}
    with pytest.raises(NotFoundError, match="t@1, t@2"):
        trees.find(filled, "t@3")
    with pytest.raises(Exception, match="append-only"), filled.write() as db:
        db.execute("UPDATE label_trees SET body = '{}'")


def test_gaps_are_closed_only_where_that_is_asked_for(filled: Workspace, tmp_path: Path) -> None:
    file = written(tmp_path / "gaps.json", {A: [0, 2], B: [0, 7], C: [3]})
    with pytest.raises(InputError, match=r"without gaps: \[\], \[0\].*--renumber"):
        add_tree(filled, file, "gaps")
    row = add_tree(filled, file, "gaps", renumber=True)
    assert trees.read(filled, row) == {A: (0, 0), B: (0, 1), C: (1,)}
    assert row.recipe.renumbered is True


@pytest.mark.parametrize(
    ("indices", "name", "said"),
    [
        ({A: [0], B: [0]}, "t", "share an index"),
        ({A: [0], B: [0, 0], C: [0, 1]}, "t", "no leaf"),
        (INDICES, "../t", "cannot name"),
    ],
)
def test_what_is_no_tree_is_refused_and_nothing_is_stored(
    filled: Workspace, tmp_path: Path, indices: dict[str, list[int]], name: str, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        add_tree(filled, written(tmp_path / "t.json", indices), name)
    assert trees.list_trees(filled) == []
