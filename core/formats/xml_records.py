"""XML from outside, one record at a time, in the memory of one record.

A file may name its document type but declare nothing of its own: one that does (entities, attribute
defaults) is refused before anything in it is expanded, and nothing outside the file is ever read. The check
(defusedxml) covers all that stands before the outermost tag, the only place for declarations; what follows
goes through the fast parser.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, cast
from xml.parsers import expat

from core.errors import InputError
from core.formats.rows import shown
from core.formats.source import MAX_LINE

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PIECE = 2**16
"""Bytes read at a time."""
MAX_DEPTH = 200
"""Levels of tags accepted; formulas in abstracts take about thirty."""

_CUT_OFF = (
    expat.errors.XML_ERROR_NO_ELEMENTS,
    expat.errors.XML_ERROR_UNCLOSED_TOKEN,
    expat.errors.XML_ERROR_PARTIAL_CHAR,
    expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
)


class CutOff(InputError):
    """XML that ends before it is complete."""

    def __init__(self, place: str, line: int, cause: str):
        super().__init__(f"{place}: {cause}. The file was cut off: download it again.")
        self.line = line
        self.cause = cause


def records(
    pieces: Iterable[bytes], file: str, sets: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[Element, int | None]]:
    """(record, line it starts on) of each record, in order; it is emptied when the next one is asked for.

    Args:
        pieces: the bytes of the file.
        file: its name, for messages.
        sets: outermost tag to the tags of the records right under it, the only ones whose lines are known;
            none: the outermost tag is the record.

    Raises:
        InputError: another outermost tag, unsafe declarations, or XML that is damaged, cut off, too deep or
            has a record that is too large. What was yielded before is whole.
        CutOff: it is cut off.
    """
    from xml.etree.ElementTree import Element, ParseError, XMLPullParser

    parser: XMLPullParser[Any] = XMLPullParser(("start", "end"))
    lines = _Lines({tag for outer, tags in sets.items() for tag in (outer, *tags)})
    depth, number, since = 0, 0, 0
    root: Element | None = None
    level = 0
    try:
        for piece in chain(_whole_tags(_checked(pieces, file)), (None,)):
            if piece is None:
                parser.close()
            else:
                lines.count(piece)
                parser.feed(piece)
                since += len(piece)
            for event, element in cast(Iterator[tuple[str, Element]], parser.read_events()):
                if event == "start":
                    if root is None:
                        root, level = element, _level(file, element.tag, sets)
                    depth += 1
                    if depth > MAX_DEPTH:
                        raise InputError(
                            f"{file}, record {number + 1}: tags are nested more than {MAX_DEPTH} levels "
                            "deep. Such a file cannot be read: download it again."
                        )
                    continue
                depth -= 1
                if depth == level and root is not None:
                    number, since = number + 1, 0
                    yield element, lines.of_next(element.tag)
                    root.clear()
            if since > MAX_LINE:
                raise InputError(
                    f"{file}, record {number + 1}: the record is longer than {MAX_LINE // 2**20} MB. "
                    "Such a file cannot be read: download it again."
                )
    except ParseError as error:
        raise _explained(error, file, number) from None
    except (ValueError, LookupError) as error:  # of an encoding that the parser does not know
        raise InputError(f"{file} cannot be decoded: {error}. Save it as UTF-8.") from None


class _Lines:
    """On which line each tag starts. The fast parser does not tell."""

    def __init__(self, tags: Iterable[str]):
        self.pattern = re.compile(b"<(" + b"|".join(tag.encode() for tag in sorted(tags)) + rb")[\s/>]")
        self.line = 1
        self.found: dict[bytes, deque[int]] = {tag.encode(): deque() for tag in tags}

    def count(self, piece: bytes) -> None:
        counted = 0
        for match in self.pattern.finditer(piece):
            self.line += piece.count(b"\n", counted, match.start())
            counted = match.start()
            self.found[match[1]].append(self.line)
        self.line += piece.count(b"\n", counted)

    def of_next(self, tag: str) -> int | None:
        found = self.found.get(tag.encode())
        return found.popleft() if found else None


def _level(file: str, tag: str, sets: Mapping[str, tuple[str, ...]]) -> int:
    """The depth at which records stand."""
    if tag in sets:
        return 1 if sets[tag] else 0
    raise InputError(
        f"{file}: the outermost tag of this XML is {shown(tag)}, not {next(iter(sets))}. It may be an error "
        "page or another export: download it again, or name its --format."
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
                "publishers' files never do. Download it from its source again."
            ) from None
        except (_Harmless, SyntaxError, ValueError, LookupError):  # of a fault the other parser tells
            over = True
        size += len(piece)
        if size > MAX_LINE:
            raise InputError(f"{file} is no such XML: no tag in its first {MAX_LINE // 2**20} MB.")
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


def _explained(error: SyntaxError, file: str, number: int) -> InputError:
    code = getattr(error, "code", 0)
    line, column = getattr(error, "position", (0, 0))
    what = expat.errors.messages.get(code, "not well-formed")
    after = f"after record {number}" if number else "in the first record"
    place = f"{file}, line {line}, column {column + 1}, {after}"
    if what in _CUT_OFF:
        return CutOff(place, line, "the XML ends before it is complete")
    if what in (expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT, expat.errors.XML_ERROR_MISPLACED_XML_PI):
        return InputError(
            f"{place}: {what}. Perhaps several files were put into one: add each as a file of its own, or "
            "put all records into one PubmedArticleSet."
        )
    if what == expat.errors.XML_ERROR_INVALID_TOKEN:
        return InputError(
            f"{place}: {what}. The file may be in another encoding than it says, or damaged: download it "
            "again, or save it as UTF-8."
        )
    return InputError(f"{place}: {what}. The file is damaged: download it again.")
