"""What can be taken away from a page: a report of all that it shows, and its address.

While a page runs, each table and headline value that it shows is noted; what is shown is what is saved.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, ParamSpec

import streamlit as st

from core.store import open_workspace
from pages.widgets import state

if TYPE_CHECKING:  # what draws is loaded by the pages that draw
    from core.charts import Table
    from core.evaluate.report.page import Headline

HERE = Path(__file__).parent
P = ParamSpec("P")


class Items(NamedTuple):
    """Labels that a desk has before it."""

    workspace: Path
    kind: str
    """Of the desk, as in `core.review.views.VIEWS`."""
    ids: tuple[int, ...]
    """Of a list, or the one on the screen."""
    whole: bool
    """Whether these are all; else the curator's last decisions belong to them."""
    curator: str


@dataclass
class Shown:
    """By key, so that a part of the page that runs again takes its own place."""

    about: dict[str, str] = field(default_factory=dict)
    headlines: dict[str, Headline] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    items: Items | None = None
    whole: Callable[[], str] | None = None
    """Makes the report of a page that has one of its own."""


_SHOWN: ContextVar[Shown | None] = ContextVar("shown", default=None)
_link = st.components.v2.component("touchstone_link", js=(HERE / "link.js").read_text("utf-8"))


def begin() -> None:
    """A page begins: nothing is shown yet."""
    _SHOWN.set(Shown())


def _shown() -> Shown:
    """Of the page that runs; where none does, what is noted is dropped."""
    return _SHOWN.get() or Shown()


def part(draw: Callable[P, None]) -> Callable[P, None]:
    """Draws a part of the page that runs again by itself; what it notes then is of this page, too."""
    shown = _shown()

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> None:
        _SHOWN.set(shown)
        draw(*args, **kwargs)

    return st.fragment(drawn)


def note_choice(name: str, value: str) -> None:
    """What the page was asked for, such as the run."""
    _shown().about[name] = value


def note_table(key: str, table: Table) -> None:
    _shown().tables[key] = table


def note_value(key: str, headline: Headline) -> None:
    _shown().headlines[key] = headline


def note_text(title: str, text: str) -> None:
    """A text by itself, which is saved as it is."""
    _shown().texts[title] = text


def note_items(items: Items) -> None:
    """The labels that a desk has before it."""
    _shown().items = items


def note_whole(report: Callable[[], str]) -> None:
    """The page has a report of its own."""
    _shown().whole = report


def offer(title: str) -> None:
    """In the sidebar: the report of what has been shown since `begin`, and the address to send to others."""
    shown = _shown()
    with st.sidebar, st.container(horizontal=True, vertical_alignment="center"):
        if shown.whole or shown.tables or shown.headlines or shown.texts or shown.items:
            st.download_button(
                "Save as report",
                lambda: _report(title, shown),
                f"{title.lower().replace(' ', '-')}.html",
                "text/html",
                key=state.REPORT,
                on_click="ignore",
                type="tertiary",
                help="One HTML file with all that this page shows. It opens without a server.",
            )
        _link(key=state.LINK)


def _report(title: str, shown: Shown) -> str:
    if shown.whole:
        return shown.whole()
    from core.evaluate.report.page import page_html

    tables = list(shown.tables.values())
    if shown.items:
        tables.append(_items(shown.items))
    return page_html(title, shown.about, list(shown.headlines.values()), tables, shown.texts)


def _items(of: Items) -> Table:
    from core.evaluate.report.items import items_table
    from core.review import labels_of, last_decided

    with open_workspace(of.workspace, create=False) as workspace:  # the page's is closed by now
        ids = [*of.ids, *([] if of.whole else last_decided(workspace, of.kind, of.curator))]
        return items_table(workspace, list(labels_of(workspace, of.kind, ids).values()), of.curator)
