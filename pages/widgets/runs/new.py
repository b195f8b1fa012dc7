"""A new run: of concepts, or of claim pairs."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state
from pages.widgets.runs import start, start_pairs

KINDS = {"concepts": "Concepts of an ontology", "conflicts": "Claims that may disagree"}


def show(ws: state.Workspace) -> None:
    kind = "concepts"
    if state.all_corpora(ws):
        kind = st.segmented_control(
            "What is labelled",
            list(KINDS),
            format_func=KINDS.__getitem__,
            default=kind,
            key=f"{state.RUNS}kind",
            required=True,
        )
    if kind == "conflicts":
        start_pairs.show(ws)
    else:
        start.show(ws)
