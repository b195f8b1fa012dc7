"""The data sets of mentions and edges as files: against their schemas, as gold of evaluations, by command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

from core.cli import cli
from core.errors import InputError
from core.evaluate.inputs.mentions import evaluate_mentions
from core.exchange.mention_edges import write_mention_edges
from core.formats.schemas import schema
from core.records import Annotation, Document, Span
from core.store import Workspace, corpora, ontologies
from tests.enrichment.versions import LOGIC, NEW, OLD

TEXT = "The skin is a blue skin, and red elsewhere."
SKIN = "[EX.](inheres_in U:1)"
GOLD = "imported:ward"


def mention(concept: str, quote: str) -> Annotation:
    return Annotation(concept, span=Span(TEXT.index(quote), TEXT.index(quote) + len(quote), quote))


@pytest.fixture
def full(workspace: Workspace) -> Workspace:
    """Both versions, and two documents of gold."""
    for version in (OLD, NEW):
        ontologies.add_ontology(workspace, version)
    marked = (mention("X:8", "blue skin"), mention("X:3", "skin"))
    documents = [
        Document("d1", TEXT, marked, meta={"split": "train"}),
        Document("d2", f"{TEXT} ", (mention("X:4", "red"),), meta={"split": "test"}),
    ]
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "ward")
        stored = list(corpora.insert_passages(db, corpus, documents))
        found = [(number, a) for number, document in stored for a in document.annotations]
        corpora.add_annotation_set(db, "ward", "1", corpus, found, exhaustive=True, sha256="3" * 64)
    return workspace


@pytest.fixture
def logic(tmp_path: Path) -> Path:
    lines = ["format-version: 1.2", ""]
    for curie, parts in LOGIC.items():
        lines += ["[Term]", f"id: {curie}"]
        lines += [f"intersection_of: {f'{r} ' if r else ''}{c} ! label of {c}" for r, c in parts]
        lines.append("")
    path = tmp_path / "logic.obo"
    path.write_text("\n".join(lines), "utf-8")
    return path


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_mention_level(full: Workspace, logic: Path, tmp_path: Path) -> None:
    out = tmp_path / "data"
    found = write_mention_edges(full, [GOLD], "toy@1", "toy@2", out, complex_file=logic)
    assert found["mentions"]["out-of-KB"]["mentions"] == 1
    assert found["new_concepts"] == 3
    assert json.loads((out / "statistics.json").read_text("utf-8")) == found
    [known] = rows(out / "placement-train.jsonl")
    wanted = {
        "mention": "skin",
        "label_concept": "X:3",
        "label_title": "skin finding",
        "parents_concept": f"X:2|{SKIN}",
        "parents": "finding|something that inheres in the label of U:1",
        "children_concept": "X:4|X:5|X:6",
        "complex": True,
    }
    assert {key: known[key] for key in wanted} == wanted
    assert known["parents-children_concept"].split("|")[0] == "X:2-X:4"
    new, last = rows(out / "placement-test.jsonl")
    assert (new["label_concept"], new["label_concept_ori"], new["context_left"]) == (
        "NIL",
        "X:8",
        "The skin is a",
    )
    assert (new["children"], new["parents-children_concept"]) == ("no narrower concept", "X:3-NULL")
    assert (last["label_concept"], last["context_right"]) == ("X:4", "elsewhere.")
    of_mentions = jsonschema.Draft202012Validator(schema("mention-edges-mention-line"))
    for name in ("placement-train", "placement-test", "discovery-train", "discovery-test"):
        for row in rows(out / f"{name}.jsonl"):
            of_mentions.validate(row)
    entities = rows(out / "entities.jsonl")
    assert [entities[row["label_id"]]["label_concept"] for row in (known, new)] == ["X:3", "NIL"]
    assert "1 pairs" not in (out / "README.md").read_text("utf-8")


def test_pair_level(full: Workspace, tmp_path: Path) -> None:
    out = tmp_path / "data"
    write_mention_edges(full, [GOLD], "toy@1", "toy@2", out, level="pair")
    found = rows(out / "placement-train.jsonl")
    assert [(row["parent_concept"], row["child_concept"]) for row in found] == [
        ("X:2", "X:4"),
        ("X:2", "X:5"),
        ("X:2", "X:6"),
    ]
    edges = rows(out / "edges.jsonl")
    of_pairs = jsonschema.Draft202012Validator(schema("mention-edges-pair-line"))
    for row in found:
        of_pairs.validate(row)
        edge = edges[row["edge_label_id"]]
        assert all(edge[key] == row[key] for key in ("parent_concept", "child_concept", "parent", "hops"))


def test_the_files_are_gold_of_evaluations(full: Workspace, tmp_path: Path) -> None:
    out = tmp_path / "data"
    write_mention_edges(full, [GOLD], "toy@1", "toy@2", out)
    placement = out / "placement-test.jsonl"
    right = evaluate_mentions(placement, placement).families["placement"].estimates
    assert (right["mr"].value, right["mrr"].value) == (1.0, 1.0)
    linked = out / "discovery-train.jsonl"
    assert evaluate_mentions(linked, linked).families["discovery"].estimates["accuracy"].value == 1.0


def test_one_command_writes_them_and_another_counts_edges(full: Workspace, tmp_path: Path) -> None:
    def run(*words: str) -> dict[str, Any]:
        done = CliRunner().invoke(cli, ["--workspace", str(full.path), *words, "--json"])
        assert done.exit_code == 0, done.output
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    data, listed = tmp_path / "data", tmp_path / "edges.jsonl"
    words = ("dataset", "mention-edges", "--gold", GOLD, "--old", "toy@1", "--new", "toy@2")
    made = run(*words, "--out", str(data))
    counts = run("ontology", "edges", "toy@1", "--out", str(listed))["counts"]
    assert counts == made["ontology"]
    assert len(rows(listed)) == counts["edges"] == 5 + 6 + 4  # is_a, without a child, two hops


def test_nothing_is_written_where_nothing_can_be_used(full: Workspace, tmp_path: Path) -> None:
    out = tmp_path / "data"
    with pytest.raises(InputError, match=r"holds no mention to use \(3 of no concept of the branch"):
        write_mention_edges(full, [GOLD], "toy@1", "toy@2", out, root="X:5")
    assert not out.exists()
