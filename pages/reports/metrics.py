"""Scores of a run against gold, before and after review. Every number opens the items behind it."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state
from pages.widgets.metrics import choice, views

st.title("Metrics")
with state.workspace() as workspace:
    look = choice.look(workspace)
    if look:
        views.show(look)
