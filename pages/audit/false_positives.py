"""Audit of false positives: an audit set and the desk on which curators say what went wrong; then the changes
of gold that the audit found, for a second curator."""

from __future__ import annotations

import streamlit as st

from core.records import ItemKind
from core.review import ListingFilters
from pages.widgets import confidential, state, take_away
from pages.widgets.audit import drawing, sets
from pages.widgets.desk import choice_desk, chosen, preview
from pages.widgets.plain import escape

TITLE = "False positives"


def review(ws: state.Workspace, known: list[sets.Frame]) -> None:
    """The head, and the desk on what is chosen."""
    chosen.take_up(sets.PAGE)
    with st.container(gap="xxsmall"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.title(TITLE, anchor=False, width="content")
            with st.container(horizontal=True, width="content"):
                with st.popover("Choose"):
                    choice = sets.choose(ws, known)
                if not drawing.is_asked():
                    with st.popover("Draw a set"):
                        drawing.form(ws)
        given = choice.filters
        st.caption(escape(f"List: {given.listed.name}" if given.listed else choice.said))
        if given.listed is not None:
            with st.container(horizontal=True, vertical_alignment="center"):
                chosen.leave_list(sets.PAGE)
    if drawing.is_asked():
        with st.container(border=True):
            drawing.form(ws)
            if st.button("Leave", key=f"{state.FALSE_POSITIVES}leave_form"):
                drawing.leave()
        return
    confidential.note(ws, given.corpus)
    if state.nobody():  # certain: until the browser has answered the desk stays, with all it holds
        preview.show(ws, sets.PAGE, given)
    else:
        take_away.part(decide)(given)


def decide(given: ListingFilters) -> None:
    """The desk. A message of it runs this again, not the choice above."""
    with state.workspace() as ws:
        if given.kind == ItemKind.ERROR:
            choice_desk.errors.serve(ws, given, key=state.ERROR_DESK, session=state.ERROR_SESSION)
        else:
            choice_desk.changes.serve(ws, given, key=state.CHANGE_DESK, session=state.CHANGE_SESSION)


with state.workspace() as workspace:
    if drawn := st.session_state.pop(drawing.DRAWN, None):
        st.session_state[f"{state.FALSE_POSITIVES}set"] = drawn
    found = sets.audit_sets(workspace)
    if found:
        review(workspace, found)
    else:
        st.title(TITLE, anchor=False)
        st.markdown(
            "An audit set is a random part of what a run proposes and gold lacks. For each, you say whether "
            "gold lacks it or the run is wrong, and how. Draw one to begin."
        )
        drawing.form(workspace)
