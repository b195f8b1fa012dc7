"""The review component for concept labels: its JavaScript and CSS, read once, and its place on the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent
CORE = ("dom", "codepoints", "outbox", "lives", "keys", "line", "exchange", "desk")
"""What every kind of item shares. A view of another kind follows it in place of `VIEW`."""
VIEW = ("words", "passage", "card", "panel", "dialogs", "view", "page")
MOUNT = "export default (component) => mountDesk(component, () => new ConceptView())\n"


def script() -> str:
    """The component's one module: the parts in order, then what Streamlit calls."""
    parts = [HERE / f"{name}.js" for name in CORE] + [HERE / "concept" / f"{name}.js" for name in VIEW]
    return "\n".join([*(part.read_text("utf-8") for part in parts), MOUNT])


_desk = st.components.v2.component(
    "touchstone_concept_desk", js=script(), css=(HERE / "desk.css").read_text("utf-8")
)


def show(key: str, data: dict[str, Any], on_message: Callable[[], None]) -> None:
    """Mount the desk. `data`: workspace, curator, session, reply (see `core.review.serve`). `on_message` is
    called as soon as a message has come, even where it came with a change to another page."""
    _desk(key=key, data=data, on_message_change=on_message)


def message(key: str) -> Any:
    """What the desk sent last, or None."""
    return st.session_state.get(key, {}).get("message")
