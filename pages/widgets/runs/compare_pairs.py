"""Two runs of claim pairs side by side, or the two annotators of one: agreement, types, axes, confidence."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core import evaluate as scoring
from core.errors import TouchstoneError
from core.kinds.names import called
from core.records import ItemKind
from core.store import runs
from core.text.visible import visible
from pages.widgets import as_queue, confidential, plain, state, take_away
from pages.widgets.plain import escape
from pages.widgets.runs import counts
from pages.widgets.switch import one_of

KEY = f"{state.RUNS}pairs_"
PAIRS = "pages/review/conflict_labels.py"
KINDS = {"concepts": "Concept labels", "pairs": "Claim pairs"}
MOST = 200
"""Pairs on which two annotators differ that are listed."""


def choose(ws: state.Workspace, of_concepts: Callable[[state.Workspace, list[runs.Run]], None]) -> None:
    """Which kind of run to compare, where there are both; then the comparison."""
    every = state.all_runs(ws)
    pairs = [run for run in every if run.proposes == ItemKind.PAIR]
    concepts = [run for run in every if run.proposes != ItemKind.PAIR]
    kind = "pairs" if pairs and not concepts else "concepts"
    if pairs and concepts:
        kind = one_of("Kind", KINDS, f"{KEY}kind", named=False)
    if kind == "pairs":
        show(ws, pairs)
    else:
        of_concepts(ws, concepts)


def show(ws: state.Workspace, found: list[runs.Run]) -> None:
    names = [run.id for run in reversed(found)]
    left, right = st.columns(2)
    a = left.selectbox("Run A", names, format_func=visible, key=f"{KEY}a", bind="query-params")
    corpus = next(run.corpus for run in found if run.id == a)
    others = [run.id for run in reversed(found) if run.corpus == corpus]
    others.sort(key=lambda name: name == a)  # itself last: its model against its rules
    b = right.selectbox(
        "Run B, of the same corpus", others, format_func=visible, key=f"{KEY}b", bind="query-params"
    )
    try:
        result = counts.of_runs(
            ws, [run for run in found if run.id in (a, b)], scoring.compare_pair_runs, a, b
        )
    except TouchstoneError as error:
        st.info(escape(str(error)), icon="ℹ️")
        return
    confidential.note(ws, result.corpus)
    if a == b:
        st.caption("A is the model's labels of the run, B those of the rules.")
    for number, table in enumerate(result.tables()):
        st.subheader(table.title, anchor=False)
        if table.note:
            st.caption(escape(table.note))
        take_away.note_table(f"{KEY}{number}", table)
        rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        plain.dataframe(rows, key=f"{KEY}table{number}", hide_index=True, height="content")
    _items(result)


def _items(result: scoring.PairRunComparison) -> None:
    st.subheader("Pairs on whose type they differ", anchor=False)
    if not result.items:
        st.caption("There are none.")
        return
    rows = [
        {"A says": called(one.type_a), "B says": called(one.type_b), "a": one.claim_a, "b": one.claim_b}
        for one in result.items[:MOST]
    ]
    plain.dataframe(rows, key=f"{KEY}items", hide_index=True)
    name = f"{result.a} and {result.b} differ"
    items = [one.item for one in result.items]
    if said := as_queue.offer(items, len(items), PAIRS, name, KEY, result.corpus):
        st.caption(said)
