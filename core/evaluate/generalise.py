"""Generalisation from a page: a run of the workspace, or uploaded files, against what a model was trained on.

Files that somebody uploads are kept only while they are read; their names are text, never paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from core.errors import NotFoundError
from core.evaluate.evaluation import Evaluation, ReviewedEvaluation
from core.evaluate.inputs import INPUTS
from core.evaluate.inputs.options import Options
from core.evaluate.inputs.training import read_training, read_tree, stored_tree
from core.evaluate.readings import Readings
from core.evaluate.reviewed import evaluate_run
from core.evaluate.settings import Settings
from core.metrics.mem_syn_con import Training
from core.records import Annotation, ConceptClass
from core.store import corpora
from core.store.changes import IMPORTED
from core.store.workspace import Workspace

_UNSAFE = re.compile(r"[^\w.+-]+|^\.+")


class Upload(NamedTuple):
    """A file as a browser sends it."""

    name: str
    """From outside: shown, and asked what kind of file it is; never used as a path."""
    data: bytes


Uploads = tuple[Upload, ...]


def training_sets(workspace: Workspace) -> list[str]:
    """References of the imported sets that a model may have been trained on, of every corpus."""
    return [IMPORTED + s.reference for s in corpora.list_annotation_sets(workspace)]


def training_of(workspace: Workspace, reference: str) -> Training:
    """An imported annotation set as a training set: its quotes and concepts; not relevant ones are left out.

    Raises:
        NotFoundError: no such set.
    """
    held = [annotation for _, annotation in _relevant(workspace, reference)]
    quotes = (a.span.quote for a in held if a.span is not None)
    return Training.of(quotes, (a.concept for a in held), reference)


def training_passages(workspace: Workspace, reference: str) -> int:
    """Passages that an imported annotation set annotates; not relevant ones do not count.

    Raises:
        NotFoundError: no such set.
    """
    return len({passage for passage, _ in _relevant(workspace, reference)})


def _relevant(workspace: Workspace, reference: str) -> list[tuple[int, Annotation]]:
    """(passage id, annotation)"""
    known = {IMPORTED + s.reference: s for s in corpora.list_annotation_sets(workspace)}
    if reference not in known:
        raise NotFoundError("annotation set", reference, list(known))
    return [
        (passage, a)
        for passage, _, a in corpora.imported_annotations(workspace, known[reference].id)
        if a.concept_class is not ConceptClass.NOT_RELEVANT
    ]


def generalise(
    workspace: Workspace,
    run: str,
    gold: str,
    settings: Settings,
    trained_on: str | None = None,
    names: Uploads = (),
    ids: Uploads = (),
    index: Uploads | str = (),
    earlier: ReviewedEvaluation | None = None,
    readings: Readings | None = None,
) -> ReviewedEvaluation:
    """Score a run, before and after review, with a training set and a label tree at hand.

    Args:
        trained_on: an imported annotation set (`training_sets`); None: `names` and `ids`, if any.
        names, ids: as for `read_training`.
        index: one index file, a label tree of the workspace (`NAME@VERSION`), or none.
        earlier, readings: as of `evaluate_run`.

    Raises:
        InputError: a file cannot be read.
        NotFoundError: no such run, gold set or training set.
    """
    training = training_of(workspace, trained_on) if trained_on else None
    stored = stored_tree(workspace, index) if isinstance(index, str) else None
    files = () if isinstance(index, str) else index
    with as_files(names) as name_files, as_files(ids) as id_files, as_files(files) as index_files:
        if training is None and (name_files or id_files):
            training = read_training(name_files, id_files)
        tree = read_tree(index_files[0]) if index_files else stored
    return evaluate_run(
        workspace, run, gold, settings, training=training, tree=tree, earlier=earlier, readings=readings
    )


def evaluate_uploads(
    predictions: Upload,
    gold: Upload,
    settings: Settings,
    gold_ids: Uploads = (),
    names: Uploads = (),
    ids: Uploads = (),
) -> Evaluation:
    """Score uploaded files of mentions, or of tags.

    Raises:
        InputError: a file cannot be read, or the two do not belong together.
    """
    counting = {name: getattr(settings, name) for name in ("bootstrap", "seed", "level")}
    families = ",".join(settings.families)
    with as_files((predictions, gold, *gold_ids)) as files, as_files(names) as n, as_files(ids) as i:
        told = "mentions" if any(INPUTS["mentions"].holds(path) for path in files[:2]) else "tags"
        options = Options(families, counting=counting, training=n, training_ids=i)
        options = replace(options, gold_ids=files[2] if gold_ids else None)
        return INPUTS[told].score(files[0], files[1], options, None)


@contextmanager
def as_files(uploads: Sequence[Upload]) -> Iterator[list[Path]]:
    """Uploads as files of a folder that is gone afterwards, each under what is safe of its name."""
    with TemporaryDirectory() as folder:
        paths = []
        for number, upload in enumerate(uploads):
            path = Path(folder) / str(number) / (_UNSAFE.sub("_", upload.name)[-80:] or "file")
            path.parent.mkdir()
            path.write_bytes(upload.data)
            paths.append(path)
        yield paths
