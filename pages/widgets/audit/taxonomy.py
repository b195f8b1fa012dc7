"""The taxonomy of errors of an audit set, and of all sets side by side. Every number is a queue."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.evaluate.error_taxonomy import (
    NAMES,
    AuditSet,
    Example,
    Taxonomy,
    error_taxonomy,
    examples,
    side_by_side,
)
from core.evaluate.families.result import Item
from core.evaluate.references import in_words
from core.records import ErrorType
from core.review.audit import audited
from core.store import frames, queue, runs
from core.text.visible import visible
from pages.widgets import confidential, state
from pages.widgets.audit.sets import audit_sets
from pages.widgets.item_list import Links
from pages.widgets.metrics.tables import on_demand, pictures, show_table
from pages.widgets.plain import escape

KEY = state.ERROR_TAXONOMY
DESK = "pages/audit/false_positives.py"
FURTHER = "Where they come from"
BLIND = (
    "Lists hold only items that you have audited yourself: what others say of an item stays unseen until you "
    "have answered it."
)


def show(ws: state.Workspace) -> None:
    sets = state.read(ws, audit_sets)
    if not sets:
        st.info(
            "There is no audit set yet. Draw one on the page *False positives*, or with `touchstone audit"
            " draw`."
        )
        return
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    name = left.selectbox(
        "Audit set",
        [one.name for one in sets],
        index=len(sets) - 1,
        format_func=visible,
        key=f"{KEY}set",
        bind="query-params",
        required=True,
    )
    with right, st.popover("Options", width="stretch"):
        pictures()
    chosen = next(one for one in sets if one.name == name)
    corpus = next((run.corpus for run in state.all_runs(ws) if run.id == chosen.run), "")
    confidential.note(ws, corpus)
    held = state.hold(ws, _read, name)

    def taxonomy(ws: state.Workspace, _name: str) -> tuple[Taxonomy, dict[ErrorType, Example]]:
        return error_taxonomy(held), examples(ws, held.rows)

    found, said = state.hold(ws, taxonomy, name)
    _state(found, name)
    curator = state.curator()
    if curator is not None:
        st.caption(BLIND)
        answered = queue.said_by(ws, curator, list(found.items.values()))
        mine = {one.item_id for one in answered if one.answer}
        found = found.seen_by(mine)
        said = {kind: one for kind, one in said.items() if found.items[one.doc_id, one.concept] in mine}
    links = _links(found, corpus, f"{chosen.run} against {in_words(chosen.scope['gold'])}")
    types, *further = found.tables
    show_table(types, KEY, links)
    _examples(said)
    if further:
        with on_demand(f"{KEY}all", *(f"{KEY}{one.name}" for one in further), title=FURTHER) as is_open:
            for table in further if is_open else ():
                show_table(table, KEY, links)
    if len(sets) > 1:
        show_table(side_by_side([state.hold(ws, _read, one.name) for one in sets]), KEY)


def _read(ws: state.Workspace, name: str) -> AuditSet:
    frame = frames.find_audit(ws, name)
    run = runs.find_run(ws, frame.run)
    prompts = run.settings.get("prompts") or {}
    return AuditSet(
        frame.name,
        frame.run,
        frame.scope["gold"],
        frame.size,
        audited(ws, frame.name),
        str(run.settings.get("model") or run.source),
        ", ".join(sorted({version for versions in prompts.values() for version in versions})),
    )


def _state(found: Taxonomy, name: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        shares = found.shares
        said = [f"{shares.classified:,} classified", f"{shares.unsure:,} unsure", f"{shares.open:,} open"]
        st.caption(f"{', '.join(said)}.")
        if shares.open or shares.unsure:
            st.page_link(
                DESK, label="Go on with the audit", icon="✏️", query_params={"false_positives.set": name}
            )


def _examples(said: dict[ErrorType, Example]) -> None:
    """One real sentence of each type."""
    if not said:
        return
    with st.expander("An example of each", expanded=True):
        for kind in (kind for kind in ErrorType if kind in said):
            one = said[kind]
            st.markdown(f"**{NAMES[kind]}**: {escape(one.label)}, proposed in {escape(one.doc_id)}")
            st.caption(escape(one.sentence))


def _links(found: Taxonomy, corpus: str, about: str) -> Links:
    def review_items(items: Sequence[Item]) -> list[int | None]:
        return [found.items.get((item.doc_id, str(item.id))) for item in items]

    return Links(review_items, found.labels, DESK, "concept", corpus, about)
