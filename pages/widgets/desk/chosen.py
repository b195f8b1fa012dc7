"""Filters of a review page: each kept in the address, so that it survives a reload and can be linked to."""

from __future__ import annotations

import streamlit as st

ANY = "any"
ANSWERS = {"1": "One", "2": "Two", "3": "Three"}


def choose(page: str, name: str, label: str, options: dict[str, str]) -> str:
    """One filter: the value chosen among value -> what is shown."""
    key = f"{page}.{name}"
    if st.session_state.get(key) not in options:
        st.session_state.pop(key, None)
    return str(
        st.selectbox(label, list(options), format_func=options.__getitem__, key=key, bind="query-params")
    )


def named(value: str) -> str | None:
    """A filter's value, None where any will do."""
    return None if value == ANY else value
