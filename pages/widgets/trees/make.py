"""Where trees come from: built of ontologies in a process of its own, or imported from an index file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from core.errors import TouchstoneError
from core.evaluate.generalise import Upload, as_files
from core.evaluate.trees import origins
from core.exchange.trees import add_tree, export_bytes
from core.store import open_workspace
from core.text.visible import visible
from pages.widgets import state
from pages.widgets.metrics import show_table
from pages.widgets.plain import escape
from pages.widgets.runs.control import last_words
from pages.widgets.trees import choice
from pages.widgets.trees.choice import KEY

KINDS = {
    "osi": "OSI: by the structure of the ontology",
    "ssi": "SSI: by the meaning of names",
    "ossi": "OSSI: by both",
}
RULES = {"max": "The larger weight", "sum": "Both weights added"}
METHODS = {"packing": "Capacity packing", "louvain": "Recursive Louvain, for comparison"}
PART_OF = ("part_of", "BFO:0000050")
BUILDING = f"{KEY}building"
REFRESH = 1.0
"""Seconds between two looks at a tree that is being built."""
STARTS_WITHIN = 90.0
"""Seconds after which a process that was begun and not heard of is taken for dead."""


class Building(NamedTuple):
    name: str
    newest: int
    """Version of that name before it began; 0: there was none."""
    began: float
    """Unix seconds."""


def watch(ws: state.Workspace) -> None:
    """What is being built, refreshed by itself; what was built, or why not, once it has ended."""
    if BUILDING in st.session_state:
        _watched(str(ws.path))


@st.fragment(run_every=REFRESH)
def _watched(path: str) -> None:
    from core.pipeline.start import is_held
    from core.pipeline.trees import task

    building: Building | None = st.session_state.get(BUILDING)
    if building is None:
        return
    going = is_held(Path(path).resolve(), task(building.name))
    said = last_words(Path(path).resolve(), task(building.name), building.began)
    with state.workspace() as ws:
        row = next((row for row in choice.all_trees(ws) if row.name == building.name), None)
    done = row is not None and row.version > building.newest
    if going or (not done and not said and time.time() - building.began < STARTS_WITHIN):
        st.info(f"Building {escape(building.name)} …", icon="⏳")
        return
    del st.session_state[BUILDING]
    if not going and (done or "kept as" in said):
        st.toast(f"{escape(building.name)} is built.", icon="✅")
    else:
        why = said.splitlines()[-1] if said else "Its process ended without a word."
        st.session_state[f"{BUILDING}_failed"] = f"{building.name} was not built. {why}"
    st.rerun()


def show(ws: state.Workspace) -> None:
    """The two forms, then what there is."""
    left, right = st.columns(2, gap="large")
    with left:
        _build(ws)
    with right:
        _import(ws)
    rows = choice.all_trees(ws)
    if rows:
        show_table(origins(rows), KEY)
        _download(ws, [row.reference for row in rows])


def _build(ws: state.Workspace) -> None:
    st.header("Build")
    known = [row.reference for row in reversed(state.all_ontologies(ws))]
    if not known:
        st.info("There is no ontology yet. Add one with `touchstone ontology add`.", icon="ℹ️")
        return
    chosen = st.multiselect(
        "Ontologies", known, default=known[:1], format_func=visible, key=f"{KEY}ontologies"
    )
    kind = st.selectbox("Kind", list(KINDS), format_func=KINDS.__getitem__, key=f"{KEY}kind")
    given: dict[str, Any] = {"ontologies": tuple(chosen), "kind": kind}
    with st.expander("More"):
        given["root"] = (
            st.text_input(
                "Only concepts below",
                key=f"{KEY}root",
                placeholder="An id; empty: the ontology's own root; all: every concept",
            ).strip()
            or None
        )
        if kind != "ssi" and st.checkbox("part_of links count, too", key=f"{KEY}part_of"):
            given["relations"] = PART_OF
        if kind == "ossi":
            given["rule"] = st.radio(
                "A link that ontology and names both give weighs",
                list(RULES),
                format_func=RULES.__getitem__,
                key=f"{KEY}rule",
                horizontal=True,
            )
        given["method"] = st.selectbox(
            "Method", list(METHODS), format_func=METHODS.__getitem__, key=f"{KEY}method"
        )
    name = st.text_input("Name", _name(chosen, str(kind)), key=f"{KEY}name_{'_'.join(chosen)}_{kind}")
    if failed := st.session_state.pop(f"{BUILDING}_failed", None):
        st.error(escape(failed))
    if kind != "osi":
        st.caption("Names are compared by the bundled encoder; the first time takes a minute or more.")
    busy = state.look_only() or BUILDING in st.session_state or not chosen
    if st.button("Build", type="primary", key=f"{KEY}build", disabled=busy):
        _begin(ws, name.strip(), given)


def _name(chosen: list[str], kind: str) -> str:
    return "-".join([*(one.partition("@")[0] for one in chosen), kind])


def _begin(ws: state.Workspace, name: str, given: dict[str, Any]) -> None:
    from core.pipeline.trees import TreeSettings, begin_tree

    newest = max((row.version for row in choice.all_trees(ws) if row.name == name), default=0)
    try:
        begin_tree(ws.path, name, TreeSettings(**given))
    except TouchstoneError as error:
        st.error(escape(str(error)))
        return
    st.session_state[BUILDING] = Building(name, newest, time.time())
    st.rerun()


def _import(ws: state.Workspace) -> None:
    st.header("Import")
    file = st.file_uploader(
        "Index file",
        ["json", "csv", "gz"],
        key=f"{KEY}file",
        help="A JSON object, concept id to list of integers, the path from the root; or CSV as it is "
        "exported here. It must keep the rules of a label tree.",
    )
    known = [row.reference for row in reversed(state.all_ontologies(ws))]
    of = st.selectbox(
        "Of the ontology",
        known,
        index=None,
        format_func=visible,
        key=f"{KEY}of",
        placeholder="Not known",
        help="Gives names to its concepts, and the parent and sibling baselines.",
    )
    stem = file.name.split(".")[0] if file else ""
    name = st.text_input("Name", stem, key=f"{KEY}imported_{stem}")
    renumber = st.checkbox("Close gaps between sibling numbers", key=f"{KEY}renumber")
    if st.button("Import", key=f"{KEY}import", disabled=file is None or state.look_only()) and file:
        try:
            with as_files((Upload(file.name, file.getvalue()),)) as (path,):
                row = add_tree(ws, path, name.strip(), of, renumber=renumber)
        except TouchstoneError as error:
            st.error(escape(str(error)))
            return
        st.success(f"Imported {escape(row.reference)}: {row.concepts:,} concepts.", icon="✅")


def _download(ws: state.Workspace, references: list[str]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Tree to take away", references, format_func=visible, key=f"{KEY}taken", width=320
        )
        for form, mime in (("json", "application/json"), ("csv", "text/csv")):
            st.download_button(
                form.upper(),
                lambda form=form: _exported(str(chosen), form),
                f"{chosen}.{form}",
                mime,
                key=f"{KEY}take_{form}",
                on_click="ignore",
                icon="⬇️",
            )


def _exported(reference: str, form: str) -> bytes:
    with open_workspace(create=False) as ws:
        return export_bytes(ws, reference, form)
