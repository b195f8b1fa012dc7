"""One recogniser at several training sizes: a run and its training set for each, as a curve."""

from __future__ import annotations

import streamlit as st

from core import evaluate as scoring
from core.errors import InputError
from core.evaluate.generalise import training_sets
from core.evaluate.training_sizes import Size, TrainingCurve, score_sizes
from core.store import trees
from core.text.visible import visible
from pages.widgets import options, state, take_away
from pages.widgets.generalisation.uploads import KEY
from pages.widgets.metrics import pictures, show_table
from pages.widgets.metrics.run_and_gold import LABELLED, NO_RUNS
from pages.widgets.plain import escape


def show(ws: state.Workspace) -> None:
    st.caption(
        "One run for each training size, all of the same corpus, and what each was trained on. Files are "
        "scored by `touchstone index curve`."
    )
    runs = {run.id: run for run in state.all_runs(ws) if run.kind in LABELLED}
    known = [row.reference for row in state.read(ws, trees.newest_first)]
    if not runs or not known:
        st.info(NO_RUNS if not runs else "A curve needs a label tree. Build one on the page Trees.", icon="ℹ️")
        return
    left, middle, right = st.columns(3)
    chosen = left.multiselect("Runs", list(runs), format_func=visible, key=f"{KEY}runs")
    tree = middle.selectbox("Label tree", known, format_func=visible, key=f"{KEY}sizes_tree")
    if not chosen:
        st.info("Choose the runs, one for each training size.", icon="ℹ️")
        return
    gold = options.gold(right, ws, state.read(ws, scoring.gold_references, chosen[0]), f"{KEY}sizes_gold")
    sets = state.read(ws, training_sets)
    trained = [
        options.gold(
            st.container(),
            ws,
            sets,
            f"{KEY}size_{run}",
            f"Training set of {visible(run)}",
            index=None,
            width=480,
        )
        for run in chosen
    ]
    if gold is None or None in trained:
        st.info("Choose the gold, and what each run was trained on.", icon="ℹ️")
        return
    take_away.note_choice("runs", ", ".join(chosen))
    sizes = tuple(Size(run, str(of)) for run, of in zip(chosen, trained, strict=True))
    try:
        found = state.hold(ws, _curve, sizes, gold, str(tree))
    except InputError as error:
        st.error(escape(str(error)))
        return
    for table in found.tables():
        show_table(table, KEY)
    pictures()


def _curve(ws: state.Workspace, sizes: tuple[Size, ...], gold: str, tree: str) -> TrainingCurve:
    return score_sizes(ws, sizes, gold, scoring.Options(index=tree))
