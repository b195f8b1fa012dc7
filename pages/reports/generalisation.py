"""How far a system goes beyond its training set: a run of the workspace, or files of tagged tokens."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state
from pages.widgets.generalisation import of_run, of_tags

SOURCES = {"run": "A run of this workspace", "tags": "Files of tagged tokens"}

st.title("Generalisation")
source = st.segmented_control(
    "What to score",
    list(SOURCES),
    format_func=SOURCES.__getitem__,
    default="run",
    key=f"{state.GENERALISATION}source",
    bind="query-params",
    required=True,
    label_visibility="collapsed",
)
with state.workspace() as workspace:
    if source == "run":
        of_run.show(workspace)
    else:
        of_tags.show()
