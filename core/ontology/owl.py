"""OWL in RDF/XML before pronto: what the classes say, and a clean copy of the parts that are kept.

pronto leaves out logical definitions and links written as nested elements, and stops at annotations that
are no concern of ours (odd dates, cross-references of properties). So the file is read once here, and
pronto gets a small RDF/XML document made of what is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, tostring

from core.errors import InputError
from core.ontology.graphs import compact
from core.ontology.prescan import Scan
from core.ontology.rdf import ABOUT, DESCRIPTION, OWL, RDF, RESOURCE, line_of, read_rdf
from core.records import Curie, Finding

_RDFS = "{http://www.w3.org/2000/01/rdf-schema#}"
_IN_OWL = "{http://www.geneontology.org/formats/oboInOwl#}"
_OBO = "{http://purl.obolibrary.org/obo/}"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_DATATYPE = f"{RDF}datatype"
_LABEL, _DEFINITION = f"{_RDFS}label", f"{_OBO}IAO_0000115"
_THING = "http://www.w3.org/2002/07/owl#Thing"
_HAS_PART = "http://purl.obolibrary.org/obo/BFO_0000051"

_KEPT = {
    "Class": {
        *(f"{_IN_OWL}has{scope}Synonym" for scope in ("Exact", "Broad", "Narrow", "Related")),
        f"{_IN_OWL}id",
        f"{_IN_OWL}hasAlternativeId",
        f"{_IN_OWL}hasOBONamespace",
        f"{_OBO}IAO_0100001",
        f"{OWL}deprecated",
    },
    "Ontology": {
        f"{OWL}imports",
        f"{OWL}versionIRI",
        f"{OWL}versionInfo",
        f"{_IN_OWL}hasDefaultNamespace",
        f"{_IN_OWL}default-namespace",
        "{http://purl.org/dc/elements/1.1/}title",
        "{http://purl.org/dc/terms/}title",
    },
    "ObjectProperty": {f"{_IN_OWL}id", f"{_IN_OWL}shorthand"},
    "Axiom": {
        f"{OWL}annotatedSource",
        f"{OWL}annotatedProperty",
        f"{OWL}annotatedTarget",
        f"{_IN_OWL}hasSynonymType",
    },
}


def scan_owl(data: bytes, name: str, cap: int) -> Scan:
    """`cap`: the most bytes the document may have once entities are replaced."""
    tops = read_rdf(data, name, cap)
    ontology = next((e for e in tops if e.tag == f"{OWL}Ontology"), None)
    if ontology is None:
        raise InputError(
            f"{name!r} is RDF/XML but holds no owl:Ontology element, so it is no OWL file that can be read."
        )
    scan = Scan(payload=b"")
    scan.imports = [e.get(RESOURCE, "unnamed") for e in ontology.findall(f"{OWL}imports")]
    ids = {e.get(ABOUT, ""): _identifier(e) for e in tops if e.get(ABOUT) and e is not ontology}
    named = _Names(ids, ontology.get(ABOUT, ""))
    for element in tops:
        if element.tag == f"{OWL}Class" and element.get(ABOUT):
            _scan_class(element, named, scan)
    root = Element(f"{RDF}RDF")
    root.extend(clean for element in tops if (clean := _clean(element)) is not None)
    scan.payload = tostring(root, encoding="utf-8", xml_declaration=True)
    return scan


class _Names:
    """IRI to id, as pronto does it: the id the file gives, else the compact form of the IRI."""

    def __init__(self, ids: dict[str, str | None], ontology: str):
        self._ids = ids
        match = re.match(r"http://purl\.obolibrary\.org/obo/(.*)\.(?:obo|owl)$", ontology)
        self._local = f"http://purl.obolibrary.org/obo/{match[1]}#" if match else None

    def __call__(self, iri: str) -> Curie:
        if given := self._ids.get(iri):
            return given
        if self._local and iri.startswith(self._local):
            return iri.removeprefix(self._local)
        return compact(iri)


def _identifier(element: Element) -> str | None:
    """The id that the file states: for a relation its short name."""
    shorthand = element.findtext(f"{_IN_OWL}shorthand") if element.tag == f"{OWL}ObjectProperty" else None
    return shorthand or element.findtext(f"{_IN_OWL}id")


def _iri(element: Element | None) -> str | None:
    """What an element names: by rdf:resource, or by one nested named class."""
    if element is None:
        return None
    if resource := element.get(RESOURCE):
        return resource
    inner = element[0] if len(element) == 1 else None
    named = inner is not None and inner.tag in (f"{OWL}Class", DESCRIPTION)
    return inner.get(ABOUT) if inner is not None and named else None


def _scan_class(element: Element, named: _Names, scan: Scan) -> None:
    curie = named(element.get(ABOUT, ""))
    lines = scan.defined.setdefault(curie, [])
    if element.find(_LABEL) is not None:  # RDF may describe a class in several places, but names it once
        lines.append(line_of(element))
    for link in element.findall(f"{_RDFS}subClassOf"):
        parent = _iri(link)
        if parent is None and _relation(link) is None:
            scan.findings.append(
                Finding(
                    line_of(link),
                    "relation_left_out",
                    f"A superclass of {curie} is neither a class nor a relation to one; left out.",
                )
            )
        elif parent and parent != _THING:
            scan.is_a.append((curie, named(parent), line_of(link)))
    expressions = [e for e in element.findall(f"{OWL}equivalentClass") if RESOURCE not in e.attrib]
    for expression in expressions:
        if len(expression) and (parts := _parts(expression[0], named)):
            scan.definitions.setdefault(curie, parts)
    if expressions and curie not in scan.definitions:
        scan.findings.append(
            Finding(
                line_of(expressions[0]),
                "definition_left_out",
                f"The logical definition of {curie} cannot be written as genus and relations; left out.",
            )
        )


def _parts(expression: Element, named: _Names) -> list[tuple[str | None, Curie]] | None:
    """Genus and relations of a class expression; None where it holds more than those.

    `has part some (...)` around the whole is stripped, as in the published OBO form of HPO
    (logical-definition-view-relation: has_part).
    """
    if expression.tag == f"{OWL}Restriction":
        relation, inner = _restriction(expression)
        if relation != _HAS_PART or inner is None or len(inner) != 1:
            return None
        expression = inner[0]
    members = expression.find(f"{OWL}intersectionOf")
    if members is None:
        return None
    parts: list[tuple[str | None, Curie]] = []
    for member in members:
        if member.tag == f"{OWL}Restriction":
            relation, target = _restriction(member)
            filler = _iri(target)
            if not relation or not filler:
                return None
            parts.append((named(relation), named(filler)))
        elif (genus := member.get(ABOUT)) and not len(member):
            parts.append((None, named(genus)))
        else:
            return None
    return parts if len(parts) > 1 else None


def _relation(link: Element) -> tuple[str, str] | None:
    """(property, filler) of a superclass that says `property some filler`."""
    restriction = link.find(f"{OWL}Restriction")
    if restriction is None:
        return None
    relation, target = _restriction(restriction)
    filler = _iri(target)
    return (relation, filler) if relation and filler else None


def _restriction(element: Element) -> tuple[str | None, Element | None]:
    return _iri(element.find(f"{OWL}onProperty")), element.find(f"{OWL}someValuesFrom")


# --- what pronto gets -------------------------------------------------------------------------------------


def _clean(element: Element) -> Element | None:
    """A copy of what is kept of a top-level element; None for anonymous ones and axioms that tell nothing."""
    kind = element.tag.rpartition("}")[2]
    if kind == "Axiom" and element.find(f"{_IN_OWL}hasSynonymType") is None:
        return None  # of the annotated axioms only those that give a synonym its type are kept
    if kind in ("Class", "ObjectProperty") and not element.get(ABOUT):
        return None
    clean = Element(element.tag, {ABOUT: element.attrib[ABOUT]} if ABOUT in element.attrib else {})
    clean.extend(_copy(child) for child in element if child.tag in _KEPT[kind])
    if kind == "Class":
        clean.extend(_names_and_links(element))
    return clean


def _copy(element: Element) -> Element:
    copy = Element(element.tag)
    copy.text = element.text
    if RESOURCE in element.attrib:
        copy.set(RESOURCE, element.attrib[RESOURCE])
    elif _DATATYPE in element.attrib:
        copy.set(_DATATYPE, "http://www.w3.org/2001/XMLSchema#string")  # pronto stops at unusual ones
    if element.tag == f"{OWL}deprecated" and (element.text or "").strip() == "1":
        copy.text = "true"
    return copy


def _names_and_links(element: Element) -> Iterator[Element]:
    for tag in (_LABEL, _DEFINITION):
        if (preferred := _preferred(element.findall(tag))) is not None:
            yield _copy(preferred)
    for link in element.findall(f"{_RDFS}subClassOf"):
        if parent := _iri(link):
            yield Element(link.tag, {RESOURCE: parent})
        elif relation := _relation(link):
            yield _link(*relation)


def _preferred(texts: list[Element]) -> Element | None:
    """The English one, else one without language, else the first."""
    texts = [text for text in texts if (text.text or "").strip()]
    return min(texts, key=lambda e: _rank(e.get(_LANGUAGE, "")), default=None)


def _rank(language: str) -> int:
    return 0 if language.lower().split("-")[0] == "en" else 1 if not language else 2


def _link(relation: str, filler: str) -> Element:
    link = Element(f"{_RDFS}subClassOf")
    restriction = SubElement(link, f"{OWL}Restriction")
    SubElement(restriction, f"{OWL}onProperty", {RESOURCE: relation})
    SubElement(restriction, f"{OWL}someValuesFrom", {RESOURCE: filler})
    return link
