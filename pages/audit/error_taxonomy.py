"""What the false positives of a run are: shares of each type, where they come from, and real examples."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state

st.title("Error taxonomy")
with st.skeleton(height=320):  # what computes takes seconds to load, the first time
    from pages.widgets.audit import taxonomy

with state.workspace() as workspace:
    taxonomy.show(workspace)
