"""Files that say what a model was trained on, as a browser sends them."""

from __future__ import annotations

import streamlit as st

from core.evaluate.generalise import Upload, Uploads
from pages.widgets import state

KEY = state.GENERALISATION
DOCUMENTS = ["json", "jsonl", "csv", "tsv", "pubtator", "txt", "conll", "gz"]
TAGS = ["txt", "conll", "tsv", "iob", "bio", "gz"]


def ask(label: str, name: str, kinds: list[str], help: str) -> Uploads:
    """Any number of files, in the order of their names."""
    given = st.file_uploader(label, kinds, accept_multiple_files=True, key=f"{KEY}{name}", help=help)
    return tuple(sorted(Upload(file.name, file.getvalue()) for file in given or ()))


def ask_one(label: str, name: str, kinds: list[str], help: str) -> Uploads:
    """One file, or none."""
    given = st.file_uploader(label, kinds, key=f"{KEY}{name}", help=help)
    return (Upload(given.name, given.getvalue()),) if given else ()


def training() -> tuple[Uploads, Uploads]:
    """(names, ids) of the training set."""
    names = ask(
        "Training set",
        "names",
        DOCUMENTS,
        "Concept documents, tagged tokens, or a list of names, one a line. The training part only, not dev.",
    )
    ids = ask(
        "Concept ids of the training set",
        "ids",
        DOCUMENTS,
        "Where the training set itself has none: tokens with ids, or a list of ids, one a line.",
    )
    return names, ids
