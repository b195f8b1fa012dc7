"""A review page: filters above, the desk below. All deciding happens in the desk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import review
from pages.widgets import confidential, state, take_away
from pages.widgets.desk import chosen, older, preview
from pages.widgets.desk.chosen import ANSWERS, ANY
from pages.widgets.desk.component import Component
from pages.widgets.plain import escape

AnyFilters = review.Filters | review.PairFilters


@dataclass(frozen=True)
class Choice:
    """One filter of a page."""

    label: str
    options: Mapping[str, str]
    """Value -> what is shown; the first one is `ANY`."""
    field: str
    """Of the filters of a queue."""
    of: Callable[[str], Any] = str
    """The value of that field."""
    said: Callable[[str], str] = lambda value: value.replace("_", " ")
    """How a chosen value is told above the desk."""


@dataclass(frozen=True)
class ReviewPage:
    """What differs between review pages."""

    name: str
    title: str
    empty: str
    """What to do where there is nothing to review."""
    filters: type[AnyFilters]
    choices: Callable[[state.Workspace, str], dict[str, Choice]]
    """Workspace and corpus -> name -> filter, in the order in which they are told."""
    places: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    """Names on the left, on the right and below; `show`, `answers`, `overlap`, `repeats` and `document` are
    among them."""
    document: str
    """What a document is called."""
    shown: Mapping[str, str]
    answers: str
    """Label of how many curators each item should have."""
    orders: Mapping[str, str]
    order: Callable[[str], Any]
    caption: str
    desk: Component
    desk_key: str
    session_key: str
    tell: Callable[[state.Workspace, str], None] = lambda workspace, page: None
    """Says above the desk of the queue what else there is."""

    def run(self) -> None:
        """Draw the page."""
        with state.workspace() as workspace:
            runs = state.review_runs(workspace, self.filters.kind)
            if not runs:
                st.title(self.title)
                st.info(self.empty)
                return
            corpora = list(dict.fromkeys(run.corpus for run in runs))
            if state.nobody():  # certain: until the browser has answered the desk stays, with all it holds
                st.title(self.title, anchor=False)
                asked = st.query_params.get(f"{self.name}.corpus")
                corpus = asked if asked in corpora else corpora[0]
                preview.show(workspace, self.name, self.filters(corpus=corpus))
            else:
                self._review(workspace, corpora)

    def _review(self, workspace: state.Workspace, corpora: list[str]) -> None:
        chosen.take_up(self.name)
        head = st.container(gap="xxsmall")
        with head:
            with st.container(
                horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
            ):
                st.title(self.title, anchor=False, width="content")
                with st.popover("Filter and order"):
                    given, summary = self._choose(workspace, corpora, head)
            st.caption(f"List: {escape(given.listed.name)}" if given.listed else summary)
            if given.listed is not None:
                with st.container(horizontal=True, vertical_alignment="center"):
                    chosen.leave_list(self.name)
        confidential.note(workspace, given.corpus)
        if given.listed is not None:
            take_away.note_choice("list", given.listed.name)
        take_away.part(self._decide)(given)

    def _decide(self, given: AnyFilters) -> None:
        """The desk, and what its decisions change. A message of the desk runs this again, not the filters."""
        with state.workspace() as workspace:
            if given.listed is None:
                self.tell(workspace, self.name)
                older.tell(workspace, self.name, given.kind)
            self.desk.serve(workspace, given, key=self.desk_key, session=self.session_key)

    def _choose(
        self, workspace: state.Workspace, corpora: list[str], tell: DeltaGenerator
    ) -> tuple[AnyFilters, str]:
        """The filters, and what of them is told."""

        def choose(name: str, label: str, options: Mapping[str, str]) -> str:
            return chosen.choose(self.name, name, label, dict(options))

        corpus = choose("corpus", "Corpus", {name: name for name in corpora})
        of_corpus = [r.id for r in state.review_runs(workspace, self.filters.kind) if r.corpus == corpus]
        run = choose("run", "Run", {ANY: "All runs", **{name: name for name in of_corpus}})
        choices = self.choices(workspace, corpus)
        values: dict[str, str] = {}
        passage: int | None = None
        overlap, repeats, seed = 0.0, 0.0, review.SEED
        for place, names in zip((*st.columns(2), nullcontext()), self.places, strict=True):
            with place:
                for name in names:
                    if name == "document":
                        passage = chosen.document(self.name, workspace, corpus, self.document, tell)
                    elif name == "show":
                        values[name] = choose(name, "Show", self.shown)
                    elif name == "answers":
                        values[name] = choose(name, self.answers, ANSWERS)
                    elif name == "overlap":
                        overlap, seed = chosen.overlap(self.name)
                    elif name == "repeats":
                        repeats = chosen.repeats(self.name)
                    else:
                        values[name] = choose(name, choices[name].label, choices[name].options)
        order = choose("order", "Order", self.orders)
        st.caption(self.caption)
        narrowed = {name: row for name, row in choices.items() if values[name] != ANY}
        parts = [corpus, run if run != ANY else "all runs", self.orders[order].lower()]
        parts += [row.said(values[name]) for name, row in narrowed.items()]
        if passage is not None:
            parts.append(str(st.session_state[f"{self.name}.document"]).strip())
        if values["show"] != review.Show.UNDECIDED:
            parts.append(self.shown[values["show"]].lower())
        if values["answers"] != "1":
            parts.append(f"{ANSWERS[values['answers']].lower()} curators each")
        parts += chosen.told(overlap, repeats, seed)
        given = self.filters(
            corpus=corpus,
            run=chosen.named(run),
            passage=passage,
            show=review.Show(values["show"]),
            order=self.order(order),
            answers=int(values["answers"]),
            overlap=overlap,
            repeats=repeats,
            seed=seed,
            listed=chosen.listed(self.name),
            **{row.field: row.of(values[name]) for name, row in narrowed.items()},
        )
        return given, escape(", ".join(parts))
