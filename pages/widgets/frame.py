"""The frame around every page: which workspace, and who is at work.

The curator is remembered by the browser (`identity.js`), so a reload, a new tab or a restarted server finds
the same one again. It is never part of the address, since a shared link must not carry its sender's name.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import streamlit as st

from pages.widgets import state
from pages.widgets.plain import escape

_identity = st.components.v2.component(
    "touchstone_identity", js=Path(__file__).with_name("identity.js").read_text("utf-8")
)


def show() -> None:
    """Draw the frame in the sidebar. Pages read the outcome with `state.curator()`."""
    with state.workspace() as workspace, st.sidebar:
        _choose_curator(workspace)
        st.caption(f"Workspace: {escape(workspace.path.stem)}", help=escape(str(workspace.path)))


def _choose_curator(workspace: state.Workspace) -> None:
    names = {c.id: c.name for c in state.curators(workspace)}
    options, curator = list(names), state.curator()
    # One box per curator, starting with that curator: a single one, set from here, could be
    # overruled by what the browser sent before it knew.
    chosen = st.selectbox(
        "Curator",
        options,
        index=options.index(curator) if curator in names else None,
        format_func=lambda i: names.get(i, i),
        key=f"{state.CHOICE}.{curator}",
        placeholder="Choose, or type a new name",
        accept_new_options=True,
    )
    if chosen is not None and chosen != curator:
        _become(chosen if chosen in names else _register(workspace, chosen, names))
    found = _identity(
        key=state.IDENTITY,
        data={"workspace": workspace.uuid, "curator": curator},
        on_remembered_change=lambda: None,
    ).remembered
    if curator is not None or found is None:
        return
    if found["workspace"] == workspace.uuid and found["id"] in names:
        _become(found["id"])
    st.warning("No curator is chosen: nothing can be decided yet.")


def _become(curator: str) -> None:
    st.session_state[state.CURATOR] = curator
    st.rerun()


def _register(workspace: state.Workspace, name: str, names: dict[str, str]) -> str:
    """Id of the curator of that name, made where there is none: a readable slug, never the raw text."""
    name = " ".join(name.split())[:80]
    for known, its_name in names.items():
        if its_name.casefold() == name.casefold():
            return known
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_name).strip("-")[:40] or "curator"
    number, unique = 2, slug
    while unique in names:
        number, unique = number + 1, f"{slug}-{number}"
    return state.add_curator(workspace, unique, name).id
