"""Runs: what is going on, what each stage did, how every label came about, and how two runs differ."""

from __future__ import annotations

import streamlit as st

from core.text.visible import visible
from pages.widgets import state
from pages.widgets.switch import one_of

KEY = state.RUNS
VIEWS = {
    "runs": "Runs",
    "compare": "Compare",
    "start": "New run",
    "learned": "Learned",
    "guidelines": "Guidelines",
}


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
    board.table(ws, found, st.session_state[KEY + "run"])
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    chosen = left.selectbox("Run", ids[::-1], format_func=visible, key=KEY + "run")
    st.query_params["run"] = chosen
    with right:
        board.state_of(ws, found[ids.index(chosen)])
    board.watch(found[ids.index(chosen)], detail.show)


def names_a_label() -> bool:
    """Whether the address is that of one label: of a run, and an item, a pair, or a passage and a concept."""
    asked = set(st.query_params)
    return "run" in asked and ("item" in asked or "pair" in asked or {"passage", "concept"} <= asked)


of_label = names_a_label()
if not of_label:
    st.title("Runs")
with st.skeleton(height=320):  # what the views are made with takes a while to load, the first time
    from core.pipeline.status import statuses
    from pages.widgets.runs import board, compare, compare_pairs, detail, guideline, learned, new, origin

learned.take_up()
with state.workspace() as workspace:
    if of_label:
        origin.show(workspace)
    else:
        if KEY + "view" not in st.query_params:  # a default beside what a button sets would be two masters
            st.session_state.setdefault(KEY + "view", "runs")
        view = one_of("View", VIEWS, f"{KEY}view", named=False, preset=False)
        if view == "compare":
            compare_pairs.choose(workspace, compare.show)
        elif view == "start":
            new.show(workspace)
        elif view == "learned":
            learned.show(workspace)
        elif view == "guidelines":
            guideline.show(workspace)
        else:
            runs(workspace)
