"""A new run."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state


def show(ws: state.Workspace) -> None:
    st.info("Soon.")
