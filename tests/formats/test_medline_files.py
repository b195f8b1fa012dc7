"""MEDLINE text: fields, sections written into one line, and faults by line."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.formats import RowError, read_documents
from core.formats.medline import _parts
from tests.formats.article_examples import MEDLINE

ONE = """PMID- 1
TI  - A title of
      two lines
AB  - {abstract}
SO  - x
"""


def test_a_record_with_everything(write, read) -> None:
    content = """PMID- 9
OWN - NLM
TI  - Heat.
TT  - Hitze.
LID - S1-2 [pii]
AID - 10.1000/x-9 [doi]
PMC - PMC77
AB  - Aspirin helped.
FAU - Alpha, Beta
AU  - Alpha B
LA  - ger
PT  - Journal Article
PT  - Review
DEP - 20041231
DP  - 2005 Spring
TA  - J Alpha
JT  - Journal of alpha
MH  - *Fever/blood/*therapy
MH  - Fever/etiology
MH  - Rats
OT  - heat
OABL- spa
OAB - Calor.
SO  - J Alpha. 2005.
"""
    (document,) = read(write("a.nbib", content)).documents
    assert (document.doc_id, document.title, document.text) == ("PMID9", "Heat.", "Aspirin helped.")
    assert document.meta == {
        "pmid": "9",
        "doi": "10.1000/x-9",
        "pmcid": "PMC77",
        "year": 2005,
        "published": "2005 Spring",
        "journal": "Journal of alpha",
        "journal_abbreviation": "J Alpha",
        "source": "pubmed",
        "language": "ger",
        "vernacular_title": "Hitze.",
        "publication_types": ["Journal Article", "Review"],
        "mesh": ["Fever", "Rats"],
        "keywords": ["heat"],
        "other_abstracts": [{"language": "spa", "text": "Calor."}],
    }


@pytest.mark.parametrize(
    ("dates", "year", "published"),
    [
        ("DP  - 2005", 2005, "2005"),
        ("DP  - 2005 Mar", 2005, "2005-03"),
        ("DP  - 2005 Mar 6", 2005, "2005-03-06"),
        ("DP  - 2005 Mar-Apr", 2005, "2005 Mar-Apr"),
        ("DP  - 1998 Dec-1999 Jan", 1998, "1998 Dec-1999 Jan"),
        ("DEP - 20050306", 2005, "2005-03-06"),
        ("DP  - \nDEP - 20050306", 2005, "2005-03-06"),
        ("DP  - unknown", None, None),
    ],
)
def test_dates(write, read, dates, year, published) -> None:
    (document,) = read(write("a.nbib", f"PMID- 1\nAB  - Text.\n{dates}\nSO  - x\n")).documents
    assert (document.meta.get("year"), document.meta.get("published")) == (year, published)


@pytest.mark.parametrize(
    ("abstract", "parts"),
    [
        ("Plain text. RNA: it is.", [(None, "Plain text. RNA: it is.")]),
        ("BACKGROUND: One. METHODS: Two.", [("BACKGROUND", "One."), ("METHODS", "Two.")]),
        (
            "AIMS AND OBJECTIVES: A (x). MATERIALS & METHODS: Two? RESULTS: n = 5: six! CONCLUSION(S): Ten.",
            [
                ("AIMS AND OBJECTIVES", "A (x)."),
                ("MATERIALS & METHODS", "Two?"),
                ("RESULTS", "n = 5: six!"),
                ("CONCLUSION(S)", "Ten."),
            ],
        ),
        ("BACKGROUND: We saw RESULTS: no. DNA: no. METHODS: Two.", [
            ("BACKGROUND", "We saw RESULTS: no. DNA: no."), ("METHODS", "Two.")]),
        ("BACKGROUND: METHODS: Two.", [("BACKGROUND", "METHODS: Two.")]),
        ("We did it. RESULTS: It fell.", [(None, "We did it. RESULTS: It fell.")]),
        ("BACKGROUND:", [(None, "BACKGROUND:")]),
    ],
)  # fmt: skip
def test_sections_written_into_one_line(abstract, parts) -> None:
    assert [(part.get("label"), part["text"]) for part in _parts(abstract)] == parts


def test_no_word_is_lost_where_sections_are_split(write, read) -> None:
    abstract = "BACKGROUND: One two. METHODS: Three (four). RESULTS: 5: six. CONCLUSION: End"
    (document,) = read(write("a.nbib", ONE.format(abstract=abstract))).documents
    assert document.title == "A title of two lines"
    assert " ".join(document.text.split()) == abstract
    found = [document.text[s["start"] : s["end"]] for s in document.meta["sections"]]
    assert found == ["One two.", "Three (four).", "5: six.", "End"]


def test_another_abstract_takes_the_place_of_none(write, read) -> None:
    content = (
        "PMID- 1\nOABL- spa\nOAB - Publisher: Abstract available from the publisher.\nSO  - x\n\n"
        "PMID- 2\nOABL- fre\nOAB - Chaud.\nSO  - x\n"
    )
    found = read(write("a.nbib", content))
    assert found.notes.without_abstract == ["PMID1"]
    (document,) = found.documents
    assert (document.text, document.meta["abstract_language"]) == ("Chaud.", "fre")


@pytest.mark.parametrize("joint", ["", "\n", "\n\n \n"])
def test_records_with_and_without_empty_lines(write, read, joint) -> None:
    content = joint.join(ONE.format(abstract=f"Text {i}.").replace("- 1", f"- {i}") for i in range(3))
    assert [d.doc_id for d in read(write("a.nbib", content)).documents] == ["PMID0", "PMID1", "PMID2"]


def test_text_files_are_named_as_medline(write, read) -> None:
    assert [d.doc_id for d in read(write("a.txt", MEDLINE), "medline").documents] == ["PMID101", "PMID102"]
    assert [d.doc_id for d in read(write("a.medline", MEDLINE)).documents] == ["PMID101", "PMID102"]
    with pytest.raises(InputError, match="--format medline"):
        list(read_documents(write("a.txt", MEDLINE.lstrip())))


@pytest.mark.parametrize(
    ("bad", "line", "field", "words"),
    [
        ("PMID- x1\nAB  - Text.\nSO  - x\n", 6, "PMID", "not with a PMID"),
        ("PMID-\nAB  - Text.\nSO  - x\n", 6, "PMID", "not with a PMID"),
        ("PMID- ٣\nAB  - Text.\nSO  - x\n", 6, "PMID", "not with a PMID"),
        ("TI  - No number\nAB  - Text.\nSO  - x\n", 6, "PMID", "'TI  - No number'"),
        ("PMID- 2\nAB  - Text.\nAB  - Again.\nSO  - x\n", 8, "AB", "twice"),
        ("PMID- 2\nAB  - Text.\nwords astray\nSO  - x\n", 8, None, "'words astray'"),
        ("PMID- 2\nAB  - Text.\n  two spaces\nSO  - x\n", 8, None, "six spaces"),
        ("PMID- 2\nab  - Text.\nSO  - x\n", 7, None, "TAG"),
        ("PMID- 1\nAB  - Text.\nSO  - x\n", 6, "doc_id", "used before on line 1"),
    ],
)
def test_a_bad_record_costs_itself_alone(write, read, bad, line, field, words) -> None:
    first = "PMID- 1\nTI  - Title\nAB  - Text.\nSO  - x\n\n"
    found = read(write("a.nbib", first + bad + "\nPMID- 3\nAB  - Text.\nSO  - x\n"))
    assert [d.doc_id for d in found.documents] == ["PMID1", "PMID3"]
    assert [(e.line, e.field) for e in found.errors] == [(line, field)]
    assert words in found.errors[0].cause


@pytest.mark.parametrize(
    "content",
    [
        "id,text\n1,x\n",
        "words\n",
        "{}\n",
        "PMID: 1\n",
        "1. J Alpha. 2005\n",
        MEDLINE + "\nwords at the end\n",
    ],
)
def test_what_is_no_medline(write, content) -> None:
    with pytest.raises(InputError, match=r"a\.nbib, line \d+: .* begins no record of MEDLINE"):
        list(read_documents(write("a.nbib", content)))


@pytest.mark.parametrize("at", range(1, len(MEDLINE), 5))
def test_a_file_cut_off_anywhere_never_yields_part_of_an_abstract(write, at) -> None:
    """After its SO a record is whole."""
    whole = {d.doc_id: d for d in read_documents(write("a.nbib", MEDLINE))}
    try:
        rows = list(read_documents(write("b.nbib", MEDLINE[:at])))
    except InputError:
        return
    for row in rows:
        assert isinstance(row, RowError) or row == whole[row.doc_id]
    assert len([row for row in rows if isinstance(row, RowError)]) <= 1


def test_a_record_without_so_is_whole_where_no_record_has_one(write, read) -> None:
    assert read(write("a.nbib", "PMID- 1\nAB  - Text.\n")).errors == []
    for cut in (
        "PMID- 1\nAB  - Text.",
        "PMID- 1\nOWN - NLM\nAB  - Text.\n",
        "PMID- 1\nSTAT- x\nAB  - Text.\n",
    ):
        (error,) = read(write("a.nbib", "PMID- 1\n" + cut)).errors
        assert "download it again" in error.cause
