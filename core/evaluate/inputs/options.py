"""What somebody asks for beside the two sides, as a command line gives it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.encode import BUNDLED
from core.errors import InputError
from core.evaluate.concept_scope import Scope, scope, scope_of_file
from core.evaluate.inputs.training import read_training, read_tree, stored_tree
from core.evaluate.settings import About, Settings
from core.index.tree import LabelTree
from core.metrics.mem_syn_con import Training
from core.store.workspace import Workspace

NO_ENCODER = "none"
REFERENCES = ("imported:", "reviewed@", "corrected@", "estimated@")
ONTOLOGIES = (".obo", ".owl", ".rdf", ".json", ".xml")
INDICES = (".json", ".csv", ".gz")
FILES = (".json", ".jsonl", ".csv", ".tsv", ".pubtator", ".txt", ".conll", ".gz")


@dataclass(frozen=True, slots=True)
class Options:
    """What does not concern the kind of labels at hand is not used."""

    families: str = ""
    """Comma-separated, or `all`; empty: the usual ones, or for pairs and tags every one there is."""
    usual: str = "corpus"
    """Of concept documents."""
    counting: dict[str, Any] | None = None
    """Further options of `Settings.parse`."""
    ontology: str | None = None
    """NAME[@VERSION] of the workspace, or an ontology file."""
    root: str | None = None
    training: Sequence[Path] = ()
    training_ids: Sequence[Path] = ()
    gold_ids: Path | None = None
    index: str | Path | None = None
    """An index file, or a label tree of the workspace, NAME[@VERSION]."""

    def settings(self, about: About = "concepts") -> Settings:
        families = {"concepts": self.families or self.usual, "pairs": self.families, "mentions": ""}[about]
        counting = dict(self.counting or {})
        if about == "pairs":
            named = counting.get("encoder") or BUNDLED
            counting["encoder"] = None if named == NO_ENCODER else named
        return Settings.parse(families=families, about=about, **counting)

    def of_concepts(self, workspace: Workspace | None) -> dict[str, Any]:
        """What files of concepts are scored with, by the names of parameters. Errors as of each."""
        return {
            "settings": self.settings(),
            "scope": self.scope(workspace),
            "training": self.training_set(),
            "tree": self.label_tree(workspace),
        }

    def training_set(self) -> Training | None:
        given = self.training or self.training_ids
        return read_training(self.training, self.training_ids) if given else None

    def label_tree(self, workspace: Workspace | None) -> LabelTree | None:
        """
        Raises:
            InputError: the file is no index, or a workspace is needed.
            NotFoundError: no such tree in the workspace.
        """
        if self.index is None:
            return None
        if is_file(str(self.index), INDICES):
            return read_tree(Path(self.index))
        if workspace is None:
            raise InputError(f"There is no index file {self.index}, and no workspace to look it up in.")
        return stored_tree(workspace, str(self.index))

    def scope(self, workspace: Workspace | None) -> Scope:
        """
        Raises:
            InputError: no such file, or a workspace is needed; a root without an ontology.
            NotFoundError: no such ontology in the workspace.
        """
        if self.ontology is not None and is_file(self.ontology, ONTOLOGIES):
            return scope_of_file(Path(self.ontology), self.root)
        if workspace is not None:
            return scope(workspace, self.ontology, self.root)
        if self.ontology is not None:
            raise InputError(f"There is no ontology file {self.ontology}, and no workspace to look it up in.")
        if self.root is not None:
            raise InputError(
                f"Concepts below {self.root} are known by an ontology only. Name it with --ontology."
            )
        return Scope()


def is_file(name: str, endings: Sequence[str] = FILES) -> bool:
    """Raises InputError where the name looks like a file's, and there is none."""
    path = Path(name)
    if path.is_file():
        return True
    looks_so = path.suffix in endings or ("/" in name and "@" not in name)
    if looks_so and not name.startswith(REFERENCES):
        raise InputError(f"There is no file {name}. Check the name and the folder.")
    return False
