"""How far curators agree, of concepts and of claim pairs. Every number opens the items they differ on."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state
from pages.widgets.agreement import choice, views

st.title("Agreement")
with state.workspace() as workspace:
    look = choice.look(workspace)
    if look:
        views.show(look)
