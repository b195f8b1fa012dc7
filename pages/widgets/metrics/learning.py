"""The learning curve on the metrics page: what more review brings. It is measured in a thread of its own."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core.errors import TouchstoneError
from core.store import ontologies, open_workspace
from pages.widgets.metrics.choice import KEY, Look
from pages.widgets.metrics.tables import show_table
from pages.widgets.plain import escape

EVERY = 1.0
"""Seconds between two looks at how far it has come."""


@dataclass
class Work:
    """A curve that is being measured, or was."""

    path: str
    asked: dict[str, Any]
    done: float = 0.0
    curve: Any = None
    problem: str | None = None
    thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._measure, name="touchstone-curve", daemon=True)
        self.thread.start()

    def _measure(self) -> None:
        from core.pipeline.learn import curve

        def tell(done: int, total: int) -> None:
            self.done = done / total

        try:
            with open_workspace(self.path, create=False) as ws:
                self.curve = curve(ws, **self.asked, progress=tell)
        except TouchstoneError as error:
            self.problem = str(error)
        except Exception as error:
            self.problem = f"The curve could not be measured: {error!r}."


def show(look: Look) -> None:
    """What was measured for this gold at this revision, else a button that begins it."""
    if look.ontology is None:
        st.info("The labels of this run came without an ontology, so no dictionary can learn.", icon="ℹ️")
        return
    ontology = ontologies.ontology_by_id(look.ws, look.ontology).reference
    asked = {"gold": look.gold, "corpus": look.corpus, "ontology": ontology, "root": look.labelled or None}
    key = look.ws.key()
    place = (str(look.ws.path), key.uuid, key.restore_nonce, key.revision, *map(str, asked.values()))
    st.markdown(
        "How well the dictionary annotator finds the concepts of documents that it has not learned from,"
        " against what it has learned from. The run plays no part in it: only this gold does."
    )
    begun = st.session_state.setdefault(KEY + "curves", set())
    if place not in begun:
        if not st.button("Measure the learning curve", type="primary", key=f"{KEY}curve"):
            st.caption("It takes a minute or a few; the page can be used meanwhile.")
            return
        begun.add(place)
        st.rerun()
    _follow(place, asked)


@st.cache_resource(max_entries=8, show_spinner=False)
def _work(place: tuple[Any, ...], _asked: dict[str, Any]) -> Work:
    return Work(place[0], _asked)


def _follow(place: tuple[Any, ...], asked: dict[str, Any]) -> None:
    work = _work(place, asked)

    def drawn() -> None:
        if work.problem:
            st.error(escape(work.problem))
        elif work.curve is None:
            st.progress(work.done, "Measuring on documents that are held out")
        elif waiting:
            st.rerun()

    waiting = work.curve is None and work.problem is None
    if waiting or work.problem:
        st.fragment(drawn, run_every=EVERY if waiting else None)()
        return
    _tables(work.curve)


def _tables(curve: Any) -> None:
    from core.evaluate.tables.learning import learning_tables, told

    for sentence in told(curve):
        st.markdown(escape(sentence))
    for table in learning_tables(curve):
        show_table(table, f"{KEY}learning_", narrow=True)
