"""The tour of the demonstration: six stops with a sentence each. Its place stands in the address."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from core.store import decisions, documents, pairs, runs
from pages.widgets import charts_ahead, state
from pages.widgets.plain import escape

ROOT = Path(__file__).parents[2]
STOPS = ROOT / "data" / "demo" / "tour.json"
CORPUS, PAIRS = "demo", "demo-pairs"
PLACE = "tour"
"""Query parameter: the number of the stop, from 1."""


class Stop(NamedTuple):
    title: str
    says: str
    page: str
    """Its file."""
    item: int | None
    """What is looked at; None: the page as a whole."""


def stops(ws: state.Workspace) -> list[Stop]:
    """In order; empty in a workspace that is not the demonstration's."""
    return state.read(ws, _stops)


def _stops(ws: state.Workspace) -> list[Stop]:
    if PAIRS not in {run.id for run in runs.list_runs(ws)}:
        return []
    found = []
    for told in _told():
        item = _item(ws, told)
        if item is None and ("abstract" in told or "judged" in told):
            return []
        (page,) = ROOT.glob(f"pages/*/{told['page']}.py")
        found.append(Stop(told["title"], told["says"], str(page.relative_to(ROOT)), item))
    return found


@cache
def _told() -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(STOPS.read_text("utf-8"))
    return found


def _item(ws: state.Workspace, told: dict[str, str]) -> int | None:
    if abstract := told.get("abstract"):
        found = (one for one in pairs.pairs(ws, PAIRS) if abstract in (one.a.article_uid, one.b.article_uid))
        return next((one.item_id for one in found), None)
    if "judged" not in told:
        return None
    passage = documents.passage_of(ws, CORPUS, told["passage"])
    return None if passage is None else decisions.find_item(ws.db, passage, told["judged"])


def begin(ws: state.Workspace) -> None:
    """The way to the first stop, where there is a tour."""
    found = stops(ws)
    if found:
        st.page_link(found[0].page, label="**Take the tour**", icon="➡️", query_params=_address(found, 1))
        st.caption(f"{len(found)} stops: a label, a wrong one, an implied one, a conflict, errors, numbers.")


def show() -> None:
    """Above the page: where the tour is, its sentence, and the way on. Nothing while nobody is on a tour."""
    asked = st.query_params.get(PLACE, "")
    if not asked.isdecimal() or len(asked) > 2:
        return
    with state.workspace() as ws:
        found = stops(ws)
    at = int(asked)
    if not 1 <= at <= len(found):
        return
    stop = found[at - 1]
    with st.container(border=True):
        st.markdown(f"**{at} of {len(found)}: {escape(stop.title)}.** {escape(stop.says)}")
        with st.container(horizontal=True):
            if at > 1:
                _go("Back", "Ctrl+Left", found, at - 1)
            if at < len(found):
                _go("Next", "Ctrl+Right", found, at + 1)
            if st.button("End the tour", key=f"{state.TOUR}end", type="tertiary"):
                st.switch_page("pages/start/start.py")
    charts_ahead.load()


def _go(label: str, key: str, found: list[Stop], to: int) -> None:
    kind: Any = "primary" if label == "Next" else "secondary"
    if st.button(label, shortcut=key, key=f"{state.TOUR}{label}", type=kind):
        st.switch_page(found[to - 1].page, query_params=_address(found, to))


def _address(found: list[Stop], at: int) -> dict[str, str]:
    item = found[at - 1].item
    return {PLACE: str(at)} | ({"item": str(item)} if item is not None else {})
