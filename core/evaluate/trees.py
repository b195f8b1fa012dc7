"""Label trees of a workspace, or of files, with the ontology that says who is near whom."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core.charts import Table, Value
from core.errors import InputError
from core.evaluate.concept_scope import scope, scope_of_file
from core.evaluate.inputs.options import INDICES, ONTOLOGIES, is_file
from core.evaluate.inputs.training import read_tree, stored_tree
from core.evaluate.tree_facts import Near, TreeFacts
from core.index.tree import LabelTree
from core.ontology.lineage import Lineage
from core.records import Curie
from core.store import ontologies, trees
from core.store.trees import TreeRow
from core.store.workspace import Workspace


def facts_of(tree: LabelTree, is_a: Iterable[tuple[Curie, Curie]]) -> TreeFacts:
    """Of a tree that was just built.

    Args:
        is_a: (child, parent).
    """
    links = list(is_a)
    return TreeFacts(tree, Near(Lineage({*tree.indices, *(c for link in links for c in link)}, links)))


def tree_and_ontology(workspace: Workspace | None, tree: str, ontology: str | None = None) -> TreeFacts:
    """Of a tree and an ontology as somebody names them.

    Args:
        tree: an index file, or `NAME[@VERSION]` of the workspace.
        ontology: a file, or `NAME[@VERSION]`; None: what a stored tree was built of, if that is here.

    Raises:
        InputError: a file cannot be read, or a workspace is needed.
        NotFoundError: no such tree or ontology.
    """
    here = None if is_file(tree, INDICES) else _needed(workspace, tree)
    found = read_tree(Path(tree)) if here is None else stored_tree(here, tree)
    if ontology is None:
        return facts_of_row(here, trees.find(here, tree)) if here is not None else TreeFacts(found, None)
    if is_file(ontology, ONTOLOGIES):
        known = scope_of_file(Path(ontology))
    else:
        known = scope(_needed(workspace, ontology), ontology)
    return TreeFacts(found.current(known.alt_ids), Near(known.lineage()) if known.lineage else None)


def facts_of_row(workspace: Workspace, row: TreeRow) -> TreeFacts:
    """Of a stored tree, by the ontologies that it is of, as far as they are here."""
    lineage = lineage_of(workspace, row)
    return TreeFacts(stored_tree(workspace, row.reference), Near(lineage) if lineage else None)


def origins(rows: Iterable[TreeRow]) -> Table:
    """What trees were built from: a row for each."""

    def told(row: TreeRow) -> tuple[Value, ...]:
        made, roots = row.recipe, [s.root for s in row.recipe.ontologies if s.root]
        how = [made.kind and made.kind.upper(), made.method, made.rule and f"{made.rule} of both weights"]
        how += [f"{made.neighbours} neighbours by {made.encoder}" if made.encoder else None]
        how += [f"with {', '.join(made.relations)}" if made.relations else None]
        return (
            row.reference,
            row.of,
            " + ".join(roots) or None,
            ", ".join(one for one in how if one)
            or ("imported, numbered anew" if made.renumbered else "imported"),
            row.created_at[:10],
            row.sha256[:12],
        )

    heads = ("tree", "of", "below", "how", "made", "sha256")
    return Table("What they were built from", heads, [told(row) for row in rows], "origins")


def _needed(workspace: Workspace | None, name: str) -> Workspace:
    if workspace is None:
        raise InputError(f"There is no file {name}, and no workspace to look it up in.")
    return workspace


def lineage_of(workspace: Workspace, row: TreeRow) -> Lineage | None:
    """is_a in the ontologies that a tree is of; None: none of them is in the workspace."""
    wanted = {source.reference for source in row.recipe.ontologies}
    known = [one for one in ontologies.list_ontologies(workspace) if one.reference in wanted]
    read = [ontologies.is_a(workspace, one.id) for one in known]
    if not read:
        return None
    return Lineage((c for curies, _ in read for c in curies), (link for _, links in read for link in links))
