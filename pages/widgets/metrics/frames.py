"""The whole run, from few decisions: its frames, what each says, and what to decide next."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from core.errors import TouchstoneError
from core.evaluate.estimated import estimated
from core.review.frames import PAIR_STRATA, STRATA, Wanted, next_units, open_frame
from core.store.frames import Frame, list_frames
from core.store.runs import Run
from pages.widgets import as_queue, state
from pages.widgets.item_list import REVIEW
from pages.widgets.metrics.tables import show_table
from pages.widgets.plain import escape

TITLE = "Whole run"
"""Of this view, on the page and in its address."""
AT_ONCE = 100
"""Units that one link leads to."""


class About(NamedTuple):
    """What differs between runs of concepts and of claim pairs."""

    key: str
    """Prefix of the widgets' keys."""
    review: str
    """File of the review page."""
    units: dict[str, str]
    """Unit -> what it is called."""
    draws: dict[str, str]
    """Policy, or what the strata are -> what it is called."""
    rooted: bool
    """Whether a frame may be limited to what lies below a concept."""


def _strata(names: tuple[str, ...]) -> dict[str, str]:
    return {name: f"By {name}: units of large strata oftener" for name in names}


ANY_KIND = {"random": "At random", "active": "Unsure ones oftener"}
CONCEPTS = About(
    state.METRICS,
    REVIEW,
    {"item": "Proposals", "passage": "Passages, each as a whole"},
    {**ANY_KIND, **_strata(STRATA), "size": "Passages with much proposed oftener"},
    rooted=True,
)
PAIRS = About(
    state.CONFLICT_METRICS,
    "pages/review/conflict_labels.py",
    {"item": "Claim pairs"},
    {**ANY_KIND, **_strata(PAIR_STRATA)},
    rooted=False,
)


def without_gold(ws: state.Workspace, run: Run, about: About) -> None:
    """All that can be said of a run before there is gold. The first answers make some: whoever comes back
    then finds this view."""
    st.query_params[f"{about.key}view"] = TITLE
    st.header(TITLE)
    show(ws, run.id, run.corpus, about)


def show(ws: state.Workspace, run: str, corpus: str, about: About) -> None:
    st.caption(
        "The other views describe what is decided. This one says what all that the run proposed is worth: it "
        "is drawn in a random order, you decide from the front, and may stop anywhere."
    )
    found = state.read(ws, list_frames, run)
    for frame in found:
        _one(ws, frame, corpus, about)
    with st.expander("Open another frame" if found else "Open a frame", expanded=not found):
        _open(ws, run, about)


def _one(ws: state.Workspace, frame: Frame, corpus: str, about: About) -> None:
    figures = state.read(ws, estimated, frame.name)
    (table,) = figures.tables()
    show_table(table, f"{about.key}frame_{frame.name}_")
    units = state.read(ws, next_units, frame.name, AT_ONCE)
    with st.container(horizontal=True, vertical_alignment="center"):
        done = f"{figures.counted + figures.waiting:,} of {frame.size:,}"
        said = f"{done} are decided."
        if units:
            rows = [unit.item_id or unit.passage_id for unit in units]
            name, of = f"Frame {frame.name}", "items" if frame.unit == "item" else "passages"
            as_queue.offer(rows, len(rows), about.review, name, about.key, corpus, of=of)
        if root := frame.scope.get("root"):
            said += f" Only {root} and below."
        st.caption(escape(said))


def _open(ws: state.Workspace, run: str, about: About) -> None:
    with st.form(f"{about.key}frame", border=False):
        name = st.text_input("Name", key=f"{about.key}frame_name", placeholder="pilot", width=240)
        unit = st.radio(
            "What is drawn",
            list(about.units),
            format_func=about.units.__getitem__,
            key=f"{about.key}frame_unit",
            horizontal=True,
        )
        drawn = st.selectbox(
            "How it is drawn",
            list(about.draws),
            format_func=about.draws.__getitem__,
            key=f"{about.key}frame_draw",
            width=360,
        )
        root = ""
        if about.rooted:
            root = st.text_input(
                "Only at and below this concept",
                key=f"{about.key}frame_root",
                placeholder="all",
                width=240,
                help="By the ontology of the run. Of passages, only such concepts can be missing.",
            ).strip()
        seed = st.text_input(
            "Seed: the same one draws the same", "13", key=f"{about.key}frame_seed", width=240
        )
        by = drawn if drawn in (*STRATA, *PAIR_STRATA) else None
        policy = "strata" if by else drawn
        if st.form_submit_button("Open the frame", type="primary", disabled=ws.read_only):
            wanted = Wanted(run, name.strip(), unit, policy, seed, root=root or None, by=by)
            try:
                open_frame(ws, wanted)
            except TouchstoneError as error:
                st.error(escape(str(error)))
            else:
                st.rerun()
