"""A tree as bands under each other, coloured by where labels lie; a click goes into a node."""

from __future__ import annotations

from typing import cast

import streamlit as st

from core import charts
from core.evaluate import tree_spread
from core.evaluate.tree_spread import COLOURS, Colour, Spread, What
from core.index.tree import Index
from pages.widgets import state, take_away
from pages.widgets.item_list import Links, nowhere, show_items
from pages.widgets.metrics import pictures, show_table
from pages.widgets.metrics.tables import show_figure
from pages.widgets.plain import escape
from pages.widgets.switch import one_of
from pages.widgets.trees import choice
from pages.widgets.trees.choice import KEY, Laid

AT = f"{KEY}at"
"""Query parameter that names the node that is open: its numbers, with dots between."""
LABELS = {"wrong": "Wrong or missed", "gold": "In the gold", "proposed": "Proposed"}
CONCEPTS = "concepts"


def show(ws: state.Workspace) -> None:
    found = choice.laid(ws)
    if found is None:
        return
    spread = found.spread
    at = spread.known(int(n) for n in st.query_params.get(AT, "").split(".") if n.isdigit() and len(n) < 4)
    colour = cast(Colour, next(iter(COLOURS)))
    if spread.outcomes:
        titles = {name: name[0].upper() + name[1:] for name in COLOURS}
        colour = cast(Colour, one_of("Colour", titles, f"{KEY}colour"))
    nodes = tree_spread.shown(spread, at)
    table = tree_spread.icicle(spread, at, colour, nodes)
    _way_up(spread, at)
    picked = show_figure(
        table, f"{KEY}{table.name}-{colour}_chart", on_select="rerun", selection_mode="points"
    )
    places = [charts.cell_at(table, point) for point in picked["selection"]["points"]]
    node = next((nodes[one[0]] for one in places if one), at)
    if node != at:
        _go(node)
        st.rerun()
    st.caption(
        escape(f"{table.note} ") + "Click a band to go into it; the line above the picture leads back up."
    )
    with st.expander("The bands as a table", key=f"{KEY}bands", on_change="rerun") as bands:
        if bands.open:
            below = [row for row in table.rows if row[1] in (None, spread.name(at))]
            show_table(_only(table, below), KEY, chart=False, level=0)
    take_away.note_table(f"{KEY}icicle", table)
    _node(found, at)
    pictures()


def _only(table: charts.Table, rows: list[tuple[charts.Value, ...]]) -> charts.Table:
    return charts.Table(table.title, table.columns, rows, table.name, note=table.note)


def _go(node: Index) -> None:
    if node:
        st.query_params[AT] = ".".join(map(str, node))
    else:
        st.query_params.pop(AT, None)


def _way_up(spread: Spread, at: Index) -> None:
    """The nodes above the one that is open, each a way back to it."""
    with st.container(horizontal=True, gap="xxsmall", vertical_alignment="center"):
        for length in range(len(at)):
            node = at[:length]
            st.button(
                f"{escape(spread.name(node))} ›",
                key=f"{KEY}up{length}",
                type="tertiary",
                on_click=_go,
                args=(node,),
            )
        st.markdown(f"**{escape(spread.name(at))}**")


def _node(found: Laid, at: Index) -> None:
    """What the open node holds: its labels, which become a queue, and its concepts."""
    spread = found.spread
    st.header(spread.name(at) if at in spread.leaves else escape(f"Inside {spread.name(at)}"))
    titles = {**(LABELS if spread.outcomes else {}), CONCEPTS: "Concepts"}
    what = one_of("What is listed", titles, f"{KEY}what", named=False)
    name = f"{titles[what]}, {spread.name(at)}"
    key = f"{KEY}{what}-{'-'.join(map(str, at))}_"
    if what == CONCEPTS:
        show_items(spread.concept_items(at), key, Links(nowhere, spread.labels), name)
    else:
        show_items(spread.items(at, cast(What, what)), key, found.links, name)
