"""Answers of the curator that an earlier version of the page may have changed, offered to be looked at."""

from __future__ import annotations

import streamlit as st

from core import review
from pages.widgets import state
from pages.widgets.desk import chosen


def tell(workspace: state.Workspace, page: str) -> None:
    """How many there are, and the way to them; nothing where there are none."""
    curator = state.curator()
    whose = (review.identity(workspace), curator)
    if curator is None or st.session_state.get(state.DOUBTS) == whose:
        return
    found = review.in_doubt(workspace, curator)
    if not found.items:
        st.session_state[state.DOUBTS] = whose
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(
            "An earlier version of this page could save another concept than the one that was chosen. "
            f"{_counted(found)} Nothing is changed unless you change it."
        )
        if st.button("Look at them", key=f"{page}.look"):
            st.query_params.update(
                chosen.list_address(page, "Answers to look at again", found.items[: review.MOST_LISTED])
            )
            st.rerun()


def _counted(found: review.Doubts) -> str:
    parts = []
    if count := len(found.fixes):
        fixes = "fix of yours kept its" if count == 1 else "fixes of yours kept their"
        parts.append(f"{count:,} {fixes} words but changed the concept.")
    if count := len(found.additions):
        added = "concept that you added does" if count == 1 else "concepts that you added do"
        parts.append(f"{count:,} {added} not bear the last word of the evidence.")
    return " ".join(parts)
