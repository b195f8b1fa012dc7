"""Documents by their words, and one of them with all that is said of it."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state
from pages.widgets.explore import document, documents

with state.workspace() as workspace:
    st.title("Corpus", anchor=False)
    if shown := document.asked(workspace):
        document.show(workspace, shown)
    else:
        documents.show(workspace)
