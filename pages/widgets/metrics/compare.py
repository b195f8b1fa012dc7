"""Another run on the same gold: by how much it is better than this one, and whether that may be chance."""

from __future__ import annotations

import streamlit as st

from core import charts
from core.errors import TouchstoneError
from core.evaluate import Settings
from core.evaluate.comparison import ScoreComparison, compare_scores
from core.evaluate.references import in_words
from core.text.visible import visible
from pages.widgets import plain, state
from pages.widgets.item_list import concepts_of
from pages.widgets.metrics.choice import KEY, Look
from pages.widgets.metrics.family import show_family
from pages.widgets.metrics.run_and_gold import LABELLED
from pages.widgets.plain import escape

FAMILIES = ("assertions", "relaxed", "bounds", "spans", "thresholds", "auprc", "attribution")
"""That can be compared beside the corpus values, with nothing more to ask for."""


def show(look: Look) -> None:
    others = [
        run.id
        for run in reversed(state.all_runs(look.ws))
        if run.kind in LABELLED and run.corpus == look.corpus and run.id != look.run
    ]
    if not others:
        st.info(f"No other run labels {escape(look.corpus)}. Label it once more to compare.", icon="ℹ️")
        return
    left, right = st.columns(2)
    other = left.selectbox(
        "Compare with", others, format_func=visible, key=f"{KEY}other", bind="query-params", required=True
    )
    family = right.selectbox(
        "Values",
        ("corpus", *FAMILIES),
        format_func=charts.family_title,
        key=f"{KEY}compared",
        bind="query-params",
        required=True,
    )
    asked = (look.run, other, look.corpus, look.gold, look.settings, family)
    try:
        found = state.hold(look.ws, _compared, *asked)
    except TouchstoneError as error:
        st.info(escape(str(error)), icon="ℹ️")
        return
    gold = in_words(look.gold)
    plain.text(f"A: {found.a}. B: {found.b}. Both as proposed, on {found.documents:,} documents of {gold}.")
    only = None
    if family != "corpus":
        only = tuple(t.name for t in found.result.tables if t.name == f"{family}_differences")
        if not only:
            st.info("One of the two runs has no such values: see this family's own view.", icon="ℹ️")
    links = concepts_of(look.ws, look.run, found.labels, f"{look.run} and {other} against {gold}")
    st.header(charts.family_title(family))
    show_family(found.result, KEY, links, only=only)


def _compared(
    ws: state.Workspace, a: str, b: str, corpus: str, gold: str, settings: Settings, family: str
) -> ScoreComparison:
    further = () if family == "corpus" else (family,)
    first, second = (Look(ws, run, corpus, gold, settings).result(*further).before for run in (a, b))
    return compare_scores(first, second)
