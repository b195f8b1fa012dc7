"""PubMed XML that is damaged or large: faults by line and record, memory of one record."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from collections.abc import Iterator

import pytest

from core.errors import InputError
from core.formats import Notes, RowError, pubmed, xml_records
from core.formats.xml_records import PIECE
from core.records import Document
from tests.formats.article_examples import DOCTYPE, PUBMED, record
from tests.formats.article_examples import pubmed as file_of
from tests.repeats import times

LONGEST = times(4, 32)
"""Megabytes at which a record counts as endless here; 32 in the product, and its parser is slow to tire."""


def rows(content: str) -> list[Document | RowError]:
    return list(pubmed.documents(io.BytesIO(content.encode()), "page 1"))


def test_a_bad_record_is_named_by_its_line_and_costs_no_other() -> None:
    """The head takes three lines, and each record here two more than the one before it."""
    content = file_of(
        record("1"),
        record("x5"),
        record("").replace("<PMID", "<Pmid").replace("/PMID", "/Pmid"),
        "<PubmedArticle/>",
        "<Surprise>two  words</Surprise>",
        record("1", "<AbstractText>Once more.</AbstractText>"),
        record("9"),
    )
    found = rows(content)
    assert [row.doc_id for row in found if isinstance(row, Document)] == ["PMID1", "PMID9"]
    errors = [row for row in found if isinstance(row, RowError)]
    at = [
        i
        for i, line in enumerate(content.splitlines(), 1)
        if line.startswith(("<PubmedArticle>", "<PubmedArticle/"))
    ]
    assert [(e.line, e.field) for e in errors] == [
        (at[1], "PMID"),
        (at[2], "PMID"),
        (at[3], "PMID"),
        (None, "Surprise"),
        (at[4], "doc_id"),
    ]
    assert "'two words'" in errors[3].cause
    assert f"line {at[0]}" in errors[4].cause


def test_lines_are_right_in_files_of_many_pieces() -> None:
    content = file_of(
        *(record(str(i), "<AbstractText>" + "word\n" * 50 + "</AbstractText>") for i in range(1, 800)),
        record("z"),
    )
    assert len(content) > 4 * PIECE
    (error,) = [row for row in rows(content) if isinstance(row, RowError)]
    assert content.splitlines()[(error.line or 0) - 1].startswith("<PubmedArticle>")
    assert ">z<" in content.splitlines()[(error.line or 0) - 1]


@pytest.mark.parametrize("at", range(0, len(PUBMED) - 2, 7))
def test_a_file_cut_off_anywhere_is_refused(at: int) -> None:
    content = PUBMED.encode()[:at]
    with pytest.raises(InputError) as caught:
        list(pubmed.documents(io.BytesIO(content), "page 1"))
    assert "page 1" in str(caught.value)
    assert str(caught.value).endswith(".")


def test_where_it_was_cut_off_is_told() -> None:
    with pytest.raises(InputError, match=r"page 1, line 9, column \d+, after record 1: .* cut off"):
        rows(PUBMED[: PUBMED.index("Title of 102")])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (file_of(record("1")) * 2, "several files"),
        (file_of(record("1")) + "<a/>", "several files"),
        (file_of(record("1")).replace("</Article>", "</Articel>"), "mismatched tag"),
        (file_of(record("1")).replace("Rats", "Rats & mice"), "invalid token"),
        (file_of(record("1")).replace("Rats", "Rats &amp mice"), "invalid token"),
        (file_of(record("1")).replace("Rats", "Rats &eacute;"), "undefined entity"),
        (file_of(record("1")).replace(DOCTYPE, "").replace("Rats", "Rats &eacute;"), "undefined entity"),
        (file_of(record("1")).replace("Rats", "R\x01ats"), "invalid token"),
        (file_of(record("1")).replace("Rats", "R&#0;ats"), "invalid character number"),
        (file_of(record("1")).replace("Rats", "R&#xD83D;ats"), "invalid character number"),
        (file_of(record("1")).replace("Rats", "R\0ats"), "invalid token"),
        (file_of(record("1")).replace("<Language>", '<Language a="1" a="2">'), "duplicate attribute"),
        (file_of(record("1")).replace("<Language>", "<mml:math>"), "unbound prefix"),
        ("<html><body>404</body></html>", "outermost tag of this XML is 'html'"),
        (
            "<eFetchResult><ERROR>API key invalid</ERROR></eFetchResult>",
            "outermost tag of this XML is 'eFetchResult'",
        ),
        ('<PubmedArticleSet xmlns="urn:x"></PubmedArticleSet>', "urn:x"),
        ("", "cut off"),
        ("\n", "cut off"),
        ("PMID- 1", "syntax error"),
    ],
)
def test_what_is_no_pubmed_xml(content: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        rows(content)
    assert words in str(caught.value)
    assert str(caught.value).startswith("page 1")


def test_what_came_before_the_fault_is_whole_and_then_it_raises() -> None:
    found = pubmed.documents(io.BytesIO(PUBMED.replace("β-cells", "&").encode()), "page 1")
    assert isinstance(next(found), Document)
    with pytest.raises(InputError):
        next(found)


# --- size -------------------------------------------------------------------------------------------------


class Endless(io.RawIOBase):
    """A stream made while it is read."""

    def __init__(self, pieces: Iterator[bytes]):
        self.pieces, self.left = pieces, b""

    def read(self, size: int = -1) -> bytes:  # type: ignore[override]
        while len(self.left) < size and (piece := next(self.pieces, b"")):
            self.left += piece
        taken, self.left = self.left[:size], self.left[size:]
        return taken


def test_memory_is_that_of_one_record_however_many_there_are() -> None:
    def pieces(count: int) -> Iterator[bytes]:
        yield b"<PubmedArticleSet>\n"
        for i in range(count):
            yield record(str(i + 1), f"<AbstractText>{'words of an abstract ' * 60}</AbstractText>").encode()
        yield b"</PubmedArticleSet>"

    def peak(count: int) -> int:
        tracemalloc.start()
        try:
            rows = pubmed._rows(iter(pieces(count)), "page 1", Notes())
            assert sum(1 for _ in rows) == count
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    small = peak(200)
    assert peak(1500) < small + 500_000


@pytest.fixture
def longest(monkeypatch: pytest.MonkeyPatch) -> None:
    assert xml_records.MAX_LINE == 32 << 20
    monkeypatch.setattr(xml_records, "MAX_LINE", LONGEST << 20)


@pytest.mark.usefixtures("longest")
@pytest.mark.parametrize(
    "inside", [b"<a>x", b"words ", b"<a>" * 100 + b"</a>" * 100], ids=["nested", "text", "tags"]
)
def test_a_record_without_end_is_stopped(inside: bytes) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"<PubmedArticleSet><PubmedArticle>"
        while True:
            yield inside * 10_000

    stopped = rf"record 1: (the record is longer than {LONGEST} MB|tags are nested more)"
    with pytest.raises(InputError, match=stopped):
        list(pubmed.documents(Endless(pieces()), "page 1"))


@pytest.mark.usefixtures("longest")
def test_a_prolog_without_end_is_stopped() -> None:
    pieces = iter([b"<!-- ", *[b"x" * 2**20] * (LONGEST + 1)])
    with pytest.raises(InputError, match=f"no tag in its first {LONGEST} MB"):
        list(pubmed.documents(Endless(pieces), "page 1"))


def test_gzip_and_its_damages(write, read) -> None:
    packed = gzip.compress(PUBMED.encode())
    assert [d.doc_id for d in read(write("b.xml.gz", packed)).documents] == ["PMID101", "PMID102"]
    for cut in (20, len(packed) // 2, len(packed) - 9):
        with pytest.raises(InputError, match="damaged or cut-off gzip"):
            read(write("b.xml.gz", packed[:cut]))
