"""A text of one's own: its concepts, or how two abstracts seem to disagree. Nothing is stored unasked."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state

st.title("Try your own text", anchor=False)
with st.skeleton(height=320):  # what computes takes a second to load, the first time
    from pages.widgets.start import passage, two_abstracts

with state.workspace() as workspace:
    first, second = st.tabs(["One passage", "Two abstracts"])
    with first:
        passage.show(workspace)
    with second:
        two_abstracts.show()
