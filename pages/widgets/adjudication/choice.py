"""What an adjudicator looks at: a corpus, a kind of item, and how far its items are settled."""

from __future__ import annotations

import streamlit as st

from core import review
from core.records import ItemKind
from core.review.disputes import Disputes, State
from core.text.visible import visible
from pages.widgets import state
from pages.widgets.desk import chosen
from pages.widgets.plain import escape

PAGE = "adjudication"
KINDS = {ItemKind.CONCEPT.value: "Concepts", ItemKind.PAIR.value: "Claim pairs"}
SHOWN = {
    review.Show.UNDECIDED.value: "Not ruled yet",
    review.Show.DECIDED.value: "Ruled by me",
    review.Show.ALL.value: "All on which curators differ",
}
BADGES = {
    State.DISAGREE: ("red", "⚠️", "disagree"),
    State.INCOMPLETE: ("violet", "✏️", "answered by one so far"),
    State.AGREED: ("orange", "☑️", "agreed"),
    State.ACCEPTED: ("green", "✔️", "ruled: stands"),
    State.REJECTED: ("blue", "✖️", "ruled: does not stand"),
}
"""State -> colour, icon and words."""


def choose(ws: state.Workspace, corpora: list[str]) -> review.AdjudicationFilters:
    """The filters, each kept in the address."""
    corpus = chosen.choose(PAGE, "corpus", "Corpus", {name: name for name in corpora})
    here = [run for run in state.all_runs(ws) if run.corpus == corpus]
    paired = bool(here) and all(run.proposes == ItemKind.PAIR for run in here)
    kinds = dict(reversed(KINDS.items())) if paired else KINDS
    of = chosen.choose(PAGE, "of", "Items", kinds)
    show = chosen.choose(PAGE, "show", "Show", SHOWN)
    return review.AdjudicationFilters(corpus, of, review.Show(show), listed=chosen.listed(PAGE))


def found(ws: state.Workspace, given: review.AdjudicationFilters) -> Disputes:
    """The very object that the desk walks: worked out once for both."""
    return review.disputes_of(ws, given.corpus, given.of)


def tell(ws: state.Workspace, given: review.AdjudicationFilters) -> None:
    """How many items are in which state, each with colour, icon and words."""
    counts = found(ws, given).counts
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"{escape(visible(given.corpus))}, {KINDS[given.of].lower()}", width="content")
        for one, (colour, icon, words) in BADGES.items():
            if counts[one]:
                st.badge(f"{counts[one]:,} {words}", icon=icon, color=colour, width="content")
