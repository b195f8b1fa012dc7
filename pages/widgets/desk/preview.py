"""A label to look at, before anybody has said who they are: the first decision asks for the name.

What somebody is to answer blind is never shown so: no name, no label that any frame keeps back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import streamlit as st

from core import review
from core.conflicts.guide import TYPES
from core.review.views import VIEWS
from core.store import corpora, pairs, proposals, queue
from core.store.blind import blind_among
from core.store.curators import VISITOR
from pages.widgets import confidential, frame, state
from pages.widgets.desk import chosen
from pages.widgets.plain import escape
from pages.widgets.start import reading

DECIDING = f"{state.PREVIEW}deciding"
"""Set once somebody has begun to decide."""
MOST = 50
"""Labels among which one is looked for that can be shown."""
PAIRS = "conflict_labels"
KEYS = {"Accept": "A", "Fix": "F", "Reject": "X"}
PAIR_KEYS = {"Accept": "A", "Reject": "X"}


def show(ws: state.Workspace, page: str, known: list[str]) -> None:
    """The label, or the form that asks for a name where somebody decides or none can be shown.

    Args:
        page: name of the review page.
        known: corpora that have something to review, the first one the page begins with.
    """
    item = _item(ws, page, known)
    if item is None or st.session_state.get(DECIDING):
        frame.ask(ws)
    if item is None:
        return
    with st.container(border=True):
        if page == PAIRS:
            _pair(ws, item)
        else:
            _concept(ws, item)
        pressed = not st.session_state.get(DECIDING) and _pressed(PAIR_KEYS if page == PAIRS else KEYS)
    if pressed:
        st.session_state[DECIDING] = True
        if not any(f"{page}.{of}" in st.query_params for of in chosen.LISTS):
            st.query_params["item"] = str(item)  # where the desk begins
        st.rerun()


def _concept(ws: state.Workspace, item: int) -> None:
    (said, *_) = proposals.of_items(ws, [item])[item]
    passage = corpora.passage(ws, said.passage_id)
    confidential.note(ws, passage.corpus)
    st.subheader(f"{escape(said.label)}, {said.assertion.words}?", anchor=False)
    if said.reason:
        st.caption(escape(said.reason))
    reading.evidence(passage.text, said)


def _pair(ws: state.Workspace, item: int) -> None:
    """Both abstracts with their claims, and the newest label."""
    (*_, (_, pair)) = pairs.pairs_of_items(ws, [item])[item]
    (task,) = pairs.tasks(ws, [pair])
    labels = pairs.labels_of_items(ws, [item]).get(item, [])
    if labels:
        label = labels[0].label
        st.subheader(f"{escape(TYPES[label.conflict_type].name)}?", anchor=False)
        if label.reconciliation:
            st.caption(escape(label.reconciliation))
    sides = (("A", pair.a, task.a), ("B", pair.b, task.b))
    for column, (name, claim, side) in zip(st.columns(2, gap="medium"), sides, strict=True):
        with column:
            st.markdown(f"**{name}** {escape(side.title or claim.article_uid)}")
            reading.claims(side.text, [claim], [], f"{state.PREVIEW}{name}")


def _pressed(keys: Mapping[str, str]) -> bool:
    """Whether somebody begins to decide."""
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = [st.button(name, key=f"{state.PREVIEW}{name}", shortcut=key) for name, key in keys.items()]
        st.caption("You are asked for your name first; then you decide here.")
    return any(pressed)


def _item(ws: state.Workspace, page: str, known: list[str]) -> int | None:
    """The first label that the address asks for, or that nobody has judged; None: none can be shown."""
    wanted = _wanted(ws, page, known)[:MOST]
    kept_back = blind_among(ws, VISITOR, wanted)
    seen = VIEWS[_filters(page).kind].visible(ws, wanted, VISITOR)
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
    return state.read(ws, _first, page, asked if asked in known else known[0])


def _filters(page: str, corpus: str = "") -> review.AnyFilters:
    return review.PairFilters(corpus=corpus) if page == PAIRS else review.Filters(corpus=corpus)


def _first(ws: state.Workspace, page: str, corpus: str) -> list[int]:
    """What the desk would begin with."""
    filters = _filters(page, corpus)
    view = VIEWS[filters.kind]
    walk = view.walk(ws)
    coming = walk.open_items(view.order(ws, walk, filters, VISITOR), filters, VISITOR, None)
    return [item for item, _ in islice(coming, MOST)]
