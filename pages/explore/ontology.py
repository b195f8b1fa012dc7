"""An ontology to look around in: search, tree, and one concept with where it occurs."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state
from pages.widgets.explore import concept, concepts

with state.workspace() as workspace:
    st.title("Ontology", anchor=False)
    terms = concepts.choose(workspace)
    if terms is not None:
        left, right = st.columns([2, 3], gap="large")
        with left:
            concepts.show(workspace, terms)
        with right:
            concept.show(workspace, terms)
