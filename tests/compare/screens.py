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
WHOLLY_OPENED = ("agreement",)
"""Stems of pages of which every cell is opened, since no verb prints what they show."""


def screens(checkout: Path, workspace: Path, curator: str) -> dict[str, Any]:
    """Page -> its screens: bare, as a curator, and each of its views, with items that cells open."""
    os.environ["TOUCHSTONE_WORKSPACE"] = str(workspace)
    files = sorted(p for p in (checkout / "pages").glob("*/*.py") if p.parent.name != "widgets")
    found = {}
    for file in files:
        page = file.relative_to(checkout).as_posix()
        found[page] = {"nobody": _shown(_open(checkout, page, None, {}))}
        chosen = _open(checkout, page, curator, ADDRESSES.get(file.stem, {}))
        found[page][curator] = _shown(chosen)
        found[page] |= _views(chosen, file.stem) or {"opened": _opened(chosen, file.stem)}
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
    found = {}
    for name in names:
        app.button_group(key=key).set_value(name).run()
        found[name] = {**_shown(app), "opened": _opened(app, stem)}
    return found


def _opened(app: Any, stem: str) -> dict[str, Any]:
    """Table -> cell -> the items that a click on it lists: of two cells of each table, or of all."""
    found: dict[str, Any] = {}
    tables = {f.key: f.value for f in app.dataframe if f.key and f.key.endswith("_table")}
    for key, table in tables.items():
        rows, columns = table.shape
        if stem in WHOLLY_OPENED:
            cells = [(row, column) for row in range(rows) for column in range(1, columns)]
        else:
            cells = [(place % rows, place) for place in (1, 2) if rows and place < columns]
        found[key] = {f"{r},{c}": _clicked(app, key, r, table.columns[c]) for r, c in cells}
    return found


def _clicked(app: Any, key: str, row: int, column: str) -> list[list[str]] | None:
    """The rows listed below a table after a click on a cell; None: it opens nothing."""
    chosen = {"rows": [], "columns": [], "cells": [(row, column)]}
    app.session_state[key] = {"selection": chosen}
    app.run()
    listed = [f.value for f in app.dataframe if f.key == f"{key.removesuffix('_table')}_items"]
    app.session_state[key] = {"selection": chosen | {"cells": []}}
    return _rows(listed[0]) if listed else None


def _rows(table: Any) -> list[list[str]]:
    return [[str(cell) for cell in row] for row in table.itertuples()]


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
        held["rows"] = _rows(node.value)
        held["heads"] = list(map(str, node.value.columns))
    found = {"type": node.type, **held}
    return found | ({"children": _block(node)} if hasattr(node, "children") else {})
