"""A label to look at, before anybody has said who they are: the first decision asks for the name.

What somebody is to answer blind is never shown so: no name, no label that any frame keeps back, and nothing
of what curators answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import streamlit as st

from core import review
from core.kinds.names import NAMES, called
from core.records import ItemKind, Proposal
from core.review.views import VIEWS
from core.store import corpora, pairs, proposals, queue
from core.store.blind import blind_among
from core.store.curators import VISITOR
from pages.widgets import confidential, frame, state
from pages.widgets.desk import chosen
from pages.widgets.plain import escape
from pages.widgets.start import reading

DECIDING = f"{state.PREVIEW}deciding"
"""Set once somebody has begun to decide: what they pressed."""
MOST = 50
"""Labels among which one is looked for that can be shown."""
RULE = "Rule on this"
ASKING = (review.error_guide(), review.change_guide())
KEYS: dict[str, dict[str, str | None]] = {
    ItemKind.CONCEPT: {"Accept": "A", "Fix": "F", "Reject": "X"},
    ItemKind.PAIR: {"Accept": "A", "Reject": "X"},
    **{
        guide["kind"]: {one["name"]: one["keys"][0].upper() for one in guide["fields"][0]["options"]}
        for guide in ASKING
    },
    review.AdjudicationFilters.kind: {RULE: None},  # its keys choose among answers, which are not shown here
}
"""Kind of desk -> what can be decided there at once -> its key."""
ASKED = {
    **{guide["kind"]: guide["question"] for guide in ASKING},
    review.AdjudicationFilters.kind: "Curators disagree on this label. You see their answers once you have"
    " given your name.",
}


def show(ws: state.Workspace, page: str, given: review.AnyFilters) -> None:
    """The label, or the form that asks for a name where somebody decides or none can be shown.

    Args:
        page: name of the review page.
        given: what its desk would show.
    """
    item = _item(ws, page, given)
    if item is None or st.session_state.get(DECIDING):
        frame.ask(ws)
    if item is None:
        return
    with st.container(border=True):
        _label(ws, review.labels_of(ws, given.kind, [item])[item], ASKED.get(given.kind))
        pressed = None if st.session_state.get(DECIDING) else _pressed(KEYS[given.kind])
    if pressed:
        st.session_state[DECIDING] = pressed
        if not any(f"{page}.{of}" in st.query_params for of in chosen.LISTS):
            st.query_params["item"] = str(item)  # where the desk begins
        st.rerun()


def remind(kind: str, sent: Mapping[str, object] | None) -> None:
    """Above the desk: what was pressed before the name was given has saved nothing. Until the first decision.

    Args:
        sent: the last message of the desk.
    """
    pressed = st.session_state.get(DECIDING)
    if not pressed or (sent and sent.get("events")):
        st.session_state.pop(DECIDING, None)
    elif key := KEYS[kind].get(pressed):
        st.info(f"Nothing is saved yet. Press **{key}** ({pressed}) to decide on this label.", icon="ℹ️")


def _label(ws: state.Workspace, item: int, asked: str | None) -> None:
    """The newest of what runs say of it."""
    said = proposals.of_items(ws, [item])[item][-1]
    if isinstance(said, Proposal):
        _concept(ws, said, asked or said.reason)
    else:
        _pair(ws, item, asked)


def _concept(ws: state.Workspace, said: Proposal, asked: str | None) -> None:
    passage = corpora.passage(ws, said.passage_id)
    confidential.note(ws, passage.corpus)
    st.header(f"{escape(said.label)}, {called(said.assertion)}?", anchor=False)
    if asked:
        st.caption(escape(asked))
    reading.evidence(passage.text, said)


def _pair(ws: state.Workspace, item: int, asked: str | None) -> None:
    """Both abstracts with their claims, and the newest label."""
    (*_, (_, pair)) = pairs.pairs_of_items(ws, [item])[item]
    (task,) = pairs.tasks(ws, [pair])
    labels = pairs.labels_of_items(ws, [item]).get(item, [])
    if labels:
        label = labels[0].label
        st.header(f"{escape(NAMES[label.conflict_type])}?", anchor=False)
        asked = asked or label.reconciliation
    if asked:
        st.caption(escape(asked))
    sides = (("A", pair.a, task.a), ("B", pair.b, task.b))
    for column, (name, claim, side) in zip(st.columns(2, gap="medium"), sides, strict=True):
        with column:
            st.markdown(f"**{name}** {escape(side.title or claim.article_uid)}")
            reading.claims(side.text, [claim], [], f"{state.PREVIEW}{name}")


def _pressed(keys: Mapping[str, str | None]) -> str | None:
    """What somebody begins to decide."""
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = [
            name for name, key in keys.items() if st.button(name, key=f"{state.PREVIEW}{name}", shortcut=key)
        ]
        st.caption("You are asked for your name first; then you decide here.")
    return next(iter(pressed), None)


def _item(ws: state.Workspace, page: str, given: review.AnyFilters) -> int | None:
    """The first label that the address asks for, or that nobody has judged; None: none can be shown."""
    wanted = _wanted(ws, page, given)[:MOST]
    about = review.labels_of(ws, given.kind, wanted)
    kept_back = blind_among(ws, VISITOR, [*wanted, *about.values()])
    seen = VIEWS[given.kind].visible(ws, wanted, VISITOR) & about.keys()
    return next((one for one in wanted if one in seen and not {one, about[one]} & kept_back), None)


def _wanted(ws: state.Workspace, page: str, given: review.AnyFilters) -> Sequence[int]:
    if listed := chosen.listed(page):
        if listed.of == "items":
            return listed.ids
        return [row.id for row in queue.items_of_passages(ws, list(listed.ids[:MOST]))]
    linked = st.query_params.get("item", "")
    if linked.isascii() and linked.isdigit() and 0 < int(linked) < 2**63:
        return [int(linked)]
    return state.read(ws, _first, given)


def _first(ws: state.Workspace, filters: review.AnyFilters) -> list[int]:
    """What the desk would begin with."""
    view = VIEWS[filters.kind]
    walk = view.walk(ws)
    coming = walk.open_items(view.order(ws, walk, filters, VISITOR), filters, VISITOR, None)
    return [item for item, _ in islice(coming, MOST)]
