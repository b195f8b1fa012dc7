"""Adjudication: what curators disagree on, worst first, and what was ruled otherwise than one answered."""

from __future__ import annotations

import streamlit as st

from pages.widgets import confidential, state
from pages.widgets.adjudication import choice, overturned
from pages.widgets.desk import choice_desk, chosen, preview
from pages.widgets.plain import escape

TITLE = "Adjudication"


def adjudicate(ws: state.Workspace, corpora: list[str]) -> None:
    """The head, the desk, and what came of the curator's own answers."""
    chosen.take_up(choice.PAGE)
    with st.container(gap="xxsmall"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.title(TITLE, anchor=False, width="content")
            with st.popover("Choose"):
                given = choice.choose(ws, corpora)
        if given.listed is not None:
            st.caption(escape(f"List: {given.listed.name}"))
            with st.container(horizontal=True, vertical_alignment="center"):
                chosen.leave_list(choice.PAGE)
        else:
            choice.tell(ws, given)
    confidential.note(ws, given.corpus)
    if state.nobody():  # certain: until the browser has answered the desk stays, with all it holds
        preview.show(ws, choice.PAGE, given)
        return
    choice_desk.rulings.serve(ws, given, key=state.RULING_DESK, session=state.RULING_SESSION)
    overturned.show(ws, given)


with state.workspace() as workspace:
    known = [corpus.name for corpus in state.all_corpora(workspace)]
    if not known:
        st.title(TITLE, anchor=False)
        st.info("There is no corpus yet. Import one, label it, and let two curators review it.", icon="ℹ️")
    else:
        adjudicate(workspace, known)
