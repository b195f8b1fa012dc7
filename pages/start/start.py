"""Where everybody begins: what this workspace comes to, and three ways on."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state

OLDER = "concept_labels."  # the desk was the first page once: addresses of then still lead to it
if any(name == "item" or name.startswith(OLDER) for name in st.query_params):
    st.switch_page("pages/review/concept_labels.py", query_params=st.query_params.to_dict())

with st.skeleton(height=320):  # what computes takes a second to load, the first time
    from pages.widgets.start import overview

with state.workspace() as workspace:
    overview.show(workspace)
