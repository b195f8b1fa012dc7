"""The whole run, from few decisions: its frames, what each says, and what to decide next."""

from __future__ import annotations

import streamlit as st

from core.errors import TouchstoneError
from core.evaluate.estimated import estimated
from core.review.frames import Wanted, next_units, open_frame
from core.store.frames import Frame, list_frames
from pages.widgets import as_queue, state
from pages.widgets.item_list import REVIEW
from pages.widgets.metrics.choice import KEY, Look
from pages.widgets.metrics.tables import show_table
from pages.widgets.plain import escape

UNITS = {"item": "Proposals", "passage": "Passages, each as a whole"}
AT_ONCE = 100
"""Units that one link leads to."""


def show(look: Look) -> None:
    st.caption(
        "The other views describe what is decided. This one says what all that the run proposed is worth: it "
        "is drawn in a random order, you decide from the front, and may stop anywhere."
    )
    found = state.read(look.ws, list_frames, look.run)
    for frame in found:
        _one(look, frame)
    with st.expander("Open another frame" if found else "Open a frame", expanded=not found):
        _open(look)


def _one(look: Look, frame: Frame) -> None:
    figures = state.read(look.ws, estimated, frame.name)
    (table,) = figures.tables()
    show_table(table, f"{KEY}frame_{frame.name}_")
    units = state.read(look.ws, next_units, frame.name, AT_ONCE)
    with st.container(horizontal=True, vertical_alignment="center"):
        said = f"{figures.counted + figures.waiting:,} of {frame.size:,} are decided. {figures.reference}"
        if frame.unit == "item" and units:
            rows = [unit.item_id for unit in units]
            as_queue.offer(rows, len(rows), REVIEW, f"Frame {frame.name}", KEY, look.corpus)
        elif units:
            said += f" Next: {', '.join(unit.id for unit in units[:3])}."
        st.caption(escape(said))


def _open(look: Look) -> None:
    with st.form(f"{KEY}frame", border=False):
        name = st.text_input("Name", key=f"{KEY}frame_name", placeholder="pilot", width=240)
        unit = st.radio(
            "What is drawn",
            list(UNITS),
            format_func=UNITS.__getitem__,
            key=f"{KEY}frame_unit",
            horizontal=True,
        )
        seed = st.text_input("Seed: the same one draws the same", "13", key=f"{KEY}frame_seed", width=240)
        if st.form_submit_button("Open the frame", type="primary", disabled=look.ws.read_only):
            try:
                open_frame(look.ws, Wanted(look.run, name.strip(), unit, seed=seed))
            except TouchstoneError as error:
                st.error(escape(str(error)))
            else:
                st.rerun()
