"""Files of mentions: linked to concepts, or with edges; told by the first row, refused by line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import ValidationError, validate

from core.errors import InputError
from core.formats import schemas
from core.formats.mentions import mentions_in, read_edges, read_links

LINK = {"mention_id": "m1", "doc_id": "d1", "text": "fits", "concept_id": "X:1", "left_context": "with"}
EDGES = {"mention_id": "m1", "edges": [{"parent": "X:1", "child": "X:2"}, {"parent": "X:1", "child": None}]}


def write(tmp_path: Path, *rows: Any, name: str = "mentions.jsonl") -> Path:
    path = tmp_path / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_linked_mentions(tmp_path: Path) -> None:
    path = write(
        tmp_path, LINK, {"mention_id": "m2", "concept_id": "NIL"}, {"mention_id": "m3", "concept_id": None}
    )
    found = [(r.mention_id, r.doc_id, r.text, r.concept_id) for r in read_links(path)]
    assert found == [("m1", "d1", "fits", "X:1"), ("m2", None, None, "NIL"), ("m3", None, None, None)]
    assert mentions_in(path) == "links"


def test_mentions_with_edges_gzipped_and_the_size_of_the_catalogue(tmp_path: Path) -> None:
    path = tmp_path / "edges.jsonl.gz"
    rows = [{"metadata": {"edges": 12, "name": "older"}}, EDGES]
    rows += [{"mention_id": "m2", "edges": [{"parent": "X:3", "child": "NULL", "score": 0.5}]}]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    found, size = read_edges(path)
    assert size == 12
    assert [[(e.parent, e.child, e.score) for e in row.edges] for row in found] == [
        [("X:1", "X:2", None), ("X:1", None, None)],
        [("X:3", None, 0.5)],  # NULL, as others write it, is no child
    ]
    assert mentions_in(path) == "edges"


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("documents.jsonl", {"doc_id": "d", "text": "t", "annotations": []}),
        ("pairs.jsonl", {"pair_id": "p"}),
        ("mentions.json", LINK),
        ("list.jsonl", [1]),
    ],
)
def test_other_files_hold_no_mentions(tmp_path: Path, name: str, row: Any) -> None:
    assert mentions_in(write(tmp_path, row, name=name)) is None


BAD_LINKS = [
    ({"concept_id": "X:1"}, "mention_id: is missing"),
    ({"mention_id": "m"}, "concept_id: is missing .mention 'm'."),
    ({"mention_id": " ", "concept_id": "X:1"}, "mention_id"),
    ({"mention_id": "m", "concept_id": 7}, "concept_id: expected a valid string, found 7"),
    ([], "expected"),
]
BAD_EDGES = [
    ({"mention_id": "m"}, "edges: is missing"),
    ({"mention_id": "m", "edges": [{"child": "X:1"}]}, r"edges\[0\].parent: is missing"),
    ({"mention_id": "m", "edges": [{"parent": "X:1", "score": "1"}]}, r"edges\[0\].score"),
    ({"mention_id": "m", "edges": [{"parent": "a"}, {"parent": "b", "score": 1}]}, "some have none"),
]


@pytest.mark.parametrize(("row", "words"), BAD_LINKS)
def test_wrong_links_name_line_and_field(tmp_path: Path, row: Any, words: str) -> None:
    with pytest.raises(InputError, match=f"mentions.jsonl, line 2.*{words}"):
        read_links(write(tmp_path, LINK, row))
    with pytest.raises(ValidationError):
        validate(row, schemas.schema("linked-mentions-line"))


@pytest.mark.parametrize(("row", "words"), BAD_EDGES)
def test_wrong_edges_name_line_and_field(tmp_path: Path, row: Any, words: str) -> None:
    with pytest.raises(InputError, match=f"mentions.jsonl, line 2.*{words}"):
        read_edges(write(tmp_path, EDGES, row))


def test_what_is_read_validates() -> None:
    validate(LINK, schemas.schema("linked-mentions-line"))
    for row in (EDGES, {"metadata": {"edges": 5}}):
        validate(row, schemas.schema("mention-edges-line"))


def test_a_catalogue_of_no_edges_and_a_file_of_no_mentions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="metadata, edges: expected"):
        read_edges(write(tmp_path, {"metadata": {"edges": 0}}, EDGES))
    with pytest.raises(InputError, match="holds no mentions"):
        read_edges(write(tmp_path, {"metadata": {}}))
    path = tmp_path / "broken.jsonl"
    path.write_text("{'mention_id'}\n", "utf-8")
    with pytest.raises(InputError, match="line 1: column"):
        read_links(path)
