"""Text from outside, made fit for Streamlit: `escape` for calls that read markdown (labels, messages,
captions), and the calls that show text as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from core.text.visible import visible

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
