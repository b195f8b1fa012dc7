"""Scores of a run against gold, before and after review. Every number opens the items behind it."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state

st.title("Metrics")
with st.skeleton(height=320):  # what computes takes seconds to load, the first time
    from pages.widgets.metrics import choice, views

with state.workspace() as workspace:
    look = choice.look(workspace)
    if look:
        views.show(look)
