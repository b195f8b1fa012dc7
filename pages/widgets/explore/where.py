"""Where concepts occur: numbers, each of which opens its items as a list on their desk."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.charts import Table
from core.review.explore import Count, Occurrences
from core.review.explore.occurs import Of
from pages.widgets import as_queue, take_away
from pages.widgets.plain import escape

CONCEPTS = "pages/review/concept_labels.py"
AUDIT = "pages/audit/false_positives.py"


def show(held: Occurrences, told: Callable[[Count], str], named: str, key: str) -> None:
    """A line for each number, and what is left out.

    Args:
        told: what a number counts, in words behind it. From outside: text, never markup.
        named: what occurs, for the name of a list. From outside.
        key: prefix of the widgets' keys.
    """
    rows = [(told(one), one.corpus, one.number) for one in held.counts]
    take_away.note_table(key, Table("Where it occurs", ("what", "corpus", "labels"), rows, "where"))
    for at, one in enumerate(held.counts):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{one.number:,}** {escape(told(one))}", width="content")
            page = AUDIT if one.of is Of.ERROR else CONCEPTS
            name = f"{named}: {told(one)}"
            said = as_queue.offer(one.items, len(one.items), page, name, f"{key}where{at}", one.corpus)
            if said:
                st.caption(said)
    if held.blind:
        st.caption(
            f"{held.blind:,} left out: you are asked about {'it' if held.blind == 1 else 'them'} blind,"
            " before any machine answer is seen."
        )
    if held.withheld:
        st.caption(
            f"{held.withheld:,} answer{'' if held.withheld == 1 else 's'} not shown: nobody sees another's"
            " answer to a label before giving one."
        )
