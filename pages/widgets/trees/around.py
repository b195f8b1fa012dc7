"""Where proposals land around one unseen gold concept."""

from __future__ import annotations

import streamlit as st

from core.evaluate import tree_spread
from core.evaluate.generalise import training_of, training_sets
from core.evaluate.tree_spread import Spread
from core.text.visible import visible
from pages.widgets import options, state, take_away
from pages.widgets.metrics import pictures, show_table
from pages.widgets.metrics.tables import show_figure
from pages.widgets.plain import escape
from pages.widgets.trees import choice
from pages.widgets.trees.choice import KEY


def show(ws: state.Workspace) -> None:
    found = choice.laid(ws, needs_gold=True)
    if found is None:
        return
    trained_on = options.gold(
        st.container(),
        ws,
        state.read(ws, training_sets),
        f"{KEY}trained_on",
        "Training set",
        index=None,
        placeholder="None: every gold concept counts as unseen",
        width=480,
    )
    if trained_on == found.gold:
        st.warning("The training set is the gold itself, so nothing in it is new. Choose another one.")
    spread = found.spread
    seen = state.read(ws, _seen, trained_on) if trained_on else frozenset()
    scores = tree_spread.units_of(spread, seen)
    if not scores.units:
        st.info("No gold concept of this tree is unseen, so there is nothing to come near to.")
        return
    _landings(spread, [one.concept for one in tree_spread.reached(scores)])
    show_table(tree_spread.reached_table(spread, scores), KEY, found.links, chart=False)
    pictures()


def _landings(spread: Spread, concepts: list[str]) -> None:
    concept = st.selectbox(
        "Gold concept, the farthest first",
        concepts,
        format_func=lambda one: visible(f"{one} {spread.labels.get(one, '')}".strip()),
        key=f"{KEY}concept",
        bind="query-params",
        required=True,
        width=480,
    )
    table = tree_spread.landings(spread, str(concept))
    st.header(escape(table.title))
    take_away.note_table(f"{KEY}landings", table)
    show_figure(table, f"{KEY}landings_{concept}_chart")
    st.caption(escape(table.note))


def _seen(ws: state.Workspace, reference: str) -> frozenset[str]:
    return training_of(ws, reference).concepts or frozenset()
