"""JSON and JSONL: traps are named by line, nothing is changed in silence, out and in again is equal."""

from __future__ import annotations

import io
import json
import re

import pytest
from hypothesis import given, settings

from core.errors import InputError
from core.formats import Metadata, read_documents
from core.formats import json as json_format
from core.formats.strict_json import JsonFault, loads
from core.records import Document
from tests.formats.examples import EXAMPLES, document_sets

GOOD = '{"doc_id": "d1",\n "text": "x"}'


def whole(member: str) -> str:
    """A file whose second document holds `member` on line 5."""
    return f'{{"metadata": {{}},\n"documents": [\n{GOOD},\n{{"doc_id": "d2", {member}, "text": "x"}}\n]}}'


TRAPS = [
    ('"score": NaN', "NaN"),
    ('"score": -Infinity', "-Infinity"),
    ('"score": 1e400', "too large"),
    ('"score": -1e400', "too large"),
    ('"score": ' + "7" * 5000, "5000 digits"),
    ('"score": 1, "score": 2', "twice"),
    ('"nest": ' + "[" * 100_000 + "]" * 100_000, "levels deep"),
    ('"score": 01', "delimiter"),
    ('"score": "\t"', "control character"),
    ("'score': 1", "property name"),
]


@pytest.mark.parametrize(("member", "words"), TRAPS, ids=[words for _, words in TRAPS])
def test_a_trap_in_an_object_is_named_by_line(write, member, words) -> None:
    with pytest.raises(InputError) as caught:
        read_documents(write("a.json", whole(member)))
    assert "a.json, line 5, column" in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize(("member", "words"), TRAPS, ids=[words for _, words in TRAPS])
def test_a_trap_on_a_line_costs_that_line_only(write, read, member, words) -> None:
    bad = f'{{"doc_id": "d2", {member}, "text": "x"}}'
    lines = ['{"doc_id": "d1", "text": "x"}', bad, '{"doc_id": "d3", "text": "x"}']
    found = read(write("a.jsonl", "\n".join(lines)))
    assert [d.doc_id for d in found.documents] == ["d1", "d3"]
    assert [(e.line, e.row) for e in found.errors] == [(2, bad + "\n")]
    assert words in found.errors[0].cause


@pytest.mark.parametrize(
    "member",
    ['"extra": "\\ud83d"', '"ex\\udc00": 1', '"extra": [{"a": "\\ud83d\\ud83d"}]', '"title": "\\udfff"'],
)
def test_half_a_surrogate_pair_is_refused(write, read, member) -> None:
    found = read(write("a.json", whole(member)))
    assert [(e.line, e.doc_id) for e in found.errors] == [(5, "d2")]
    assert "surrogate" in found.errors[0].cause


def test_a_whole_pair_is_one_character(write, read) -> None:
    found = read(write("a.jsonl", '{"doc_id": "d", "text": "\\ud83d\\ude00!"}'))
    assert found.documents[0].text == "😀!"


def test_deep_extra_fields_are_refused(write, read) -> None:
    deep = '"extra": ' + "[" * 80 + "]" * 80
    assert "levels deep" in read(write("a.json", whole(deep))).errors[0].cause


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{"a": 1,\n "a": 2}', 2, 2),
        ('[{"a": [1, {"b": 1}], "b": 1},\n {"b": "a", "c": {"a": 1},\n "b": 3}]', 3, 2),
        ('{"a\\u0062": 1, "ab": 2}', 1, 16),
        ('["NaN", "a:NaN", NaN]', 1, 18),
        ('[1.5, 2e3, -4, "1e999",\n1e999]', 2, 1),
        ("[]\n[]", 2, 1),
        ("", 1, 1),
    ],
)
def test_the_place_of_a_fault(text, line, column) -> None:
    with pytest.raises(JsonFault) as caught:
        loads(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_keys_of_different_objects_may_be_equal() -> None:
    text = '{"a": {"a": [{"a": 1}, {"a": 2}]}, "b": [1, "a", "a"]}'
    assert loads(text) == json.loads(text)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{}", 'no "documents"'),
        ("[]", "holds no documents"),
        ("[] x", "something follows"),
        ("[1", "expecting ']'"),
        ('"x"', "expecting '{'"),
        ('{"documents": {}}', "expecting '['"),
        ('{"documents": [], "documents": []}', "twice"),
        ('{"documents": []} x', "something follows"),
        ('{"documents": [{"doc_id": "d", "text": "x"}', "expecting"),
        ('{"metadata": [], "documents": [{}]}', "metadata"),
        ('{"metadata": {"is_exhaustively_annotated": "yes"}, "documents": []}', "is_exhaustively_annotated"),
        ('{"metadata": {"inter_annotator_kappa": 1.2}, "documents": []}', "inter_annotator_kappa"),
    ],
)
def test_an_object_that_is_no_document_set(write, content, words) -> None:
    with pytest.raises(InputError, match=re.escape(words)):
        list(read_documents(write("a.json", content)))


def test_no_documents_is_an_error(write) -> None:
    for name, content in [
        ("a.json", '{"documents": []}'),
        ("a.jsonl", "\n \n"),
        ("a.jsonl", '{"metadata": {}}'),
    ]:
        with pytest.raises(InputError, match="holds no documents"):
            list(read_documents(write(name, content)))


def test_a_list_of_documents_alone(write, read) -> None:
    found = read(write("a.json", f'[{GOOD},\n{{"doc_id": "d2", "abstract": "y"}},\n{{"text": "z"}}]'))
    assert found.documents == [Document("d1", "x"), Document("d2", "y")]
    assert [(e.line, e.field) for e in found.errors] == [(4, "doc_id")]


def test_metadata_may_follow_the_documents(write, read) -> None:
    found = read(write("a.json", '{"documents": [' + GOOD + '], "metadata": {"version": "7"}}'))
    assert found.set.metadata.version == "7"


def test_the_first_line_may_hold_metadata(write, read) -> None:
    found = read(write("a.jsonl", '{"metadata": {"version": "7"}}\r\n\r\n{"doc_id": "d", "text": "x"}\r\n'))
    assert found.set.metadata.version == "7"
    assert found.documents == [Document("d", "x")]


def test_an_object_is_not_jsonl_and_the_message_says_so(write) -> None:
    line = '{"metadata": {}, "documents": [{"doc_id": "d", "text": "x"}]}'
    with pytest.raises(InputError, match="--format json"):
        list(read_documents(write("a.jsonl", line)))
    with pytest.raises(InputError, match="--format jsonl"):
        read_documents(write("a.json", '{"doc_id": "d", "text": "x"}\n{"doc_id": "e", "text": "x"}'))


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(document_sets())
def test_out_and_in_again_is_equal(tmp_path_factory, made: tuple[Metadata, list[Document]]) -> None:
    metadata, documents = made
    folder = tmp_path_factory.mktemp("again")
    for name, form in (("a.json", json_format.write_object), ("a.jsonl", json_format.write_lines)):
        out = io.BytesIO()
        assert form(metadata, documents, out) == {}
        path = folder / name
        path.write_bytes(out.getvalue())
        found = read_documents(path)
        assert found.metadata == metadata
        assert list(found) == documents
        assert found.notes.sentences() == []
