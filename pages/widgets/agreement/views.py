"""Agreement of curators: all together, every two, each, and what one says against what another says."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.evaluate import CuratorAgreement, curators
from core.evaluate.families.result import Item
from core.text.visible import visible
from pages.widgets import state
from pages.widgets.agreement.choice import KEY, Look
from pages.widgets.item_list import REVIEW, Links
from pages.widgets.metrics.family import show_cards, show_notes
from pages.widgets.metrics.tables import show_table
from pages.widgets.plain import escape

PAIR_REVIEW = "pages/review/conflict_labels.py"
BLIND = (
    "Lists hold only items that you have settled yourself: what others say of an item stays unseen until you "
    "have answered it."
)


def show(look: Look) -> None:
    found = look.result()
    if found.result.absent is not None:
        st.info(escape(found.result.absent), icon="ℹ️")
        return
    curator = state.curator()
    if curator is not None:
        st.caption(BLIND)
    found, links = found.seen_by(curator), _links(look, found)
    show_notes(found.result.caveats)
    show_cards(found.result, KEY, links, beneath=found.words)
    for table in found.overview:
        show_table(table, KEY, links)
    _two(found, links)


def _two(found: CuratorAgreement, links: Links) -> None:
    """The labels of one curator against another's; which two, where there are more."""
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
        about=f"agreement on {look.corpus}",
    )
