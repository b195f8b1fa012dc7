"""Dictionary baselines as files: of documents and of tags, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import InputError
from core.exchange.baselines import synonyms_of, write_baseline
from core.formats import read_documents
from core.formats.conll import mentions_of, read_tokens
from core.records import Concept, Synonym

OBO = """format-version: 1.2
ontology: toy

[Term]
id: X:1
name: root

[Term]
id: X:2
name: fever
synonym: "high temperature" EXACT []
alt_id: X:20
is_a: X:1

[Term]
id: X:3
name: cough
is_a: X:1
"""
TEXT = "Fever, high temperature and cough."


def documents(path: Path, *named: tuple[str, str]) -> str:
    marked = [
        {"concept_id": c, "text_span": q, "start_offset": TEXT.index(q), "end_offset": TEXT.index(q) + len(q)}
        for c, q in named
    ]
    path.write_text(json.dumps({"doc_id": "d", "text": TEXT, "annotations": marked}) + "\n", "utf-8")
    return str(path)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    """Training, texts, ontology: training bears an alternative id of fever."""
    (tmp_path / "toy.obo").write_text(OBO, "utf-8")
    return (
        documents(tmp_path / "train.jsonl", ("X:20", "Fever")),
        documents(tmp_path / "on.jsonl"),
        str(tmp_path / "toy.obo"),
    )


def found(out: Path) -> list[tuple[str, str]]:
    [document] = read_documents(out).documents()
    return [(a.concept, a.span.quote) for a in document.annotations if a.span]


def test_a_training_set_its_synonyms_and_those_of_every_concept(
    files: tuple[str, str, str], tmp_path: Path
) -> None:
    train, on, ontology = files
    out = tmp_path / "out.jsonl"
    made = write_baseline(None, [train], on, out)
    assert (made["source"], made["names"], made["mentions"]) == ("dict-train", 1, 1)
    assert found(out) == [("X:20", "Fever")]
    assert write_baseline(None, [train], on, out, ontology=ontology)["source"] == "dict-syn"
    assert [quote for _, quote in found(out)] == ["Fever", "high temperature"]
    write_baseline(None, [train], on, out, ontology=ontology, every=True)
    assert [quote for _, quote in found(out)] == ["Fever", "high temperature", "cough"]


def test_tags_come_out_as_tags(tmp_path: Path) -> None:
    train, on, out = (tmp_path / name for name in ("train.txt", "on.txt", "out.txt"))
    train.write_text("skin B\ntumour I\nand O\n\n", "utf-8")
    on.write_text("A O\nSkin O\nTumour O\ngrew O\n\nskin O\n\n", "utf-8")
    assert write_baseline(None, [str(train)], str(on), out)["mentions"] == 1
    said = read_tokens(out)
    assert [m.text for d in said.documents.values() for m in mentions_of("out", d)] == ["Skin Tumour"]
    assert [
        row.token for d in said.documents.values() for s in d for row in s
    ] == ["A", "Skin", "Tumour", "grew", "skin"]


def test_synonyms_below_a_root_and_of_live_concepts_alone() -> None:
    concepts = (
        Concept("X:1", "root"),
        Concept("X:2", "fever", synonyms=(Synonym("pyrexia", "EXACT"),), parents=("X:1",)),
        Concept("X:3", "gone", parents=("X:1",), obsolete=True),
    )
    assert [name.text for name in synonyms_of(concepts, "X:1")] == ["fever", "pyrexia"]


def test_what_has_no_names_or_no_concepts_is_refused(files: tuple[str, str, str], tmp_path: Path) -> None:
    _, on, ontology = files
    out = tmp_path / "out.jsonl"
    with pytest.raises(InputError, match="holds no mention with a place"):
        write_baseline(None, [on], on, out)
    tags = tmp_path / "train.txt"
    tags.write_text("skin B\ntumour I\n\n", "utf-8")
    with pytest.raises(InputError, match="names no concepts"):
        write_baseline(None, [str(tags)], on, out, ontology=ontology)
    assert not out.exists()
