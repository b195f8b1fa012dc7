"""A reader of a page without a browser: opens it, clicks what it shows, and reads what it says."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from streamlit.testing.v1 import AppTest

from tests.patience import SECONDS

APP = Path(__file__).parents[2] / "app.py"
Cell = tuple[int, str]


def open_page(page: str, *, curator: str | None = None, **address: str) -> AppTest:
    """Args: page: its file. address: query parameters; `__` stands for the dot in `metrics.view`."""
    app = AppTest.from_file(str(APP), default_timeout=SECONDS)
    if curator:
        app.session_state["frame.curator"] = curator
    app.run().switch_page(page)
    for name, value in address.items():
        app.query_params[name.replace("__", ".")] = value
    return checked(app.run())


def checked(page: AppTest) -> AppTest:
    assert not page.exception, page.exception
    return page


def select(page: AppTest, key: str, *, cells: Iterable[Cell] = (), rows: Iterable[int] = ()) -> AppTest:
    """Click cells or rows of a table."""
    page.session_state[key] = {"selection": {"rows": list(rows), "columns": [], "cells": list(cells)}}
    return checked(page.run())


def click(page: AppTest, key: str, place: tuple[int, int]) -> AppTest:
    """Click the bar or point of a chart that was drawn from this cell of its table."""
    page.session_state[key] = {"selection": {"points": [{"customdata": [*place, "x"]}]}}
    return checked(page.run())


def choose(page: AppTest, **values: object) -> AppTest:
    """Set widgets; `__` as in `open_page`."""
    for name, value in values.items():
        page.session_state[name.replace("__", ".")] = value
    return checked(page.run())


def tables(page: AppTest) -> list[list[dict[str, Any]]]:
    return [frame.value.to_dict("records") for frame in page.dataframe]


def table(page: AppTest, key: str) -> list[dict[str, Any]]:
    (found,) = [frame for frame in page.dataframe if frame.key == key]
    rows: list[dict[str, Any]] = found.value.to_dict("records")
    return rows


def links(page: AppTest) -> list[str]:
    """Where the links of a page lead, but for those that open a list as a queue, or draw an audit set."""
    of_lists = ("Review", "Settle", "Audit")
    return [link.proto.query_string for link in page.get("page_link") if not _is_queue(link, *of_lists)]


class Queue(NamedTuple):
    label: str
    page: str
    """Name of the review page."""
    items: list[int]
    name: str
    corpus: str
    back: str


def queues(page: AppTest, verb: str = "Review") -> list[Queue]:
    """The lists of a page that can be reviewed, or settled, each from its link."""
    return [_queue(link) for link in page.get("page_link") if _is_queue(link, verb)]


def _is_queue(link: Any, *verbs: str) -> bool:
    return str(link.proto.label).startswith(tuple(f"{verb} th" for verb in verbs or ("Review", "Settle")))


def _queue(link: Any) -> Queue:
    given = dict(parse_qsl(link.proto.query_string))
    (held,) = [name for name in given if name.endswith((".items", ".passages"))]
    page = held.partition(".")[0]
    said = (given.get(f"{page}.{name}", "") for name in ("list", "corpus", "back"))
    return Queue(link.proto.label, page, [int(item) for item in given[held].split(".")], *said)
