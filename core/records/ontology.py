"""Ontologies: concepts, synonyms, and what was found on loading them."""

from __future__ import annotations

from dataclasses import dataclass

from core.records.vocabulary import Curie


@dataclass(frozen=True, slots=True)
class Synonym:
    text: str
    scope: str
    """EXACT, BROAD, NARROW or RELATED."""
    type: str | None = None
    """Synonym type id, such as `layperson` or `HP:0045076`; None where the source gives none."""


@dataclass(frozen=True, slots=True)
class Concept:
    curie: Curie
    name: str
    definition: str | None = None
    synonyms: tuple[Synonym, ...] = ()
    parents: tuple[Curie, ...] = ()
    """Direct is_a parents."""
    relations: tuple[tuple[str, Curie], ...] = ()
    """Other relationships: (relation id, target)."""
    intersection_of: tuple[tuple[str | None, Curie], ...] = ()
    """Logical definition: (relation id, filler); the genus has relation None."""
    alt_ids: tuple[Curie, ...] = ()
    obsolete: bool = False
    replaced_by: tuple[Curie, ...] = ()
    namespace: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing noticed in an ontology file before or while loading it."""

    line: int | None
    """1-based line in the file, None where the format has no lines."""
    kind: str
    """repaired, duplicate_id, dangling_parent, cycle, encoding, import_ignored, ..."""
    message: str


@dataclass(frozen=True, slots=True)
class Ontology:
    """One version of one ontology, as read from a file; several versions live side by side."""

    name: str
    version: str
    root: Curie | None
    sha256: str
    """Of the file as given, before decompression and repair."""
    concepts: tuple[Concept, ...]
    title: str | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def reference(self) -> str:
        """`NAME@VERSION`, the way results name it."""
        return f"{self.name}@{self.version}"
