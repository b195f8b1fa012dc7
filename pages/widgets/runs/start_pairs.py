"""A new run of claim pairs: which corpus of articles, how pairs are found, who labels them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from core.conflicts import STAGES
from core.errors import TouchstoneError
from core.text.visible import visible
from pages.widgets import confidential, state
from pages.widgets.plain import escape
from pages.widgets.runs import control, figures, start

if TYPE_CHECKING:
    from core.conflicts.mine import Mining

KEY = state.RUNS


def show(ws: state.Workspace) -> None:
    known = {corpus.name: corpus for corpus in state.all_corpora(ws)}
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Articles", anchor=False)
        corpus = st.selectbox(
            "Corpus",
            list(known),
            format_func=lambda name: f"{visible(name)}, {figures.count(known[name].passages, 'article')}",
            key=f"{KEY}pairs_corpus",
        )
        confidential.note(ws, corpus)
        st.caption("\n".join(f"- **{figures.stage_name(s)}**: {figures.STAGE_HELP[s]}" for s in STAGES))
    with right:
        st.subheader("How", anchor=False)
        options: dict[str, Any] = {
            "kind": "conflicts",
            "corpus": corpus,
            **start.maker(known[corpus]),
            **_mining(),
        }
    _go(ws, options)


def _mining() -> dict[str, Any]:
    default = control.mining()
    with st.expander("Finer settings"):
        own = st.toggle("Choose how pairs are found", key=f"{KEY}own_mining")
        chosen = _chosen(default, disabled=not own)
        run = st.text_input(
            "Name of the run",
            key=f"{KEY}pairs_name",
            max_chars=100,
            placeholder="Made from corpus and what labels it",
        )
    return {**(chosen if own else {}), "run": run.strip() or None}


def _chosen(default: Mining, *, disabled: bool) -> dict[str, Any]:
    def whole(label: str, name: str, most: int, text: str) -> int:
        value: int = getattr(default, name)
        return int(
            st.number_input(label, 1, most, value, disabled=disabled, key=f"{KEY}mining_{name}", help=text)
        )

    def share(label: str, name: str, text: str) -> float:
        value: float = getattr(default, name)
        return float(
            st.slider(label, 0.0, 1.0, value, 0.01, disabled=disabled, key=f"{KEY}mining_{name}", help=text)
        )

    return {
        "neighbours": whole("Nearest claims of each", "neighbours", 200, "In other articles of its domain"),
        "per_article": whole(
            "Most pairs of an article", "per_article", 1000, "So that articles do not all hang together"
        ),
        "cap": whole("Most pairs of a domain", "cap", 1_000_000, "The best ones stay"),
        "least_sim": share("Least similarity", "least_sim", "Of the two claims"),
        "least_score": share(
            "Least score", "least_score", "Similarity, disagreement, entities, types, years"
        ),
    }


def _go(ws: state.Workspace, options: dict[str, Any]) -> None:
    """What the run will be, whatever forbids it, and the button."""
    try:
        planned = control.planned_pairs(ws, options)
    except TouchstoneError as error:
        st.error(escape(str(error)))
        st.button("Start", type="primary", disabled=True, key=f"{KEY}start")
        return
    with st.container(border=True):
        st.markdown(f"**{escape(planned.run)}**")
        st.caption(escape(f"Made by {planned.source}."))
        taken = start.taken(ws, planned)
        if taken:
            st.info(f"{taken} Give this one another name under Finer settings.", icon="ℹ️")
        elif planned.endpoint is not None:
            st.caption(escape(f"Claims and abstracts of this corpus go to {planned.endpoint.base_url}."))
            st.caption("What it costs is known once the pairs are: two abstracts and the guide for each.")
        start.button(ws, options, disabled=bool(taken))
