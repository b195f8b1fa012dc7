"""A new run of claim pairs: which corpus of articles, how pairs are found, who labels them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from core.conflicts import STAGES
from pages.widgets import state
from pages.widgets.plain import escape
from pages.widgets.runs import control, figures, start

if TYPE_CHECKING:
    from core.conflicts.mine import Mining
    from core.llm import Endpoint

KEY = state.RUNS


def show(ws: state.Workspace) -> None:
    known = {corpus.name: corpus for corpus in state.all_corpora(ws)}
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Articles", anchor=False)
        corpus = start.corpus_of(ws, known, "article", f"{KEY}pairs_corpus")
        st.caption("\n".join(f"- **{figures.stage_name(s)}**: {figures.STAGE_HELP[s]}" for s in STAGES))
    with right:
        st.subheader("How", anchor=False)
        options: dict[str, Any] = {
            "kind": "conflicts",
            "corpus": corpus,
            **start.maker(known[corpus]),
            **_mining(),
        }
    start.offer(ws, options, _cost)


def _mining() -> dict[str, Any]:
    default = control.mining()
    with st.expander("Finer settings"):
        own = st.toggle("Choose how pairs are found", key=f"{KEY}own_mining")
        chosen = _chosen(default, disabled=not own)
        run = start.name_of_run(f"{KEY}pairs_name", "Made from corpus and what labels it")
    return {**(chosen if own else {}), "run": run}


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
        "by_words": whole("Claims that share most rare words", "by_words", 200, "Words of claims and titles"),
        "cap": whole("Most pairs of a domain", "cap", 1_000_000, "The best ones stay"),
        "least_sim": share("Least similarity", "least_sim", "Of the nearest claims"),
    }


def _cost(ws: state.Workspace, options: dict[str, Any], endpoint: Endpoint) -> None:
    st.caption(escape(f"Claims and abstracts of this corpus go to {endpoint.base_url}."))
    st.caption("What it costs is known once the pairs are: two abstracts and the guide for each.")
