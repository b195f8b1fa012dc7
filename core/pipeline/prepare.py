"""What the stages work with, made once per run: concepts, lineage, names by meaning and by words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.concepts.lexicon import Lexicon
from core.concepts.lexicon.vocabulary import family
from core.concepts.tools import Matcher
from core.errors import NotFoundError
from core.ontology.lineage import Lineage
from core.records import Concept, Curie
from core.store import ontologies
from core.store.ontologies import OntologyRow
from core.store.vectors import StoredVectors
from core.store.workspace import Workspace

ENCODER = "all-MiniLM-L6-v2"
MATCHING = "hybrid"
"""How names are matched: by meaning with the dictionary's word classes beside it, which finds more than
meaning alone (`tests/benchmarks/quality_matching.py`). Part of a run's fingerprint."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Prepared:
    """One ontology below one root, for one encoder. Runs that differ in stages alone can share it."""

    ontology: OntologyRow
    root: Curie | None
    encoder: str
    concepts: tuple[Concept, ...]
    """Live concepts below the root, the root itself excluded."""
    lineage: Lineage
    matcher: Matcher
    lexicon: Lexicon


def root_of(workspace: Workspace, row: OntologyRow, *wanted: Curie | None) -> Curie | None:
    """The first root that is named; else the ontology's own.

    Raises:
        NotFoundError: the ontology has no such concept.
    """
    root = next((each for each in wanted if each), row.root)
    if root is not None and root not in ontologies.labels(workspace, row.id):
        raise NotFoundError(f"concept of {row.reference} to be the root", root)
    return root


def prepare(
    workspace: Workspace,
    ontology: str,
    *,
    root: Curie | None = None,
    encoder: str = ENCODER,
    threads: int | None = None,
    matcher: Matcher | None = None,
    progress: Progress | None = None,
) -> Prepared:
    """Read the ontology and index its names.

    Args:
        ontology: `NAME` or `NAME@VERSION`.
        root: only concepts below this one; default the ontology's own root.
        encoder: a sentence-transformers model; its vectors are kept in the workspace.
        threads: of the encoder; default as PyTorch likes.
        matcher: in place of the encoder's index.
        progress: called with (names encoded, names in all); the first time takes minutes for a large
            ontology.

    Raises:
        NotFoundError: no such ontology or root.
        InputError: the encoder cannot be loaded, or no concept is below the root.
    """
    row = ontologies.find_ontology(workspace, ontology)
    root = root_of(workspace, row, root)
    stored = ontologies.read_ontology(workspace, row.name, row.version)
    lineage = Lineage.of(stored)
    below = set(lineage.descendants(root)) if root is not None else set(lineage.curies)
    concepts = tuple(c for c in stored.concepts if not c.obsolete and c.curie in below and c.curie != root)
    if matcher is None:
        from core.encode import Encoder, NameIndex

        model = Encoder(encoder, threads=threads, cache=StoredVectors(workspace))
        matcher = NameIndex.build(concepts, model, progress=progress, word_class=family)
    lexicon = Lexicon.build(stored.concepts, root=root)
    return Prepared(row, root, encoder, concepts, lineage, matcher, lexicon)
