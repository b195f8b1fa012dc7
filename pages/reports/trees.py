"""Label trees: where gold, proposals and errors lie on them, what they give for free, how they are made."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state
from pages.widgets.switch import one_of

VIEWS = {
    "labels": "Where labels lie",
    "around": "Around a concept",
    "compare": "Compare",
    "make": "Build or import",
}

st.title("Trees")
with st.skeleton(height=320):  # what computes takes seconds to load, the first time
    from pages.widgets.trees import around, compare, icicle, make

with state.workspace() as workspace:
    view = one_of("View", VIEWS, f"{state.TREES}view", named=False)
    make.watch(workspace)
    if view == "make":
        make.show(workspace)
    elif view == "compare":
        compare.show(workspace)
    elif view == "around":
        around.show(workspace)
    else:
        icicle.show(workspace)
