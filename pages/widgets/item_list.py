"""The items behind a number, each one step from review."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from core import evaluate as scoring
from core.evaluate import cells
from pages.widgets import state

REVIEW = "pages/review/concept_labels.py"
DASH = "–"
"""An undefined value."""
LISTED = 2000
"""Items shown at once; the download holds all."""


def items(
    ws: state.Workspace,
    run: str,
    evaluation: scoring.Evaluation,
    value: str,
    doc_id: str | None,
    key: str,
    *,
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """The items behind one number; a row leads to review."""
    found = evaluation.items(value, doc_id)
    if not found:
        st.caption("No items: nothing is counted here.")
        return
    if len(found) > LISTED:
        st.caption(f"The first {LISTED} of {len(found)} items; the download holds all.")
    picked = st.dataframe(
        cells.item_rows(evaluation, found[:LISTED]),
        key=key,
        on_select="rerun",
        selection_mode="single-row",
        hide_index=True,
        placeholder=DASH,
        width=width,
    )
    for row in picked["selection"]["rows"]:
        if row < len(found):
            item = found[row]
            address = state.read(ws, scoring.review_address, run, item.doc_id, item.id)
            st.page_link(REVIEW, label="Open in review", icon="🏷️", query_params=address)
