"""Decisions of the curator that were made under an older guideline, offered to be looked at."""

from __future__ import annotations

import streamlit as st

from core import review
from pages.widgets import state
from pages.widgets.desk import chosen

LIST = "Decisions made under an older guideline"


def tell(workspace: state.Workspace, page: str, kind: str) -> None:
    """How many there are, and the way to them; nothing where there are none.

    Args:
        kind: of the items on this page.
    """
    curator = state.curator()
    if curator is None:
        return
    key = state.OLDER + page
    found = review.older(workspace, review.identity(workspace), curator, kind, st.session_state.get(key))
    st.session_state[key] = found
    if not found.items:
        return
    address, held = chosen.fitting(page, LIST, list(found.items))
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"{_counted(len(found.items))} Nothing is changed unless you change it: an answer given once more"
            " counts as made under the guideline of today."
        )
        whole = held == len(found.items)
        label = "Look at them" if whole else f"Look at the first {held:,}"
        if st.button(label, key=f"{page}.older"):
            st.query_params.update(address)
            st.rerun()


def _counted(count: int) -> str:
    one = "One decision of yours was made under an older guideline."
    return one if count == 1 else f"{count:,} decisions of yours were made under an older guideline."
