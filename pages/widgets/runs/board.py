"""The runs of the workspace: what is going on, and what there is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

from core.charts import Table
from core.errors import TouchstoneError
from core.pipeline.status import State, Status, status, statuses
from core.records import ItemKind
from pages.widgets import plain, state, take_away
from pages.widgets.plain import DASH, escape
from pages.widgets.runs import control, figures

KEY = state.RUNS
REFRESH = 1.0
"""Seconds between two looks at how far a run is."""
REDRAW = 3.0
"""Seconds between two looks at all that a run has done."""
GIVEN_UP = 90.0
"""Seconds after which a process that was begun and not heard of is taken for dead."""
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
    if control.starting() or any(one.state in AT_WORK for one in found):
        _live()


@st.fragment(run_every=REFRESH)
def _live() -> None:
    with state.workspace() as ws:
        found = statuses(ws)
        going = [one for one in found if one.state in AT_WORK]
        for one in going:
            _going_on(ws, one)
        waiting = _starting(ws, found)
    if not going and not waiting:
        st.rerun()  # the last one has ended: the list has changed, and nothing needs refreshing


def _starting(ws: state.Workspace, found: list[Status]) -> bool:
    """Whether a process that was begun from here is still to be heard of."""
    begun = control.starting()
    if begun is None:
        return False
    one = next((one for one in found if one.run.id == begun.run), None)
    seen = one is not None and one.session is not None and one.session.started_at >= begun.begun
    if seen:
        control.has_started()
        st.session_state[KEY + "next"] = begun.run
        st.rerun()
    said = control.last_words(ws.path, begun.run, begun.begun)
    if said or time.time() - begun.begun > GIVEN_UP:
        st.warning(escape(f"Run {begun.run} has not begun."), icon="⚠️")
        if said:
            plain.code(said, language=None, wrap_lines=True)
        if st.button("Leave it", key=f"{KEY}leave"):
            control.has_started()
            st.rerun()
        return True
    with st.container(border=True):
        st.markdown(f"**{escape(begun.run)}**")
        st.progress(0.0)
        st.caption("Starting")
    return True


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
        of_passages = one.run.proposes != ItemKind.PAIR  # parts of the others count articles, domains, pairs
        said = [
            f"{session.done:,} of "
            + (figures.count(session.total, "passage") if of_passages else f"{session.total:,}"),
            "time left not known yet" if left is None else f"about {figures.duration(left)} left",
        ]
        if session.spent:
            said.append(f"US$ {figures.money(session.spent)} spent")
        if session.failures:
            said.append(figures.count(session.failures, "failure"))
        if session.message:
            said.append(session.message)
        st.caption(escape(" · ".join(said)))


def watch(one: Status, draw: Callable[[state.Workspace, Status], None]) -> None:
    """One run in full, drawn anew now and then while it goes on."""

    def drawn() -> None:
        with state.workspace() as ws:
            draw(ws, status(ws, one.run.id))

    st.fragment(drawn, run_every=REDRAW if one.state in AT_WORK else None)()


def state_of(ws: state.Workspace, one: Status) -> None:
    """What a run is doing, and the way on where it has stopped."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(one.state.capitalize(), color=COLOURS[one.state])
        if not one.resumable:
            return
        may = control.can_resume(one.run) and not ws.read_only
        if st.button("Resume", key=f"{KEY}resume", type="primary", disabled=not may):
            try:
                control.resume(str(ws.path), one.run.id)
            except TouchstoneError as error:
                st.error(escape(str(error)))
            else:
                st.rerun()
        if one.session is not None and one.session.message:
            st.caption(escape(one.session.message), width="content")
        if one.state is State.STOPPED and (said := control.last_words(ws.path, one.run.id)):
            with st.popover("What it said last"):
                plain.code(said, language=None, wrap_lines=True)


def table(ws: state.Workspace, found: list[Status], chosen: str) -> None:
    """All runs, newest first; a row opens its run below."""
    ordered = list(reversed(found))

    def open_row() -> None:
        for row in st.session_state[KEY + "table"]["selection"]["rows"]:
            st.session_state[KEY + "run"] = ordered[row].run.id

    rows = [_row(one, state.proposals(ws, one.run)) for one in ordered]
    told = ("run", "state", "labels", "failures", "cost", "corpus", "started")
    take_away.note_table(KEY, Table.of("Runs", told, ([row[name] for name in told] for row in rows), "runs"))
    plain.dataframe(
        rows,
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
            "run": st.column_config.TextColumn("Run", width=240),
            "state": "State",
            "progress": st.column_config.ProgressColumn(
                "Progress", min_value=0, max_value=1, format="percent", width="small"
            ),
            "left": "Time left",
            "labels": st.column_config.NumberColumn("Labels", format="localized"),
            "cost": st.column_config.NumberColumn("Cost, US$", format="%.4f"),
            "failures": st.column_config.NumberColumn(
                "Failures", format="localized", help="Passages or pairs without a usable answer"
            ),
            "corpus": "Corpus",
            "started": "Started, UTC",
        },
    )


def _row(one: Status, labels: int) -> dict[str, Any]:
    session, left = one.session, one.seconds_left
    share = 1.0 if one.state is State.DONE else None
    if session is not None and session.total and share is None:
        share = session.done / session.total
    return {
        "run": one.run.id,
        "state": one.state.value,
        "progress": share,
        "left": None if left is None else figures.duration(left),
        "labels": labels,
        "cost": session.spent or None if session else None,
        "failures": session.failures if session else None,
        "corpus": one.run.corpus,
        "started": figures.moment(one.run.started_at),
    }
