"""Whatever somebody names against gold: a run or a file, of documents, tags, claim pairs or mentions.

score_given(None, "silver.json", "gold.json", Options(families="all"))            # no workspace
score_given(workspace, "run-1", "imported:gsc@1", Options(families="all", counting={"by": "branch"}))
"""

from __future__ import annotations

from pathlib import Path

from core.errors import InputError
from core.evaluate.evaluation import Evaluation, ReviewedEvaluation
from core.evaluate.inputs import INPUTS, input_of
from core.evaluate.inputs.documents import evaluate_file
from core.evaluate.inputs.options import INDICES, ONTOLOGIES, Options, is_file
from core.evaluate.readings import Readings
from core.evaluate.reviewed import evaluate_run
from core.evaluate.reviewed_pairs import evaluate_pair_run
from core.records import ItemKind
from core.store import runs
from core.store.workspace import Workspace


def needs_workspace(
    predictions: str, gold: str, ontology: str | None = None, index: str | None = None
) -> bool:
    """Whether any of these is no file.

    Raises:
        InputError: one looks like a file, and there is none.
    """
    found = [is_file(predictions), is_file(gold)]
    if ontology is not None:
        found.append(is_file(ontology, ONTOLOGIES))
    if index is not None:
        found.append(is_file(index, INDICES))
    return not all(found)


def score_given(
    workspace: Workspace | None,
    predictions: str,
    gold: str,
    options: Options | None = None,
    readings: Readings | None = None,
) -> Evaluation | ReviewedEvaluation:
    """Score predictions against gold, both as somebody names them.

    Args:
        workspace: None will do where all that is named are files (`needs_workspace`).
        predictions: a run id or a file.
        gold: a file, or a gold reference (`core.store.gold`).
        readings: as of `evaluate_run`.

    Raises:
        InputError: a file cannot be read, an option is wrong or does not fit, or a workspace is needed.
        NotFoundError: no such run, gold set, curator, decision or ontology.
    """
    options = options or Options()
    said = Path(predictions) if is_file(predictions) else None
    right = Path(gold) if is_file(gold) else None
    held = input_of(said) if said else "documents"
    if said is not None and right is not None:
        return INPUTS[held].score(said, right, options, workspace)
    if said is not None and held != "documents":
        what = INPUTS[held].words
        raise InputError(f"{said.name} holds {what}, which are scored against a file. Name it with --gold.")
    if workspace is None:
        raise InputError(f"{predictions} and {gold} are not both files: name the workspace that holds them.")
    if said is None and runs.find_run(workspace, predictions).proposes == ItemKind.PAIR:
        return evaluate_pair_run(workspace, predictions, right or gold, options.settings("pairs"))
    asked = options.of_concepts(workspace)
    if said is not None:
        return evaluate_file(workspace, said, gold, **asked)
    return evaluate_run(workspace, predictions, right or gold, **asked, readings=readings)
