"""One question: findings for, against and undecided, what splits them, what people decided."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state
from pages.widgets.explore import brief

with state.workspace() as workspace:
    st.title("Topic brief", anchor=False)
    if asked := brief.ask(workspace):
        brief.show(workspace, *asked)
