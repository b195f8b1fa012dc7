"""From bytes to concepts by pronto, inside the limited child process: nothing here runs in the server.

Read from pronto's entity data rather than its views: the views stop at synonym types that the file does
not declare and at replacements that it does not define, and the data hold all that is kept.
"""

from __future__ import annotations

import hashlib
import io
import re
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.ontology import source
from core.ontology.graphs import scan_json
from core.ontology.owl import scan_owl
from core.ontology.prescan import Scan, check, scan_obo, shorten
from core.ontology.repair import repair_obo
from core.records import Finding

_TITLE = re.compile(r"(?:elements/1\.1/|dc/terms/|dc:|dcterms:|dc-|dcterms-)title$")
_VERSION_INFO = re.compile(r"owl[#:]versionInfo$")


def read(path: Path, file_cap: int, unpacked_cap: int, say: Callable[[str], None]) -> dict[str, Any]:
    """Everything `load` needs, as plain JSON values. InputError for a file that cannot be used."""
    name = path.name
    given = source.read_file(path, file_cap)
    sha256 = hashlib.sha256(given).hexdigest()
    data = source.unpack(given, unpacked_cap, name)
    del given
    kind = source.kind_of(data, name)
    say(f"Checking {source.megabytes(len(data))}")
    scan = _scan(kind, data, name, unpacked_cap)
    del data
    check(scan, name)
    say(f"Reading {len(scan.defined):,} terms")
    ontology = _read_obo(scan, name, say) if kind == "obo" else _parse(kind, scan.payload, name)
    concepts = _concepts(ontology, scan)
    metadata = ontology.metadata
    notes = {_property(note): _value(note) for note in sorted(metadata.annotations, key=_property)}
    return {
        "sha256": sha256,
        "ontology": metadata.ontology,
        "data_version": metadata.data_version,
        "version_info": next((v for p, v in notes.items() if _VERSION_INFO.search(p)), None),
        "date": metadata.date.strftime("%Y-%m-%d") if metadata.date else None,
        "title": next((v for p, v in notes.items() if _TITLE.search(p)), None),
        "concepts": concepts,
        "findings": [[f.line, f.kind, f.message] for f in shorten(scan.findings)],
    }


def _scan(kind: str, data: bytes, name: str, cap: int) -> Scan:
    if kind == "obo":
        return scan_obo(data, name)
    if kind == "json":
        return scan_json(data, name)
    return scan_owl(data, name, cap)


def _property(note: Any) -> str:
    return str(note.property)


def _value(note: Any) -> str:
    return str(getattr(note, "literal", None) or getattr(note, "resource", ""))


# --- pronto -----------------------------------------------------------------------------------------------


def _read_obo(scan: Scan, name: str, say: Callable[[str], None]) -> Any:
    try:
        return _parse("obo", scan.payload, name)
    except InputError:
        say("Mending lines that cannot be read as they are")
        torn = any(finding.kind == "no_final_line_break" for finding in scan.findings)
        text, repaired = repair_obo(scan.payload.decode("utf-8"), name, torn)
        scan.findings += repaired
        say(f"Reading {len(scan.defined):,} terms again, {len(repaired)} lines mended")
        return _parse("obo", text.encode("utf-8"), name)


_PARSERS = {
    "obo": ("obo", "OboParser"),
    "json": ("obojson", "OboJSONParser"),
    "owl": ("rdfxml", "RdfXMLParser"),
}


def _parse(kind: str, payload: bytes, name: str) -> Any:
    """pronto's ontology. Imports are not followed, and parents that are not in the file do no harm."""
    pronto: Any = import_module("pronto")
    pool: Any = import_module("pronto.utils.pool")
    pool._ThreadPool = None  # its threads win no time (measured) and hold every parsed stanza at once
    module, parser_name = _PARSERS[kind]
    ontology = pronto.Ontology(import_depth=0)
    parser = getattr(import_module(f"pronto.parsers.{module}"), parser_name)(ontology)
    finish = parser.symmetrize_lineage

    def finish_with_missing_parents() -> None:
        _add_missing_parents(ontology)
        finish()

    parser.symmetrize_lineage = finish_with_missing_parents
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parser.parse_from(io.BytesIO(payload))
    except SyntaxError as error:
        where = f"line {error.lineno}: " if kind == "obo" and error.lineno else ""
        raise InputError(f"{name!r} cannot be read: {where}{error.msg}.") from error
    except BaseException as error:  # a panic in fastobo's Rust code is no Exception
        if isinstance(error, (KeyboardInterrupt, MemoryError)):
            raise
        raise InputError(f"{name!r} cannot be read: {type(error).__name__}: {error}.") from error
    return ontology


def _add_missing_parents(ontology: Any) -> None:
    """pronto stops with KeyError at a parent that is not in the file. Give it a place in the graph, but
    make it no term, so that it does not come out again."""
    empty: Any = import_module("pronto.logic.lineage").Lineage
    for graph in (ontology._terms, ontology._relationships):
        known = graph.lineage
        for parent in {p for links in known.values() for p in links.sup if p not in known}:
            known[parent] = empty()


# --- concepts ---------------------------------------------------------------------------------------------


def _concepts(ontology: Any, scan: Scan) -> list[list[Any]]:
    """One row per term defined in the file, in the order of `core.records.Concept`'s fields, by id."""
    missing = scan.missing
    parents: dict[str, set[str]] = {}
    for child, parent, _ in scan.is_a:
        parents.setdefault(child, set()).add(parent)
    default = ontology.metadata.default_namespace
    rows, unnamed = [], []
    for term in ontology.terms():
        data = term._data()
        curie = data.id
        if curie not in scan.defined:
            continue
        name = data.name
        if not name or not name.strip():
            unnamed.append(curie)
            name = curie
        above = ontology._terms.lineage[curie].sup | parents.get(curie, set())
        rows.append(
            [
                curie,
                name,
                str(data.definition) if data.definition else None,
                _synonyms(curie, data.synonyms, scan),
                sorted(above - missing),
                sorted((str(r), t) for r, targets in data.relationships.items() for t in targets),
                _logical_definition(curie, data.intersection_of, scan),
                sorted(data.alternate_ids),
                bool(data.obsolete),
                sorted(data.replaced_by),
                data.namespace or default,
            ]
        )
    _note(scan, unnamed, ontology)
    return sorted(rows, key=lambda row: row[0])


def _synonyms(curie: str, synonyms: Any, scan: Scan) -> list[list[str | None]]:
    found = {
        (
            s.description,
            s.scope or "RELATED",
            s.type or scan.synonym_types.get((curie, s.scope or "RELATED", s.description)),
        )
        for s in synonyms
        if s.description and s.description.strip()
    }
    return [list(synonym) for synonym in sorted(found, key=lambda s: (s[0], s[1], s[2] or ""))]


def _logical_definition(curie: str, intersection: Any, scan: Scan) -> list[tuple[str | None, str]]:
    """Genus first, then by relation and filler."""
    parts = [(None, part) if isinstance(part, str) else part for part in intersection]
    parts = parts or scan.definitions.get(curie, [])
    return sorted(parts, key=lambda part: (part[0] or "", part[1]))


def _note(scan: Scan, unnamed: list[str], ontology: Any) -> None:
    if unnamed:
        shown = ", ".join(unnamed[:3])
        message = f"{len(unnamed)} terms have no name ({shown}...); the id stands in for it."
        scan.findings.append(Finding(None, "unnamed", message))
    declared = {kind.id for kind in ontology.metadata.synonymtypedefs}
    used = {s.type for t in ontology.terms() for s in t._data().synonyms if s.type}
    for kind in sorted(used - declared):
        where = re.search(
            rb'^synonym:[^\n]*" [A-Z]+ ' + re.escape(kind.encode()) + rb"\s*\[", scan.payload, re.M
        )
        line = scan.payload.count(b"\n", 0, where.start()) + 1 if where else None
        message = f"The synonym type {kind!r} is used but not declared in the file's header; it is kept."
        scan.findings.append(Finding(line, "undeclared_synonym_type", message))
