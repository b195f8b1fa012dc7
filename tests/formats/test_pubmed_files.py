"""PubMed XML: every part of a record that is taken, sets of other kinds, faults by line and record."""

from __future__ import annotations

import io
import re

import pytest

from core.errors import InputError
from core.formats import Notes, RowError, pubmed
from core.records import Document
from tests.formats.article_examples import pubmed as file_of
from tests.formats.article_examples import record


def documents(content: str | bytes, notes: Notes | None = None) -> list[Document]:
    data = content.encode() if isinstance(content, str) else content
    rows = list(pubmed.documents(io.BytesIO(data), "page 1", notes))
    assert not [row for row in rows if isinstance(row, RowError)]
    return [row for row in rows if isinstance(row, Document)]


def one(*args: str, **more: str) -> Document:
    (document,) = documents(file_of(record("1", *args, **more)))
    return document


def test_a_record_with_everything() -> None:
    """Offsets by hand: 5 characters of `AIM: `, 15 of its text, a line feed, 9 of `RESULTS: `, 10 of text."""
    document = one(
        '<AbstractText Label="AIM" NlmCategory="OBJECTIVE">To\n   see <i>E. coli</i>.</AbstractText>'
        '<AbstractText Label="RESULTS" NlmCategory="UNASSIGNED">10<sup>3</sup> &#x3B2;\u00a0&lt; 2.'
        "</AbstractText>"
        '<AbstractText Label="EMPTY"/><CopyrightInformation>Nobody</CopyrightInformation>',
        '<ELocationID EIdType="pii" ValidYN="Y">S1</ELocationID>'
        '<ELocationID EIdType="doi" ValidYN="N">10.1/wrong</ELocationID>'
        '<ELocationID EIdType="doi" ValidYN="Y">10.1/right</ELocationID>'
        "<VernacularTitle>Titel</VernacularTitle><PublicationTypeList>"
        "<PublicationType>Journal Article</PublicationType><PublicationType>Review</PublicationType>"
        "</PublicationTypeList>",
        '<ArticleIdList><ArticleId IdType="pubmed">1</ArticleId><ArticleId IdType="pmc">PMC5</ArticleId>'
        '<ArticleId IdType="doi">10.1/other</ArticleId></ArticleIdList>',
    )
    assert document == Document(
        "PMID1",
        "AIM: To see E. coli.\nRESULTS: 103 β\u00a0< 2.",
        title="Title of 1.",
        meta={
            "pmid": "1",
            "doi": "10.1/right",
            "pmcid": "PMC5",
            "year": 2005,
            "published": "2005-03-06",
            "journal": "Journal of alpha",
            "journal_abbreviation": "J Alpha",
            "source": "pubmed",
            "language": "eng",
            "vernacular_title": "Titel",
            "publication_types": ["Journal Article", "Review"],
            "sections": [
                {"label": "AIM", "start": 5, "end": 20, "category": "OBJECTIVE"},
                {"label": "RESULTS", "start": 30, "end": 40},
            ],
        },
    )


def test_mesh_and_keywords() -> None:
    content = file_of(record("1")).replace(
        "</MedlineCitation>",
        "<MeshHeadingList><MeshHeading><DescriptorName>Fever</DescriptorName>"
        "<QualifierName>blood</QualifierName>"
        "</MeshHeading><MeshHeading><DescriptorName>Rats</DescriptorName></MeshHeading></MeshHeadingList>"
        "<KeywordList><Keyword><b>alpha</b> one</Keyword><Keyword> </Keyword></KeywordList>"
        "</MedlineCitation>",
    )
    (document,) = documents(content)
    assert (document.meta["mesh"], document.meta["keywords"]) == (["Fever", "Rats"], ["alpha one"])


def test_the_doi_is_the_articles_own_and_not_of_a_reference() -> None:
    reference = (
        "<ReferenceList><Reference><ArticleIdList>"
        '<ArticleId IdType="doi">10.9/cited</ArticleId></ArticleIdList></Reference></ReferenceList>'
    )
    assert "doi" not in one(data=reference).meta
    own = '<ArticleIdList><ArticleId IdType="doi">10.1/own</ArticleId></ArticleIdList>'
    assert one(data=reference + own).meta["doi"] == "10.1/own"
    assert (
        one(more='<ELocationID EIdType="doi" ValidYN="N">10.1/x</ELocationID>', data=own).meta["doi"]
        == "10.1/own"
    )


@pytest.mark.parametrize(
    ("date", "year", "published"),
    [
        ("<Year>2005</Year>", 2005, "2005"),
        ("<Year>2005</Year><Month>12</Month>", 2005, "2005-12"),
        ("<Year>2005</Year><Month>Sept</Month><Day>7</Day>", 2005, "2005-09-07"),
        ("<Year>2005</Year><Season>Spring</Season>", 2005, "2005"),
        ("<Year>2005</Year><Month>99</Month><Day>7</Day>", 2005, "2005"),
        ("<Year>2005</Year><Month>Feb</Month><Day>99</Day>", 2005, "2005-02"),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", 1998, "1998 Dec-1999 Jan"),
        ("<MedlineDate>Winter 1976-1977</MedlineDate>", 1976, "Winter 1976-1977"),
        ("<MedlineDate>Spring</MedlineDate>", 2001, "2001-02-03"),  # of the ArticleDate
        ("", 2001, "2001-02-03"),
    ],
)
def test_dates(date: str, year: int, published: str) -> None:
    electronic = (
        '<ArticleDate DateType="Electronic"><Year>2001</Year><Month>02</Month><Day>03</Day></ArticleDate>'
    )
    content = file_of(record("1", more=electronic)).replace(
        "<Year>2005</Year><Month>Mar</Month><Day>6</Day>", date
    )
    (document,) = documents(content)
    assert (document.meta["year"], document.meta["published"]) == (year, published)


def test_a_date_from_the_history_and_none_at_all() -> None:
    bare = file_of(record("1", data="HERE")).replace("<Year>2005</Year><Month>Mar</Month><Day>6</Day>", "")
    history = (
        '<History><PubMedPubDate PubStatus="received"><Year>1990</Year></PubMedPubDate>'
        '<PubMedPubDate PubStatus="pubmed"><Year>1991</Year><Month>4</Month><Day>2</Day></PubMedPubDate>'
        "</History>"
    )
    assert documents(bare.replace("HERE", history))[0].meta["year"] == 1991
    assert "year" not in documents(bare.replace("HERE", ""))[0].meta


def test_labels_that_say_nothing_and_categories_that_do() -> None:
    document = one(
        '<AbstractText Label="UNLABELLED">One.</AbstractText>'
        '<AbstractText NlmCategory="METHODS">Two.</AbstractText>'
        '<AbstractText NlmCategory="UNASSIGNED">Three.</AbstractText>'
    )
    assert document.text == "One.\nMETHODS: Two.\nThree."
    assert document.meta["sections"] == [{"label": "METHODS", "start": 14, "end": 18, "category": "METHODS"}]


OTHERS = (
    '<OtherAbstract Type="Publisher" Language="spa"><AbstractText Label="FIN">Ver.</AbstractText>'
    "</OtherAbstract>"
    '<OtherAbstract Type="plain-language-summary" Language="eng"><AbstractText>In plain words.</AbstractText>'
    "</OtherAbstract>"
)


def test_other_abstracts_stand_beside_the_abstract() -> None:
    content = file_of(record("1")).replace("</Article>", "</Article>" + OTHERS)
    (document,) = documents(content)
    assert document.text == "Rats slept."
    assert document.meta["other_abstracts"] == [
        {"type": "Publisher", "language": "spa", "text": "FIN: Ver."},
        {"type": "plain-language-summary", "language": "eng", "text": "In plain words."},
    ]


def test_another_abstract_takes_the_place_of_none() -> None:
    content = file_of(record("1", "")).replace("</Article>", "</Article>" + OTHERS)
    (document,) = documents(content)
    assert document.text == "In plain words."
    assert document.meta["abstract_type"] == "plain-language-summary"
    assert [other["language"] for other in document.meta["other_abstracts"]] == ["spa"]
    (document,) = documents(content.replace('Language="eng"', 'Language="fre"'))
    assert (document.text, document.meta["abstract_language"]) == ("FIN: Ver.", "spa")


def test_a_later_version_of_a_record_has_its_own_name() -> None:
    content = file_of(record("1"), record("1").replace('Version="1"', 'Version="2"'))
    assert [d.doc_id for d in documents(content)] == ["PMID1", "PMID1v2"]


BOOK = """<PubmedBookArticle><BookDocument><PMID Version="1">7</PMID>
<ArticleIdList><ArticleId IdType="bookaccession">NBK1</ArticleId><ArticleId IdType="doi">10.1/b</ArticleId>
</ArticleIdList>
<Book><Publisher><PublisherName>x</PublisherName></Publisher><BookTitle book="g">Book of alpha</BookTitle>
<PubDate><Year>1993</Year></PubDate></Book><ArticleTitle book="g" part="p">Chapter</ArticleTitle>
<Language>eng</Language><PublicationType>Review</PublicationType>
<Abstract><AbstractText Label="CLINICAL CHARACTERISTICS">Fits.</AbstractText></Abstract></BookDocument>
</PubmedBookArticle>"""


def test_books() -> None:
    notes = Notes()
    (document,) = documents(file_of(BOOK, BOOK.replace(">7<", ">8<").replace("Fits.", "")), notes)
    assert (document.doc_id, document.title, document.text) == (
        "PMID7",
        "Chapter",
        "CLINICAL CHARACTERISTICS: Fits.",
    )
    assert (document.meta["journal"], document.meta["year"], document.meta["doi"]) == (
        "Book of alpha",
        1993,
        "10.1/b",
    )
    assert notes.without_abstract == ["PMID8"]


def test_what_is_left_out_is_told() -> None:
    notes = Notes()
    content = file_of(
        record("1", ""),
        record("2"),
        record("3").replace("<Abstract><AbstractText>Rats slept.</AbstractText></Abstract>", ""),
        "<DeleteCitation><PMID>8</PMID><PMID>9</PMID></DeleteCitation>",
    )
    assert [d.doc_id for d in documents(content, notes)] == ["PMID2"]
    assert (notes.without_abstract, notes.deleted) == (["PMID1", "PMID3"], ["PMID8", "PMID9"])
    assert notes.sentences() == [
        "Records without an abstract, left out (PMID1, PMID3): 2.",
        "Records deleted at their source (PMID8, PMID9): 2.",
    ]


@pytest.mark.parametrize(
    "content",
    [
        record("1"),
        re.sub(r"</?PubmedArticle>", "", record("1"))
        .replace("<PubmedData></PubmedData>", "")
        .join(["<MedlineCitationSet>", "</MedlineCitationSet>"]),
        f"<PubmedBookArticleSet>{BOOK}</PubmedBookArticleSet>".replace(">7<", ">1<"),
        "\ufeff\n" + file_of(record("1")).partition("\n")[2],
    ],
)
def test_other_outermost_tags(content: str) -> None:
    assert [d.doc_id for d in documents(content)] == ["PMID1"]


def test_encodings_that_xml_declares() -> None:
    text = file_of(record("1", "<AbstractText>Krämpfe</AbstractText>")).replace("UTF-8", "ISO-8859-1")
    assert documents(text.encode("latin-1"))[0].text == "Krämpfe"
    with pytest.raises(InputError, match=r"not well-formed \(invalid token\)"):
        documents(text.replace("ISO-8859-1", "UTF-8").encode("latin-1"))
    for unknown in ("x-none", "shift_jis", "utf-7"):
        with pytest.raises(InputError, match=r"page 1.*(encod|UTF-8)"):
            documents(text.replace("ISO-8859-1", unknown).encode("latin-1"))
