"""The frame around every page: which workspace, and who is at work.

The curator is remembered by the browser (`identity.js`), so a reload, a new tab or a restarted server finds
the same one again. It is never part of the address, since a shared link must not carry its sender's name.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from pathlib import Path

import streamlit as st

from core.errors import TouchstoneError
from core.text.visible import visible
from pages.widgets import state
from pages.widgets.plain import escape

HERE = Path(__file__).parent
BOX = 68
"""Pixels that the box to choose a curator in takes, with its name above it."""
_identity = st.components.v2.component(
    "touchstone_identity",
    js="\n".join((HERE / name).read_text("utf-8") for name in ("identity.js", "rows.js")),
    css=(HERE / "frame.css").read_text("utf-8"),
    isolate_styles=False,  # styles and keys are for all that the frame surrounds
)


def show() -> None:
    """Draw the frame: mark and name, and the sidebar. Pages read the outcome with `state.curator()`."""
    st.logo(HERE / "mark.svg", size="large", icon_image=HERE / "mark_alone.svg")
    with state.workspace() as workspace, st.sidebar:
        if workspace.read_only:
            st.info("Open to look at only: nothing is saved here.")
        else:
            _choose_curator(workspace)
        st.caption(f"Workspace: {escape(workspace.path.stem)}", help=escape(str(workspace.path)))


def _choose_curator(workspace: state.Workspace) -> None:
    names = {c.id: c.name for c in state.curators(workspace)}
    curator, box = state.curator(), st.container()
    found = _identity(
        key=state.IDENTITY,
        data={"workspace": workspace.uuid, "curator": curator},
        on_remembered_change=lambda: None,
    ).remembered
    if curator is None and found is not None:
        if found["workspace"] == workspace.uuid and found["id"] in names:
            _become(found["id"])
        st.session_state[state.UNKNOWN] = True
        st.caption("No curator is chosen: you give a name when you begin to review.")
    with box:
        if is_asking():
            st.skeleton(height=BOX)
        else:
            _offer_choice(workspace, names)


def _offer_choice(workspace: state.Workspace, names: dict[str, str]) -> None:
    options, curator = list(names), state.curator()
    # One box per curator, starting with that curator: a single one, set from here, could be
    # overruled by what the browser sent before it knew.
    chosen = st.selectbox(
        "Curator",
        options,
        index=options.index(curator) if curator in names else None,
        format_func=lambda i: visible(names.get(i, i)),
        key=f"{state.CHOICE}.{curator}",
        placeholder="Choose, or type a new name",
        accept_new_options=True,
    )
    if chosen is not None and chosen != curator:
        if chosen in names:
            _become(chosen)
        begin_as(workspace, chosen, names)


def is_asking() -> bool:
    """Whether the browser has yet to say whom it remembers. It answers at once, and the page runs again."""
    answered = state.curator() is not None or state.nobody() or state.look_only()
    return not answered and bool(st.context.headers)


def outline(title: str) -> None:
    """A page to be: its title and the place of what follows."""
    st.title(title)
    st.skeleton(height=40)
    st.skeleton(height=320)


def ask(workspace: state.Workspace) -> None:
    """Ask in the middle of the page who is at work: the sidebar is folded away on a narrow screen."""
    names = {c.id: c.name for c in state.curators(workspace)}
    with st.form(state.ASK, width=480):
        st.header("Who is reviewing?", anchor=False)
        st.caption("Every decision is kept under the name of the person who made it.")
        name = st.text_input("Your name", placeholder="As your colleagues know you", max_chars=80)
        if st.form_submit_button("Start reviewing", type="primary") and name.strip():
            begin_as(workspace, name, names)
    if names:
        known = st.pills("Or go on as", list(names), format_func=lambda i: visible(names[i]), key=state.GO_ON)
        if known:
            _become(str(known))


def _become(curator: str) -> None:
    st.session_state[state.CURATOR] = curator
    st.session_state.pop(state.UNKNOWN, None)
    st.rerun()


def begin_as(workspace: state.Workspace, name: str, names: dict[str, str]) -> None:
    """Go on as whoever bears this name, registered if need be; says why where nobody can."""
    curator = curator_id(name, names)
    try:
        if curator not in names:
            state.add_curator(workspace, curator, tidy(name))
    except TouchstoneError as error:
        st.error(escape(str(error)))
    else:
        _become(curator)


def tidy(name: str) -> str:
    return " ".join(name.split())[:80]


def curator_id(name: str, names: dict[str, str]) -> str:
    """Id for a name that was typed in: of the curator (id -> name) who bears it already, else a new readable
    one, never the raw text."""
    name = tidy(name)
    for known, its_name in names.items():
        if its_name.casefold() == name.casefold():
            return known
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_name).strip("-")[:40] or "curator"
    numbered = (f"{slug}-{n}" for n in itertools.count(2))
    return slug if slug not in names else next(one for one in numbered if one not in names)
