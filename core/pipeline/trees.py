"""Build label trees: ontologies in, a checked tree and its recipe out; equal input gives an equal tree.

made = build_tree(TreeSettings(("hp@2017-04-13",), root="HP:0000118"), workspace)
row = keep_tree(workspace, "hp-osi", made)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from core.encode import BUNDLED, Encoder, Progress
from core.errors import InputError, NotFoundError, WorkspaceError
from core.index import (
    KINDS,
    METHODS,
    NEIGHBOURS,
    RULES,
    SEED,
    Graph,
    Kind,
    LabelTree,
    Rule,
    build,
    osi,
    ossi,
    ssi,
)
from core.ontology.lineage import Lineage
from core.ontology.load import load
from core.pipeline.background import spawn
from core.pipeline.start import is_held
from core.records import Concept, Curie, Ontology
from core.records.trees import Recipe, TreeSource
from core.store import ontologies, trees
from core.store.names import check_name
from core.store.trees import TreeRow
from core.store.vectors import StoredVectors
from core.store.workspace import Workspace, open_workspace

WHOLE = "all"
"""As a root: every live concept."""


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """What a tree is built of and how.

    Raises:
        InputError: an unknown kind, rule or method, no ontology, or relations where no ontology counts.
    """

    ontologies: tuple[str, ...]
    """`NAME` or `NAME@VERSION` of the workspace, or files; several are cut as one."""
    kind: Kind = "osi"
    root: Curie | None = None
    """Descendants of this one, in the ontology that holds it; None: of each ontology's own root; `all`: every
    live concept."""
    relations: tuple[str, ...] = ()
    """Links that count beside is_a, such as part_of."""
    neighbours: int = NEIGHBOURS
    rule: Rule = "max"
    method: str = "packing"
    encoder: str = BUNDLED
    seed: int = SEED
    """Of `louvain`; packing draws nothing by chance."""

    def __post_init__(self) -> None:
        if not self.ontologies:
            raise InputError("A tree is built of an ontology. Name at least one.")
        for what, given, known in (
            ("kind of tree", self.kind, KINDS),
            ("rule for weights", self.rule, RULES),
            ("method", self.method, tuple(METHODS)),
        ):
            if given not in known:
                raise InputError(f"{given!r} is no {what}. Choose from {', '.join(known)}.")
        if self.relations and self.kind == "ssi":
            raise InputError("An SSI tree has no links of the ontology: leave the relations out.")


class Made(NamedTuple):
    tree: LabelTree
    recipe: Recipe
    labels: dict[Curie, str]
    """Primary names of its concepts."""
    parents: tuple[tuple[Curie, Curie], ...]
    """(child, parent) by is_a among them."""


def build_tree(
    settings: TreeSettings,
    workspace: Workspace | None = None,
    progress: Progress | None = None,
    announce: Callable[[str], None] | None = None,
) -> Made:
    """Read the ontologies, make the graph, cut it, check the tree.

    Args:
        workspace: where ontologies are looked up and vectors kept; None: ontologies are files.

    Raises:
        NotFoundError: no such ontology in the workspace, or none that holds the root.
        InputError: a file cannot be read, or there is no concept to build a tree of.
    """
    tell = announce or (lambda _: None)
    tell("Reading the ontology")
    read = [_ontology(name, workspace) for name in settings.ontologies]
    roots = _roots(read, settings.root)
    concepts = _concepts(read, roots)
    encoder = None
    if settings.kind != "osi":
        encoder = Encoder(settings.encoder, threads=1, cache=StoredVectors(workspace) if workspace else None)
        tell(f"Comparing {len(concepts):,} names")
    graph = _graph(concepts, settings, encoder, progress)
    tell("Cutting the tree")
    tree = build(graph, settings.kind, settings.method, settings.seed)
    recipe = Recipe(
        ontologies=tuple(
            TreeSource(reference=o.reference, sha256=o.sha256, root=root)
            for o, root in zip(read, roots, strict=True)
        ),
        kind=settings.kind,
        relations=settings.relations,
        neighbours=settings.neighbours if encoder else None,
        encoder=encoder.identity if encoder else None,
        rule=settings.rule if settings.kind == "ossi" else None,
        method=settings.method,
        seed=settings.seed if settings.method == "louvain" else None,
    )
    links = ((c.curie, p) for c in concepts.values() for p in c.parents if p in concepts)
    return Made(tree, recipe, {c.curie: c.name for c in concepts.values()}, tuple(links))


def task(name: str) -> str:
    """What the building of a tree is called among runs; no run can bear a name with a colon."""
    return f"label tree: {name}"


def begin_tree(workspace_path: Path, name: str, settings: TreeSettings) -> None:
    """Build and keep a tree in a process of its own, which outlives the page that began it; it says what went
    wrong in the log of its `task`.

    Raises:
        InputError: `name` cannot name a label tree, or one of that name is being built.
        WorkspaceError: the workspace is open to look at only.
    """
    check_name("label tree", name)
    path = Path(workspace_path).resolve()
    with open_workspace(path, create=False) as workspace:
        if workspace.read_only:
            raise WorkspaceError(
                "Nothing can be built: this workspace is open to look at only (--read-only)."
            )
        known = [ontologies.find_ontology(workspace, one).reference for one in settings.ontologies]
    if is_held(path, task(name)):
        raise InputError(f"Label tree {name!r} is being built in another process. Wait for it.")
    words = [f"--name={name}", *(f"--ontology={one}" for one in known), f"--kind={settings.kind}"]
    words += [f"--root={settings.root}"] if settings.root else []
    words += [f"--relation={one}" for one in settings.relations]
    words += [f"--neighbours={settings.neighbours}", f"--rule={settings.rule}", f"--method={settings.method}"]
    spawn(path, task(name), ["index", "build", *words])


def keep_tree(workspace: Workspace, name: str, made: Made) -> TreeRow:
    """Store a tree as the next version of its name.

    Raises:
        InputError: `name` cannot name a label tree.
    """
    check_name("label tree", name)
    with workspace.write() as db:
        return trees.add(db, name, made.tree.indices, made.recipe)


def _ontology(name: str, workspace: Workspace | None) -> Ontology:
    if (path := Path(name)).is_file():
        return load(path, name=path.name.split(".")[0].lower())
    if workspace is None:
        raise InputError(f"There is no ontology file {name}, and no workspace to look it up in.")
    row = ontologies.find_ontology(workspace, name)
    return ontologies.read_ontology(workspace, row.name, row.version)


def _roots(read: Sequence[Ontology], root: Curie | None) -> list[Curie | None]:
    """Below which concept each ontology is taken; None: all of it."""
    if root == WHOLE:
        return [None for _ in read]
    holds = [any(c.curie == root and not c.obsolete for c in ontology.concepts) for ontology in read]
    if root is not None and not any(holds):
        raise NotFoundError("concept to be the root", root)
    return [root if held else ontology.root for ontology, held in zip(read, holds, strict=True)]


def _concepts(read: Sequence[Ontology], roots: Sequence[Curie | None]) -> dict[Curie, Concept]:
    """Live concepts that the tree is of, by id; one that several ontologies hold is the first one's."""
    found: dict[Curie, Concept] = {}
    for ontology, root in zip(read, roots, strict=True):
        live = {c.curie: c for c in ontology.concepts if not c.obsolete}
        if root is not None:
            lineage = Lineage(live, ((c.curie, p) for c in live.values() for p in c.parents))
            live = {curie: live[curie] for curie in sorted(lineage.descendants(root))}
        for curie, concept in live.items():
            found.setdefault(curie, concept)
    return found


def _graph(
    concepts: dict[Curie, Concept],
    settings: TreeSettings,
    encoder: Encoder | None,
    progress: Progress | None,
) -> Graph:
    structure = osi(concepts, _links(concepts.values(), settings.relations))
    if encoder is None:
        return structure
    names = {c.curie: " ".join(c.name.split()) or c.curie for c in concepts.values()}
    near = ssi(names, encoder, settings.neighbours, progress)
    return near if settings.kind == "ssi" else ossi(structure, near, settings.rule)


def _links(concepts: Iterable[Concept], relations: tuple[str, ...]) -> Iterable[tuple[Curie, Curie]]:
    for concept in concepts:
        yield from ((concept.curie, parent) for parent in concept.parents)
        yield from ((concept.curie, target) for name, target in concept.relations if name in relations)
