"""CSV: text in = text out, no live formulas, and errors by line and column."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.formats import Metadata, read_documents
from core.formats import csv as csv_format
from core.formats.source import Source
from core.formats.tables import read_table, write_table
from core.records import Annotation, Assertion, Document, Span
from tests.formats.examples import EXAMPLES, FORMULAS, LETTERS, ODD, document_sets

HEADER = "doc_id,text,concept_id,label,assertion_status,text_span,start_offset,end_offset\n"

# the lead-ins that spreadsheets run, or that hide one: OWASP's list with its full-width forms, behind white
# space, controls and characters that do not show
PREFIXES = [
    "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "−",
    " =", "  +", "\t=", "\r=", "\n@", "\r\n-", "\x0b=", "\x0c=", "\xa0=", "\u2003+", "\u3000@", "\u2028=",
    "\x01=", "\x1f+", "\u200b=", "\u200e-", "\ufeff=", "\u2060@", " \u200b =",
    "=cmd|' /C calc'!A", "+1+1", "-2+3", "@SUM(1)*", '=HYPERLINK("http://x")',
    "=1;=", "==", "+-", "-@", "=\n=",
]  # fmt: skip


UNSEEN = "\x01\x0b\x0c\x1f\u200b\u200e\u2060\ufeff \t\r\n\xa0\u2003\u3000\u2028"


def test_there_are_forty_prefixes() -> None:
    assert len(set(PREFIXES)) >= 40


@pytest.mark.parametrize("prefix", PREFIXES)
def test_no_cell_starts_a_formula_and_all_come_back(tmp_path: Path, prefix: str) -> None:
    value = prefix + "1+1"
    quote = value.strip() or value
    text = f"{value} and {quote}"
    start = text.index(quote, 2)
    document = Document(
        doc_id=value,
        text=text,
        annotations=(
            Annotation(
                "HP:1", value, Assertion.AFFIRMED, Span(start, start + len(quote), quote), reason=value
            ),
        ),
        title=value,
        meta={value: value},
    )
    path = tmp_path / "a.csv"
    with path.open("wb") as out:
        csv_format.write(Metadata(version=value), [document], out)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    cells = [cell for row in rows[1:] for cell in row]
    assert not [cell for cell in cells if cell.lstrip(UNSEEN)[:1] in tuple("=+-@＝＋－＠−")]
    assert not [cell for cell in cells if cell.startswith(("\t", "\r", "\n"))]
    assert list(read_documents(path)) == [document]


def test_what_needs_no_guard_gets_none(tmp_path: Path) -> None:
    row = {"a": "'=1", "b": "x-1", "c": "a=b", "d": 5, "e": None}
    with (tmp_path / "a.csv").open("wb") as out:
        write_table((*row, "guarded_cells"), [row], out)
    assert (tmp_path / "a.csv").read_text() == "a,b,c,d,e,guarded_cells\n'=1,x-1,a=b,5,,\n"


def test_values_stay_what_they_are(write, read) -> None:
    """Nothing is taken for a number, a date, a missing value or white space to trim."""
    lines = [
        "doc_id,text,title,year,score\n",
        "012,NA,None,1e5,\n",
        "1e400,'=x,null, 3 ,0012\n",
        ' 7 ,"a""b\r\n,c;\td",nan,,TRUE\n',
    ]
    found = read(write("a.csv", "".join(lines)))
    assert found.errors == []
    assert found.documents == [
        Document("012", "NA", title="None", meta={"year": "1e5"}),
        Document("1e400", "'=x", title="null", meta={"year": " 3 ", "score": "0012"}),
        Document(" 7 ", 'a"b\r\n,c;\td', title="nan", meta={"score": "TRUE"}),
    ]


@pytest.mark.parametrize(("mark", "end"), [("\ufeff", "\n"), ("", "\r\n"), ("\ufeff", "\r\n")])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_marks_line_ends_and_separators(write, read, mark, end, separator) -> None:
    table = "doc_id,text,hpo_id\nd1,a fever,HP:1\nd1,,HP:2\n\nd2,none,\n"
    found = read(write("a.csv", mark + table.replace(",", separator).replace("\n", end)))
    assert [(d.doc_id, d.text, [a.concept for a in d.annotations]) for d in found.documents] == [
        ("d1", "a fever", ["HP:1", "HP:2"]),
        ("d2", "none", []),
    ]


def test_annotations_of_a_document_and_its_repeated_text(write, read) -> None:
    rows = [
        'd1,"short, stature",HP:0004322,Short stature,affirmed,"short, stature",0,14',
        'd1,"short, stature",HP:0001250,Seizure,negated,,,',
        "d2,fever,,,,,,",
    ]
    found = read(write("a.csv", HEADER + "\n".join(rows)))
    assert found.documents == [
        Document(
            "d1",
            "short, stature",
            (
                Annotation("HP:0004322", "Short stature", Assertion.AFFIRMED, Span(0, 14, "short, stature")),
                Annotation("HP:0001250", "Seizure", Assertion.NEGATED),
            ),
        ),
        Document("d2", "fever"),
    ]


@pytest.mark.parametrize(
    ("rows", "line", "field", "words"),
    [
        ("d1,fever,HP:1,,affirmed,fever,0", 2, None, "7 cells for 8 columns"),
        ("d1,fever,HP:1,,affirmed,fever,0,5,x", 2, None, "9 cells for 8 columns"),
        ("d1,fever,HP:1,,maybe,fever,0,5", 2, "annotations[0].assertion_status", "maybe"),
        ("d1,fever,HP:1,,affirmed,fever,x,5", 2, "start_offset", "whole number"),
        ("d1,fever,HP:1,,affirmed,fever,0,5.0", 2, "end_offset", "5.0"),
        ("d1,fever,HP:1,,affirmed,fever,٠,٥", 2, "start_offset", "whole number"),
        ("d1,fever,,Fever,affirmed,,,", 2, "concept_id", "is empty"),
        ("d1,fever,HP:1,,,,,\nd1,,HP:2,,affirmed,chill,0,5", 3, "annotations[1]", "found 'fever'"),
        ("d1,fever,HP:1,,,,,\nd1,other,HP:2,,,,,", 3, "text", "differs"),
        ("d1,fever,,,,,,\nd2,fever,,,,,,\nd1,fever,,,,,,", 4, "doc_id", "keep the rows"),
        (",fever,,,,,,", 2, "doc_id", "missing"),
        ("d1,,HP:1,,,,,", 2, "text", "missing"),
    ],
)
def test_a_bad_row_is_named_by_line_and_column(write, read, rows, line, field, words) -> None:
    found = read(write("a.csv", HEADER + rows + "\n"))
    assert [(e.line, e.field) for e in found.errors] == [(line, field)]
    assert words in found.errors[0].cause


def test_a_bad_row_costs_its_whole_document(write, read) -> None:
    rows = ["d1,fever,HP:1,,,,,", "d1,,HP:2,,,,", "d1,,HP:3,,,,,", "d2,fever,HP:1,,,,,"]
    found = read(write("a.csv", HEADER + "\n".join(rows)))
    assert [d.doc_id for d in found.documents] == ["d2"]
    assert [(e.line, e.doc_id) for e in found.errors] == [(3, "d1")]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("text,doc_id,text\nx,y,z\n", "'text' occurs more than once"),
        ("id,text\n1,x\n", "no column doc_id"),
        ("\n\n", "no header"),
        ('doc_id,text\nd1,"never closed\nd2,x\n', "line 2"),
        ('doc_id,text\nd1,"a"b\n', "line 2"),
        ("doc_id,text\rd1,x\rd2,y\r", "line 1"),
    ],
)
def test_a_table_that_is_none(write, content, words) -> None:
    with pytest.raises(InputError, match=words):
        list(read_documents(write("a.csv", content)))


def test_a_bad_row_of_an_unknown_document_costs_the_one_before_it_and_says_so(write, read) -> None:
    found = read(write("a.csv", "text,doc_id\nfever,d1\nchill,d2\nno name\ncough,d3\n"))
    assert [d.doc_id for d in found.documents] == ["d1", "d3"]
    assert [(e.line, e.doc_id) for e in found.errors] == [(4, None), (3, "d2")]


def test_a_guard_that_is_not_there_is_no_guard(write, read) -> None:
    found = read(
        write("a.csv", "doc_id,text,guarded_cells\nd1,=1,text\nd2,'=1,text\nd3,'=1,\nd4,x,nonsense\n")
    )
    assert [(d.doc_id, d.text) for d in found.documents] == [("d2", "=1"), ("d3", "'=1")]
    assert [(e.line, e.field) for e in found.errors] == [(2, "guarded_cells"), (5, "guarded_cells")]


def test_metadata_stand_on_the_first_row(write, read) -> None:
    rows = 'doc_id,text,metadata_json\nd1,x,"{""version"": ""7""}"\nd2,x,\nd3,x,{}\n'
    found = read(write("a.csv", rows))
    assert found.set.metadata.version == "7"
    assert [d.doc_id for d in found.documents] == ["d1", "d2"]
    assert [(e.line, e.field) for e in found.errors] == [(4, "metadata_json")]
    with pytest.raises(InputError, match=r"line 2, metadata_json: .*NaN"):
        read_documents(write("b.csv", 'doc_id,text,metadata_json\nd1,x,"{""version"": NaN}"\n'))


def test_differing_further_columns_are_reported(write, read) -> None:
    found = read(write("a.csv", "doc_id,text,hpo_id,score\nd1,x,HP:1,5\nd1,x,HP:2,6\nd2,x,HP:2,7\n"))
    assert [d.meta for d in found.documents] == [{"score": "5"}, {"score": "7"}]
    assert found.notes.ignored == {"score": 1}


CELLS = st.one_of(st.text(LETTERS, max_size=12), ODD, FORMULAS)


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=5))
def test_any_text_in_is_text_out(tmp_path_factory, rows: list[tuple[str, str, str]]) -> None:
    path = tmp_path_factory.mktemp("cells") / "a.csv"
    columns = ("one", "two", "three")
    with path.open("wb") as out:
        write_table((*columns, "guarded_cells"), [dict(zip(columns, r, strict=True)) for r in rows], out)
    found = [row for _, row in read_table(Source(path), columns)]
    assert found == [dict(zip(columns, row, strict=True)) for row in rows]


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(document_sets())
def test_out_and_in_again_is_equal(tmp_path_factory, made: tuple[Metadata, list[Document]]) -> None:
    metadata, documents = made
    out = io.BytesIO()
    assert csv_format.write(metadata, documents, out) == {}
    path = tmp_path_factory.mktemp("again") / "a.csv"
    path.write_bytes(out.getvalue())
    found = read_documents(path)
    assert found.metadata == metadata
    assert list(found) == documents
    assert found.notes.sentences() == []
