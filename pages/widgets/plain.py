"""Text from outside, made fit for Streamlit: `escape` for calls that read markdown (labels, messages,
captions), and the calls that show text as it is."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from core.text.visible import visible

DASH = "–"
"""An undefined value."""

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&^=@/])")
_ADDRESS = re.compile(r"(?i)(?:https?|ftp|mailto|xmpp)(?=:)|www(?=\.)|(?<=\w)(?=@)")
_BREAKS = re.compile(r"[\t\r\n]+")


def escape(text: str) -> str:
    """The same text with nothing left that markdown, HTML, LaTeX, emoji or colour directives could act on.

    Line breaks become one space, hidden characters are written out. An invisible word joiner keeps addresses
    from becoming links, which no escape does.
    """
    joined = _ADDRESS.sub("\\g<0>\u2060", visible(_BREAKS.sub(" ", text)))
    return _SPECIAL.sub(r"\\\1", joined)


def text(said: object, **options: Any) -> None:
    """`st.text` of something from outside."""
    st.text(visible(str(said)), **options)


def code(said: str, **options: Any) -> None:
    """`st.code` of something from outside."""
    st.code(visible(said), **options)


def dataframe(rows: Iterable[Mapping[str, Any]], **options: Any) -> Any:
    """`st.dataframe` of rows with cells from outside."""
    return st.dataframe(
        [{k: visible(v) if isinstance(v, str) else v for k, v in row.items()} for row in rows],
        **options,
    )


def table(rows: Iterable[Mapping[str, Any]]) -> None:
    """`st.table` of rows with cells from outside; it reads markdown."""
    st.table([{k: escape(v) if isinstance(v, str) else v for k, v in row.items()} for row in rows])


class Picked(NamedTuple):
    """Places of rows in what was shown."""

    shown: list[int]
    """The one that was clicked last, anywhere on it, or reached by the arrow keys; none at first."""
    ticked: list[int]
    """By their boxes, or the space bar."""


def choosable(
    rows: Sequence[Mapping[str, Any]],
    key: str,
    columns: Mapping[str, Any],
    *,
    boxes: bool = False,
    of: Hashable = None,
    **options: Any,
) -> Picked:
    """A table of which a click on a row shows that row.

    Args:
        boxes: whether rows can be ticked, too.
        of: what the rows are; where it changes, what was picked of other rows is let go.
    """
    kept = f"{key}.of"
    if st.session_state.setdefault(kept, of) != of:
        st.session_state[kept] = of
        st.session_state[key] = {"selection": {"rows": [], "columns": [], "cells": []}}
    picked = dataframe(
        rows,
        key=key,
        on_select="rerun",
        selection_mode=["single-cell", "multi-row"] if boxes else "single-cell",
        hide_index=True,
        placeholder=DASH,
        column_config=dict(columns),
        **options,
    )["selection"]
    shown, ticked = [at for at, _ in picked["cells"]], sorted(picked["rows"])
    return Picked(*([at for at in found if at < len(rows)] for found in (shown, ticked)))
