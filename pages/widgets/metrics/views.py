"""The views of the metrics page: what each is called, and which families it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from core import charts
from core.evaluate.references import in_words
from core.evaluate.settings import SUBJECTS
from pages.widgets.item_list import of_run
from pages.widgets.metrics import choice, compare, documents, frames, learning, overview
from pages.widgets.metrics.choice import KEY, Look
from pages.widgets.metrics.family import show_family
from pages.widgets.plain import escape
from pages.widgets.switch import one_of

SIDES = {"before": "As proposed", "after": "After review", "both": "Side by side"}


class View(NamedTuple):
    title: str
    families: tuple[str, ...] = ()
    options: Callable[[Look], Look] | None = None
    """Widgets of this view alone."""
    shows: Callable[[Look], None] | None = None
    """What it shows where that is no family."""
    sides: bool = True
    """Whether review changes anything in it."""


def _whole(look: Look) -> None:
    frames.show(look.ws, look.run, look.corpus, frames.CONCEPTS)


VIEWS: dict[str, View] = {
    "overview": View("Overview", shows=overview.show),
    "whole": View(frames.TITLE, shows=_whole, sides=False),
    "documents": View("Documents", shows=documents.show),
    "assertions": View("Assertions", ("assertions",)),
    "matching": View("Near misses", ("relaxed", "bounds"), choice.similar),
    "spans": View("Spans", ("spans",)),
    "thresholds": View("Thresholds", ("thresholds", "auprc"), choice.similar),
    "slices": View("Slices", ("slices",), choice.sliced),
    "errors": View("Errors", ("attribution",)),
    "gold": View("Gold", ("gold_quality",), sides=False),
    "compare": View("Compare runs", shows=compare.show),
    "learning": View("Learning curve", shows=learning.show, sides=False),
}
ELSEWHERE = frozenset(("corpus", "unseen", "mem_syn_con", "names"))
"""The overview, and families of the generalisation page, which also asks what they need."""


def show(look: Look) -> None:
    """The chosen view. Nothing of another one is computed."""
    views = dict(VIEWS)
    placed = {family for view in VIEWS.values() for family in view.families}
    rest = tuple(f for f in SUBJECTS["concepts"].families if f not in placed | ELSEWHERE)
    if rest:
        views["more"] = View("More", rest)
    titles = {name: view.title for name, view in views.items()}
    chosen = views[one_of("View", titles, f"{KEY}view", named=False)]
    if chosen.shows:
        chosen.shows(look)
    else:
        _families(chosen.options(look) if chosen.options else look, chosen)


def _families(look: Look, view: View) -> None:
    result = look.result(*view.families)
    before, after = result.before, result.after if view.sides else None
    side = "before"
    if after:
        side = one_of("Proposals", SIDES, f"{KEY}proposals")
    for family in view.families:
        st.header(charts.family_title(family))
        raw, links = before.families[family], of_run(look.ws, look.run, before)
        if after is None or side == "before":
            later = after.families.get(family) if after else None
            changes = (result.difference or {}).get(family)
            shown = of_run(look.ws, look.run, after) if after else None
            show_family(raw, f"{KEY}before_", links, after=later, later_links=shown, changes=changes)
        elif side == "after":
            show_family(after.families[family], f"{KEY}after_", of_run(look.ws, look.run, after))
        else:
            left, right = st.columns(2, gap="large")
            with left:
                st.caption("As proposed")
                show_family(raw, f"{KEY}before_", links, narrow=True)
            with right:
                st.caption(escape(f"After review: {in_words(result.review or '')}"))
                reviewed = of_run(look.ws, look.run, after)
                show_family(after.families[family], f"{KEY}after_", reviewed, narrow=True)
