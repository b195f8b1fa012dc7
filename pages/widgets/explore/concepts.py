"""The left of the ontology page: which ontology, the search, the tree."""

from __future__ import annotations

import json
from pathlib import Path

import streamlit as st

from core.charts import Table
from core.errors import NotFoundError
from core.review import terms_of
from core.review.explore import entry, open_way, search, tree
from core.review.search import Row, Why
from core.review.terms import Terms
from core.text.visible import visible
from pages.widgets import state, take_away
from pages.widgets.explore import address
from pages.widgets.plain import escape

HERE = Path(__file__).parent
DESK = HERE.parent / "desk"
KEY = state.ONTOLOGY
SHOWN = 12
"""Rows of a search that are shown."""
WHY = {
    Why.EXACT: "by its name",
    Why.SYNONYM: "also called “{}”",
    Why.ABBREVIATION: "short for “{}”",
    Why.SPELLING: "spelled like “{}”",
    Why.MEANING: "means nearly “{}”",
}

_tree = st.components.v2.component(
    "touchstone_tree",
    js="\n".join(path.read_text("utf-8") for path in (DESK / "dom.js", DESK / "spans.js", HERE / "tree.js")),
    css=(HERE / "tree.css").read_text("utf-8"),
)


def choose(ws: state.Workspace) -> Terms | None:
    """The ontology that the address names, or that is chosen; None where there is none."""
    known = {one.reference: one for one in reversed(state.all_ontologies(ws))}
    if not known:
        st.info("There is no ontology yet. Add one with `touchstone ontology add`, or try the demonstration.")
        return None
    wanted = st.session_state.get(address.ONTOLOGY)
    if wanted not in known:
        st.session_state.pop(address.ONTOLOGY, None)
    if len(known) == 1:
        return terms_of(ws, next(iter(known.values())).id)
    chosen = st.selectbox(
        "Ontology", list(known), format_func=visible, key=address.ONTOLOGY, bind="query-params", width=480
    )
    return terms_of(ws, known[str(chosen)].id)


def show(ws: state.Workspace, terms: Terms) -> None:
    typed = st.text_input(
        "Search concepts",
        key=f"{KEY}find",
        bind="query-params",
        placeholder="A name, a synonym, plain words or an id",
        max_chars=200,
    )
    if typed.strip():
        _results(ws, terms, typed)
    _draw(ws, terms)


def _results(ws: state.Workspace, terms: Terms, typed: str) -> None:
    rows = search(ws, terms, typed)[:SHOWN]
    if not rows:
        st.info("No concept is called so. Try other words, or open the tree.")
    told = [(row.curie, row.name, row.matched) for row, _ in rows]
    take_away.note_table(KEY, Table("Concepts found", ("concept", "name", "as"), told, "found"))
    with st.container(gap="xxsmall"):
        for row, is_gone in rows:
            st.button(
                f"**{escape(row.name)}**{' (obsolete)' if is_gone else ''} {_why(row)}",
                key=f"{KEY}found.{row.curie}",
                type="tertiary",
                on_click=address.to_concept,
                args=(row.curie,),
            )


def _why(row: Row) -> str:
    """Why a row is there, where its name does not say so."""
    if row.matched == row.name:
        return ""
    return escape(WHY[row.why].format(row.matched))


def _draw(ws: state.Workspace, terms: Terms) -> None:
    opened, here = _opened(ws, terms)
    nodes = tree(terms, opened)
    open_nodes = [(node.path[-1], node.name, len(node.path)) for node in nodes]
    take_away.note_table(f"{KEY}tree", Table("Tree", ("concept", "name", "level"), open_nodes, "tree"))
    current = next((node.path for node in nodes if node.path[-1] == here), None)
    data = {
        "nodes": [
            {
                "key": _key(node.path),
                "name": node.name,
                "level": len(node.path),
                "children": node.children,
                "opened": node.opened,
                "more": node.left_out,
            }
            for node in nodes
        ],
        "current": _key(current) if current else None,
    }
    _tree(
        key=state.TREE,
        data=data,
        on_toggle_change=lambda: _toggle(terms),
        on_choose_change=lambda: _go(terms),
        height="content",
    )


def _opened(ws: state.Workspace, terms: Terms) -> tuple[set[tuple[str, ...]], str | None]:
    """The nodes that are open in this session, and the concept that is shown, to which the tree is opened
    once, when it comes."""
    kept = st.session_state.setdefault(state.OPENED, {}).setdefault(
        terms.row.reference, {"nodes": {(terms.row.root,)} if terms.row.root else set(), "of": None}
    )
    asked = st.query_params.get(address.CONCEPT)
    if asked and asked != kept["of"]:
        try:
            found = entry(ws, terms, asked)
        except NotFoundError:
            return kept["nodes"], None
        kept["of"], kept["at"] = asked, found.concept.curie
        if not any(node.path[-1] == kept["at"] for node in tree(terms, kept["nodes"])):
            kept["nodes"] |= set(open_way(found))
    return kept["nodes"], kept.get("at") if asked else None


def _key(path: tuple[str, ...]) -> str:
    return json.dumps(path)


def _sent(name: str) -> tuple[str, ...]:
    try:
        return tuple(map(str, json.loads(st.session_state[state.TREE][name])))
    except (TypeError, ValueError, KeyError):
        return ()


def _toggle(terms: Terms) -> None:
    nodes, path = st.session_state[state.OPENED][terms.row.reference]["nodes"], _sent("toggle")
    if path in nodes:
        nodes.discard(path)
    elif path:
        nodes.add(path)


def _go(terms: Terms) -> None:
    path = _sent("choose")
    if path and path[-1] in terms.names:
        address.to_concept(path[-1])
