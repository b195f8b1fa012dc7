"""What is said wherever texts of a confidential corpus are shown or may be sent."""

from __future__ import annotations

import streamlit as st

from core.store import corpora
from pages.widgets import state
from pages.widgets.plain import escape


def note(ws: state.Workspace, corpus: str) -> None:
    """A line where the corpus holds a confidential text, nothing elsewhere."""
    if corpora.confidential(ws, corpus):
        st.caption(
            f"🔒 {escape(corpus)} holds confidential texts: they never leave this machine. A model is asked "
            "about them only at an address of this machine."
        )
