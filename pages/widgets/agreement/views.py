"""Agreement of curators: all together, every two, each, and what one says against what another says."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.evaluate import CuratorAgreement, curators
from core.evaluate.families.result import Item
from core.text.visible import visible
from pages.widgets import as_queue, state
from pages.widgets.agreement.choice import KEY, KINDS, Look
from pages.widgets.item_list import REVIEW, Links
from pages.widgets.metrics.family import show_cards, show_notes
from pages.widgets.metrics.tables import show_table
from pages.widgets.plain import escape

ADJUDICATION = "pages/review/adjudication.py"
PAIR_REVIEW = "pages/review/conflict_labels.py"
BLIND = (
    "Lists hold only items that you have settled yourself: what others say of an item stays unseen until you "
    "have answered it."
)


def show(look: Look) -> None:
    found = look.result()
    curator = state.curator()
    if found.result.absent is not None:
        st.info(escape(found.result.absent), icon="ℹ️")
    if curator is not None and found.overview:
        st.caption(BLIND)
    found, links = found.seen_by(curator), _links(look, found)
    if found.result.absent is None:
        show_notes(found.result.caveats)
        show_cards(found.result, KEY, links, beneath=found.words)
        _settle(look, found)
    for table in found.overview:
        show_table(table, KEY, links)
    if found.result.absent is None:
        _two(found, links, curator)


def _settle(look: Look, found: CuratorAgreement) -> None:
    """The way to everything that the curators differ on and nobody has settled, what they agree least on
    first."""
    apart = found.apart
    if apart is None or not apart.disputed:
        st.caption("They differ on no item that two of them have answered.")
        return
    settled = len(apart.disputed) - len(apart.unsettled)
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        least = f"They agree least on: {apart.fields[0].asked.replace('_', ' ')}."
        differ = f"Items on which they differ in one answer or more: {len(apart.disputed):,}."
        st.markdown(escape(f"{least} {differ}" + (f" Settled: {settled:,}." if settled else "")))
        if apart.unsettled:
            rows = [found.ratings.items.get(place) for place in apart.unsettled]
            name, key = f"What curators differ on: {look.about}", f"{KEY}settle"
            also = {"of": KINDS[look.kind]}
            st.caption(
                as_queue.offer(
                    rows, len(rows), ADJUDICATION, name, key, look.corpus, verb="Settle", also=also
                )
            )


def _two(found: CuratorAgreement, links: Links, curator: str | None) -> None:
    """A dot per item of two curators, and the labels of one against the other's; which two, where there are
    more."""
    pairs = found.ratings.pairs()
    names = found.ratings.people
    a, b = pairs[0]
    if len(pairs) > 1:
        said = {f"{i}": f"{names[a]}, {names[b]}" for i, (a, b) in enumerate(pairs)}
        at = st.selectbox(
            "Two curators",
            list(said),
            format_func=lambda one: visible(said[one]),
            key=f"{KEY}two",
            bind="query-params",
        )
        a, b = pairs[int(at or 0)]
    show_table(found.of_two(a, b, curator), KEY, links)
    table = found.labels_of(a, b)
    if table is not None:
        show_table(table, KEY, links)


def _links(look: Look, found: CuratorAgreement) -> Links:
    """Pairs or concepts, to be reviewed."""

    def review_items(items: Sequence[Item]) -> list[int | None]:
        wanted = [(item.doc_id, item.id) for item in items]
        return curators.review_items(look.ws, found.ratings, wanted, state.curator())

    paired = look.kind == "pairs"
    return Links(
        review_items,
        {} if paired else found.ratings.names,
        PAIR_REVIEW if paired else REVIEW,
        "pair" if paired else "concept",
        corpus=look.corpus,
        about=look.about,
    )
