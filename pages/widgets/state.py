"""What pages share: the open workspace, the curator, every session key, and cached readers.

Session keys have the form `<page>.<name>` and are listed here, so that no two pages claim the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Concatenate, ParamSpec, TypeVar

import streamlit as st

from core.errors import TouchstoneError
from core.records import ItemKind
from core.store import (
    CacheKey,
    Workspace,
    corpora,
    decisions,
    looking,
    ontologies,
    open_workspace,
    queue,
    runs,
)
from pages.widgets.plain import escape

P = ParamSpec("P")
T = TypeVar("T")

CURATOR = "frame.curator"
"""Id of the curator at work in this session, or None."""
CHOICE = "frame.choice"
"""Prefix of the box to choose a curator in."""
ASK = "frame.ask"
"""The form that asks who is at work."""
GO_ON = "frame.go_on"
"""Known curators to go on as."""
UNKNOWN = "frame.unknown"
"""Set once the browser has said that it remembers nobody."""
IDENTITY = "frame.identity"
"""The component that remembers the curator in the browser."""
REPORT = "frame.report"
"""Saves what a page shows."""
LINK = "frame.link"
"""The component that copies the address of a page."""
TOUR = "frame.tour_"
"""Prefix of the buttons that lead through the tour."""
CHARTS_AHEAD = "frame.charts_ahead"
"""The component that loads what charts are drawn with."""
DESK = "concept_labels.desk"
"""The review component of the concept page."""
SESSION = "concept_labels.session"
"""Made anew with every session: a changed one tells the browser that the server has lost the old one."""
DOUBTS = "concept_labels.doubts"
"""Workspace and curator of whom nothing is in doubt: asked once in a session."""
OLDER = "older_guideline."
"""Prefix, before the page, of what a curator decided under a guideline that is no longer in force."""
PREVIEW = "preview."
"""Prefix of what a label to look at asks, before anybody has said who they are."""
PAIR_DESK = "conflict_labels.desk"
"""The review component of the conflict page."""
PAIR_SESSION = "conflict_labels.session"
"""As `SESSION`, for the conflict page."""
FALSE_POSITIVES = "false_positives."
"""Prefix of the widgets of the audit page."""
ERROR_DESK = "false_positives.desk"
"""The review component of apparent false positives."""
ERROR_SESSION = "false_positives.session"
"""As `SESSION`, for them."""
CHANGE_DESK = "false_positives.change_desk"
"""The review component of changes of gold."""
CHANGE_SESSION = "false_positives.change_session"
"""As `SESSION`, for them."""
RULING_DESK = "adjudication.desk"
"""The review component of the adjudication page."""
RULING_SESSION = "adjudication.session"
"""As `SESSION`, for the adjudication page."""
METRICS = "metrics."
"""Prefix of the metrics page's widgets."""
RUNS = "runs."
"""Prefix of the runs page's widgets."""
CONFLICT_METRICS = "conflict_metrics."
"""Prefix of the conflict metrics page's widgets."""
GENERALISATION = "generalisation."
"""Prefix of the generalisation page's widgets."""
TREES = "trees."
"""Prefix of the trees page's widgets, and of what its address names."""
AGREEMENT = "agreement."
"""Prefix of the agreement page's widgets."""
ERROR_TAXONOMY = "error_taxonomy."
"""Prefix of the error taxonomy page's widgets."""
TRY_TEXT = "try_text."
"""Prefix of the widgets of the page on which own texts are tried."""
ONTOLOGY = "ontology."
"""Prefix of the ontology page's widgets, and of what its address names."""
TREE = "ontology.tree"
"""The component that draws the tree of an ontology."""
OPENED = "ontology.opened"
"""Ontology -> nodes of its tree that are open."""
VERSIONS = "versions."
"""Prefix of the versions page's widgets."""
CORPUS = "corpus."
"""Prefix of the corpus page's widgets, and of what its address names."""
SEARCH = "corpus.search"
"""The search as it was left for a document: key -> value."""
BRIEF = "brief."
"""Prefix of the widgets of the topic brief, and of what its address names."""
DOCUMENT = "corpus.sheet"
"""The component that draws a document with its labels."""
GUIDE = "guide."
"""Prefix of the guide's widgets."""
PICTURE = "charts.picture"
"""The format that pictures of charts are saved in."""


@contextmanager
def workspace() -> Iterator[Workspace]:
    """The workspace named by `TOUCHSTONE_WORKSPACE`, opened for this script run only.

    An error meant for the user is shown in place of the rest of the page.
    """
    try:
        with open_workspace(create=False) as opened:
            yield opened
    except TouchstoneError as error:
        st.error(escape(str(error)))
        st.stop()


def curator() -> str | None:
    """Id of the curator chosen in the frame; None while nobody is."""
    value = st.session_state.get(CURATOR)
    return str(value) if value else None


def look_only() -> bool:
    """Whether nothing can be saved, so that nobody is asked for a name."""
    return looking.look_only()


def nobody() -> bool:
    """Whether it is certain that no curator is at work: none chosen, and none remembered by the browser."""
    return curator() is None and bool(st.session_state.get(UNKNOWN))


@st.cache_data(show_spinner=False, max_entries=256)
def _cached(
    key: CacheKey, path: str, name: str, args: tuple[Any, ...], _reader: Callable[..., Any], _on: Workspace
) -> Any:
    return _reader(_on, *args)


def read(on: Workspace, reader: Callable[Concatenate[Workspace, P], T], *args: P.args) -> T:
    """`reader(workspace, *args)`, cached until anything in the workspace changes.

    The key holds the workspace's uuid, restore nonce and revision, never a time to live. Arguments must be
    hashable by Streamlit, the result must pickle; the caller gets a copy.
    """
    name = f"{reader.__module__}.{reader.__qualname__}"
    return _cached(on.key(), str(on.path.resolve()), name, args, reader, on)


_NEWEST: dict[str, CacheKey] = {}
"""Workspace file -> the revision that was last read."""


@st.cache_resource(show_spinner=False, max_entries=13)
def _held(
    key: CacheKey, path: str, name: str, args: tuple[Any, ...], _reader: Callable[..., Any], _on: Workspace
) -> Any:
    return _reader(_on, *args)


def hold(on: Workspace, reader: Callable[Concatenate[Workspace, P], T], *args: P.args) -> T:
    """As `read`, but without a copy: every caller gets the very same object, which none may change.

    For large frozen results, such as an evaluation: a copy of one of 54,000 documents at every click would
    cost more than the click. Whatever it reads later on must not need the workspace, which is closed by then.
    A skeleton stands in its place while it is made. What was held of an earlier revision is let go, since
    nobody can ask for it again.
    """
    path = str(on.path.resolve())
    if _NEWEST.get(path, on.key()) != on.key():
        _held.clear()
    _NEWEST[path] = on.key()
    name = f"{reader.__module__}.{reader.__qualname__}"
    with st.skeleton(height=320):
        return _held(on.key(), path, name, args, reader, on)


def curators(on: Workspace) -> list[decisions.Curator]:
    return read(on, decisions.list_curators)


def add_curator(on: Workspace, curator_id: str, name: str) -> decisions.Curator:
    return decisions.add_curator(on, curator_id, name)


def all_corpora(on: Workspace) -> list[corpora.Corpus]:
    return read(on, corpora.list_corpora)


def all_runs(on: Workspace) -> list[runs.Run]:
    return read(on, runs.list_runs)


def proposals(on: Workspace, run: runs.Run) -> int:
    """How much a run proposes."""
    return read(on, runs.proposals, run)


def review_runs(on: Workspace, kind: str = ItemKind.CONCEPT) -> list[queue.RunName]:
    """Runs whose proposals can be reviewed, without their counts: quick enough to read on every key press."""
    return queue.run_names(on, kind)


def all_ontologies(on: Workspace) -> list[ontologies.OntologyRow]:
    return read(on, ontologies.list_ontologies)
