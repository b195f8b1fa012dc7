"""A review component: one module made of the core's scripts and a view's, and its place on a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent
CORE = (
    *("dom", "codepoints", "outbox", "lives", "keys", "line", "exchange", "desk"),
    *("states", "spans", "panels", "view"),
)
"""What every kind of item shares. The scripts of a kind, in its own folder, follow."""


class Component:
    """The desk for one kind of item.

    Args:
        kind: name of the folder with the kind's scripts and, beyond `desk.css`, its styles.
        view: the scripts, in order.
        mounts: name of the class that draws and answers keys.
        words: JavaScript that comes first, such as what the curator is to go by.
    """

    def __init__(self, kind: str, view: tuple[str, ...], mounts: str, words: str = ""):
        self.kind, self.view, self.mounts, self.words = kind, view, mounts, words
        self._mount = st.components.v2.component(
            f"touchstone_{kind}_desk", js=self.script(), css=self.styles()
        )

    def script(self) -> str:
        """The component's one module: the parts in order, then what Streamlit calls."""
        paths = [HERE / f"{name}.js" for name in CORE] + [
            HERE / self.kind / f"{name}.js" for name in self.view
        ]
        mount = f"export default (component) => mountDesk(component, () => new {self.mounts}())\n"
        return "\n".join([self.words, *(path.read_text("utf-8") for path in paths), mount])

    def styles(self) -> str:
        paths = [HERE / "desk.css", *sorted((HERE / self.kind).glob("*.css"))]
        return "\n".join(path.read_text("utf-8") for path in paths)

    def show(self, key: str, data: dict[str, Any], on_message: Callable[[], None]) -> None:
        """Mount the desk. `data`: workspace, curator, session, reply (see `core.review.serve`). `on_message`
        is called as soon as a message has come, even where it came with a change to another page."""
        self._mount(key=key, data=data, on_message_change=on_message)


def message(key: str) -> Any:
    """What the desk of this key sent last, or None."""
    return st.session_state.get(key, {}).get("message")
