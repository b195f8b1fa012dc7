"""Trees beside each other: shape, agreement with the ontology, and what each gives for free."""

from __future__ import annotations

import streamlit as st

from core.evaluate.tree_facts import TreeFacts, side_by_side
from core.evaluate.trees import facts_of_row, origins
from core.store import trees
from core.text.visible import visible
from pages.widgets import state, take_away
from pages.widgets.metrics import show_table
from pages.widgets.trees import choice
from pages.widgets.trees.choice import KEY, NO_TREES

MOST = 4
"""Trees beside each other."""


def show(ws: state.Workspace) -> None:
    known = [row.reference for row in choice.all_trees(ws)]
    if not known:
        st.info(NO_TREES, icon="ℹ️")
        return
    chosen = st.multiselect(
        "Trees",
        known,
        default=known[:2],
        format_func=visible,
        key=f"{KEY}compared",
        bind="query-params",
        max_selections=MOST,
    )
    if not chosen:
        st.info("Choose the trees to put beside each other.")
        return
    take_away.note_choice("trees", ", ".join(chosen))
    for table in side_by_side([state.hold(ws, _facts, reference) for reference in chosen]):
        show_table(table, KEY)
    show_table(origins(_rows(ws, chosen)), KEY)


def _facts(ws: state.Workspace, reference: str) -> TreeFacts:
    facts = facts_of_row(ws, trees.find(ws, reference))
    facts.to_json()  # made once, while the workspace is open
    return facts


def _rows(ws: state.Workspace, references: list[str]) -> list[trees.TreeRow]:
    return [trees.find(ws, reference) for reference in references]
