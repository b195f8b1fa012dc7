"""What changed between two versions of an ontology (ontology enrichment, section 4, compares releases so)."""

from __future__ import annotations

from dataclasses import dataclass, fields

from core.records import Concept, Curie, Ontology


@dataclass(frozen=True, slots=True)
class Change:
    """CURIEs by kind of change, sorted. Identity is the id after resolving alt_ids: a concept merged into
    another is `merged`, not gone."""

    added: tuple[Curie, ...]
    removed: tuple[Curie, ...]
    merged: tuple[Curie, ...]
    obsoleted: tuple[Curie, ...]
    renamed: tuple[Curie, ...]
    moved: tuple[Curie, ...]
    """Live in both, with other is_a parents."""

    def to_json(self) -> dict[str, list[Curie]]:
        return {f.name: list(getattr(self, f.name)) for f in fields(self)}


def compare(old: Ontology, new: Ontology) -> Change:
    """Changes from `old` to `new`."""
    before = {c.curie: c for c in old.concepts if not c.obsolete}
    after = {c.curie: c for c in new.concepts if not c.obsolete}
    known_before = before.keys() | {alt for c in before.values() for alt in c.alt_ids}
    merged_into = {alt for c in after.values() for alt in c.alt_ids}
    obsolete = {c.curie for c in new.concepts if c.obsolete}
    both = [(before[c], after[c]) for c in before.keys() & after.keys()]
    gone = before.keys() - after.keys()
    return Change(
        added=_sorted(after.keys() - known_before),
        removed=_sorted(gone - merged_into - obsolete),
        merged=_sorted(gone & merged_into),
        obsoleted=_sorted((gone & obsolete) - merged_into),
        renamed=_sorted({a.curie for a, b in both if a.name != b.name}),
        moved=_sorted({a.curie for a, b in both if _parents(a) != _parents(b)}),
    )


def _parents(concept: Concept) -> frozenset[Curie]:
    return frozenset(concept.parents)


def _sorted(curies: set[Curie]) -> tuple[Curie, ...]:
    return tuple(sorted(curies))
