"""What pages show when they are opened, without a browser: every element, in order, as it is sent there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

SECONDS = 120
CODE = ("jsContent", "cssContent", "htmlContent")
"""Of a component: what it is made of is code, not a value that a page shows."""
ADDRESSES = {"generalisation": {"generalisation.trained_on": "imported:train@1"}}
"""Stem of a page -> the widgets to set, where a bare page only asks for something."""


def screens(checkout: Path, workspace: Path, curator: str) -> dict[str, Any]:
    """Page -> its screens: bare, as a curator, and each of its views."""
    os.environ["TOUCHSTONE_WORKSPACE"] = str(workspace)
    files = sorted(p for p in (checkout / "pages").glob("*/*.py") if p.parent.name != "widgets")
    found = {}
    for file in files:
        page = file.relative_to(checkout).as_posix()
        found[page] = {"nobody": _shown(_open(checkout, page, None, {}))}
        chosen = _open(checkout, page, curator, ADDRESSES.get(file.stem, {}))
        found[page][curator] = _shown(chosen)
        found[page] |= _views(chosen, file.stem)
    return found


def _open(checkout: Path, page: str, curator: str | None, widgets: dict[str, str]) -> Any:
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_file(str(checkout / "app.py"), default_timeout=SECONDS)
    if curator:
        app.session_state["frame.curator"] = curator
    stem = Path(page).stem
    app.session_state[f"{stem}.desk"] = {"message": {"desk": "d", "want": 3}}
    app.run().switch_page(page)
    app.run()
    for key, value in widgets.items():
        app.session_state[key] = value
    return app.run()


def _views(app: Any, stem: str) -> dict[str, Any]:
    """The screen of each choice of the page's main switch."""
    key = f"{stem}.view"
    names = [o.content for group in app.button_group if group.key == key for o in group.proto.options]
    return {name: _shown(app.button_group(key=key).set_value(name).run()) for name in names}


def _shown(app: Any) -> dict[str, Any]:
    return {"main": _block(app.main), "side": _block(app.sidebar)}


def _block(block: Any) -> list[Any]:
    return [_element(block.children[place]) for place in sorted(block.children)]


def _element(node: Any) -> Any:
    from google.protobuf.json_format import MessageToDict

    proto = getattr(node, "proto", None)
    held = MessageToDict(proto) if proto is not None else {}
    for name in CODE:
        held.pop(name, None)
    for name in ("spec", "json"):  # of a chart, of a component
        if name in held:
            held[name] = json.loads(held[name])
    if node.type in ("dataframe", "arrow_data_frame"):
        held.pop("arrowData", None)
        held["rows"] = [[str(cell) for cell in row] for row in node.value.itertuples()]
        held["heads"] = list(map(str, node.value.columns))
    found = {"type": node.type, **held}
    return found | ({"children": _block(node)} if hasattr(node, "children") else {})
