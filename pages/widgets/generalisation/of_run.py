"""A run of the workspace against gold, a training set and, for closeness, a label tree."""

from __future__ import annotations

from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import charts
from core import evaluate as scoring
from core.errors import InputError
from core.evaluate.generalise import Uploads, generalise, training_sets
from core.evaluate.settings import Settings
from core.store import trees
from core.text.visible import visible
from pages.widgets import item_list, options, state
from pages.widgets.generalisation import uploads
from pages.widgets.generalisation.uploads import KEY
from pages.widgets.metrics import pictures, show_family
from pages.widgets.metrics.choice import Look
from pages.widgets.metrics.family import say_review
from pages.widgets.metrics.run_and_gold import run_and_gold
from pages.widgets.plain import escape
from pages.widgets.switch import one_of

UPLOADED = "files"
TREES = "pages/reports/trees.py"
SIDES = {"before": "as proposed", "after": "after review"}
VIEWS = {"names": "Names by their looks", "mem_syn_con": "Seen and unseen", "unseen": "On a label tree"}
"""First the one that needs no training set."""


class Known(NamedTuple):
    """What the model was trained on, and the tree."""

    reference: str | None
    names: Uploads
    ids: Uploads
    index: Uploads | str
    """Files, or a label tree of the workspace."""


def show(ws: state.Workspace) -> None:
    """The filters, then the chosen view; nothing of another one is computed."""
    chosen = run_and_gold(ws, KEY, lambda: st.columns(3), scoring.gold_references)
    if chosen is None:
        return
    run, gold, (right,) = chosen
    known = _known(ws, right)
    if known.reference == gold:
        st.warning("The training set is the gold itself, so nothing in it is new. Choose another one.")
    view = one_of("View", VIEWS, f"{KEY}view", named=False)
    base, readings = Look(ws, run.id, run.corpus, gold, Settings()).corpus_values()

    def generalised(ws: state.Workspace, *args: Any) -> scoring.ReviewedEvaluation:
        return generalise(ws, *args, earlier=base, readings=readings)

    try:
        result = state.hold(ws, generalised, run.id, gold, Settings(families=("corpus", view)), *known)
    except InputError as error:
        st.error(escape(str(error)))
        return
    say_review(result)
    st.header(charts.family_title(view))
    links = item_list.of_run(ws, run.id, result.before)
    after = result.after.families[view] if result.after else None
    raw, key = result.before.families[view], f"{KEY}before_"
    if after is None or after.absent:
        show_family(raw, key, links)
        return
    if one_of("Proposals", SIDES, f"{KEY}proposals") == "before":
        show_family(raw, key, links, after=after, changes=(result.difference or {}).get(view))
    else:
        show_family(after, f"{KEY}after_", links)


def _stored_tree(ws: state.Workspace, place: DeltaGenerator) -> str | None:
    """A label tree of the workspace, at first the newest; None: there is none, or a file shall serve."""
    known = [row.reference for row in reversed(state.read(ws, trees.list_trees))]
    if not known:
        return None
    chosen = place.selectbox(
        "Label tree",
        [*known, UPLOADED],
        format_func=lambda one: "A file of your own" if one == UPLOADED else visible(one),
        key=f"{KEY}tree",
        bind="query-params",
    )
    return None if chosen == UPLOADED else str(chosen)


def _known(ws: state.Workspace, place: DeltaGenerator) -> Known:
    sets = state.read(ws, training_sets)
    chosen = options.gold(
        place,
        ws,
        sets,
        f"{KEY}trained_on",
        "Training set",
        {UPLOADED: "Files of your own"},
        index=None,
        placeholder="None",
        help="What the system was trained on: an annotation set of this workspace, or files.",
    )
    tree = _stored_tree(ws, place)
    with place.popover("Files and pictures", width="stretch"):
        names, ids = uploads.training() if chosen == UPLOADED else ((), ())
        index: Uploads | str = tree or uploads.ask_one(
            "Index file",
            "index",
            ["json", "gz"],
            "An index file: a JSON object, concept id to list of integers, the path from the root.",
        )
        pictures()
    with place:
        if tree:
            at = {f"{state.TREES}tree": visible(tree)}
            st.page_link(TREES, label="Look at this tree", icon="🌿", query_params=at)
        else:
            at = {f"{state.TREES}view": "Build or import"}
            st.page_link(TREES, label="Build a label tree, or import one", icon="🌿", query_params=at)
    return Known(None if chosen == UPLOADED else chosen, names, ids, index)
