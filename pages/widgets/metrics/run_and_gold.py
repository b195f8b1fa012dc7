"""The two filters of every page that scores a run: which run, and against which gold."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.evaluate.references import in_words
from core.text.visible import visible
from pages.widgets import confidential, options, state, take_away

LABELLED = ("concepts", "imported")
"""Kinds of runs that label concepts."""
NO_RUNS = "There are no runs yet. Annotate a corpus, or add proposals made elsewhere."
NO_GOLD = "Nothing to score this run against: import annotated documents, or review some proposals."


class Chosen(NamedTuple):
    run: Any
    """Of the store."""
    gold: str
    beside: list[DeltaGenerator]
    """Columns for further filters."""


def run_and_gold(
    ws: state.Workspace,
    key: str,
    columns: Callable[[], list[DeltaGenerator]],
    references: Callable[[state.Workspace, str], list[str]],
    kinds: Collection[str] = LABELLED,
    no_runs: str = NO_RUNS,
    no_gold: str = NO_GOLD,
    without_gold: Callable[[Any], None] | None = None,
) -> Chosen | None:
    """At first the newest run, and the first gold of it. None where there is nothing to score yet, and the
    page says what to do.

    Args:
        key: prefix of the widgets' keys, one of `state.py`'s.
        columns: makes the columns that the filters stand in, the first two for these.
        references: every gold that a run can be scored against.
        without_gold: shows what can be said of a run that has none.
    """
    runs = {run.id: run for run in state.all_runs(ws) if run.kind in kinds}
    if not runs:
        st.info(no_runs, icon="ℹ️")
        return None
    left, middle, *beside = columns()
    how: dict[str, Any] = {"format_func": visible, "bind": "query-params", "required": True}
    run = left.selectbox("Run", list(runs), index=len(runs) - 1, key=f"{key}run", **how)
    found = state.read(ws, references, run)
    confidential.note(ws, runs[run].corpus)
    if not found:
        st.info(no_gold, icon="ℹ️")
        if without_gold:
            without_gold(runs[run])
        return None
    gold = options.gold(middle, ws, found, f"{key}gold", required=True) or found[0]
    take_away.note_choice("run", run)
    take_away.note_choice("gold", in_words(gold))
    return Chosen(runs[run], gold, beside)
