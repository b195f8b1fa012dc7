"""What was ruled otherwise than the curator at work had answered, and why: nobody learns from silence."""

from __future__ import annotations

import streamlit as st

from core import review
from core.records import ItemKind
from core.review.disputes import Dispute, Voice
from core.review.views.ruling import CAUSES, in_words
from core.store import corpora
from pages.widgets import as_queue, plain, state
from pages.widgets.adjudication import choice
from pages.widgets.plain import escape

REVIEW = {
    ItemKind.CONCEPT.value: "pages/review/concept_labels.py",
    ItemKind.PAIR.value: "pages/review/conflict_labels.py",
}


def show(ws: state.Workspace, given: review.AdjudicationFilters) -> None:
    """A row per overturned answer; nothing where there is none."""
    curator = state.curator()
    rows = choice.found(ws, given).overturned(curator) if curator else []
    if not rows:
        return
    said = "One answer of yours was" if len(rows) == 1 else f"{len(rows):,} answers of yours were"
    with st.expander(f"{said} ruled otherwise"):
        st.caption("An adjudicator saw all answers without names. Read why, and go by it from now on.")
        plain.dataframe(
            [_row(ws, *row) for row in rows],
            key=f"{choice.PAGE}.overturned",
            hide_index=True,
            height="content",
        )
        items = [dispute.item for dispute, _ in rows]
        with st.container(horizontal=True, vertical_alignment="center"):
            name = f"Ruled otherwise: {given.corpus}"
            beside = as_queue.offer(
                items, len(items), REVIEW[given.of], name, f"{choice.PAGE}.", given.corpus
            )
            st.caption(escape(beside))


def _row(ws: state.Workspace, dispute: Dispute, voice: Voice) -> dict[str, str | None]:
    ruling = dispute.ruling
    cause = CAUSES[ruling.cause][0] if ruling and ruling.cause else None
    return {
        "Document": corpora.passage(ws, dispute.passage).doc_id,
        "Item": dispute.subject,
        "Your answer": in_words(voice.says),
        "Ruling": in_words(dispute.verdict),
        "Why": cause,
        "Note": ruling.note if ruling else None,
    }
