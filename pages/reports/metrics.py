"""Scores of a run against gold, before and after review. Every number opens the items behind it."""

from __future__ import annotations

import streamlit as st

from core import charts
from core import evaluate as scoring
from core.evaluate import cells
from core.records import Assertion
from pages.widgets import confidential, state
from pages.widgets.item_list import DASH, items

KEY = state.METRICS
SIDES = {cells.BEFORE: "as proposed", cells.AFTER: "corrected by review"}


def chosen(ws: state.Workspace) -> tuple[str, scoring.ReviewedEvaluation]:
    """The filters: run, gold, what counts."""
    corpora = {run.id: run.corpus for run in state.all_runs(ws) if run.kind in ("concepts", "imported")}
    runs = list(corpora)
    if not runs:
        st.info("There are no runs yet. Annotate a corpus, or add proposals made elsewhere.", icon="ℹ️")
        st.stop()
    left, middle, right = st.columns(3)
    run = left.selectbox("Run", runs, key=f"{KEY}run", bind="query-params", required=True)
    confidential.note(ws, corpora[run])
    references = state.read(ws, scoring.gold_references, run)
    if not references:
        st.info(
            "Nothing to score this run against: import annotated documents, or review some proposals.",
            icon="ℹ️",
        )
        st.stop()
    gold = middle.selectbox("Gold", references, key=f"{KEY}gold", bind="query-params", required=True)
    assertions = right.pills(
        "Assertions that count",
        [a.value for a in Assertion],
        selection_mode="multi",
        default=["affirmed", "uncertain"],
        key=f"{KEY}assertions",
        bind="query-params",
    )
    if not assertions:
        st.info("Choose at least one assertion.", icon="ℹ️")
        st.stop()
    settings = scoring.Settings.parse(assertions=",".join(assertions))
    return run, state.read(ws, scoring.evaluate_run, run, gold, settings)


def caveats(result: scoring.ReviewedEvaluation) -> None:
    """What must be read together with the numbers, and why values are undefined."""
    said = [DASH.join(f" {cell} " for cell in row) for table in cells.caveats(result) for row in table.rows]
    if said:
        st.info("\n".join(f"- {sentence.strip()}" for sentence in said))


def cards(ws: state.Workspace, run: str, result: scoring.ReviewedEvaluation) -> None:
    """F1 of each average, the macro average first."""
    for column, average in zip(st.columns([1.3, 1, 1], gap="medium"), cells.AVERAGES, strict=True):
        name = f"{average}_f1"
        before = result.before.estimate(name)
        change = result.difference[name].value if result.difference else None
        with column.container(border=True, height="stretch"):
            st.metric(
                f"{average.title()} F1",
                cells.number(before.value) or DASH,
                delta=cells.number(change, "+") if change else change,
                delta_description=None if change is None else "by review",
                help=cells.help_text(name),
            )
            said = [f"{before.n} documents"]
            if before.low is not None:
                level = result.before.settings.level
                said.insert(0, f"{level:.0%} interval {before.low:.3f} to {before.high:.3f}")
            if before.std is not None:
                said.insert(1, f"std {before.std:.3f}")
            st.caption(before.reason or " · ".join(said))
            with st.popover("Items", key=f"{KEY}card_{average}", on_change="rerun") as opened:
                if opened.open:
                    items(ws, run, result.before, name, None, f"{KEY}items_{average}", width=640)


def board(ws: state.Workspace, run: str, result: scoring.ReviewedEvaluation) -> None:
    """All values and counts of both sides; a cell opens its items."""
    st.subheader("Before and after review" if result.after else "All values")
    if result.review:
        st.text(f"Review applied: {result.review}. Both sides are scored against {result.before.gold}.")
    sides = {cells.BEFORE: result.before, cells.AFTER: result.after}
    left, right = st.columns([3, 2], gap="large")
    with left:
        picked = st.dataframe(
            cells.board(result),
            key=f"{KEY}board",
            on_select="rerun",
            selection_mode="single-cell",
            hide_index=True,
            placeholder=DASH,
            height="content",
        )
        st.caption("Click a number to list the items behind it.")
    with right:
        average = st.segmented_control(
            "Average", cells.AVERAGES, default=cells.AVERAGES[0], key=f"{KEY}average", required=True
        )
        drawn = {
            side: [
                charts.Interval(cells.NAMES[m], e.value, e.low, e.high)
                for m in cells.MEASURES
                for e in (evaluation.estimate(f"{average}_{m}"),)
            ]
            for side, evaluation in sides.items()
            if evaluation
        }
        st.plotly_chart(charts.intervals(drawn), key=f"{KEY}intervals", config={"displaylogo": False})
    for row, column in picked["selection"]["cells"]:
        evaluation = sides.get(column)
        if evaluation is None:
            st.caption("Choose a cell before or after review to list the items behind it.")
        else:
            name = cells.BOARD[row]
            st.markdown(f"**{cells.board(result)[row][cells.VALUE]}, {column}**")
            items(ws, run, evaluation, name, None, f"{KEY}items_board")


def documents(ws: state.Workspace, run: str, result: scoring.ReviewedEvaluation) -> None:
    """How the documents differ; a bar narrows the table, a cell opens its items."""
    st.subheader("Documents")
    sides = {cells.BEFORE: result.before} | ({cells.AFTER: result.after} if result.after else {})
    rows = {side: evaluation.documents() for side, evaluation in sides.items()}
    measure = "f1" if any(row["complete"] for row in rows[cells.BEFORE]) else "precision"
    clicked = st.plotly_chart(
        charts.distribution(
            {side: [row[measure] for row in found] for side, found in rows.items()}, cells.NAMES[measure]
        ),
        key=f"{KEY}distribution",
        on_select="rerun",
        selection_mode="points",
        config={"displaylogo": False},
    )
    side = st.segmented_control(
        "Proposals",
        list(rows),
        default=cells.BEFORE,
        format_func=SIDES.get,
        key=f"{KEY}side",
        required=True,
    )
    bars = {point["point_index"] for point in clicked["selection"]["points"]}
    shown = [row for row in rows[side] if not bars or charts.in_bins(row[measure], bars)]
    if bars:
        st.caption(
            f"{len(shown)} of {len(rows[side])} documents: {', '.join(map(charts.bin_name, sorted(bars)))}"
        )
    picked = st.dataframe(
        shown,
        key=f"{KEY}documents",
        on_select="rerun",
        selection_mode="single-cell",
        hide_index=True,
        placeholder=DASH,
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
        if row < len(shown) and column in (*cells.MEASURES, *cells.OUTCOMES):
            st.text(f"{column} of {shown[row]['doc_id']}, {side}")
            items(ws, run, sides[side], column, shown[row]["doc_id"], f"{KEY}items_document")
    evaluation = sides[side]
    with st.container(horizontal=True):
        st.download_button(
            "Documents, CSV",
            lambda: scoring.documents_csv(evaluation),
            "documents.csv",
            "text/csv",
            on_click="ignore",
        )
        st.download_button(
            "Items, CSV", lambda: scoring.items_csv(evaluation), "items.csv", "text/csv", on_click="ignore"
        )
        st.download_button(
            "Report, HTML",
            lambda: scoring.report_html(result),
            "evaluation.html",
            "text/html",
            on_click="ignore",
        )


st.title("Metrics")
with state.workspace() as workspace:
    run_id, evaluated = chosen(workspace)
    caveats(evaluated)
    cards(workspace, run_id, evaluated)
    board(workspace, run_id, evaluated)
    documents(workspace, run_id, evaluated)
