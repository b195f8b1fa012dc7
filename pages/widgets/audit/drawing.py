"""Drawing an audit set: the form, and what comes of it."""

from __future__ import annotations

import streamlit as st

from core import evaluate as scoring
from core.errors import TouchstoneError
from core.review.audit import STRATA, Audit, draw_audit
from core.text.visible import visible
from pages.widgets import options, state
from pages.widgets.metrics.run_and_gold import LABELLED
from pages.widgets.plain import escape

KEY = state.FALSE_POSITIVES
BY = {"none": "At random", **{by: f"In proportion to each {by}" for by in STRATA}}
DRAWN = f"{KEY}drawn"
"""The name of a set just drawn, until the page shows it."""
NO_RUNS = "There are no runs of concept labels yet. Annotate a corpus, or add proposals made elsewhere."
NO_GOLD = "Nothing says what is right in the corpus of this run: import annotated documents, or review some."


def form(ws: state.Workspace) -> None:
    """Choose a run and gold, then draw. An address may name both, as `run` and `gold` of this page; with
    `draw` it asks for the form at once."""
    runs = [run.id for run in state.all_runs(ws) if run.kind in LABELLED and run.status != "running"]
    if not runs:
        st.info(NO_RUNS, icon="ℹ️")
        return
    newest = runs[::-1]
    with_gold = (at for at, run in enumerate(newest) if state.read(ws, scoring.gold_references, run))
    run = _select("Run", newest, "run", next(with_gold, 0))
    found = state.read(ws, scoring.gold_references, run)
    if not found:
        st.info(NO_GOLD, icon="ℹ️")
        return
    key = f"{KEY}gold"
    if st.session_state.get(key) not in (None, *found):
        st.session_state.pop(key)
    gold = options.gold(st.container(), ws, found, key, required=True) or found[0]
    with st.form(f"{KEY}draw", border=False):
        left, right = st.columns(2)
        name = left.text_input("Name", key=f"{KEY}name", placeholder="first-audit")
        size = right.number_input("Size", 1, 10_000, 50, key=f"{KEY}size")
        seed = left.text_input("Seed: the same one draws the same", "13", key=f"{KEY}seed")
        by = right.selectbox("Drawn", list(BY), format_func=BY.__getitem__, key=f"{KEY}by", required=True)
        if st.form_submit_button("Draw the set", type="primary", disabled=ws.read_only):
            _draw(ws, Audit(run, gold, int(size), seed, None if by == "none" else by, name.strip()))


def _select(label: str, options: list[str], name: str, first: int = 0) -> str:
    key = f"{KEY}{name}"
    if st.session_state.get(key) not in (None, *options):
        st.session_state.pop(key)
    chosen = st.selectbox(
        label, options, index=first, format_func=visible, key=key, bind="query-params", required=True
    )
    return str(chosen)


def _draw(ws: state.Workspace, wanted: Audit) -> None:
    try:
        drawn = draw_audit(ws, wanted)
    except TouchstoneError as error:
        st.error(escape(str(error)))
        return
    st.session_state[DRAWN] = drawn.name
    leave()


def is_asked() -> bool:
    """Whether the address asks for the form at once, as the link behind a number does."""
    return f"{KEY}draw" in st.query_params


def leave() -> None:
    """Forget what the address asked for."""
    st.query_params.pop(f"{KEY}draw", None)
    st.rerun()
