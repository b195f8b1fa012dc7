"""Scores of a run of claim pairs against gold, before and after review. Every number opens its pairs."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state

st.title("Conflict metrics")
with st.skeleton(height=320):  # what computes takes seconds to load, the first time
    from pages.widgets.metrics import pairs

with state.workspace() as workspace:
    look = pairs.look(workspace)
    if look:
        pairs.show(look)
