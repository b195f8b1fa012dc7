"""A run of the workspace against gold, a training set and, for closeness, a label tree."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from core import charts
from core import evaluate as scoring
from core.errors import InputError
from core.evaluate.generalise import Uploads, generalise, training_sets
from core.evaluate.settings import Settings
from core.text.visible import visible
from pages.widgets import confidential, item_list, plain, state
from pages.widgets.generalisation import uploads
from pages.widgets.generalisation.uploads import KEY
from pages.widgets.metrics import pictures, show_family
from pages.widgets.plain import escape
from pages.widgets.switch import one_of

LABELLED = ("concepts", "imported")
UPLOADED = "files"
SIDES = {"before": "as proposed", "after": "after review"}
VIEWS = {"mem_syn_con": "Seen and unseen", "names": "Names by their looks", "unseen": "On a label tree"}


class Known(NamedTuple):
    """What the model was trained on, and the tree."""

    reference: str | None
    names: Uploads
    ids: Uploads
    index: Uploads


def show(ws: state.Workspace) -> None:
    """The filters, then the chosen view; nothing of another one is computed."""
    runs = {run.id: run.corpus for run in state.all_runs(ws) if run.kind in LABELLED}
    if not runs:
        st.info("There are no runs yet. Annotate a corpus, or add proposals made elsewhere.", icon="ℹ️")
        return
    left, middle, right = st.columns(3)
    run = left.selectbox(
        "Run", list(runs), format_func=visible, key=f"{KEY}run", bind="query-params", required=True
    )
    references = state.read(ws, scoring.gold_references, run)
    if not references:
        confidential.note(ws, runs[run])
        st.info(
            "Nothing to score this run against: import annotated documents, or review some proposals.",
            icon="ℹ️",
        )
        return
    gold = middle.selectbox(
        "Gold", references, format_func=visible, key=f"{KEY}gold", bind="query-params", required=True
    )
    with right:
        known = _known(ws)
    confidential.note(ws, runs[run])
    if known.reference == gold:
        st.warning("The training set is the gold itself, so nothing in it is new. Choose another one.")
    view = one_of("View", VIEWS, f"{KEY}view", named=False)
    try:
        result = state.hold(ws, generalise, run, gold, Settings(families=("corpus", view)), *known)
    except InputError as error:
        st.error(escape(str(error)))
        return
    if result.review:
        plain.text(f"Review applied: {result.review}. Both sides are scored against {result.before.gold}.")
    st.header(charts.family_title(view))
    links = item_list.of_run(ws, run, result.before)
    after = result.after.families[view] if result.after else None
    raw, key = result.before.families[view], f"{KEY}before_"
    if after is None or after.absent:
        show_family(raw, key, links)
        return
    if one_of("Proposals", SIDES, f"{KEY}proposals") == "before":
        show_family(raw, key, links, after=after, changes=(result.difference or {}).get(view))
    else:
        show_family(after, f"{KEY}after_", links)


def _known(ws: state.Workspace) -> Known:
    sets = state.read(ws, training_sets)
    chosen = st.selectbox(
        "Training set",
        [*sets, UPLOADED],
        index=None,
        format_func=lambda name: "Files of your own" if name == UPLOADED else name,
        placeholder="None",
        key=f"{KEY}trained_on",
        bind="query-params",
        help="What the system was trained on: an annotation set of this workspace, or files.",
    )
    with st.popover("Files and pictures", width="stretch"):
        names, ids = uploads.training() if chosen == UPLOADED else ((), ())
        index = uploads.ask_one(
            "Label tree",
            "index",
            ["json", "gz"],
            "An index file: a JSON object, concept id to list of integers, the path from the root.",
        )
        pictures()
    return Known(None if chosen == UPLOADED else chosen, names, ids, index)
