"""What others have printed of a family: a box that shows it, and switches its lines in the charts on."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.charts import Table
from core.evaluate.tables.published import TITLE, beside, printed, published
from pages.widgets.metrics.tables import show_table


def switch(family: str, key: str) -> Callable[[Table], Table]:
    """Draws the box; the answer adds the lines that a reader has asked for to a table. Off at first.

    Args:
        key: prefix of the widgets' keys, one of `state.py`'s.
    """
    known = {row.name: row for row in printed(family)}
    if not known:
        return lambda table: table
    with st.popover(TITLE, key=f"{key}others", on_change="rerun") as opened:
        chosen = st.pills(
            "Dashed lines in the charts",
            list(known),
            selection_mode="multi",
            key=f"{key}published",
            bind="query-params",
        )
        if opened.open:
            for table in published(family):
                show_table(table, f"{key}others_", level=0)
    return lambda table: beside(table, family, [known[name] for name in chosen])
