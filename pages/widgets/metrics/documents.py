"""How the documents differ: a bar narrows the list, a number opens its items; one page at a time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from core import charts
from core import evaluate as scoring
from core.charts import Table
from core.evaluate.settings import SLICES, SUBJECTS
from core.evaluate.tables import cells
from core.store import open_workspace
from pages.widgets import plain, state
from pages.widgets.item_list import items
from pages.widgets.metrics.choice import KEY, Look
from pages.widgets.metrics.overview import AFTER, BEFORE
from pages.widgets.metrics.tables import show_chart
from pages.widgets.plain import DASH, escape
from pages.widgets.switch import one_of

PAGE = 100
"""Documents of the list at once."""
ORDERS = {
    "name": "by name",
    "worst": "worst first",
    "best": "best first",
    "fp": "most spurious first",
    "fn": "most missed first",
}
Row = dict[str, Any]


def show(look: Look) -> None:
    result = look.result()
    sides = {BEFORE: result.before} | ({AFTER: result.after} if result.after else {})
    rows = state.hold(look.ws, _rows, look.run, look.gold, look.settings)
    measure = "f1" if any(row["complete"] for row in rows[BEFORE]) else "precision"
    st.header("Documents")
    values = {side: [row[measure] for row in found] for side, found in rows.items()}
    drawn = charts.spread(values, cells.NAMES[measure])
    place = show_chart(drawn, f"{KEY}distribution")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        side = one_of("Proposals", {side: side for side in rows}, f"{KEY}side")
        order = st.selectbox(
            "Order",
            list(ORDERS),
            format_func=ORDERS.__getitem__,
            key=f"{KEY}order",
            bind="query-params",
            required=True,
            width=240,
        )
        shown = rows[side]
        if place:
            shown = [row for row in shown if charts.in_bins(row[measure], {place[0]})]
            st.caption(f"{len(shown):,} of {len(rows[side]):,} documents: {charts.bin_name(place[0])}")
    _list(look, sides[side], side, _ordered(shown, order, measure))
    _downloads(look, sides[side], drawn)


def _rows(ws: state.Workspace, run: str, gold: str, settings: scoring.Settings) -> dict[str, tuple[Row, ...]]:
    """Rows of either side, by the name of the side."""
    result = Look(ws, run, "", gold, settings).result()
    sides = {BEFORE: result.before} | ({AFTER: result.after} if result.after else {})
    return {side: tuple(evaluation.documents()) for side, evaluation in sides.items()}


def _ordered(rows: list[Row], order: str, measure: str) -> list[Row]:
    """Undefined values last, whichever way round."""
    if order in ("fp", "fn"):
        return sorted(rows, key=lambda row: -(row[order] or 0))
    if order in ("worst", "best"):
        sign = 1 if order == "worst" else -1
        return sorted(rows, key=lambda row: (row[measure] is None, sign * (row[measure] or 0)))
    return list(rows)


def _list(look: Look, evaluation: scoring.Evaluation, side: str, rows: list[Row]) -> None:
    pages = -(-len(rows) // PAGE)
    at = min(st.pagination(pages, key=f"{KEY}documents_page"), pages) if pages > 1 else 1
    page = rows[(at - 1) * PAGE : at * PAGE]
    if not page:
        st.caption("There is no document here.")
        return
    picked = plain.dataframe(
        page,
        key=f"{KEY}documents",
        on_select="rerun",
        selection_mode="single-cell",
        hide_index=True,
        placeholder=DASH,
        height="content" if len(page) <= 12 else 450,
        column_config={
            "doc_id": "Document",
            "complete": st.column_config.CheckboxColumn(
                "Complete", help="Gold is complete: recall and F1 exist."
            ),
            **{kind: word.title() for kind, word in cells.OUTCOMES.items()},
            **{m: st.column_config.NumberColumn(cells.NAMES[m], format="%.3f") for m in cells.MEASURES},
        },
    )
    for row, column in picked["selection"]["cells"]:
        if row < len(page) and column in (*cells.MEASURES, *cells.OUTCOMES):
            doc_id = page[row]["doc_id"]
            word = cells.OUTCOMES.get(column) or cells.NAMES[column]
            with st.container(border=True):
                name = f"{doc_id}, {word}, {side}"
                st.markdown(f"**{escape(name)}**")
                items(look.ws, look.run, evaluation, column, doc_id, f"{KEY}items_document", name)


def _downloads(look: Look, evaluation: scoring.Evaluation, drawn: Table) -> None:
    settings = replace(look.settings, families=tuple(SUBJECTS["concepts"].families), by=SLICES)
    files = {
        "Documents, CSV": (lambda: scoring.documents_csv(evaluation), "documents.csv", "text/csv"),
        "Items, CSV": (lambda: scoring.items_csv(evaluation), "items.csv", "text/csv"),
        "Distribution, CSV": (lambda: charts.table_csv(drawn), "distribution.csv", "text/csv"),
        "Full report, HTML": (
            lambda: _report(look.ws.path, look.run, look.gold, settings),
            "evaluation.html",
            "text/html",
        ),
    }
    with st.container(horizontal=True):
        for label, (make, name, kind) in files.items():
            st.download_button(label, make, name, kind, on_click="ignore", type="tertiary", icon="⬇️")


def _report(path: Path, run: str, gold: str, settings: scoring.Settings) -> str:
    """All families, made when asked for: on a workspace of its own, since the page's is closed by then."""
    with open_workspace(path, create=False) as ws:
        return scoring.report_html(scoring.evaluate_run(ws, run, gold, settings))
