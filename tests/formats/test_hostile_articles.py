"""Files of articles that are damaged, mistaken or meant to harm: in every format a sentence, never a
traceback, and never a part of a file in silence."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.exchange import add_corpus
from core.formats import RowError, read_documents
from core.records import Document
from core.store import Workspace, corpora
from tests.formats.article_examples import CSV, FILES, PAGE, RESULTS, ROWS
from tests.formats.examples import EXAMPLES
from tests.formats.test_hostile_files import DAMAGES

FATAL = {
    **DAMAGES,
    "overlong": lambda b: b.replace("ä".encode(), b"\xc1\xa9").replace("β".encode(), b"\xc1\xa9"),
    "latin-1": lambda b: b.decode().replace("😀", "").replace("β", "ß").encode("latin-1"),
    "an error page": lambda b: b"\n<HTML><head><title>502 Bad Gateway</title></head></HTML>\n",
    "an error in XML": lambda b: b"<?xml version='1.0'?><eFetchResult><ERROR>no id</ERROR></eFetchResult>",
    "a line of words": lambda b: b"API rate limit exceeded\n",
    "gzip of an error page": lambda b: gzip.compress(b"<!doctype html><p>Not found"),
    "the end of another file": lambda b: b + b"\xff\xfe",
    "one line of NUL": lambda b: b + b"\0\0\0\n",
    "an escape in the middle": lambda b: b[: len(b) // 2].rsplit("ä".encode(), 1)[0] + b"\xe4" + b,
}
"""What no part of a file may survive."""
PLAIN = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]*", re.DOTALL)


def outcome(path: Path, form: str | None) -> tuple[list[Document], list[RowError], str | None]:
    """(documents, errors of rows, message that ended the reading)."""
    rows: list[Document | RowError] = []
    message = None
    try:
        for row in read_documents(path, form):
            rows.append(row)
    except InputError as error:
        message = str(error)
        assert message.endswith(".")
    told = [str(row) for row in rows if isinstance(row, RowError)]
    for sentence in [*told, *([message] if message else [])]:
        assert path.name in sentence
        assert PLAIN.fullmatch(sentence)
    documents = [row for row in rows if isinstance(row, Document)]
    return documents, [row for row in rows if isinstance(row, RowError)], message


def test_there_are_two_hundred_files() -> None:
    """With the XML of test_hostile_xml, and the concept documents of test_hostile_files."""
    assert len(FILES) * (len(FATAL) + 2) + 4 * len(DAMAGES) + len(TRAPS) * 4 > 300


@pytest.mark.parametrize("damage", FATAL)
@pytest.mark.parametrize("kind", FILES)
def test_a_damaged_file_is_refused_in_a_sentence(write, kind: str, damage: str) -> None:
    name, form, content = FILES[kind]
    path = write(name, FATAL[damage](content.encode()))
    _, errors, message = outcome(path, form)
    assert message is not None or (errors and damage in ("a line of words", "the end of another file"))


@pytest.mark.parametrize("change", ["mark", "crlf", "gzip", "gzip under a plain name", "mark and crlf"])
@pytest.mark.parametrize("kind", FILES)
def test_harmless_differences_read_the_same(write, kind: str, change: str) -> None:
    name, form, content = FILES[kind]
    expected = outcome(write(name, content), form)
    data = content.encode()
    data = data.replace(b"\n", b"\r\n") if "crlf" in change else data
    data = b"\xef\xbb\xbf" + data if "mark" in change else data
    data = gzip.compress(data) if "gzip" in change else data
    path = write(name + (".gz" if change == "gzip" else ""), data)
    documents, errors, message = outcome(path, form)
    if kind == "rows of CSV" and "crlf" in change:  # a line end inside a cell is part of the text
        assert [d.text.replace("\r\n", "\n") for d in documents] == [d.text for d in expected[0]]
    else:
        assert documents == expected[0]
    assert (errors, message) == ([], None)


@pytest.mark.parametrize("kind", FILES)
def test_a_file_cut_off_anywhere(write, kind: str) -> None:
    """JSON in one piece is refused whole, and so is XML without a whole record. Elsewhere whole records
    remain, but a CSV row that ends where it may end cannot be known to be cut off."""
    name, form, content = FILES[kind]
    data = content.encode()
    whole = {d.doc_id: d for d in outcome(write(name, data), form)[0]}
    for at in range(0, len(data) - 2, 5):
        documents, errors, message = outcome(write("cut-" + name, data[:at]), form)
        if kind in ("rows of JSON", "europepmc") or (kind == "pubmed" and not documents):
            assert message is not None
        if kind == "pubmed" and documents:
            assert "cut off" in errors[-1].cause
        partial = [d for d in documents if d != whole.get(d.doc_id)]
        if kind == "rows of CSV":
            assert partial in ([], documents[-1:])
        else:
            assert partial == []
        assert documents or errors or message


TRAPS: list[tuple[str, str]] = [
    ('"score": NaN', "NaN"),
    ('"score": -Infinity', "-Infinity"),
    ('"score": 1e400', "too large"),
    ('"score": ' + "7" * 5000, "5000 digits"),
    ('"year": 5' + "0" * 5000, "5001 digits"),
    ('"score": 1, "score": 2', "twice"),
    ('"abstract": "a", "abstract": "b"', "twice"),
    ('"nest": ' + "[" * 100_000 + "]" * 100_000, "levels deep"),
    ('"nest": ' + '{"a":' * 20_000 + "1" + "}" * 20_000, "levels deep"),
    ('"title": "\t"', "control character"),
    ('"title": "\\ud83d"', "surrogate"),
    ('"title": "a\\udc00\\ud83d"', "surrogate"),
    ('"ti\\ud83dtle": "x"', "surrogate"),
    ('"title": "\\u0000"', "NUL"),
    ("'title': 1", "property name"),
    ('"title": 01', "delimiter"),
    ('"title": "x",', "property name"),
]
NAMES = [f"{words} {number}" for number, (_, words) in enumerate(TRAPS)]


def trapped(member: str, base: dict[str, Any]) -> str:
    return json.dumps({**base, "id": "7", "pmid": "7"})[:-1] + f", {member}}}"


@pytest.mark.parametrize(("member", "words"), TRAPS, ids=NAMES)
@pytest.mark.parametrize("form", [None, "europepmc"])
def test_a_trap_on_a_line_costs_that_line_only(write, form, member, words) -> None:
    rows = RESULTS if form else ROWS
    base = {name: value for name, value in rows[1].items() if name not in ("title", "abstract", "year")}
    base = base if form else {**base, "abstract_sections": [{"label": "A", "text": "x"}]}
    content = "\n".join([json.dumps(rows[0]), trapped(member, base), json.dumps(rows[1])])
    documents, errors, message = outcome(write("a.jsonl", content), form)
    if form and member.startswith('"ti\\'):  # a field that is not taken
        assert len(documents) == 3
        return
    assert [d.doc_id for d in documents] == ["PMID101", "PMID102"]
    assert message is None
    assert {e.line for e in errors} == {2}
    assert words in errors[0].cause


@pytest.mark.parametrize(("member", "words"), TRAPS, ids=NAMES)
@pytest.mark.parametrize("form", [None, "europepmc"])
def test_a_trap_in_an_object_is_named_by_line(write, form, member, words) -> None:
    rows = RESULTS if form else ROWS
    base = {name: value for name, value in rows[1].items() if name not in ("title", "abstract", "year")}
    base = base if form else {**base, "abstract_sections": [{"label": "A", "text": "x"}]}
    listed = ",\n".join([json.dumps(rows[0]), trapped(member, base), json.dumps(rows[1])])
    content = f'{{"resultList": {{"result": [\n{listed}]}}}}' if form else f'{{"documents": [\n{listed}]}}'
    documents, errors, message = outcome(write("a.json", content), form)
    if form and member.startswith('"ti\\'):
        assert len(documents) == 3
        return
    assert words in (message or errors[0].cause)
    assert "line 3" in (message or str(errors[0]))
    assert documents == [] or len(documents) == 2


def test_a_damaged_file_stores_nothing_and_the_rest_comes_in_on_request(
    workspace: Workspace, write, tmp_path: Path
) -> None:
    """In each format of records: a good one, a bad one, one without an abstract, a good one."""
    bad = {"pmid": "7", "id": "7", "source": "MED", "title": "a\0", "abstract": "x", "abstractText": "x"}
    rows = list(map(json.dumps, [ROWS[0], bad, {"pmid": "8", "abstract": ""}, ROWS[1]]))
    results = [RESULTS[0], bad, {"id": "8", "pmid": "8"}, RESULTS[1]]
    page = {**PAGE, "resultList": {"result": results}}
    none, broken = "PMID- 8\nTI  - No abstract\nSO  - x\n", "PMID- 7x\nAB  - x\nSO  - x\n"
    empty = "<PubmedArticle><MedlineCitation><PMID>8</PMID></MedlineCitation></PubmedArticle><PubmedArticle/>"
    mixed = {
        "x.jsonl": (None, "\n".join(rows)),
        "x.json": (None, f'{{"documents": [{",".join(rows)}]}}'),
        "y.jsonl": ("europepmc", "\n".join(map(json.dumps, results))),
        "z.json": ("europepmc", json.dumps(page)),
        "x.csv": (None, CSV + "8,,No abstract,,,,,,\n7,,Too few cells\n"),
        "x.nbib": (None, f"{FILES['medline'][2]}\n{none}\n{broken}"),
        "x.xml": (None, FILES["pubmed"][2].replace("</PubmedArticleSet>", f"{empty}</PubmedArticleSet>")),
    }
    for number, (name, (form, content)) in enumerate(mixed.items()):
        path = write(name, content)
        revision = workspace.revision()
        with pytest.raises(InputError, match=re.escape(name)):
            add_corpus(workspace, path, name=f"c{number}", format=form)
        assert workspace.revision() == revision
        report = add_corpus(workspace, path, name=f"c{number}", format=form, skip_bad=True)
        assert (report.documents, report.faults, report.without_abstract) == (2, 1, ("PMID8",)), name
        assert "left out (PMID8): 1." in str(report)
        (rejected,) = (tmp_path / f"{name}.rejects.jsonl").read_text().splitlines()
        assert json.loads(rejected)["cause"]
        assert set(corpora.passage_ids(workspace, f"c{number}")) == {"PMID101", "PMID102"}


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(
    st.sampled_from(sorted(FILES)),
    st.lists(
        st.tuples(st.integers(0, 4000), st.integers(0, 12), st.binary(max_size=8)), min_size=1, max_size=4
    ),
)
def test_any_damage_ends_in_documents_or_sentences(tmp_path_factory, kind, edits) -> None:
    """Bytes taken away and put in anywhere. What still comes out can be stored: NUL and halves of surrogate
    pairs never do."""
    name, form, content = FILES[kind]
    data = bytearray(content.encode())
    for at, gone, new in edits:
        data[at % len(data) : at % len(data) + gone] = new
        data = data or bytearray(b"x")
    path = tmp_path_factory.mktemp("damaged") / name
    path.write_bytes(bytes(data))
    documents, errors, message = outcome(path, form)
    assert documents or errors or message
    for document in documents:
        assert document.text.strip()
        assert "\0" not in json.dumps([document.doc_id, document.text, document.title, document.meta])
        for text in (document.doc_id, document.text, document.title or ""):
            text.encode("utf-8")
        for section in document.meta.get("sections", []):
            assert 0 <= section["start"] < section["end"] <= len(document.text)


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(st.sampled_from(["a.xml", "a.nbib", "a.json", "a.jsonl", "a.csv"]), st.binary(max_size=300))
def test_any_bytes_end_in_documents_or_sentences(tmp_path_factory, name: str, data: bytes) -> None:
    path = tmp_path_factory.mktemp("bytes") / name
    path.write_bytes(data)
    documents, errors, message = outcome(path, None)
    assert documents or errors or message
