"""PubMed XML: PubmedArticleSet as E-utilities, the baseline files and PubMed's own download write it.

Articles and books come one by one, so a file of any size takes the memory of one record. The text is the
abstract, `Label: text` of each part on a line (see `articles`); tags inside it go, and their words stay.
Where there is none, the first OtherAbstract takes its place, an English one if there is one;
`meta.other_abstracts` keeps the rest. Deleted citations are told in the notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from core.formats.articles import as_documents, iso_date
from core.formats.assemble import assemble
from core.formats.rows import Notes, Raw, Reading, RowError, shown
from core.formats.source import Source
from core.formats.xml_records import PIECE, CutOff, records
from core.records import Document

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

SETS = {
    "PubmedArticleSet": ("PubmedArticle", "PubmedBookArticle", "DeleteCitation"),
    "PubmedBookArticleSet": ("PubmedBookArticle",),
    "MedlineCitationSet": ("MedlineCitation", "DeleteCitation"),
    "PubmedArticle": (),
    "PubmedBookArticle": (),
}
"""Outermost tags of PubMed files, and the records in them; a record may stand alone."""
RECORDS = ("PubmedArticle", "PubmedBookArticle", "MedlineCitation")

_SPACE = re.compile(r"[ \t\r\n]{2,}|[\t\r\n]")
_YEAR = re.compile(r"(?<![0-9])[12][0-9]{3}(?![0-9])")


def read(source: Source, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """Records of a PubMed file; it has no metadata. A file that is cut off has a fault behind its last whole
    record, and raises InputError where it has none."""
    return {}, _to_the_cut(_rows(source.pieces(PIECE), source.name, notes), source.name)


def _to_the_cut(rows: Iterator[Raw | RowError], file: str) -> Iterator[Raw | RowError]:
    count = 0
    try:
        for row in rows:
            count += 1
            yield row
    except CutOff as cut:
        if not count:
            raise
        cause = f"{cut.cause}: the file was cut off, and what follows record {count} is lost"
        yield RowError(file, cut.line, None, None, cause)


def documents(stream: BinaryIO, name: str, notes: Notes | None = None) -> Iterator[Document | RowError]:
    """Documents of PubMed XML from anywhere.

    Args:
        name: of the stream, for messages.
        notes: told which records have no abstract, and which were deleted.

    Raises:
        InputError: no PubMed XML, or damaged, unsafe or cut off; what came before it is whole.
    """
    notes = Notes() if notes is None else notes
    rows = _rows(iter(partial(stream.read, PIECE), b""), name, notes)
    return assemble(as_documents(rows, name, notes), name, Reading(), notes)


def _rows(pieces: Iterable[bytes], file: str, notes: Notes) -> Iterator[Raw | RowError]:
    for record, line in records(pieces, file, SETS):
        if record.tag == "DeleteCitation":
            notes.deleted.extend(f"PMID{_text(pmid)}" for pmid in record.iter("PMID"))
        elif record.tag in RECORDS:
            yield _row(record, file, line)
        else:
            words = shown(_text(record) or "", 200)
            yield RowError(file, line, None, str(record.tag), f"is no record of PubMed: {words}", words)


def _row(record: Element, file: str, line: int | None) -> Raw | RowError:
    value = _book(record) if record.tag == "PubmedBookArticle" else _article(record)
    pmid = value.get("pmid")
    if pmid is None or not pmid.isascii() or not pmid.isdigit():
        cause = "the record has no PMID" if pmid is None else f"expected digits, found {shown(pmid)}"
        return RowError(file, line, None, "PMID", cause, value)
    return Raw(value, line)


def _article(record: Element) -> dict[str, Any]:
    citation = record if record.tag == "MedlineCitation" else record.find("MedlineCitation")
    if citation is None:
        return {}
    journal = citation.find("Article/Journal")
    ids = record.findall("PubmedData/ArticleIdList/ArticleId")
    located = [e for e in citation.findall("Article/ELocationID") if e.get("ValidYN") != "N"]
    doi = _of_type(located, "EIdType", "doi") or _of_type(ids, "IdType", "doi")
    date, year = _date(
        citation.find("Article/Journal/JournalIssue/PubDate"),
        citation.find("Article/ArticleDate"),
        record.find("PubmedData/History/PubMedPubDate[@PubStatus='pubmed']"),
    )
    value: dict[str, Any] = {
        **_named(citation.find("PMID")),
        "title": _text(citation.find("Article/ArticleTitle")),
        "doi": doi,
        "pmcid": _of_type(ids, "IdType", "pmc"),
        "year": year,
        "published": date,
        "journal": _text(journal.find("Title")) if journal is not None else None,
        "journal_abbreviation": _text(journal.find("ISOAbbreviation")) if journal is not None else None,
        "source": "pubmed",
        "language": _text(citation.find("Article/Language")),
        "vernacular_title": _text(citation.find("Article/VernacularTitle")),
        "publication_types": _texts(citation, "Article/PublicationTypeList/PublicationType"),
        "mesh": _texts(citation, "MeshHeadingList/MeshHeading/DescriptorName"),
        "keywords": _texts(citation, "KeywordList/Keyword"),
        **_abstracts(citation.find("Article/Abstract"), citation.findall("OtherAbstract")),
    }
    return {name: field for name, field in value.items() if field or name == "abstract_sections"}


def _book(record: Element) -> dict[str, Any]:
    """A chapter or book: the book stands for the journal."""
    book = record.find("BookDocument")
    if book is None:
        return {}
    date, year = _date(book.find("Book/PubDate"), book.find("ContributionDate"), None)
    ids = [
        *book.findall("ArticleIdList/ArticleId"),
        *record.findall("PubmedBookData/ArticleIdList/ArticleId"),
    ]
    title = _text(book.find("ArticleTitle"))
    value: dict[str, Any] = {
        **_named(book.find("PMID")),
        "title": title or _text(book.find("Book/BookTitle")),
        "doi": _of_type(ids, "IdType", "doi"),
        "year": year,
        "published": date,
        "journal": _text(book.find("Book/BookTitle")),
        "source": "pubmed",
        "language": _text(book.find("Language")),
        "publication_types": _texts(book, "PublicationType"),
        "keywords": _texts(book, "KeywordList/Keyword"),
        **_abstracts(book.find("Abstract"), []),
    }
    return {name: field for name, field in value.items() if field or name == "abstract_sections"}


def _named(pmid: Element | None) -> dict[str, str]:
    """PMID and doc_id. A later version of a record, which PubMed keeps beside the first, has its own."""
    if pmid is None or (number := _text(pmid)) is None:
        return {}
    version = pmid.get("Version", "1")
    return {"doc_id": f"PMID{number}" + (f"v{version}" if version != "1" else ""), "pmid": number}


def _abstracts(abstract: Element | None, others: list[Element]) -> dict[str, Any]:
    """The abstract's parts, and what else the record has of the kind."""
    found: dict[str, Any] = {"abstract_sections": _parts(abstract)}
    rest = [other for other in others if _parts(other)]
    if not found["abstract_sections"] and rest:
        chosen = next((other for other in rest if other.get("Language", "eng") == "eng"), rest[0])
        rest.remove(chosen)
        found["abstract_sections"] = _parts(chosen)
        found |= {"abstract_type": chosen.get("Type"), "abstract_language": chosen.get("Language")}
    found["other_abstracts"] = [
        {
            "type": other.get("Type"),
            "language": other.get("Language"),
            "text": "\n".join(
                f"{p['label']}: {p['text']}" if "label" in p else p["text"] for p in _parts(other)
            ),
        }
        for other in rest
    ]
    return found


def _parts(abstract: Element | None) -> list[dict[str, str]]:
    parts = []
    for element in abstract.iterfind("AbstractText") if abstract is not None else ():
        text = _text(element)
        if text is None:
            continue
        label, category = (_squeezed(element.get(name, "")) for name in ("Label", "NlmCategory"))
        if label.upper() == "UNLABELLED":
            label = ""
        category = "" if category in ("UNASSIGNED", "UNLABELLED") else category
        named = {"label": label or category, "category": category}
        parts.append({**{name: field for name, field in named.items() if field}, "text": text})
    return parts


def _of_type(elements: Iterable[Element], attribute: str, kind: str) -> str | None:
    return next((_text(e) for e in elements if e.get(attribute) == kind and _text(e)), None)


def _texts(parent: Element, path: str) -> list[str]:
    return [text for element in parent.iterfind(path) if (text := _text(element))]


def _text(element: Element | None) -> str | None:
    """All words in an element, tags apart, each run of white space as one space; None without any."""
    return (_squeezed("".join(element.itertext())) or None) if element is not None else None


def _squeezed(text: str) -> str:
    return _SPACE.sub(" ", text).strip(" ")


def _date(*given: Element | None) -> tuple[str | None, int | None]:
    """(as precise as it is told, year) of the first date that has a year. A MedlineDate is kept in its own
    words, and its first year counts."""
    for element in given:
        if element is None:
            continue
        words = _text(element.find("MedlineDate")) or _text(element.find("Year")) or ""
        if not (match := _YEAR.search(words)):
            continue
        if element.find("MedlineDate") is not None:
            return words, int(match[0])
        return iso_date(match[0], _text(element.find("Month")), _text(element.find("Day"))), int(match[0])
    return None, None
