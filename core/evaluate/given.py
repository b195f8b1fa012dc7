"""Whatever somebody names against gold: a run or a file, of documents, tags, claim pairs or mentions.

score_given(None, "silver.json", "gold.json", Options(families="all"))            # no workspace
score_given(workspace, "run-1", "imported:gsc@1", Options(families="all", by="branch"))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import InputError
from core.evaluate.file_record import FileEvaluation
from core.evaluate.of_files import evaluate_file, evaluate_files
from core.evaluate.record import Evaluation, ReviewedEvaluation
from core.evaluate.reviewed import evaluate_run
from core.evaluate.settings import Scope, Settings, scope, scope_of_file
from core.evaluate.training import read_training, read_tree
from core.formats.conll import holds_tags
from core.formats.index_answers import holds_indices
from core.formats.mentions import mentions_in
from core.formats.pairs import holds_pairs
from core.store import runs
from core.store.workspace import Workspace

if TYPE_CHECKING:
    from core.evaluate.pairs import PairEvaluation, ReviewedPairEvaluation
    from core.evaluate.pairs.settings import PairSettings

REFERENCES = ("imported:", "reviewed@")
NO_ENCODER = "none"
ONTOLOGIES = (".obo", ".owl", ".rdf", ".json", ".xml")
FILES = (".json", ".jsonl", ".csv", ".tsv", ".pubtator", ".txt", ".conll", ".gz")


@dataclass(frozen=True, slots=True)
class Options:
    """As a command line gives them; what does not concern the kind of labels at hand is not used."""

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
    index: Path | None = None
    encoder: str | None = None
    """Of claim pairs, for the similarity of reconciliations: None the bundled one, `none` none at all."""
    domain: str | None = None
    """Of claim pairs: only this one."""

    def settings(self) -> Settings:
        return Settings.parse(families=self.families or self.usual, **(self.counting or {}))


def needs_workspace(predictions: str, gold: str, ontology: str | None = None) -> bool:
    """Whether any of these is no file.

    Raises:
        InputError: one looks like a file, and there is none.
    """
    found = [is_file(predictions), is_file(gold)]
    if ontology is not None:
        found.append(is_file(ontology, ONTOLOGIES))
    return not all(found)


def is_file(name: str, endings: Sequence[str] = FILES) -> bool:
    """Raises InputError where the name looks like a file's, and there is none."""
    path = Path(name)
    if path.is_file():
        return True
    looks_so = path.suffix in endings or ("/" in name and "@" not in name)
    if looks_so and not name.startswith(REFERENCES):
        raise InputError(f"There is no file {name}. Check the name and the folder.")
    return False


def score_given(
    workspace: Workspace | None, predictions: str, gold: str, options: Options | None = None
) -> Evaluation | ReviewedEvaluation | FileEvaluation | PairEvaluation | ReviewedPairEvaluation:
    """Score predictions against gold, both as somebody names them.

    Args:
        workspace: None will do where all that is named are files (`needs_workspace`).
        predictions: a run id or a file.
        gold: a file, `imported:NAME@VERSION` or `reviewed@NUMBER:POLICY`.

    Raises:
        InputError: a file cannot be read, an option is wrong or does not fit, or a workspace is needed.
        NotFoundError: no such run, gold set, curator, decision or ontology.
    """
    options = options or Options()
    said = Path(predictions) if is_file(predictions) else None
    right = Path(gold) if is_file(gold) else None
    if said is not None and right is not None:
        if holds_pairs(said):
            return _pair_files(said, right, options)
        if holds_tags(said):
            return _tags(said, right, options)
        if mentions_in(said) is not None:
            return _mentions(workspace, said, right, options)
    elif said is not None and (mentions_in(said) is not None or holds_indices(said)):
        what = "raw indices" if holds_indices(said) else "mentions"
        raise InputError(f"{said.name} holds {what}, which are scored against a file. Name it with --gold.")
    elif said is None and workspace is not None and runs.find_run(workspace, predictions).kind == "conflicts":
        return _pair_run(workspace, predictions, right or gold, options)
    settings, chosen = options.settings(), _scope(workspace, options)
    names = options.training or options.training_ids
    training = read_training(options.training, options.training_ids) if names else None
    tree = read_tree(options.index) if options.index else None
    if said is not None and right is not None:
        if holds_indices(said):
            from core.evaluate.raw_indices import evaluate_indices

            return evaluate_indices(said, right, settings, chosen, training=training, tree=tree)
        return evaluate_files(said, right, settings, chosen, training=training, tree=tree)
    if workspace is None:
        raise InputError(f"{predictions} and {gold} are not both files: name the workspace that holds them.")
    if said is not None:
        return evaluate_file(workspace, said, gold, settings, chosen, training=training, tree=tree)
    return evaluate_run(workspace, predictions, right or gold, settings, chosen, training=training, tree=tree)


def _scope(workspace: Workspace | None, options: Options) -> Scope:
    if options.ontology is not None and is_file(options.ontology, ONTOLOGIES):
        return scope_of_file(Path(options.ontology), options.root)
    if workspace is not None:
        return scope(workspace, options.ontology, options.root)
    if options.ontology is not None:
        raise InputError(f"There is no ontology file {options.ontology}, and no workspace to look it up in.")
    if options.root is not None:
        raise InputError(
            f"Concepts below {options.root} are known by an ontology only. Name it with --ontology."
        )
    return Scope()


def _tags(predictions: Path, gold: Path, options: Options) -> FileEvaluation:
    from core.evaluate.tagged import evaluate_tagged

    return evaluate_tagged(
        predictions,
        gold,
        options.settings(),
        gold_ids=options.gold_ids,
        training=options.training,
        training_ids=options.training_ids,
    )


def _mentions(workspace: Workspace | None, predictions: Path, gold: Path, options: Options) -> FileEvaluation:
    from core.evaluate.enrichment import EnrichmentSettings, evaluate_mentions

    chosen = EnrichmentSettings(**_intervals(options))
    return evaluate_mentions(predictions, gold, chosen, _scope(workspace, options))


def _pair_files(predictions: Path, gold: Path, options: Options) -> PairEvaluation:
    from core.evaluate.pairs import evaluate_pair_files

    return evaluate_pair_files(predictions, gold, _pair_settings(options))


def _pair_run(workspace: Workspace, run: str, gold: str | Path, options: Options) -> ReviewedPairEvaluation:
    from core.evaluate.pairs import evaluate_pair_run

    return evaluate_pair_run(workspace, run, gold, _pair_settings(options))


def _pair_settings(options: Options) -> PairSettings:
    from core.encode import BUNDLED
    from core.evaluate.pairs.settings import PairSettings

    encoder = None if options.encoder == NO_ENCODER else options.encoder or BUNDLED
    return PairSettings.parse(
        families=options.families, domain=options.domain, encoder=encoder, **_intervals(options)
    )


def _intervals(options: Options) -> dict[str, Any]:
    return {k: v for k, v in (options.counting or {}).items() if k in ("bootstrap", "seed")}
