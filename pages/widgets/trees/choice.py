"""Which tree, and which run against which gold is laid out on it."""

from __future__ import annotations

from typing import Any, NamedTuple

import streamlit as st

from core import evaluate as scoring
from core.errors import InputError
from core.evaluate.inputs.training import stored_tree
from core.evaluate.tree_spread import Spread, breadth
from core.evaluate.trees import lineage_of
from core.exchange.trees import labels_of
from core.store import trees
from core.store.trees import TreeRow
from core.text.visible import visible
from pages.widgets import item_list, options, state, take_away
from pages.widgets.item_list import Links, nowhere
from pages.widgets.metrics.choice import Look
from pages.widgets.metrics.run_and_gold import LABELLED
from pages.widgets.plain import escape

KEY = state.TREES
NO_TREES = "There is no label tree yet. Build one of an ontology of this workspace, or import an index file."


class Laid(NamedTuple):
    """A tree with what a run and its gold say."""

    row: TreeRow
    spread: Spread
    links: Links
    run: str | None
    """None: the tree alone."""
    gold: str | None


def all_trees(ws: state.Workspace) -> list[TreeRow]:
    """Newest version of each name first."""
    return list(reversed(state.read(ws, trees.list_trees)))


def laid(ws: state.Workspace, *, needs_gold: bool = False) -> Laid | None:
    """The filters; None where there is nothing to look at yet, and the page says what to do.

    Args:
        needs_gold: the view shows nothing of a tree alone.
    """
    known = {row.reference: row for row in all_trees(ws)}
    if not known:
        st.info(NO_TREES, icon="ℹ️")
        return None
    left, middle, right = st.columns(3)
    how: dict[str, Any] = {"format_func": visible, "bind": "query-params"}
    chosen = left.selectbox("Tree", list(known), key=f"{KEY}tree", required=True, **how)
    row = known[str(chosen)]
    take_away.note_choice("tree", row.reference)
    runs = [run.id for run in state.all_runs(ws) if run.kind in LABELLED]
    newest = len(runs) - 1 if runs else None
    run = middle.selectbox("Run", runs, index=newest, key=f"{KEY}run", placeholder="None", **how)
    found = state.read(ws, scoring.gold_references, run) if run else []
    gold = options.gold(right, ws, found, f"{KEY}gold") if found else None
    if run and not gold:
        right.caption("This run has no gold to be held against.")
    if needs_gold and not gold:
        st.info("Choose a run and its gold: this view shows where proposals land around gold concepts.")
        return None
    if not (run and gold):
        spread = state.hold(ws, _spread, row.reference, None, None)
        return Laid(row, spread, Links(nowhere, spread.labels), None, None)
    take_away.note_choice("run", str(run))
    take_away.note_choice("gold", gold)
    try:
        spread, links = _with_run(ws, row, str(run), gold)
    except InputError as error:
        st.error(escape(str(error)))
        return None
    return Laid(row, spread, links, str(run), gold)


def _with_run(ws: state.Workspace, row: TreeRow, run: str, gold: str) -> tuple[Spread, Links]:
    corpus = next(one.corpus for one in state.all_runs(ws) if one.id == run)
    base, _ = Look(ws, run, corpus, gold, scoring.Settings()).corpus_values()

    def scored(ws: state.Workspace, reference: str, run: str, gold: str) -> Spread:
        return _spread(ws, reference, run, gold, base)

    return state.hold(ws, scored, row.reference, run, gold), item_list.of_run(ws, run, base.before)


def _spread(
    ws: state.Workspace,
    reference: str,
    run: str | None,
    gold: str | None,
    scored: scoring.ReviewedEvaluation | None = None,
) -> Spread:
    row = trees.find(ws, reference)
    outcomes = scored.before.outcomes if scored else ()
    made = Spread(stored_tree(ws, row.reference), labels_of(ws, row), outcomes, breadth(lineage_of(ws, row)))
    made.name(())  # what a visit needs is made once
    return made
