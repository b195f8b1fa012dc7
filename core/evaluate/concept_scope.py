"""Which concepts are scored, on both sides, and the ontology that says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from core.errors import InputError
from core.ontology.lineage import Lineage
from core.ontology.load import load
from core.records import Curie
from core.store import ontologies
from core.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Scope:
    """Which concepts are scored, on both sides, and the ontology that says so."""

    alt_ids: Mapping[Curie, Curie] = field(default_factory=dict)
    """Old id -> the id that now stands for it; read first."""
    keep: Callable[[Curie], bool] | None = None
    """Score only concepts for which this is true; None: all."""
    name: str | None = None
    """What the scope is called in results; None: everything, ids as they are."""
    root: Curie | None = None
    """What branches hang from: the chosen root, or the ontology's own."""
    lineage: Callable[[], Lineage] | None = None
    """is_a among live concepts, made when first asked for; None: no ontology was named."""
    replaced: Mapping[Curie, tuple[Curie, ...]] = field(default_factory=dict)
    """Obsolete id -> what it names in its place. Told, never read for it: the two may differ in meaning."""
    known: Callable[[], AbstractSet[Curie]] | None = None
    """Every concept of the ontology, obsolete ones included; None: no ontology was named."""
    labels: Mapping[Curie, str] = field(default_factory=dict)
    """Names of concepts, of an ontology that was read from a file. From outside: text, never markup."""

    def current(self, concept: Curie) -> Curie | None:
        """The id that now stands for a concept; None if it is outside the scope."""
        now = self.alt_ids.get(concept, concept)
        return now if self.keep is None or self.keep(now) else None


def scope(workspace: Workspace, ontology: str | None = None, root: Curie | None = None) -> Scope:
    """The scope that an ontology of the workspace gives: its alternative ids, and `root` with all below it.

    Raises:
        InputError: a root without an ontology, or one that the ontology does not hold.
        NotFoundError: no such ontology.
    """
    if ontology is None:
        if root is not None:
            raise InputError(f"Concepts below {root} are known by an ontology only. Name it with --ontology.")
        return Scope()
    found = ontologies.find_ontology(workspace, ontology)
    alt_ids = ontologies.alt_id_map(workspace, found.id)
    is_a = cache(lambda: ontologies.is_a(workspace, found.id))
    whole = Scope(
        alt_ids,
        None,
        found.reference,
        replaced=ontologies.replacements(workspace, found.id),
        known=cache(lambda: frozenset(ontologies.labels(workspace, found.id))),
    )
    if root is None:
        return replace(whole, root=found.root, lineage=cache(lambda: Lineage(*is_a())))
    return _rooted(whole, alt_ids.get(root, root), *is_a())


def scope_of_file(path: Path, root: Curie | None = None) -> Scope:
    """The same from an ontology file (OBO, OBO Graph JSON or OWL), with no workspace.

    Raises:
        InputError: the file cannot be read, or does not hold the root.
    """
    ontology = load(path, name=path.name)
    live = [concept for concept in ontology.concepts if not concept.obsolete]
    alt_ids: dict[Curie, Curie] = {}
    for concept in sorted(live, key=lambda c: c.curie):
        for alt in concept.alt_ids:
            alt_ids.setdefault(alt, concept.curie)
    whole = Scope(
        alt_ids,
        None,
        ontology.reference,
        ontology.root,
        replaced={c.curie: c.replaced_by for c in ontology.concepts if c.obsolete and c.replaced_by},
        known=cache(lambda: frozenset(concept.curie for concept in ontology.concepts)),
        labels={concept.curie: concept.name for concept in ontology.concepts},
    )
    curies, is_a = [c.curie for c in live], [(c.curie, parent) for c in live for parent in c.parents]
    if root is None:
        return replace(whole, lineage=cache(lambda: Lineage(curies, is_a)))
    return _rooted(whole, alt_ids.get(root, root), curies, is_a)


def _rooted(whole: Scope, root: Curie, curies: list[Curie], is_a: list[tuple[Curie, Curie]]) -> Scope:
    """The part of a scope that is `root` and below."""
    if root not in set(curies):
        raise InputError(f"{whole.name} holds no concept {root!r}. Name one of its concepts.")
    return replace(
        whole,
        keep=ontologies.below(root, is_a).__contains__,
        name=f"{root} and below, {whole.name}",
        root=root,
        lineage=cache(lambda: Lineage(curies, is_a)),
    )
