"""Label trees go out as JSON or CSV, and foreign ones come in, if they keep the rules of a label tree."""

from __future__ import annotations

import io
from pathlib import Path
from typing import BinaryIO

from core.exchange.atomic import replacing
from core.formats.label_trees import read_indices, write_csv
from core.formats.source import Source
from core.index.tree import LabelTree, checked, renumbered
from core.records import Curie
from core.records.trees import Recipe, TreeSource
from core.store import ontologies, trees
from core.store.names import check_name
from core.store.trees import Indices, TreeRow
from core.store.workspace import Workspace


def write_tree(indices: Indices, labels: dict[Curie, str], out: Path) -> None:
    """Write an index file: CSV with names where `out` ends in .csv, else JSON; `.gz` is compressed.

    Raises:
        InputError: the file cannot be written.
    """
    form = "csv" if ".csv" in (suffix.lower() for suffix in out.suffixes[-2:]) else "json"
    with replacing(out) as file:
        _write(indices, labels, form, file)


def _write(indices: Indices, labels: dict[Curie, str], form: str, out: BinaryIO) -> None:
    if form == "csv":
        write_csv(indices, labels, out)
    else:
        out.write(trees.index_file(indices))


def export_bytes(workspace: Workspace, reference: str, form: str) -> bytes:
    """What `export_tree` writes, as `json` or `csv`.

    Raises:
        NotFoundError: no such tree.
    """
    row, out = trees.find(workspace, reference), io.BytesIO()
    _write(trees.read(workspace, row), labels_of(workspace, row), form, out)
    return out.getvalue()


def export_tree(workspace: Workspace, reference: str, out: Path) -> TreeRow:
    """Write a stored tree (`write_tree`), with the names of its ontologies as far as they are here.

    Raises:
        NotFoundError: no such tree.
        InputError: the file cannot be written.
    """
    row = trees.find(workspace, reference)
    write_tree(trees.read(workspace, row), labels_of(workspace, row), out)
    return row


def labels_of(workspace: Workspace, row: TreeRow) -> dict[Curie, str]:
    """Names of the concepts of a tree, from those of its ontologies that are stored here."""
    wanted = {source.reference for source in row.recipe.ontologies}
    found: dict[Curie, str] = {}
    for known in ontologies.list_ontologies(workspace):
        if known.reference in wanted:
            found |= ontologies.labels(workspace, known.id)
    return found


def add_tree(
    workspace: Workspace, file: Path, name: str, ontology: str | None = None, *, renumber: bool = False
) -> TreeRow:
    """Add a tree that was made elsewhere, as the next version of its name.

    Args:
        ontology: `NAME[@VERSION]` that it is of, for names and baselines.
        renumber: close gaps between sibling numbers, which break a rule; nothing else is mended.

    Raises:
        InputError: the file is no index, breaks a rule of a label tree, or `name` cannot name one.
        NotFoundError: no such ontology.
    """
    check_name("label tree", name)
    source = Source(file)
    given = LabelTree(read_indices(file), source.name)
    tree = checked(renumbered(given) if renumber else given)
    found = ontologies.find_ontology(workspace, ontology) if ontology else None
    of = (TreeSource(reference=found.reference, sha256=found.sha256),) if found else ()
    recipe = Recipe(ontologies=of, file=source.name, file_sha256=source.sha256(), renumbered=renumber or None)
    with workspace.write() as db:
        return trees.add(db, name, tree.indices, recipe)
