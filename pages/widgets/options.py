"""Boxes whose options files spell otherwise than people do, such as gold references."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitAPIException

from core.evaluate.references import choices
from core.text.visible import visible
from pages.widgets import state

ROOT = Path(__file__).parents[2]
PAGES = {path.stem: path.relative_to(ROOT).as_posix() for path in (ROOT / "pages").glob("*/*.py")}
"""Name before the dot of a key -> file."""


def choose(place: DeltaGenerator, label: str, options: Mapping[str, str], key: str, **how: Any) -> str | None:
    """A box that shows words and gives what they stand for.

    Its address holds the words, as that of every box does. One that holds the spelling of files, as links and
    bookmarks may, is told in words before anything else is done; behind another box it is taken as it is.

    Args:
        place: where it stands.
        options: spelling -> words, each once. From outside: text, never markup.
        key: of the widget, which begins with the name of the page.
    """
    shown = {one: visible(words) for one, words in options.items()}
    asked = st.query_params.get(key)
    if asked in shown and shown[asked] != asked:
        address = {name: st.query_params.get_all(name) for name in st.query_params}
        try:
            st.switch_page(PAGES[key.partition(".")[0]], query_params=address | {key: [shown[asked]]})
        except StreamlitAPIException:  # a box before this one stands in the address: it cannot be told anew
            st.session_state[key] = asked
    chosen = place.selectbox(
        label, list(shown), format_func=shown.__getitem__, key=key, bind="query-params", **how
    )
    return None if chosen is None else str(chosen)


def gold(
    place: DeltaGenerator,
    ws: state.Workspace,
    references: list[str],
    key: str,
    label: str = "Gold",
    also: Mapping[str, str] | None = None,
    **how: Any,
) -> str | None:
    """A box of gold references, in words.

    Args:
        also: further options.
    """
    people = {one.id: one.name for one in state.curators(ws)}
    return choose(place, label, choices(references, people) | dict(also or {}), key, **how)
