"""What a model was trained on, from files: the names and concept ids that are not new to it.

    read_training([Path("train.json")])                                          # concept documents
    read_training([Path("train.txt")], [Path("train_cuis.txt")])                 # CoNLL, and its ids
    read_training([Path("mention_dictionary.txt")], [Path("cui_dictionary.txt")])# one a line

Each file is told by its name and its first lines. Only the training part belongs here, not train and dev.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from core.errors import InputError
from core.formats import Reading, read_documents
from core.formats.conll import NO_ID, holds_ids, holds_tags, mentions_of, read_tokens
from core.formats.label_trees import read_indices
from core.formats.source import Source
from core.index.tree import LabelTree
from core.metrics.mem_syn_con import Training
from core.records import ConceptClass
from core.store import trees
from core.store.workspace import Workspace

_PUBTATOR = re.compile(r"[^|\t]+\|[ta]\|")
_LISTS = (".txt", ".lst", ".list", "")
"""Endings, before `.gz`, of files that may be lists, one name or id a line."""


def read_training(mentions: Sequence[Path], ids: Sequence[Path] = ()) -> Training:
    """The training set that files hold together.

    Args:
        mentions: concept documents (names and ids), CoNLL (names), or lists, one name a line.
        ids: CoNLL whose last column holds ids, or lists, one id (or field of ids) a line.

    Returns:
        Without ids where no file gives any: then SYN and CON cannot be told apart.

    Raises:
        InputError: a file cannot be read, or together they hold no name.
    """
    names: list[str] = []
    concepts: list[str] = []
    has_ids = bool(ids)
    for path in mentions:
        if _is_list(path):
            names += _lines(path)
        elif holds_tags(path):
            file = read_tokens(path)
            names += [m.text for d in file.documents.values() for m in mentions_of(file.name, d)]
        else:
            found, of_documents = _documents(path)
            names += found
            concepts += of_documents
            has_ids = True
    for path in ids:
        concepts += _ids(path)
    title = " + ".join(path.name for path in (*mentions, *ids))
    training = Training.of(names, concepts if has_ids else None, title)
    if not training.mentions and not training.concepts:
        raise InputError(f"{title} holds no mention and no concept. Name the files of the training set.")
    return training


def read_tree(path: Path) -> LabelTree:
    """A label tree of an index file.

    Raises:
        InputError: the file is no index.
    """
    return LabelTree(read_indices(path), path.name)


def stored_tree(workspace: Workspace, reference: str) -> LabelTree:
    """A label tree of the workspace.

    Raises:
        NotFoundError: there is none of that name or version.
    """
    row = trees.find(workspace, reference)
    return LabelTree(trees.read(workspace, row), row.reference)


def _is_list(path: Path) -> bool:
    """One name or id a line: a text file that is neither CoNLL nor PubTator."""
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    if (suffixes[-1] if suffixes else "") not in _LISTS or holds_tags(path) or holds_ids(path):
        return False
    return not any(_PUBTATOR.match(line) for _, line in zip(range(1), _lines(path), strict=False))


def _lines(path: Path) -> Iterable[str]:
    return (stripped for _, line in Source(path).lines() if (stripped := line.strip()))


def _documents(path: Path) -> tuple[list[str], list[str]]:
    """(quotes, ids) of a file of concept documents, whatever the status; not relevant ones are left out."""
    names: list[str] = []
    concepts: list[str] = []
    source = read_documents(path, None, Reading(keep_ungrounded=True, without_texts=True))
    for document in source.documents():
        for a in document.annotations:
            if a.concept_class is ConceptClass.NOT_RELEVANT:
                continue
            concepts.append(a.concept)
            if a.span is not None:
                names.append(a.span.quote)
            elif a.ungrounded is not None:
                names.append(a.ungrounded.quote)
    return names, concepts


def _ids(path: Path) -> list[str]:
    if _is_list(path):
        return list(_lines(path))
    rows = (row for d in read_tokens(path).documents.values() for sentence in d for row in sentence)
    return [row.value for row in rows if row.value != NO_ID]
