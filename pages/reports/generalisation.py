"""How far a system goes beyond its training set: a run of the workspace, or files."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state
from pages.widgets.switch import one_of

SOURCES = {"run": "A run of this workspace", "tags": "Files", "sizes": "Several training sizes"}

st.title("Generalisation")
with st.skeleton(height=320):  # what computes takes seconds to load, the first time
    from pages.widgets.generalisation import of_run, of_sizes, of_tags

source = one_of("What to score", SOURCES, f"{state.GENERALISATION}source", named=False)
with state.workspace() as workspace:
    if source == "run":
        of_run.show(workspace)
    elif source == "sizes":
        of_sizes.show(workspace)
    else:
        of_tags.show()
