"""Articles as rows of JSON, JSONL and CSV, and the one form that articles of every format take."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.formats import Reading, read_documents
from core.formats.articles import joined, located
from core.formats.rows import FieldFault
from core.records import Annotation, Document, Span
from tests.formats.article_examples import FILES, SECTIONS_1, TEXT_1, TEXT_2
from tests.formats.examples import EXAMPLES, TEXTS, WORDS

MADE = {"category", "source", "europepmc_source"}


def lines(*rows: Any) -> str:
    return "\n".join(map(json.dumps, rows))


@pytest.mark.parametrize("kind", FILES)
def test_the_same_articles_from_every_format(write, read, kind: str) -> None:
    """Of the same articles every reader makes the same texts; CSV, which gives the first as one text, knows
    no sections of it."""
    name, form, content = FILES[kind]
    found = read(write(name, content), form)
    assert found.errors == []
    first, second = found.documents
    assert (first.doc_id, first.title, first.text) == ("PMID101", "Title of 101.", TEXT_1)
    assert (second.doc_id, second.title, second.text) == ("PMID102", "Title of 102.", TEXT_2)
    sections = first.meta.pop("sections", [])
    told = [(row["label"], first.text[row["start"] : row["end"]]) for row in sections]
    assert told == ([] if kind == "rows of CSV" else SECTIONS_1)
    common = {
        "pmid": "101",
        "doi": "10.1000/a.101",
        "year": 2005,
        "published": "2005-03-06",
        "journal": "Journal of alpha",
        "journal_abbreviation": "J Alpha",
        "language": "eng",
    }
    assert {name: value for name, value in first.meta.items() if name not in MADE} == common
    assert "sections" not in second.meta
    assert "doi" not in second.meta
    assert found.notes.sentences() == []


def test_an_abstract_stays_as_it_is_and_sections_are_found_in_it(write, read) -> None:
    """Offsets counted by hand: `Aim: ` has 5 characters."""
    row = {
        "doc_id": "a",
        "abstract": "Aim: To see.\n\nResults:  We\nsaw 😀 it. End.",
        "abstract_sections": [
            {"label": "Aim", "text": "To see."},
            {"label": None, "text": ""},
            {"label": "Results", "text": "We saw 😀 it.", "id": 7},
            {"label": "", "text": "End."},
        ],
        "authors": ["alpha"],
        "year": "2011",
        "pmid": 77,
    }
    (document,) = read(write("a.jsonl", lines(row))).documents
    assert document.text == row["abstract"]
    assert document.meta == {
        "authors": ["alpha"],
        "year": 2011,
        "pmid": "77",
        "sections": [
            {"label": "Aim", "start": 5, "end": 12},
            {"label": "Results", "start": 24, "end": 36, "id": 7},
        ],
    }
    assert document.text[24:36] == "We\nsaw 😀 it."


def test_sections_alone_make_the_text(write, read) -> None:
    row = {"doc_id": "a", "abstract_sections": [{"text": "First."}, {"label": " Aim ", "text": "To see."}]}
    (document,) = read(write("a.jsonl", lines(row))).documents
    assert document.text == "First.\nAim: To see."
    assert document.meta == {"sections": [{"label": "Aim", "start": 12, "end": 19}]}


def test_a_colon_after_a_label_is_no_part_of_it(write, read) -> None:
    row = {
        "doc_id": "a",
        "abstract_sections": [{"label": "Aim:", "text": "See."}, {"label": " : ", "text": "x"}],
    }
    (document,) = read(write("a.jsonl", lines(row))).documents
    assert document.text == "Aim: See.\nx"
    assert document.meta == {"sections": [{"label": "Aim", "start": 5, "end": 9}]}


def test_a_text_outranks_an_abstract(write, read) -> None:
    rows = [
        {"doc_id": "a", "text": "The whole.", "abstract": "Part."},
        {"doc_id": "b", "text": "x", "abstract": None},
    ]
    found = read(write("a.jsonl", lines(*rows)))
    assert [(d.text, d.meta) for d in found.documents] == [
        ("The whole.", {"abstract": "Part."}),
        ("x", {"abstract": None}),
    ]


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"doc_id": "x", "pmid": "1"}, "x"),
        ({"pmid": " 12 ", "pmcid": "PMC3"}, "PMID12"),
        ({"pmid": 12}, "PMID12"),
        ({"doc_id": None, "pmid": None, "pmcid": "PMC3", "doi": "10.1/x"}, "PMC3"),
        ({"pmid": "", "doi": "10.1/x"}, "10.1/x"),
    ],
)
def test_what_names_an_article(write, read, fields, name) -> None:
    (document,) = read(write("a.jsonl", lines({**fields, "abstract": "Text."}))).documents
    assert document.doc_id == name


def test_records_without_an_abstract_are_left_out_by_name(write, read) -> None:
    rows = [
        {"doc_id": "a", "abstract": None},
        {"pmid": "2", "abstract": " \n"},
        {"title": "Only\u202e a title", "abstract": ""},
        {"abstract_sections": []},
        {"doc_id": "e", "abstract_sections": [{"label": "AIM", "text": " "}]},
        {"doc_id": "f", "abstract": "Something."},
    ]
    found = read(write("a.jsonl", lines(*rows)))
    assert found.errors == []
    assert [d.doc_id for d in found.documents] == ["f"]
    assert found.notes.without_abstract == ["a", "PMID2", "'Only\\u202e a title'", "line 4", "e"]
    (sentence,) = found.notes.sentences()
    assert sentence.startswith("Records without an abstract, left out (a, PMID2, ")
    assert sentence.endswith("): 5.")


def test_many_names_are_counted(write, read) -> None:
    rows = [{"doc_id": f"d{i}", "abstract": "" if i else "Text."} for i in range(41)]
    (sentence,) = read(write("a.jsonl", lines(*rows))).notes.sentences()
    assert "d20, ...): 40." in sentence
    assert "d21" not in sentence


@pytest.mark.parametrize("kind", ["a.jsonl", "a.json", "a.csv"])
def test_nothing_but_records_without_an_abstract(write, kind: str) -> None:
    rows = [{"doc_id": "a", "abstract": ""}]
    content = {
        "a.jsonl": lines(*rows),
        "a.json": json.dumps({"documents": rows}),
        "a.csv": "doc_id,abstract\na,\n",
    }
    with pytest.raises(InputError, match=r"no abstract: all of its records were left out.*\(a\): 1"):
        list(read_documents(write(kind, content[kind])))


def test_an_empty_abstract_beside_annotations_is_a_missing_text(write, read) -> None:
    row = {"doc_id": "a", "abstract": "", "annotations": [{"concept_id": "HP:1"}]}
    path = write("a.jsonl", lines(row))
    assert [e.field for e in read(path).errors] == ["text"]
    (document,) = read(path, reading=Reading(texts={"a": "Known."}.get)).documents
    assert document.text == "Known."


def test_annotations_of_an_article(write, read) -> None:
    row = {
        "doc_id": "a",
        "abstract_sections": [{"label": "AIM", "text": "Fever fell."}],
        "annotations": [{"concept_id": "HP:1", "text_span": "Fever", "start_offset": 5, "end_offset": 10}],
    }
    shifted = {
        **row,
        "doc_id": "b",
        "annotations": [{**row["annotations"][0], "start_offset": 0, "end_offset": 5}],
    }
    found = read(write("a.jsonl", lines(row, shifted)))
    assert [d.annotations for d in found.documents] == [(Annotation("HP:1", span=Span(5, 10, "Fever")),)]
    assert [(e.line, e.field) for e in found.errors] == [(2, "annotations[0]")]
    assert "expected 'Fever' at 0 to 5, found 'AIM: '" in found.errors[0].cause


BAD = [
    ({"abstract": 5}, "abstract", "string"),
    ({"abstract": ["x"]}, "abstract", "string"),
    ({"abstract_sections": {"AIM": "x"}}, "abstract_sections", "list"),
    ({"abstract_sections": "[{"}, "abstract_sections", "no valid JSON"),
    ({"abstract_sections": ["x"]}, "abstract_sections[0]", "label"),
    ({"abstract_sections": [{"label": "AIM"}]}, "abstract_sections[0]", "text"),
    ({"abstract_sections": [{"label": 5, "text": "x"}]}, "abstract_sections[0].label", "string"),
    (
        {"abstract": "a b", "abstract_sections": [{"label": "A", "text": "c"}]},
        "abstract_sections[0].text",
        "'c'",
    ),
    (
        {"abstract": "a b", "abstract_sections": [{"label": "A", "text": "b"}, {"label": "B", "text": "a"}]},
        "abstract_sections[1].text",
        "after character 3",
    ),
    ({"abstract": "abc", "sections": [{"label": "A", "start": 0, "end": 4}]}, "sections[0]", "3 characters"),
    ({"abstract": "abc", "sections": [{"label": "A", "start": -1, "end": 2}]}, "sections[0]", "-1 to 2"),
    ({"abstract": "abc", "sections": [{"label": "A", "start": "0", "end": 2}]}, "sections[0]", "'0' to 2"),
    ({"abstract": "abc", "sections": [{"label": "A", "start": 2, "end": 2}]}, "sections[0]", "2 to 2"),
    ({"abstract_sections": [{"label": "A", "text": "x"}], "sections": []}, "sections", "leave one"),
    ({"abstract": "half \ud83d"}, "text", "surrogate"),
    ({"abstract": "nul \0"}, "text", "NUL"),
    ({"abstract_sections": [{"label": "\ud83d", "text": "x"}]}, "text", "surrogate"),
    ({"abstract_sections": [{"label": "A", "text": "x", "y": "\0"}]}, None, "NUL"),
]


@pytest.mark.parametrize(("fields", "field", "words"), BAD)
def test_a_bad_article_is_refused_by_field(write, read, fields, field, words) -> None:
    good = {"doc_id": "good", "abstract": "Text."}
    found = read(write("a.jsonl", lines(good, {"doc_id": "bad", **fields})))
    assert [d.doc_id for d in found.documents] == ["good"]
    assert (found.errors[0].line, found.errors[0].doc_id, found.errors[0].field) == (2, "bad", field)
    assert words in found.errors[0].cause
    assert found.errors[0].row == {"doc_id": "bad", **fields}


def test_an_article_without_any_name(write, read) -> None:
    found = read(write("a.jsonl", lines({"abstract": "x", "pmid": True})))
    assert [(e.line, e.field) for e in found.errors] == [(1, "doc_id")]


def test_fields_that_only_look_like_sections_or_years_stay(write, read) -> None:
    row = {
        "doc_id": "a",
        "abstract": "x",
        "sections": ["Aim", {"title": "y"}],
        "year": "about 1999",
        "pmid": None,
    }
    (document,) = read(write("a.jsonl", lines(row))).documents
    assert document.meta == {"sections": ["Aim", {"title": "y"}], "year": "about 1999", "pmid": None}


def test_sections_with_offsets_of_another_unit(write, read) -> None:
    """😀 is one character, two UTF-16 units and four bytes."""
    sections = {
        "code-points": [
            {"label": "A", "start": 0, "end": 2},
            {"label": "B", "start": 3, "end": 5, "text": "é!"},
        ],
        "utf-16": [{"label": "A", "start": 0, "end": 3}, {"label": "B", "start": 4, "end": 6, "text": "é!"}],
        "utf-8": [{"label": "A", "start": 0, "end": 5}, {"label": "B", "start": 6, "end": 9, "text": "é!"}],
    }
    for field in ("abstract", "text"):
        for unit, told in sections.items():
            row = {"doc_id": "a", field: "😀x é!", "sections": told}
            (document,) = read(write("a.jsonl", lines(row)), reading=Reading(offsets=unit)).documents
            assert document.meta == {"sections": sections["code-points"]}
    row = {"doc_id": "a", "abstract": "😀x é!", "sections": sections["utf-16"]}
    (error,) = read(write("a.jsonl", lines(row))).errors
    assert error.field == "sections[1]"
    row = {"doc_id": "a", "abstract": "😀x é!yz", "sections": sections["utf-16"]}
    (error,) = read(write("a.jsonl", lines(row))).errors
    assert (error.field, error.cause) == ("sections[1].text", "expected 'é!' at 4 to 6, found '!y'")


def test_sections_of_a_document_that_do_not_fit_are_counted(write, read) -> None:
    row = {"doc_id": "a", "text": "abc", "sections": [{"label": "A", "start": 100, "end": 400}]}
    found = read(write("a.jsonl", lines(row)))
    assert [d.meta for d in found.documents] == [{"sections": row["sections"]}]
    assert found.notes.sentences() == ["Documents whose sections do not fit their text, kept without use: 1."]


# --- CSV --------------------------------------------------------------------------------------------------


def test_articles_in_csv_need_no_doc_id(write, read) -> None:
    content = "\n".join(
        [
            "pmid,doi,year,abstract,note",
            "012,,2001,NA,None",
            ',10.1/x,n.d.,"two\nlines",012',
            "3,,,,left out",
            ",,2002,no name,x",
            "012,,2001,again,x",
        ]
    )
    found = read(write("a.csv", content))
    assert found.documents == [
        Document("PMID012", "NA", meta={"pmid": "012", "year": 2001, "note": "None"}),
        Document("10.1/x", "two\nlines", meta={"doi": "10.1/x", "year": "n.d.", "note": "012"}),
    ]
    assert found.notes.without_abstract == ["PMID3"]
    assert [(e.line, e.field) for e in found.errors] == [(6, "doc_id"), (7, "doc_id")]


def test_sections_in_a_cell(write, read) -> None:
    cell = json.dumps([{"label": "AIM", "text": "To see."}]).replace('"', '""')
    (document,) = read(write("a.csv", f'doc_id,abstract_sections\na,"{cell}"\n')).documents
    assert (document.text, document.meta) == (
        "AIM: To see.",
        {"sections": [{"label": "AIM", "start": 5, "end": 12}]},
    )


def test_rows_of_one_article_must_not_differ(write, read) -> None:
    found = read(write("a.csv", "pmid,abstract,note\n1,One text.,x\n1,Another.,x\n2,Two.,x\n"))
    assert [d.doc_id for d in found.documents] == ["PMID2"]
    assert [(e.line, e.field) for e in found.errors] == [(3, "abstract")]


def test_columns_that_name_nothing(write) -> None:
    with pytest.raises(InputError, match="no column doc_id"):
        list(read_documents(write("a.csv", "title,abstract\nx,y\n")))
    with pytest.raises(InputError, match="no column doc_id"):
        list(read_documents(write("a.csv", "pmid,summary\nx,y\n")))


# --- offsets ----------------------------------------------------------------------------------------------


def printed(label: str) -> str:
    return label.strip().rstrip(":").rstrip()


PARTS = st.lists(
    st.fixed_dictionaries({"text": TEXTS}, optional={"label": WORDS.filter(printed)}), min_size=1, max_size=5
)


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(PARTS)
def test_sections_cover_their_texts_exactly(parts: list[dict[str, str]]) -> None:
    text, sections = joined(parts)
    labelled = [(printed(part["label"]), part["text"]) for part in parts if "label" in part]
    assert [(s["label"], text[s["start"] : s["end"]]) for s in sections] == labelled
    assert all(part["text"] in text for part in parts)
    found = located(text, parts)
    assert [text[s["start"] : s["end"]] for s in found] == [words for _, words in labelled]


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(TEXTS, TEXTS)
def test_a_section_that_is_not_there_is_never_placed(text: str, other: str) -> None:
    try:
        ((section),) = located(text, [{"label": "A", "text": other}])
    except FieldFault:
        assert other not in text
    else:
        assert text[section["start"] : section["end"]].split() == other.split()


@pytest.mark.shared_data
def test_the_open_abstracts_load_whole(shared_data: Path, read) -> None:
    """Counts from the data's own MANIFEST.md."""
    found = read(shared_data / "abstracts" / "rct_abstracts_open.jsonl.gz")
    assert found.errors == []
    assert (len(found.documents), len({d.meta["journal"] for d in found.documents})) == (3001, 769)
    assert {type(d.meta["year"]) for d in found.documents} == {int}
    assert (min(d.meta["year"] for d in found.documents), max(d.meta["year"] for d in found.documents)) == (
        1993,
        2018,
    )
    assert {"doi", "pmid", "journal", "year", "license"} <= set(found.documents[0].meta)
    placed = sum(len(d.meta.get("sections", [])) for d in found.documents)
    assert placed > 2 * len(found.documents)
    held = read(shared_data / "abstracts" / "pubmedqa_open.jsonl.gz")
    assert (len(held.documents), held.errors, held.notes.sentences()) == (500, [], [])
