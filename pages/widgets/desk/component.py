"""A review component: one module made of the core's scripts and a view's, and its place on a page."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import streamlit as st

from core import review
from core.store.curators import VISITOR
from pages.widgets import scripts, state, take_away
from pages.widgets.desk import preview

HERE = Path(__file__).parent
CORE = (
    *("dom", "codepoints", "outbox", "places", "lives", "keys", "pulse", "line", "lookups"),
    *("departure", "press", "exchange", "desk", "looking", "states", "spans", "passage", "proposal", "fit"),
    *("panels", "tray", "jump", "end", "view", "caret"),
)
"""What every kind of item shares. The scripts of a kind, in its own folder, follow."""


class Component:
    """The desk for one kind of item.

    Args:
        kind: name of the folder with its scripts and, beyond `desk.css`, its styles.
        view: the scripts, in order.
        mounts: name of the class that draws and answers keys.
        words: JavaScript that comes first, such as what the curator is to go by.
        name: by which it is told from others of the same folder.
    """

    def __init__(self, kind: str, view: tuple[str, ...], mounts: str, words: str = "", name: str = ""):
        self.kind, self.view, self.mounts, self.words = kind, view, mounts, words
        self._mount = st.components.v2.component(
            f"touchstone_{name or kind}_desk",
            js=scripts.module(f"{name or kind}_desk", self.script()),
            css=self.styles(),
        )

    def script(self) -> str:
        """The component's one module: the parts in order, then what Streamlit calls."""
        paths = [HERE / f"{name}.js" for name in CORE] + [
            HERE / self.kind / f"{name}.js" for name in self.view
        ]
        mount = f"export default (component) => mountDesk(component, () => new {self.mounts}())\n"
        made_by = f"const MADE_BY = {json.dumps(review.MADE_BY)}"
        return "\n".join([made_by, self.words, *(path.read_text("utf-8") for path in paths), mount])

    def styles(self) -> str:
        paths = [HERE / "desk.css", HERE / "overlay.css", *sorted((HERE / self.kind).glob("*.css"))]
        return "\n".join(path.read_text("utf-8") for path in paths)

    def serve(
        self,
        workspace: state.Workspace,
        given: review.AnyFilters,
        *,
        key: str,
        session: str,
    ) -> None:
        """Answer what the desk of this key sent, by the filters given, and mount it.

        Args:
            session: key of what tells the browser that the server has lost the old session.
        """
        curator, sent = VISITOR if workspace.read_only else state.curator(), _message(key)
        preview.remind(given.kind, sent)
        _note(workspace, given, curator or VISITOR, sent)
        data = {
            "workspace": review.identity(workspace),
            "curator": curator,
            "readOnly": workspace.read_only,
            "corpus": given.corpus,
            "session": st.session_state.setdefault(session, uuid.uuid4().hex),
            "reply": review.serve(workspace, sent, given, curator) if sent and curator else None,
        }
        self._mount(key=key, data=data, on_message_change=lambda: _keep(key))


def _note(workspace: state.Workspace, given: review.AnyFilters, curator: str, sent: Any) -> None:
    """What a report of the desk tells of: its list, or the item on the screen and the last decisions."""
    listed = given.listed.ids if given.listed and given.listed.of == "items" else ()
    current = sent.get("current") if isinstance(sent, dict) else None
    ids = listed or ((current,) if isinstance(current, int) else ())
    take_away.note_items(take_away.Items(workspace.path, given.kind, ids, bool(listed), curator))


def _keep(key: str) -> None:
    """Store what a message brings before anything else, also where it is the last one from its page: called
    as soon as it has come, even where it came with a change to another page."""
    sent, curator = _message(key), state.curator()
    if sent and curator:
        with state.workspace() as workspace:
            review.keep(workspace, sent, curator)


def _message(key: str) -> Any:
    """What the desk of this key sent last, or None."""
    return st.session_state.get(key, {}).get("message")
