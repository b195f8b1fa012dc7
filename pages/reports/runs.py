"""Runs: what is going on, what each stage did, how every label came about, and how two runs differ."""

from __future__ import annotations

import streamlit as st

from core.pipeline.status import statuses
from core.text.visible import visible
from pages.widgets import state
from pages.widgets.runs import board, compare, detail, guideline, new, origin
from pages.widgets.switch import one_of

KEY = state.RUNS
VIEWS = {"runs": "Runs", "compare": "Compare", "start": "New run", "guidelines": "Guidelines"}


def runs(ws: state.Workspace) -> None:
    """The list, and one run in full."""
    found = statuses(ws)
    board.live(found)
    if not found:
        st.info("There are no runs yet. Start one under New run.", icon="ℹ️")
        return
    ids = [one.run.id for one in found]
    if begun := st.session_state.pop(KEY + "next", None):
        st.session_state[KEY + "run"] = begun
    if st.session_state.get(KEY + "run") not in ids:
        asked = st.query_params.get("run")
        st.session_state[KEY + "run"] = asked if asked in ids else ids[-1]
    board.table(found, st.session_state[KEY + "run"])
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    chosen = left.selectbox("Run", ids[::-1], format_func=visible, key=KEY + "run")
    st.query_params["run"] = chosen
    with right:
        board.state_of(ws, found[ids.index(chosen)])
    board.watch(found[ids.index(chosen)], detail.show)


with state.workspace() as workspace:
    if origin.asked():
        origin.show(workspace)
    else:
        st.title("Runs")
        if KEY + "view" not in st.query_params:  # a default beside what a button sets would be two masters
            st.session_state.setdefault(KEY + "view", "runs")
        view = one_of("View", VIEWS, f"{KEY}view", named=False, preset=False)
        if view == "compare":
            labelled = [run for run in state.all_runs(workspace) if run.kind != "conflicts"]
            compare.show(workspace, labelled)
        elif view == "start":
            new.show(workspace)
        elif view == "guidelines":
            guideline.show(workspace)
        else:
            runs(workspace)
