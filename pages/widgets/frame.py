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
    uuid = workspace.uuid
    cleared = bool(st.session_state.get(state.CLEARED))
    remembered = st.session_state.get(state.IDENTITY, {}).get("remembered")
    if state.curator() is None and not cleared and remembered and remembered["workspace"] == uuid:
        st.session_state[state.CURATOR] = remembered["id"] if remembered["id"] in names else None
    chosen = st.session_state.get(state.CURATOR)
    if chosen and chosen not in names:  # typed in: a new curator
        st.session_state[state.CURATOR] = _register(workspace, chosen, names)
        names = {c.id: c.name for c in state.curators(workspace)}
    st.selectbox(
        "Curator",
        options=list(names),
        index=None,
        format_func=lambda i: names.get(i, i),
        key=state.CURATOR,
        placeholder="Choose, or type a new name",
        accept_new_options=True,
        on_change=_changed,
    )
    _identity(
        key=state.IDENTITY,
        data={
            "workspace": uuid,
            "curator": state.curator(),
            "forget": cleared,
        },
        on_remembered_change=lambda: None,
        height="content",
    )
    if state.curator() is None and remembered is not None:
        st.warning("No curator is chosen: nothing can be decided yet.")


def _changed() -> None:
    st.session_state[state.CLEARED] = st.session_state[state.CURATOR] is None


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
