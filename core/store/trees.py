"""Label trees by name and version, never changed; the body is the index file that is exported."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

from core.records import Curie
from core.records.trees import Recipe
from core.store.connect import sqlite3
from core.store.digest import canonical
from core.store.names import check_name, chosen
from core.store.workspace import Workspace, now

Indices = Mapping[Curie, tuple[int, ...]]


class TreeRow(NamedTuple):
    """A stored tree without its indices."""

    name: str
    version: int
    """From 1, without gaps."""
    sha256: str
    """Of its index file, uncompressed."""
    concepts: int
    recipe: Recipe
    created_at: str

    @property
    def reference(self) -> str:
        """`NAME@VERSION`, the way results name it."""
        return f"{self.name}@{self.version}"

    @property
    def of(self) -> str:
        """Its ontologies, or the file that it came from, in words."""
        return " + ".join(source.reference for source in self.recipe.ontologies) or (self.recipe.file or "")


def index_file(indices: Indices) -> bytes:
    """The JSON object of concept -> path from the root, in its one spelling: equal trees, equal bytes."""
    return canonical({concept: list(index) for concept, index in indices.items()}) + b"\n"


def add(db: sqlite3.Connection, name: str, indices: Indices, recipe: Recipe) -> TreeRow:
    """Store the next version of a tree. The same tree of the same recipe as the latest version is no new one.

    Raises:
        InputError: `name` cannot name a label tree.
    """
    check_name("label tree", name)
    body = index_file(indices)
    made = hashlib.sha256(body).hexdigest()
    found = db.execute(f"{_ROW} WHERE name = ? ORDER BY version DESC LIMIT 1", (name,)).fetchone()
    last = _row(found) if found else None
    if last is not None and (last.sha256, last.recipe) == (made, recipe):
        return last
    row = TreeRow(name, last.version + 1 if last else 1, made, len(indices), recipe, now())
    db.execute(
        "INSERT INTO label_trees (name, version, sha256, concepts, recipe, body, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (name, row.version, made, row.concepts, recipe.model_dump_json(), body.decode(), row.created_at),
    )
    return row


_ROW = "SELECT name, version, sha256, concepts, recipe, created_at FROM label_trees"


def _row(found: sqlite3.Row) -> TreeRow:
    name, version, sha256, concepts, recipe, created_at = found
    return TreeRow(name, version, sha256, concepts, Recipe.model_validate_json(recipe), created_at)


def list_trees(workspace: Workspace) -> list[TreeRow]:
    """All versions of all trees, by name, the oldest version first."""
    return [_row(found) for found in workspace.db.execute(f"{_ROW} ORDER BY name, version")]


def newest_first(workspace: Workspace) -> list[TreeRow]:
    """All versions of all trees, the one that was made last first."""
    return [_row(found) for found in workspace.db.execute(f"{_ROW} ORDER BY id DESC")]


def find(workspace: Workspace, reference: str) -> TreeRow:
    """A tree by `NAME@VERSION`, or the latest version by `NAME`.

    Raises:
        NotFoundError: there is none; the known ones are listed.
    """
    return chosen("label tree", reference, list_trees(workspace))


def read(workspace: Workspace, row: TreeRow) -> dict[Curie, tuple[int, ...]]:
    """The indices of a tree."""
    body = workspace.db.execute(
        "SELECT body FROM label_trees WHERE name = ? AND version = ?", (row.name, row.version)
    ).fetchone()[0]
    return {concept: tuple(index) for concept, index in json.loads(body).items()}
