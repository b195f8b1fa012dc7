"""One of a few: the switch between views, sides and averages. What is chosen stands in the address."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st


def one_of(
    label: str, titles: Mapping[str, str], key: str, *, named: bool = True, preset: bool = True
) -> str:
    """The chosen name; the first of `titles` at first.

    Args:
        titles: name -> what it is called on the switch and in the address.
        named: whether the label is shown; screen readers always hear it.
        preset: False where the session's state holds the first choice, because buttons set it, too.
    """
    return st.segmented_control(
        label,
        list(titles),
        format_func=titles.__getitem__,
        default=next(iter(titles)) if preset else None,
        key=key,
        bind="query-params",
        required=True,
        label_visibility="visible" if named else "collapsed",
    )
