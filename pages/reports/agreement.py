"""How far curators agree, of concepts and of claim pairs. Every number opens the items they differ on."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state

st.title("Agreement")
with st.skeleton(height=320):  # what computes takes seconds to load, the first time
    from pages.widgets.agreement import choice, views

with state.workspace() as workspace:
    look = choice.look(workspace)
    if look:
        views.show(look)
