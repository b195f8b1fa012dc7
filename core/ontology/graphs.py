"""OBO Graph JSON before pronto: check its shape, and hand on only the parts that are kept.

fastobo, under pronto, reads JSON as YAML, stops at cross-references that are no OBO ids, and leaves out
logical definitions and synonym types. So the document is parsed strictly here, cross-references are left
out, and the two that pronto misses are taken from the file.
"""

from __future__ import annotations

import json
import re
from typing import Any

from core.errors import InputError
from core.ontology import source
from core.ontology.prescan import Scan
from core.records import Curie, Finding

_OBO_IRI = re.compile(r"https?://purl\.obolibrary\.org/obo/([^#_/]+)_(.+)$")
_FRAGMENT = re.compile(r"https?://purl\.obolibrary\.org/obo/[^#]*#(.+)$")
_KEPT_PROPERTIES = re.compile(
    r"#(?:hasAlternativeId|hasOBONamespace|replacedBy|hasOBOFormatVersion|hasDefaultNamespace"
    r"|default-namespace)$|IAO_0100001$|(?:elements/1\.1|dc/terms)/title$|owl#versionInfo$"
)
_SCOPES = {
    "hasExactSynonym": "EXACT",
    "hasBroadSynonym": "BROAD",
    "hasNarrowSynonym": "NARROW",
    "hasRelatedSynonym": "RELATED",
}
_YAML_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Characters that JSON allows bare and YAML folds or refuses."""
_IS_A = frozenset({"is_a", "http://www.w3.org/2000/01/rdf-schema#subClassOf"})

Json = dict[str, Any]


def compact(iri: str) -> Curie:
    """`http://purl.obolibrary.org/obo/HP_0000001` as `HP:0000001`, any other identifier as it is."""
    match = _OBO_IRI.match(iri)
    return f"{match[1]}:{match[2]}" if match else iri


def compact_type(iri: str) -> str:
    """A synonym type: `.../obo/hp#layperson` as `layperson`, `.../obo/OMO_0003000` as `OMO:0003000`."""
    match = _FRAGMENT.match(iri)
    return match[1] if match else compact(iri)


def _relation_names(nodes: list[Json]) -> dict[str, str]:
    """Relation IRI to the short name that OBO files use (`part_of`), where the file states one."""
    names = {}
    for node in nodes:
        for value in _objects(_meta(node).get("basicPropertyValues")):
            short = value.get("val")
            if str(value.get("pred")).endswith("#shorthand") and isinstance(short, str):
                names[str(node.get("id"))] = short
    return {iri: short for iri, short in names.items() if re.fullmatch(r"[A-Za-z][\w-]*", short)}


def scan_json(data: bytes, name: str) -> Scan:
    document = _parse(source.decode(data, name), name)
    graphs = document.get("graphs")
    if not isinstance(graphs, list) or not graphs or not isinstance(graphs[0], dict):
        raise InputError(f'{name!r} is JSON but no OBO Graph: it has no list "graphs" with a graph in it.')
    graph = graphs[0]
    scan = Scan(payload=b"")
    relations = _relation_names(_list(graph, "nodes", name))
    nodes = [_node(node, number, scan, name) for number, node in enumerate(_list(graph, "nodes", name), 1)]
    edges = _edges(graph, relations, scan, name)
    _logical_definitions(graph, relations, scan, name)
    scan.imports += [str(g.get("id", "without id")) for g in graphs[1:] if isinstance(g, dict)]
    meta = _meta(graph)
    clean_meta = _properties(meta)
    if isinstance(meta.get("version"), str):
        clean_meta["version"] = meta["version"]
    iri = str(graph.get("id") or "http://purl.obolibrary.org/obo/unnamed.owl")
    clean = {"id": iri, "meta": clean_meta, "nodes": nodes, "edges": edges}
    scan.payload = _dump({"graphs": [clean]}, name)
    return scan


def _parse(text: str, name: str) -> Json:
    def unique(pairs: list[tuple[str, Any]]) -> Json:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise InputError(f"{name!r} repeats the key {twice!r} within one JSON object; which one counts?")
        return found

    try:
        value = json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{name!r} is not valid JSON: line {error.lineno}, column {error.colno}: {error.msg}. "
            "It may be cut off; get it again."
        ) from error
    except (RecursionError, ValueError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"{name!r} is not an OBO Graph: {reason}.") from error
    return value if isinstance(value, dict) else {}


def _list(graph: Json, key: str, name: str) -> list[Any]:
    value = graph.get(key)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise InputError(f"{name!r} is not an OBO Graph: {key!r} must be a list of objects.")
    return value


def _objects(value: Any) -> list[Json]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _meta(holder: Json) -> Json:
    meta = holder.get("meta")
    return meta if isinstance(meta, dict) else {}


def _node(node: Json, number: int, scan: Scan, name: str) -> Json:
    if not isinstance(node.get("id"), str) or not node["id"]:
        raise InputError(f'{name!r} is not an OBO Graph: node {number} has no "id".')
    kind = node.get("type")
    clean: Json = {"id": node["id"]}
    if kind in ("CLASS", "INDIVIDUAL", "PROPERTY"):
        clean["type"] = kind
    if isinstance(node.get("lbl"), str):
        clean["lbl"] = node["lbl"]
    if kind != "CLASS":
        return clean
    curie = compact(node["id"])
    scan.define(curie, None)
    meta = _meta(node)
    clean["meta"] = _properties(meta)
    definition = meta.get("definition")
    if isinstance(definition, dict) and isinstance(definition.get("val"), str):
        clean["meta"]["definition"] = {"val": definition["val"]}
    if meta.get("deprecated") is True:
        clean["meta"]["deprecated"] = True
    synonyms = []
    for synonym in _objects(meta.get("synonyms")):
        text = synonym.get("val")
        if not isinstance(text, str) or not text.strip():
            continue
        predicate = str(synonym.get("pred", "")).rpartition("#")[2]
        if predicate not in _SCOPES:
            scan.findings.append(
                Finding(None, "repaired", f"{curie}: synonym {text!r} has no known scope; read as RELATED.")
            )
            predicate = "hasRelatedSynonym"
        synonyms.append({"pred": predicate, "val": text})
        if isinstance(synonym.get("synonymType"), str):
            scan.synonym_types[curie, _SCOPES[predicate], text] = compact_type(synonym["synonymType"])
    clean["meta"]["synonyms"] = synonyms
    return clean


def _properties(meta: Json) -> Json:
    kept = [
        {"pred": value["pred"], "val": value["val"]}
        for value in _objects(meta.get("basicPropertyValues"))
        if isinstance(value.get("val"), str)
        and isinstance(value.get("pred"), str)
        and _KEPT_PROPERTIES.search(value["pred"])
    ]
    return {"basicPropertyValues": kept}


def _edges(graph: Json, relations: dict[str, str], scan: Scan, name: str) -> list[Json]:
    clean = []
    for number, edge in enumerate(_list(graph, "edges", name), 1):
        triple = [edge.get(key) for key in ("sub", "pred", "obj")]
        if not all(isinstance(part, str) and part for part in triple):
            raise InputError(f'{name!r} is not an OBO Graph: edge {number} needs "sub", "pred" and "obj".')
        child, relation, parent = (str(part) for part in triple)
        relation = "is_a" if relation in _IS_A else relation
        if compact(child) not in scan.defined:
            continue  # between relations or individuals
        if relation == "is_a":
            scan.is_a.append((compact(child), compact(parent), None))
        clean.append({"sub": child, "pred": relations.get(relation, relation), "obj": parent})
    return clean


def _logical_definitions(graph: Json, relations: dict[str, str], scan: Scan, name: str) -> None:
    for axiom in _list(graph, "logicalDefinitionAxioms", name):
        defined, genera = axiom.get("definedClassId"), axiom.get("genusIds")
        whole = isinstance(defined, str)
        parts: list[tuple[str | None, Curie]] = []
        if isinstance(genera, list):
            parts += [(None, compact(genus)) for genus in genera if isinstance(genus, str)]
        for restriction in _objects(axiom.get("restrictions")):
            relation, filler = restriction.get("propertyId"), restriction.get("fillerId")
            whole = whole and isinstance(relation, str) and isinstance(filler, str)
            parts.append((relations.get(str(relation)) or compact(str(relation)), compact(str(filler))))
        if whole and len(parts) > 1:
            scan.definitions.setdefault(compact(str(defined)), parts)
        else:
            scan.findings.append(
                Finding(None, "definition_left_out", f"The logical definition of {defined} is incomplete.")
            )


def _dump(document: Json, name: str) -> bytes:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    if re.search(r"(?<!\\)(?:\\\\)*\\u0000", text):
        raise InputError(f"{name!r} holds a NUL character in a text: it is damaged.")
    text = _YAML_UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"{name!r} holds half a character (a lone surrogate, U+{ord(text[error.start]):04X}); damaged."
        ) from error
