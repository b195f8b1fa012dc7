"""Two releases of an ontology: what changed, and which labels of this workspace that concerns."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state
from pages.widgets.versions import changes, choice, meaning

with state.workspace() as workspace:
    st.title("Versions", anchor=False)
    chosen = choice.releases(workspace)
    if chosen is not None:
        found = changes.read(workspace, chosen)
        kind = meaning.summary(workspace, chosen, found)
        meaning.show(workspace, chosen, found, kind)
        changes.show(found, kind)
