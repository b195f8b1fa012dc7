"""Lists of a run, a page at a time: labels, candidates, passages that failed. Each row leads on."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import TouchstoneError
from core.evaluate.addresses import concept_items
from core.records import ItemKind, Verdict
from core.review import MOST_LISTED
from core.store import calls, queue, runs, tally, trail
from pages.widgets import as_queue, plain, state
from pages.widgets.item_list import REVIEW
from pages.widgets.plain import escape
from pages.widgets.runs import answer, control, figures

KEY = state.RUNS
PAGE = 50
"""Rows of a list at once."""
RUNS = "pages/reports/runs.py"


def paging(total: int, key: str) -> int:
    """The page to show, from 1; nothing to choose where one page holds all."""
    pages = -(-total // PAGE)
    return st.pagination(pages, key=key) if pages > 1 else 1


def links(run: str, item_id: int) -> None:
    """From a label to how it came about, and to its review."""
    with st.container(horizontal=True):
        st.page_link(
            RUNS, label="How it came about", icon="↩️", query_params={"run": run, "item": str(item_id)}
        )
        st.page_link(REVIEW, label="Open in review", icon="✏️", query_params={"item": str(item_id)})


def as_queue_of(
    ws: state.Workspace,
    items: Sequence[int],
    said: str,
    name: str,
    corpus: str,
    *,
    page: str = REVIEW,
    kind: ItemKind = ItemKind.CONCEPT,
    total: int | None = None,
) -> None:
    """The way to review all that a list shows, and what is said beside it.

    Args:
        name: of the list. From outside.
        total: of rows, where not all are given.
    """
    first = items[:MOST_LISTED]
    seen = queue.visible(ws, first, state.curator() or "", kind)  # not what an oracle alone proposes
    with st.container(horizontal=True, vertical_alignment="center"):
        rows = [item if item in seen else None for item in first]
        beside = as_queue.offer(rows, total or len(items), page, name, KEY, corpus)
        st.caption(f"{said} {beside}".strip())


def rows(ws: state.Workspace, run: runs.Run, found: list[trail.Row], name: str, key: str) -> None:
    """Candidates that a stage judged; a row leads to its trail.

    Args:
        name: of the list.
    """
    picked = plain.choosable(
        [
            {
                "document": row.document,
                "concept": row.concept,
                "label": row.label,
                "reason": row.reason,
            }
            for row in found
        ],
        key=key,
        boxes=True,
        of=tuple(row.record for row in found),
        columns={
            "document": "Document",
            "concept": "Concept",
            "label": st.column_config.TextColumn("Label", width="medium"),
            "reason": st.column_config.TextColumn("Reason in full", width="large"),
        },
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = [found[at] for at in picked.ticked] or found
        wanted = [(row.document, row.concept or "") for row in chosen]
        items = concept_items(ws, run.corpus, wanted, curator=state.curator())
        st.caption(as_queue.offer(items, len(items), REVIEW, f"{name}: {run.id}", KEY, run.corpus))
    for at in picked.shown:
        if found[at].concept is not None:
            st.page_link(
                RUNS,
                label="How it fared",
                icon="↩️",
                query_params={
                    "run": run.id,
                    "passage": str(found[at].passage_id),
                    "concept": str(found[at].concept),
                },
            )


def labels(ws: state.Workspace, run: runs.Run, found: tally.Tally) -> None:
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    document = left.text_input("Document id begins with", key=f"{KEY}document", max_chars=200).strip()
    with right:
        page = paging(state.proposals(ws, run), f"{KEY}labels_page") if not document else 1
    rows = state.read(ws, _label_page, run.id, document, page)
    if not rows:
        st.caption("There is no label here.")
        return
    picked = plain.choosable(
        [
            {
                "document": row.document,
                "concept": row.concept,
                "label": row.label,
                "class": figures.plain(row.concept_class),
                "status": row.assertion,
                "confidence": row.confidence,
                "stage": figures.stage_name(row.stage),
                "grounded": bool(row.grounded),
            }
            for row in rows
        ],
        key=f"{KEY}labels",
        boxes=True,
        of=(run.id, document, page),
        columns={
            "document": "Document",
            "concept": "Concept",
            "label": st.column_config.TextColumn("Label", width="medium"),
            "class": "Class",
            "status": "Status",
            "confidence": st.column_config.NumberColumn("Confidence", format="%.2f"),
            "stage": "Came in at",
            "grounded": st.column_config.CheckboxColumn("Quoted", help="Every quote stands in the text"),
        },
    )
    if document and len(rows) == PAGE:
        st.caption(f"The first {PAGE} labels of these documents.")
    said = "Click a row to see how its label came about."
    chosen = [rows[at] for at in picked.ticked] or rows
    as_queue_of(ws, [row.item_id for row in chosen], said, f"Labels of {run.id}", run.corpus)
    for at in picked.shown:
        links(run.id, rows[at].item_id)


def _label_page(ws: state.Workspace, run: str, document: str, page: int) -> list[trail.Label]:
    return trail.labels(ws, run, document=document, limit=PAGE, offset=(page - 1) * PAGE)


def failures(ws: state.Workspace, run: runs.Run, found: tally.Tally) -> None:
    if not found.failed:
        st.caption("Every passage so far has a usable answer from every stage.")
        return
    plain.text(
        "On these passages a stage got no usable answer. They have no labels, and none of what came back "
        "was taken for one."
    )
    kinds = {key[2]: n for key, n in found.reasons.items() if key[1] == Verdict.FAILED}
    said = " · ".join(f"{figures.plain(kind)} {n:,}" for kind, n in kinds.items())
    st.caption(escape(f"Unusable answers by kind, every attempt at a passage counted: {said}"))
    retry(ws, run, "passages", f"{KEY}retry")
    page = paging(len(found.failed), f"{KEY}failures_page")
    rows = trail.failures(ws, found, limit=PAGE, offset=(page - 1) * PAGE)
    picked = plain.choosable(
        [
            {
                "document": row.document,
                "stage": figures.stage_name(row.stage),
                "kind": figures.plain(str(row.payload.get("kind") or "")),
                "reason": row.reason,
            }
            for row in rows
        ],
        key=f"{KEY}failures",
        of=(run.id, page),
        columns={
            "document": "Document",
            "stage": "Stage",
            "kind": "What was wrong",
            "reason": st.column_config.TextColumn("In full", width="large"),
        },
    )
    for at in picked.shown:
        if rows[at].call is not None:
            answer.show(calls.call(ws, rows[at].call), f"failure_{rows[at].record}", run.id)
        else:
            st.caption("No answer was stored for it.")


def retry(ws: state.Workspace, run: runs.Run, what: str, key: str) -> None:
    """A button that takes the run up again for what failed."""
    may = control.can_resume(run) and not ws.read_only
    if st.button(f"Try these {what} again", key=key, disabled=not may):
        try:
            control.resume(str(ws.path), run.id, retry_failed=True)
        except TouchstoneError as error:
            st.error(escape(str(error)))
        else:
            st.rerun()
