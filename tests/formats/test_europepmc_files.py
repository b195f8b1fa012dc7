"""Europe PMC results: markup in abstracts, fields of all sources, forms of files, faults by line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.formats import Notes, RowError, europepmc, read_documents
from core.records import Document
from tests.formats.article_examples import EUROPEPMC, PAGE, RESULTS
from tests.formats.examples import EXAMPLES, LETTERS


def one(**fields: Any) -> Document:
    result = {"id": "1", "source": "MED", "pmid": "1", "title": "T", "abstractText": "Text.", **fields}
    (document,) = europepmc.documents([result], "page 1")
    assert isinstance(document, Document), document
    return document


def test_a_result_with_everything() -> None:
    document = one(
        pmcid="PMC5",
        doi="10.1/x",
        title="CO<sub>2</sub> &amp; <i>E. coli</i>.",
        pubYear="2019",
        firstPublicationDate="2019-02-01",
        journalInfo={
            "volume": "1",
            "yearOfPublication": 2018,
            "journal": {"title": "Alpha &amp; beta", "isoabbreviation": "A B", "nlmid": "1"},
        },
        language="eng",
        license="cc by",
        pubTypeList={"pubType": ["review-article", "Review"]},
        meshHeadingList={"meshHeading": [{"majorTopic_YN": "N", "descriptorName": "Fever"}, {}]},
        keywordList={"keyword": ["heat"]},
        citedByCount=4,
    )
    assert document == Document(
        "PMID1",
        "Text.",
        title="CO2 & E. coli.",
        meta={
            "doi": "10.1/x",
            "pmid": "1",
            "pmcid": "PMC5",
            "year": 2019,
            "published": "2019-02-01",
            "journal": "Alpha & beta",
            "journal_abbreviation": "A B",
            "source": "europepmc",
            "europepmc_source": "MED",
            "language": "eng",
            "license": "cc by",
            "publication_types": ["review-article", "Review"],
            "mesh": ["Fever"],
            "keywords": ["heat"],
        },
    )


@pytest.mark.parametrize(
    ("fields", "name", "journal"),
    [
        ({"id": "1", "source": "MED", "pmid": "1"}, "PMID1", None),
        ({"id": "1", "source": "MED", "journalTitle": "J"}, "PMID1", "J"),
        ({"id": "x1", "source": "MED"}, "MED:x1", None),
        ({"id": "PMC2", "source": "PMC", "pmcid": "PMC2"}, "PMC2", None),
        (
            {"id": "PPR3", "source": "PPR", "bookOrReportDetails": {"publisher": "alphaRxiv"}},
            "PPR3",
            "alphaRxiv",
        ),
        ({"id": "EP4", "source": "PAT"}, "PAT:EP4", None),
        ({"id": 5, "source": "AGR"}, "AGR:5", None),
        ({"id": "6"}, "6", None),
    ],
)
def test_names_of_all_sources(fields, name, journal) -> None:
    (document,) = europepmc.documents([{"title": "T", "abstractText": "Text.", **fields}], "page 1")
    assert (document.doc_id, document.meta.get("journal")) == (name, journal)


@pytest.mark.parametrize(
    ("markup", "text", "sections"),
    [
        ("Plain.", "Plain.", []),
        ("<h4>Background</h4>A.<h4>Results:</h4>Two.", "Background: A.\nResults: Two.", [(12, 14), (24, 28)]),
        ("Before.<h4>Aim</h4> One.", "Before.\nAim: One.", [(13, 17)]),
        ("<h4>Aim</h4>", "", []),
        ("<h4>Aim</h4><h4>Methods</h4>Two.", "Methods: Two.", [(9, 13)]),
        ("<h4>Aim <i>one</i></h4><p>One</p><p>two.</p>", "Aim one: One two.", [(9, 17)]),
        ("<h4 class='x'>Aim</h4>One.", "Aim: One.", [(5, 9)]),
        ("<jats:title>Aim</jats:title><jats:p>One.</jats:p>", "Aim: One.", [(5, 9)]),
        ("p &lt; 0.05 &amp;lt; &#x3B2;&#945; &nbsp;x", "p < 0.05 &lt; βα x", []),
        ("p<0.05 and q <0.1, a<b>c", "p<0.05 and q <0.1, ac", []),
        ("R&D, AT&T, a &copy b &unknown; &#0;x", "R&D, AT&T, a &copy b &unknown; \ufffdx", []),
        ("10<sup>-3</sup> H<sub>2</sub>O<br/>next", "10-3 H2O next", []),
        ("5 < 6 > 4 <- <3 <<i>x</i>>", "5 < 6 > 4 <- <3 <x>", []),
        ("<script>alert(1)</script>", "<script>alert(1)</script>", []),
        ("&lt;b&gt;bold&lt;/b&gt;", "<b>bold</b>", []),
        ("<h4>Aim</h3>One.", "AimOne.", []),
        ("Über 😀 <b>e\u0301</b>", "Über 😀 e\u0301", []),
    ],
)  # fmt: skip
def test_markup(markup: str, text: str, sections: list[tuple[int, int]]) -> None:
    if not text:
        notes = Notes()
        assert list(europepmc.documents([{**RESULTS[0], "abstractText": markup}], "page 1", notes)) == []
        assert notes.without_abstract == ["PMID101"]
        return
    document = one(abstractText=markup)
    assert document.text == text
    assert [(s["start"], s["end"]) for s in document.meta.get("sections", [])] == sections


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.text(LETTERS, max_size=20), st.text(LETTERS, max_size=40)), max_size=4))
def test_no_words_are_lost_and_no_offset_drifts(parts: list[tuple[str, str]]) -> None:
    def escaped(text: str) -> str:
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    markup = "".join(f"<h4>{escaped(label)}</h4>{escaped(text)}" for label, text in parts)
    found = list(europepmc.documents([{"id": "1", "source": "MED", "abstractText": markup}], "page 1"))
    kept = [(label, " ".join(text.split())) for label, text in parts if text.strip()]
    assert len(found) == bool(kept)
    for document in found:
        assert isinstance(document, Document)
        assert all(text in document.text for _, text in kept)
        labelled = [text for label, text in kept if " ".join(label.split()).rstrip(": ")]
        sections = document.meta.get("sections", [])
        assert [document.text[s["start"] : s["end"]] for s in sections] == labelled


# --- files ------------------------------------------------------------------------------------------------

FORMS = {
    "a page": EUROPEPMC,
    "a page on one line": json.dumps(PAGE),
    "a page a line": "\n".join(
        json.dumps({**PAGE, "resultList": {"result": [result]}}) for result in RESULTS
    ),
    "a result a line": "\n\n".join(map(json.dumps, RESULTS)),
    "a list of results": json.dumps(RESULTS, indent=1),
    "a list of pages": json.dumps([PAGE], indent=1),
    "results on one line": json.dumps(RESULTS),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_files(write, read, form: str) -> None:
    found = read(write("a.json", FORMS[form]), "europepmc")
    assert found.errors == []
    assert [d.doc_id for d in found.documents] == ["PMID101", "PMID102"]


def test_a_page_named_as_json_is_pointed_to_its_format(write) -> None:
    with pytest.raises(InputError, match="--format europepmc"):
        read_documents(write("a.json", EUROPEPMC))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"errCode": 404, "errMsg": "No such query"}', r"line 1: .*the service answered 'No such query'"),
        ('{"version": "6",\n "errCode": 404}', r"line 2: .*the service answered 404"),
        ('{"hitCount": 0}', "line 1: no page"),
        ("{\n}", "no page of Europe PMC"),
        ('{"resultList": []}', "no page"),
        ('{"resultList": {"result": {}}}', "no page"),
        ('{"resultList":\n {"result": {}}}', r"line 2, column 13: expecting '\['"),
        ('{"hitCount": 0, "resultList": {"result": []}}', "holds no documents"),
        ('{"resultList": {"result": []},\n "resultList": {"result": []}}', "line 2, column 2: .* twice"),
        ('{"resultList":\n{"result": [], "result": []}}', "line 2, column 16: .* twice"),
        (
            json.dumps({"resultList": {"result": [{**RESULTS[0], "abstractText": None}]}}),
            "resultType=core|no abstract",
        ),
        ("[1,\n 2", "line 2"),
    ],
)
def test_what_is_no_page(write, content, words) -> None:
    with pytest.raises(InputError, match=words):
        list(read_documents(write("a.json", content), "europepmc"))


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"abstractText": 5}, "abstractText", "string"),
        ({"abstractText": ["x"]}, "abstractText", "string"),
        ({"journalInfo": "x"}, "journalInfo", "object"),
        ({"journalInfo": {"journal": []}}, "journal", "object"),
        ({"pmid": 5}, "pmid", "string"),
        ({"title": {}}, "title", "string"),
        ({"abstractText": "a\ud83d"}, "text", "surrogate"),
        ({"title": "a\0"}, "title", "NUL"),
        ({"id": None, "pmid": None}, "id", "no id"),
        ({"pmid": "101"}, "doc_id", "used before"),
    ],
)
@pytest.mark.parametrize("form", ["lines", "page"])
def test_a_bad_result_costs_itself_alone(write, read, form, fields, field, words) -> None:
    bad = {**RESULTS[1], "id": "7", "pmid": "7", **fields}
    results = [RESULTS[0], bad, RESULTS[1]]
    content = "\n".join(map(json.dumps, results))
    if form == "page":
        content = '{"resultList": {"result": [\n' + ",\n".join(map(json.dumps, results)) + "\n]}}"
    found = read(write("a.json", content), "europepmc")
    assert [d.doc_id for d in found.documents] == ["PMID101", "PMID102"]
    assert [(e.line, e.field) for e in found.errors] == [(2 if form == "lines" else 3, field)]
    assert words in found.errors[0].cause


def test_results_from_a_service_may_be_anything() -> None:
    rows = list(europepmc.documents([None, 5, "x", [], {}], "page 1"))  # type: ignore[list-item]
    assert len(rows) == 5
    assert all(isinstance(row, RowError) and row.file == "page 1" for row in rows)


def test_a_bad_line_costs_itself_alone(write, read) -> None:
    content = json.dumps(RESULTS[0]) + '\n{"id": NaN}\n{"id": "1",\n' + json.dumps(RESULTS[1])
    found = read(write("a.jsonl", content), "europepmc")
    assert [d.doc_id for d in found.documents] == ["PMID101", "PMID102"]
    assert [e.line for e in found.errors] == [2, 3]
