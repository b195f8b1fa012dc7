"""The runs of the workspace: what is going on, and what there is."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from core.store import runs, sessions, trail
from pages.widgets import state
from pages.widgets.item_list import DASH
from pages.widgets.plain import escape
from pages.widgets.runs import control, figures

KEY = state.RUNS
REFRESH = 1.0
"""Seconds between two looks at a run that is going on."""
GOING = ("running", "pausing")


def condition(status: str, session: sessions.Session | None) -> str:
    """One word for a run: running, pausing, stopped, done or failed."""
    if status != "running":
        return status
    if session is None or not control.at_work(session):
        return "stopped"
    return "pausing" if session.pause else "running"


def live(found: list[runs.Run], at_work: dict[str, sessions.Session]) -> None:
    """Runs that are going on, refreshed by themselves as long as there are any."""
    if any(condition(run.status, at_work.get(run.id)) in GOING for run in found):
        _live()


@st.fragment(run_every=REFRESH)
def _live() -> None:
    with state.workspace() as ws:
        at_work = sessions.sessions(ws)
        going = [
            (run, at_work[run])
            for run, status in trail.statuses(ws).items()
            if condition(status, at_work.get(run)) in GOING
        ]
        for run, session in going:
            _going_on(ws, run, session)
    if not going:
        st.rerun()  # the last one has ended: the list has changed, and nothing needs refreshing


def _going_on(ws: state.Workspace, run: str, session: sessions.Session) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape(run)}**", width="stretch")
            if session.pause:
                st.caption("Pausing: what is in hand is finished first", width="content")
            elif st.button("Pause", key=f"{KEY}pause_{run}", disabled=ws.read_only):
                control.pause(ws, run)
                st.rerun(scope="fragment")
        st.progress(session.done / session.total if session.total else 0.0)
        said = [f"{session.done:,} of {figures.count(session.total, 'passage')}"]
        left = session.seconds_left
        said.append("time left not known yet" if left is None else f"about {figures.duration(left)} left")
        if session.spent:
            said.append(f"US$ {figures.money(session.spent)} spent")
        if session.failures:
            said.append(figures.count(session.failures, "failure"))
        if session.message:
            said.append(session.message)
        st.caption(escape(" · ".join(said)))


COLOURS: dict[str, Literal["green", "blue", "orange", "red", "gray"]] = {
    "done": "green",
    "running": "blue",
    "pausing": "orange",
    "stopped": "orange",
    "failed": "red",
}


def state_of(ws: state.Workspace, run: runs.Run, session: sessions.Session | None) -> None:
    """What a run is doing, and the way on where it has stopped."""
    word = condition(run.status, session)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(word.capitalize(), color=COLOURS.get(word, "gray"))
        if word != "stopped":
            return
        may = control.can_resume(run) and not ws.read_only
        if st.button("Resume", key=f"{KEY}resume", type="primary", disabled=not may):
            control.resume(ws, run)
            st.rerun()
        if session is not None and session.message:
            st.caption(escape(session.message), width="content")


def table(found: list[runs.Run], at_work: dict[str, sessions.Session], chosen: str) -> None:
    """All runs, newest first; a row opens its run below."""
    ordered = list(reversed(found))
    rows = []
    for run in ordered:
        session = at_work.get(run.id)
        status = condition(run.status, session)
        share = 1.0 if run.status == "done" else None
        if session is not None and session.total:
            share = session.done / session.total
        left = session.seconds_left if session and status == "running" else None
        rows.append(
            {
                "run": run.id,
                "status": status,
                "progress": share,
                "left": figures.duration(left) if left is not None else None,
                "labels": run.proposals,
                "cost": session.spent if session else None,
                "failures": session.failures if session else None,
                "corpus": run.corpus,
                "source": run.source,
                "started": figures.moment(run.started_at),
            }
        )

    def open_row() -> None:
        for row in st.session_state[KEY + "table"]["selection"]["rows"]:
            st.session_state[KEY + "run"] = ordered[row].id

    st.dataframe(
        rows,
        key=KEY + "table",
        on_select=open_row,
        selection_mode="single-row",
        selection_default={"selection": {"rows": [n for n, run in enumerate(ordered) if run.id == chosen]}},
        hide_index=True,
        placeholder=DASH,
        height="content" if len(rows) <= 8 else 320,
        column_config={
            "run": st.column_config.TextColumn("Run", width="medium"),
            "status": "Status",
            "progress": st.column_config.ProgressColumn("Progress", min_value=0, max_value=1, width="small"),
            "left": "Time left",
            "labels": st.column_config.NumberColumn("Labels", format="localized"),
            "cost": st.column_config.NumberColumn("Cost, US$", format="%.4f"),
            "failures": st.column_config.NumberColumn("Failures", format="localized"),
            "corpus": "Corpus",
            "source": "Made by",
            "started": "Started, UTC",
        },
    )
