"""Ontologies in a workspace: stored once per (name, version), and reopened for lineage."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from core.errors import InputError, NotFoundError
from core.records import Concept, Curie, Finding, Ontology, Synonym
from core.store.connect import sqlite3
from core.store.names import check_name, chosen
from core.store.rows import in_chunks, mapping
from core.store.workspace import Workspace, now


class OntologyRow(NamedTuple):
    id: int
    name: str
    version: str
    title: str | None
    root: str | None
    sha256: str

    @property
    def reference(self) -> str:
        """`NAME@VERSION`, the way results name it."""
        return f"{self.name}@{self.version}"


class Size(NamedTuple):
    """What an ontology holds."""

    concepts: int
    """Live ones."""
    obsolete: int
    names: int
    """Synonyms included, of obsolete concepts, too."""


class Match(NamedTuple):
    """One concept, by its own name."""

    curie: Curie
    name: str
    matched: str
    scope: str
    definition: str | None


def add_ontology(workspace: Workspace, ontology: Ontology) -> int:
    """Store one ontology version in one write, search index included. Returns its id.

    Raises:
        InputError: this name and version is there already, from another file, or nothing can be called so.
            The same file again is a no-op.
    """
    with workspace.write() as db:
        known = db.execute(
            "SELECT id, sha256 FROM ontologies WHERE name = ? AND version = ?",
            (ontology.name, ontology.version),
        ).fetchone()
        if known is not None:
            if known["sha256"] == ontology.sha256:
                return int(known["id"])
            raise InputError(
                f"Ontology {ontology.reference} is in this workspace already, from a different "
                "file. Give this one another name or version with --name or --version."
            )
        if not db.execute("SELECT 1 FROM ontologies WHERE name = ?", (ontology.name,)).fetchone():
            check_name("ontology", ontology.name)
        return _insert(db, ontology)


def _insert(db: sqlite3.Connection, ontology: Ontology) -> int:
    ontology_id = int(
        db.execute(
            "INSERT INTO ontologies (name, version, title, root, sha256, added_at) VALUES (?, ?, ?, ?, ?, ?)",
            (ontology.name, ontology.version, ontology.title, ontology.root, ontology.sha256, now()),
        ).lastrowid
        or 0
    )
    first = db.execute("SELECT ifnull(max(id), 0) + 1 FROM concepts").fetchone()[0]
    numbered = list(enumerate(ontology.concepts, first))
    db.executemany(
        "INSERT INTO concepts (id, ontology_id, curie, name, definition, namespace, obsolete, replaced_by)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                i,
                ontology_id,
                c.curie,
                c.name,
                c.definition,
                c.namespace,
                int(c.obsolete),
                json.dumps(c.replaced_by),
            )
            for i, c in numbered
        ],
    )
    db.executemany(
        "INSERT INTO names (concept_id, text, scope, type) VALUES (?, ?, ?, ?)",
        [
            row
            for i, c in numbered
            for row in ((i, c.name, "NAME", None), *((i, s.text, s.scope, s.type) for s in c.synonyms))
        ],
    )
    _insert_relations(db, ontology_id, ontology)
    db.executemany(
        "INSERT INTO ontology_findings VALUES (?, ?, ?, ?)",
        [(ontology_id, f.line, f.kind, f.message) for f in ontology.findings],
    )
    return ontology_id


def _insert_relations(db: sqlite3.Connection, ontology_id: int, ontology: Ontology) -> None:
    """What its concepts say of each other: edges, alternative ids, logical definitions."""
    db.executemany(
        "INSERT INTO edges VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [
            (ontology_id, c.curie, relation, target)
            for c in ontology.concepts
            for relation, target in (*(("is_a", p) for p in c.parents), *c.relations)
        ],
    )
    db.executemany(
        "INSERT INTO alt_ids VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [(ontology_id, alt, c.curie) for c in ontology.concepts for alt in c.alt_ids],
    )
    db.executemany(
        "INSERT INTO logical_definitions VALUES (?, ?, ?, ?, ?)",
        [
            (ontology_id, c.curie, position, relation, filler)
            for c in ontology.concepts
            for position, (relation, filler) in enumerate(c.intersection_of)
        ],
    )


_ROW = "SELECT id, name, version, title, root, sha256 FROM ontologies"


def list_ontologies(workspace: Workspace) -> list[OntologyRow]:
    """Every stored version, by name, newest added last."""
    return [OntologyRow(*row) for row in workspace.db.execute(f"{_ROW} ORDER BY name, id")]


def find_ontology(workspace: Workspace, reference: str) -> OntologyRow:
    """`NAME` (the version added last) or `NAME@VERSION`.

    Raises:
        NotFoundError: none of that name or version; known references are listed.
    """
    return chosen("ontology", reference, list_ontologies(workspace))


def ontology_by_id(workspace: Workspace, ontology_id: int) -> OntologyRow:
    row = workspace.db.execute(f"{_ROW} WHERE id = ?", (ontology_id,)).fetchone()
    if row is None:
        raise NotFoundError("ontology", ontology_id)
    return OntologyRow(*row)


def size(workspace: Workspace, ontology_id: int) -> Size:
    row = workspace.db.execute(
        "SELECT (SELECT count(*) FROM concepts WHERE ontology_id = ?1 AND NOT obsolete),"
        " (SELECT count(*) FROM concepts WHERE ontology_id = ?1 AND obsolete),"
        " (SELECT count(*) FROM names n JOIN concepts c ON c.id = n.concept_id WHERE c.ontology_id = ?1)",
        (ontology_id,),
    ).fetchone()
    return Size(*row)


def read_ontology(workspace: Workspace, name: str, version: str | None = None) -> Ontology:
    """The stored ontology as the record it was loaded as, concepts in stored order."""
    row = find_ontology(workspace, f"{name}@{version}" if version else name)
    db = workspace.db
    synonyms: dict[int, list[Synonym]] = {}
    for concept_id, text, scope, kind in db.execute(
        "SELECT n.concept_id, n.text, n.scope, n.type FROM concepts c JOIN names n ON n.concept_id = c.id"
        " WHERE c.ontology_id = ? AND n.scope <> 'NAME' ORDER BY n.id",
        (row.id,),
    ):
        synonyms.setdefault(concept_id, []).append(Synonym(text, scope, kind))
    parents: dict[str, list[str]] = {}
    relations: dict[str, list[tuple[str, str]]] = {}
    for child, relation, parent in db.execute(
        "SELECT child, relation, parent FROM edges WHERE ontology_id = ?", (row.id,)
    ):
        if relation == "is_a":
            parents.setdefault(child, []).append(parent)
        else:
            relations.setdefault(child, []).append((relation, parent))
    alts: dict[str, list[str]] = {}
    for alt, curie in db.execute("SELECT alt, curie FROM alt_ids WHERE ontology_id = ?", (row.id,)):
        alts.setdefault(curie, []).append(alt)
    logic: dict[str, list[tuple[str | None, str]]] = {}
    for curie, relation, filler in db.execute(
        "SELECT curie, relation, filler FROM logical_definitions WHERE ontology_id = ? ORDER BY curie,"
        " position",
        (row.id,),
    ):
        logic.setdefault(curie, []).append((relation, filler))
    concepts = tuple(
        Concept(
            curie=curie,
            name=label,
            definition=definition,
            synonyms=tuple(synonyms.get(concept_id, ())),
            parents=tuple(parents.get(curie, ())),
            relations=tuple(relations.get(curie, ())),
            intersection_of=tuple(logic.get(curie, ())),
            alt_ids=tuple(alts.get(curie, ())),
            obsolete=bool(obsolete),
            replaced_by=tuple(json.loads(replaced_by)),
            namespace=namespace,
        )
        for concept_id, curie, label, definition, namespace, obsolete, replaced_by in db.execute(
            "SELECT id, curie, name, definition, namespace, obsolete, replaced_by FROM concepts"
            " WHERE ontology_id = ? ORDER BY id",
            (row.id,),
        )
    )
    found = tuple(findings(workspace, row.id))
    return Ontology(row.name, row.version, row.root, row.sha256, concepts, row.title, found)


def findings(workspace: Workspace, ontology_id: int) -> list[Finding]:
    """What was noticed and repaired when the file was loaded."""
    rows = workspace.db.execute(
        "SELECT line, kind, message FROM ontology_findings WHERE ontology_id = ?", (ontology_id,)
    )
    return [Finding(*row) for row in rows]


def is_a(workspace: Workspace, ontology_id: int) -> tuple[list[Curie], list[tuple[Curie, Curie]]]:
    """(live concepts, (child, parent) pairs): all that lineage needs, without reading names."""
    curies = [
        row[0]
        for row in workspace.db.execute(
            "SELECT curie FROM concepts WHERE ontology_id = ? AND NOT obsolete ORDER BY id", (ontology_id,)
        )
    ]
    pairs = [
        (row[0], row[1])
        for row in workspace.db.execute(
            "SELECT child, parent FROM edges WHERE ontology_id = ? AND relation = 'is_a'", (ontology_id,)
        )
    ]
    return curies, pairs


def below(root: Curie, is_a: Iterable[tuple[Curie, Curie]]) -> frozenset[Curie]:
    """`root` and its descendants; `is_a` is (child, parent)."""
    children: dict[Curie, list[Curie]] = {}
    for child, parent in is_a:
        children.setdefault(parent, []).append(child)
    found, waiting = {root}, [root]
    while waiting:
        new = set(children.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return frozenset(found)


def branch(workspace: Workspace, ontology_id: int, root: Curie) -> frozenset[Curie]:
    """A concept and all below it, each under its id and under those that it bore before.

    Args:
        root: under any of its ids.

    Raises:
        InputError: this ontology version holds no such live concept.
    """
    alt_ids = alt_id_map(workspace, ontology_id)
    live, links = is_a(workspace, ontology_id)
    top = alt_ids.get(root, root)
    if top not in set(live):
        name = ontology_by_id(workspace, ontology_id).reference
        raise InputError(f"{name} holds no concept {root!r}. Name one of its concepts with --root.")
    found = below(top, links)
    return found | {alt for alt, now in alt_ids.items() if now in found}


def labels(workspace: Workspace, ontology_id: int) -> dict[Curie, str]:
    """CURIE -> primary name, obsolete concepts included."""
    return mapping(workspace.db, "SELECT curie, name FROM concepts WHERE ontology_id = ?", (ontology_id,))


def names(workspace: Workspace, ontology_id: int) -> list[tuple[Curie, str, str, str | None]]:
    """(CURIE, text, scope, type) of every name (scope NAME) and synonym of the live concepts."""
    rows = workspace.db.execute(
        "SELECT c.curie, n.text, n.scope, n.type FROM concepts c JOIN names n ON n.concept_id = c.id"
        " WHERE c.ontology_id = ? AND NOT c.obsolete",
        (ontology_id,),
    )
    return [(row[0], row[1], row[2], row[3]) for row in rows]


def replacements(workspace: Workspace, ontology_id: int) -> dict[Curie, tuple[Curie, ...]]:
    """Obsolete concept -> what it names in its place; those that name nothing are left out."""
    rows = workspace.db.execute(
        "SELECT curie, replaced_by FROM concepts WHERE ontology_id = ? AND obsolete AND replaced_by <> '[]'",
        (ontology_id,),
    )
    return {row[0]: tuple(json.loads(row[1])) for row in rows}


def alt_id_map(workspace: Workspace, ontology_id: int) -> dict[Curie, Curie]:
    """alt_id -> the concept that now bears it; an alt_id of several concepts maps to the first by id."""
    return mapping(
        workspace.db, "SELECT alt, min(curie) FROM alt_ids WHERE ontology_id = ? GROUP BY alt", (ontology_id,)
    )


def concept(workspace: Workspace, ontology_id: int, curie: Curie) -> Match:
    """One concept by id, obsolete ones included.

    Raises:
        NotFoundError: this ontology version does not hold it.
    """
    row = workspace.db.execute(
        "SELECT curie, name, definition FROM concepts WHERE ontology_id = ? AND curie = ?",
        (ontology_id, curie),
    ).fetchone()
    if row is None:
        raise NotFoundError("concept", curie)
    return Match(row["curie"], row["name"], row["name"], "NAME", row["definition"])


def read_concept(workspace: Workspace, ontology_id: int, curie: Curie) -> Concept:
    """One concept with all that is stored of it, obsolete ones included.

    Raises:
        NotFoundError: this ontology version does not hold it.
    """
    db = workspace.db
    row = db.execute(
        "SELECT id, name, definition, namespace, obsolete, replaced_by FROM concepts"
        " WHERE ontology_id = ? AND curie = ?",
        (ontology_id, curie),
    ).fetchone()
    if row is None:
        raise NotFoundError("concept", curie)
    here = (ontology_id, curie)
    edges = db.execute(
        "SELECT e.relation, e.parent FROM (SELECT DISTINCT relation FROM edges WHERE ontology_id = ?1) r"
        " CROSS JOIN edges e ON e.ontology_id = ?1 AND e.relation = r.relation AND e.child = ?2",
        here,
    ).fetchall()
    synonyms = db.execute(
        "SELECT text, scope, type FROM names WHERE concept_id = ? AND scope <> 'NAME' ORDER BY id",
        (row["id"],),
    )
    logic = db.execute(
        "SELECT relation, filler FROM logical_definitions WHERE ontology_id = ? AND curie = ?"
        " ORDER BY position",
        here,
    )
    alt_ids = db.execute("SELECT alt FROM alt_ids WHERE ontology_id = ? AND curie = ?", here)
    return Concept(
        curie=curie,
        name=row["name"],
        definition=row["definition"],
        synonyms=tuple(Synonym(*one) for one in synonyms),
        parents=tuple(parent for relation, parent in edges if relation == "is_a"),
        relations=tuple((relation, parent) for relation, parent in edges if relation != "is_a"),
        intersection_of=tuple((one[0], one[1]) for one in logic),
        alt_ids=tuple(one[0] for one in alt_ids),
        obsolete=bool(row["obsolete"]),
        replaced_by=tuple(json.loads(row["replaced_by"])),
        namespace=row["namespace"],
    )


def obsolete_called(workspace: Workspace, ontology_id: int, typed: str) -> list[Match]:
    """Obsolete concepts of just this name or id, whatever its case: the search holds live ones alone."""
    rows = workspace.db.execute(
        "SELECT curie, name, name, 'NAME', definition FROM concepts WHERE ontology_id = ?1 AND obsolete"
        " AND (lower(name) = lower(?2) OR lower(curie) = lower(?2)"
        " OR lower(name) = 'obsolete ' || lower(?2)) ORDER BY id LIMIT 5",
        (ontology_id, typed.strip()),
    )
    return [Match(*row) for row in rows]


def look_up(workspace: Workspace, ontology_id: int, curies: list[Curie]) -> dict[Curie, Match]:
    """Concepts by id, obsolete ones included; unknown ids are left out. A screenful at a time."""
    rows = in_chunks(
        workspace.db,
        "SELECT curie, name, name, 'NAME', definition FROM concepts WHERE curie IN (?*) AND ontology_id = ?",
        *(curies, ontology_id),
    )
    return {row[0]: Match(*row) for row in rows}
