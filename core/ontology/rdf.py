"""RDF/XML read safely: one expat pass that keeps the top-level elements of interest, each with its line.

Entities: only short internal ones without markup (the namespace abbreviations that editors write) are
allowed, and only if the document stays within its size limit once they are replaced; external, nested and
parameter entities and outside document types are refused.
"""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element
from xml.parsers import expat

from core.errors import InputError
from core.ontology import source

RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
OWL = "{http://www.w3.org/2002/07/owl#}"
ABOUT, RESOURCE = f"{RDF}about", f"{RDF}resource"
DESCRIPTION = f"{RDF}Description"
TOP = {f"{OWL}{tag}" for tag in ("Ontology", "Class", "ObjectProperty", "Axiom")}
"""What is kept. A plain rdf:Description of one of these types is renamed to it."""

_LINE = "line"
_LONGEST_ENTITY = 256
_REFERENCE = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)\w[\w.-]*;")


def read_rdf(data: bytes, name: str, cap: int) -> list[Element]:
    """Top-level elements of the kinds in `TOP`, tags and attributes in `{namespace}local` form.

    `cap`: the most bytes the document may have once entities are replaced. InputError for XML that is
    unsafe, not well-formed or not RDF/XML.
    """
    return _Reader(data, name, cap).read()


def line_of(element: Element) -> int:
    """Line of the start tag in the file."""
    return int(element.get(_LINE, "0"))


class _Reader:
    def __init__(self, data: bytes, name: str, cap: int):
        self._data, self._name, self._cap = data, name, cap
        self._tops: list[Element] = []
        self._open: list[Element] = []
        self._texts: list[str] = []
        self._depth = 0
        self._longest = 0
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EndDoctypeDeclHandler = self._bound_expansion
        parser.EntityDeclHandler = self._entity
        parser.ExternalEntityRefHandler = self._external
        parser.SkippedEntityHandler = self._skipped
        self._parser = parser

    def read(self) -> list[Element]:
        try:
            self._parser.Parse(self._data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            if "amplification" in reason:
                raise self._unsafe("its entities grow without bound") from error
            raise InputError(
                f"{self._name!r} is not well-formed XML: line {error.lineno}: {reason}. "
                "It may be cut off, or in another encoding than it declares."
            ) from error
        return self._tops

    # --- elements ---

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        tag = _clark(tag)
        if self._depth == 1 and tag != f"{RDF}RDF":
            raise InputError(
                f"{self._name!r} is XML but not RDF/XML (it starts with <{tag.rpartition('}')[2]}>). "
                "Convert it to OWL in RDF/XML, OBO or OBO Graph JSON and add that."
            )
        if not self._open and not (self._depth == 2 and (tag in TOP or tag == DESCRIPTION)):
            return
        element = Element(tag, {_clark(key): value for key, value in attributes.items()})
        element.set(_LINE, str(self._parser.CurrentLineNumber))
        if self._open:
            self._open[-1].append(element)
        self._open.append(element)
        self._texts.clear()

    def _end(self, _tag: str) -> None:
        self._depth -= 1
        if not self._open:
            return
        element = self._open.pop()
        if not len(element):
            element.text = "".join(self._texts)
        self._texts.clear()
        if self._open:
            return
        if element.tag == DESCRIPTION:
            types = {_clark_of(kind.get(RESOURCE, "")) for kind in element.findall(f"{RDF}type")}
            element.tag = min(types & TOP, default=DESCRIPTION)
        if element.tag in TOP:
            self._tops.append(element)

    def _text(self, text: str) -> None:
        if self._open and not len(self._open[-1]):  # text between elements means nothing
            self._texts.append(text)

    # --- what is refused ---

    def _unsafe(self, why: str) -> InputError:
        line = self._parser.CurrentLineNumber
        return InputError(f"{self._name!r} holds unsafe XML, which is refused: {why} (line {line}).")

    def _doctype(self, _name: str, system: str | None, public: str | None, _internal: bool) -> None:
        if system or public:
            raise self._unsafe("a document type from outside the file")

    def _entity(self, name: str, parameter: bool, value: str | None, *_outside: Any) -> None:
        if parameter or value is None:
            raise self._unsafe(f"the entity {name!r} stands for something outside the text")
        if len(value.encode("utf-8")) > _LONGEST_ENTITY or re.search(r"[&%<\s]", value):
            raise self._unsafe(f"the entity {name!r} is more than a short abbreviation")
        self._longest = max(self._longest, len(value.encode("utf-8")))

    def _bound_expansion(self) -> None:
        """Refuse what would exceed the limit if every reference stood for the longest entity."""
        if not self._longest:
            return
        if self._data.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise self._unsafe("entities in a UTF-16 file")
        references = sum(1 for _ in _REFERENCE.finditer(self._data))
        if len(self._data) + references * self._longest > self._cap:
            raise self._unsafe(f"with its entities replaced it could exceed {source.megabytes(self._cap)}")

    def _external(self, *_reference: Any) -> int:
        raise self._unsafe("an entity from outside the file")

    def _skipped(self, name: str, _parameter: bool) -> None:
        raise self._unsafe(f"the entity {name!r} is used but not declared in the file")


def _clark(name: str) -> str:
    """expat's `namespace}local` with its opening brace."""
    return f"{{{name}" if "}" in name else name


def _clark_of(iri: str) -> str:
    namespace, mark, local = iri.rpartition("#")
    return f"{{{namespace}{mark}}}{local}"
