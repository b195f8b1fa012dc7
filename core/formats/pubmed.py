"""PubMed XML: PubmedArticleSet as E-utilities, the baseline files and PubMed's own download write it.

Articles and books come one by one, so a file of any size takes the memory of one record. The text is the
abstract, `Label: text` of each part on a line (see `articles`); tags inside it go, and their words stay.
Where there is none, the first OtherAbstract takes its place, an English one if there is one;
`meta.other_abstracts` keeps the rest. Deleted citations are told in the notes.

A PubMed file names its document type and declares nothing of its own, so a file that does (entities,
attribute defaults) is refused before anything in it is expanded; nothing outside the file is ever read.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, cast
from xml.parsers import expat

from core.errors import InputError
from core.formats.articles import as_documents
from core.formats.assemble import assemble
from core.formats.rows import Notes, Raw, Reading, RowError, shown
from core.formats.source import MAX_LINE, Source
from core.records import Document

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PIECE = 2**16
"""Bytes read at a time."""
MAX_DEPTH = 200
"""Levels of tags accepted; formulas in abstracts take about thirty."""

SETS = ("PubmedArticleSet", "PubmedBookArticleSet", "MedlineCitationSet")
RECORDS = ("PubmedArticle", "PubmedBookArticle", "MedlineCitation")

_RECORD = re.compile(rb"<(?:PubmedArticle|PubmedBookArticle|MedlineCitation)[\s>]")
_CUT_OFF = (
    expat.errors.XML_ERROR_NO_ELEMENTS,
    expat.errors.XML_ERROR_UNCLOSED_TOKEN,
    expat.errors.XML_ERROR_PARTIAL_CHAR,
    expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
)
_SPACE = re.compile(r"[ \t\r\n]+")
_YEAR = re.compile(r"(?<![0-9])[12][0-9]{3}(?![0-9])")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def read(source: Source, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """Records of a PubMed file; it has no metadata."""
    return {}, _records(source.pieces(PIECE), source.name, notes)


def documents(stream: BinaryIO, name: str, notes: Notes | None = None) -> Iterator[Document | RowError]:
    """Documents of PubMed XML from anywhere.

    Args:
        name: of the stream, for messages.
        notes: told which records have no abstract, and which were deleted.

    Raises:
        InputError: no PubMed XML, or damaged, unsafe or cut off; what came before it is whole.
    """
    notes = Notes() if notes is None else notes
    rows = _records(iter(partial(stream.read, PIECE), b""), name, notes)
    return assemble(as_documents(rows, name, notes), name, Reading(), notes)


# --- the file ---------------------------------------------------------------------------------------------


def _records(pieces: Iterable[bytes], file: str, notes: Notes) -> Iterator[Raw | RowError]:
    from xml.etree.ElementTree import Element, ParseError, XMLPullParser

    parser: XMLPullParser[Any] = XMLPullParser(("start", "end"))
    lines: deque[int] = deque()
    depth, number, since, line = 0, 0, 0, 1
    root: Element | None = None
    wanted = 0
    try:
        for piece in _whole_tags(_checked(pieces, file)):
            for match in _RECORD.finditer(piece):
                lines.append(line + piece.count(b"\n", 0, match.start()))
            line += piece.count(b"\n")
            since += len(piece)
            parser.feed(piece)
            for event, element in cast(Iterator[tuple[str, Element]], parser.read_events()):
                if event == "start":
                    if root is None:
                        root = element
                        wanted = _wanted(file, root)
                    depth += 1
                    if depth > MAX_DEPTH:
                        raise InputError(
                            f"{file}, record {number + 1}: tags are nested more than {MAX_DEPTH} levels "
                            "deep. PubMed writes no such file: download it again."
                        )
                    continue
                depth -= 1
                if depth != wanted:
                    continue
                if element.tag in RECORDS:
                    number, since = number + 1, 0
                    yield _row(element, file, lines.popleft() if lines else None)
                elif element.tag == "DeleteCitation":
                    notes.deleted.extend(f"PMID{_text(pmid)}" for pmid in element.iter("PMID"))
                if root is not None:
                    root.clear()
            if since > MAX_LINE:
                raise InputError(
                    f"{file}, record {number + 1}: the record is longer than {MAX_LINE // 2**20} MB. "
                    "PubMed writes no such file: download it again."
                )
        parser.close()
    except ParseError as error:
        raise InputError(_explained(error, file, number, depth)) from None


def _wanted(file: str, root: Element) -> int:
    """The depth at which records stand."""
    if root.tag in SETS:
        return 1
    if root.tag in RECORDS:
        return 0
    raise InputError(
        f"{file} is no PubMed XML: its outermost tag is {shown(root.tag)}, not PubmedArticleSet. It may be "
        "an error page or another export. Download it again as PubMed XML."
    )


def _checked(pieces: Iterable[bytes], file: str) -> Iterator[bytes]:
    """The same pieces, once all that stands before the outermost tag is known to be harmless."""
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    class Prolog(DefusedXMLParser):
        def __init__(self) -> None:
            super().__init__(forbid_dtd=False)
            self.parser.StartDoctypeDeclHandler = self.doctype
            self.parser.StartElementHandler = self.outermost

        def doctype(self, name: str, system: str | None, public: str | None, declares: bool) -> None:
            if declares:
                raise DefusedXmlException

        def outermost(self, name: str, attributes: Any) -> None:
            raise _Harmless

    prolog, size, left = Prolog(), 0, iter(pieces)
    for piece in left:
        over = False
        try:
            prolog.feed(piece)
        except DefusedXmlException:
            raise InputError(
                f"{file} is unsafe XML and was refused: it declares entities or attributes of its own, which "
                "PubMed never does. Download it from PubMed again."
            ) from None
        except (_Harmless, SyntaxError):  # of a fault the main parser says where it is
            over = True
        size += len(piece)
        if size > MAX_LINE:
            raise InputError(f"{file} is no PubMed XML: no tag in its first {MAX_LINE // 2**20} MB.")
        yield piece
        if over:
            break
    yield from left


class _Harmless(Exception):
    """The outermost tag has come, and no declaration can follow it."""


def _whole_tags(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Pieces that end before a `<`, so that no tag's name is torn."""
    kept = b""
    for piece in pieces:
        piece = kept + piece
        at = piece.rfind(b"<")
        kept = piece[at:] if at >= 0 and len(piece) - at < PIECE else b""
        if head := piece[: len(piece) - len(kept)]:
            yield head
    if kept:
        yield kept


def _explained(error: SyntaxError, file: str, number: int, depth: int) -> str:
    code = getattr(error, "code", 0)
    line, column = getattr(error, "position", (0, 0))
    what = expat.errors.messages.get(code, "not well-formed")
    after = f"after {number} whole records" if number else "in the first record"
    place = f"{file}, line {line}, column {column + 1}, {after}"
    if what in _CUT_OFF:
        return f"{place}: the XML ends before it is complete. The file was cut off: download it again."
    if what in (expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT, expat.errors.XML_ERROR_MISPLACED_XML_PI):
        return (
            f"{place}: {what}. Perhaps several files were put into one: add each as a file of its own, or "
            "put all records into one PubmedArticleSet."
        )
    if what == expat.errors.XML_ERROR_INVALID_TOKEN:
        return (
            f"{place}: {what}. The file may be in another encoding than it says, or damaged: download it "
            "again, or save it as UTF-8."
        )
    return f"{place}: {what}. The file is damaged: download it again."


# --- a record ---------------------------------------------------------------------------------------------


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
        month, day = _text(element.find("Month")), _text(element.find("Day"))
        date = match[0]
        if month and (number := _month(month)):
            date += f"-{number:02}" + (f"-{int(day):02}" if day and day.isdecimal() else "")
        return date, int(match[0])
    return None, None


def _month(words: str) -> int | None:
    if words.isdecimal():
        return int(words)
    short = words[:3].lower()
    return _MONTHS.index(short) + 1 if short in _MONTHS else None
