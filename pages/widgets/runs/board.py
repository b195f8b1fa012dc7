"""The runs of the workspace: what is going on, and what there is."""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st

from core.pipeline.status import State, Status, statuses
from pages.widgets import state
from pages.widgets.item_list import DASH
from pages.widgets.plain import escape
from pages.widgets.runs import control, figures

KEY = state.RUNS
REFRESH = 1.0
"""Seconds between two looks at a run that is going on."""
AT_WORK = (State.RUNNING, State.PAUSING)
COLOURS: dict[State, Literal["green", "blue", "orange", "red", "gray"]] = {
    State.DONE: "green",
    State.RUNNING: "blue",
    State.PAUSING: "orange",
    State.PAUSED: "orange",
    State.STOPPED: "orange",
    State.FAILED: "red",
}


def live(found: list[Status]) -> None:
    """Runs that are going on, refreshed by themselves as long as there are any."""
    if any(one.state in AT_WORK for one in found):
        _live()


@st.fragment(run_every=REFRESH)
def _live() -> None:
    with state.workspace() as ws:
        going = [one for one in statuses(ws) if one.state in AT_WORK]
        for one in going:
            _going_on(ws, one)
    if not going:
        st.rerun()  # the last one has ended: the list has changed, and nothing needs refreshing


def _going_on(ws: state.Workspace, one: Status) -> None:
    session = one.session
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape(one.run.id)}**", width="stretch")
            if one.state is State.PAUSING:
                st.caption("Pausing: what is in hand is finished first", width="content")
            elif st.button("Pause", key=f"{KEY}pause_{one.run.id}", disabled=ws.read_only):
                control.pause(ws, one.run.id)
                st.rerun(scope="fragment")
        if session is None:
            st.caption("At work")
            return
        st.progress(min(session.done / session.total, 1.0) if session.total else 0.0)
        left = one.seconds_left
        said = [
            f"{session.done:,} of {figures.count(session.total, 'passage')}",
            "time left not known yet" if left is None else f"about {figures.duration(left)} left",
        ]
        if session.spent:
            said.append(f"US$ {figures.money(session.spent)} spent")
        if session.failures:
            said.append(figures.count(session.failures, "failure"))
        if session.message:
            said.append(session.message)
        st.caption(escape(" · ".join(said)))


def state_of(ws: state.Workspace, one: Status) -> None:
    """What a run is doing, and the way on where it has stopped."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(one.state.capitalize(), color=COLOURS[one.state])
        if not one.resumable:
            return
        may = control.can_resume(one.run) and not ws.read_only
        if st.button("Resume", key=f"{KEY}resume", type="primary", disabled=not may):
            control.resume(ws, one.run)
            st.rerun()
        if one.session is not None and one.session.message:
            st.caption(escape(one.session.message), width="content")


def table(found: list[Status], chosen: str) -> None:
    """All runs, newest first; a row opens its run below."""
    ordered = list(reversed(found))

    def open_row() -> None:
        for row in st.session_state[KEY + "table"]["selection"]["rows"]:
            st.session_state[KEY + "run"] = ordered[row].run.id

    st.dataframe(
        [_row(one) for one in ordered],
        key=KEY + "table",
        on_select=open_row,
        selection_mode="single-row",
        selection_default={
            "selection": {"rows": [n for n, one in enumerate(ordered) if one.run.id == chosen]}
        },
        hide_index=True,
        placeholder=DASH,
        height="content" if len(ordered) <= 8 else 320,
        column_config={
            "run": st.column_config.TextColumn("Run", width="medium"),
            "state": "State",
            "progress": st.column_config.ProgressColumn(
                "Progress", min_value=0, max_value=1, format="percent", width="small"
            ),
            "left": "Time left",
            "labels": st.column_config.NumberColumn("Labels", format="localized"),
            "cost": st.column_config.NumberColumn("Cost, US$", format="%.4f"),
            "failures": st.column_config.NumberColumn(
                "Failures", format="localized", help="Passages without a usable answer"
            ),
            "corpus": "Corpus",
            "source": "Made by",
            "started": "Started, UTC",
        },
    )


def _row(one: Status) -> dict[str, Any]:
    session, left = one.session, one.seconds_left
    share = 1.0 if one.state is State.DONE else None
    if session is not None and session.total and share is None:
        share = session.done / session.total
    return {
        "run": one.run.id,
        "state": one.state.value,
        "progress": share,
        "left": None if left is None else figures.duration(left),
        "labels": one.run.proposals,
        "cost": session.spent if session else None,
        "failures": session.failures if session else None,
        "corpus": one.run.corpus,
        "source": one.run.source,
        "started": figures.moment(one.run.started_at),
    }
