"""A label to look at, before anybody has said who they are: the first decision asks for the name.

What somebody is to answer blind is never shown so: no name, no label that any frame keeps back.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import streamlit as st

from core import review
from core.review.views import VIEWS
from core.store import corpora, proposals, queue
from core.store.blind import blind_among
from pages.widgets import confidential, frame, state
from pages.widgets.desk import chosen
from pages.widgets.plain import escape
from pages.widgets.start import reading

DECIDING = f"{state.PREVIEW}deciding"
"""Set once somebody has begun to decide."""
MOST = 50
"""Labels among which one is looked for that can be shown."""
KEYS = {"Accept": "A", "Fix": "F", "Reject": "X"}
ANYBODY = ""
"""A curator who has answered nothing, as nobody has this id."""


def show(ws: state.Workspace, page: str, known: list[str]) -> None:
    """The label, or the form that asks for a name where somebody decides or none can be shown."""
    item = _item(ws, page, known)
    if item is None or st.session_state.get(DECIDING):
        frame.ask(ws)
    if item is not None:
        _draw(ws, page, item)


def _draw(ws: state.Workspace, page: str, item: int) -> None:
    (said, *_) = proposals.of_items(ws, [item])[item]
    passage = corpora.passage(ws, said.passage_id)
    confidential.note(ws, passage.corpus)
    with st.container(border=True):
        st.subheader(f"{escape(said.label)}, {said.assertion.value}?", anchor=False)
        if said.reason:
            st.caption(escape(said.reason))
        reading.evidence(passage.text, said)
        pressed = not st.session_state.get(DECIDING) and _pressed()
    if pressed:
        st.session_state[DECIDING] = True
        if not any(f"{page}.{of}" in st.query_params for of in chosen.LISTS):
            st.query_params["item"] = str(item)  # where the desk begins
        st.rerun()


def _pressed() -> bool:
    """Whether somebody begins to decide."""
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = [st.button(name, key=f"{state.PREVIEW}{name}", shortcut=key) for name, key in KEYS.items()]
        st.caption("You are asked for your name first; then you decide here.")
    return any(pressed)


def _item(ws: state.Workspace, page: str, known: list[str]) -> int | None:
    """The first label that the address asks for, or that nobody has judged; None: none can be shown."""
    wanted = _wanted(ws, page, known)[:MOST]
    kept_back = blind_among(ws, ANYBODY, wanted)
    seen = queue.visible(ws, wanted, ANYBODY)
    return next((one for one in wanted if one in seen and one not in kept_back), None)


def _wanted(ws: state.Workspace, page: str, known: list[str]) -> Sequence[int]:
    if listed := chosen.listed(page):
        if listed.of == "items":
            return listed.ids
        return [row.id for row in queue.items_of_passages(ws, list(listed.ids[:MOST]))]
    linked = st.query_params.get("item", "")
    if linked.isascii() and linked.isdigit() and 0 < int(linked) < 2**63:
        return [int(linked)]
    asked = st.query_params.get(f"{page}.corpus")
    return state.read(ws, _first, asked if asked in known else known[0])


def _first(ws: state.Workspace, corpus: str) -> list[int]:
    """What the desk would begin with."""
    filters = review.Filters(corpus=corpus)
    view = VIEWS[filters.kind]
    walk = view.walk(ws)
    coming = walk.open_items(view.order(ws, walk, filters, ANYBODY), filters, ANYBODY, None)
    return [item for item, _ in islice(coming, MOST)]
