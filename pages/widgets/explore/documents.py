"""The search over documents: words, filters, results a page at a time."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from core.charts import Table
from core.review.explore import Asked, Results, look
from core.store.fulltext import Found, Piece
from core.text.visible import visible
from pages.widgets import state, take_away
from pages.widgets.explore import address
from pages.widgets.plain import escape

KEY = state.CORPUS
ANY = "any"
PAGE = 20
"""Results on a page."""


def show(ws: state.Workspace) -> None:
    known = [one.name for one in state.all_corpora(ws) if one.passages]
    if not known:
        st.info("There is no corpus yet. Add one with `touchstone corpus add`, or try the demonstration.")
        return
    typed = st.text_input(
        "Search documents",
        key=f"{KEY}find",
        bind="query-params",
        placeholder="Words of a text or title, “words that stand together”, or the id of a document",
        max_chars=400,
    )
    asked = _asked(ws, typed, known)
    if st.session_state.setdefault(f"{KEY}of", asked) != asked:
        st.session_state[f"{KEY}of"] = asked
        st.session_state.pop(f"{KEY}page", None)
    at = int(st.session_state.get(f"{KEY}page", 1))
    found = look(ws, asked, state.curator(), first=(at - 1) * PAGE, most=PAGE)
    pages = -(-found.total // PAGE)
    _said(found, typed)
    rows = [(row.doc_id, row.title, row.corpus, "".join(p.text for p in row.snippet)) for row in found.rows]
    take_away.note_table(KEY, Table("Documents", ("document", "title", "corpus", "text"), rows, "documents"))
    for row in found.rows:
        _result(row)
    if pages > 1:
        st.pagination(pages, key=f"{KEY}page")


def _asked(ws: state.Workspace, typed: str, known: list[str]) -> Asked:
    left, right = st.columns(2)
    corpus = _choose(left, "Corpus", "among", {ANY: "All corpora"} | {name: visible(name) for name in known})
    runs = [one for one in state.all_runs(ws) if corpus in (ANY, one.corpus) and one.status != "failed"]
    named = {ANY: "Any run, or none"} | {one.id: visible(one.id) for one in runs}
    run = _choose(right, "Labelled by", "run", named)
    with st.container(horizontal=True):
        unanswered = st.checkbox(
            "With labels that nobody has reviewed", key=f"{KEY}open", bind="query-params"
        )
        gold = st.checkbox("With gold labels", key=f"{KEY}gold", bind="query-params")
    return Asked(
        typed,
        None if corpus == ANY else corpus,
        None if run == ANY else run,
        unanswered=unanswered,
        gold=gold,
    )


def _choose(place: st.delta_generator.DeltaGenerator, label: str, name: str, options: dict[str, str]) -> str:
    key = f"{KEY}{name}"
    if st.session_state.get(key) not in options:
        st.session_state.pop(key, None)
    chosen = place.selectbox(
        label, list(options), format_func=options.__getitem__, key=key, bind="query-params"
    )
    return str(chosen)


def _said(found: Results, typed: str) -> None:
    """How many there are, and in which order."""
    if not found.total:
        st.info(
            "No document holds all of these words." if typed.strip() else "No document passes these filters."
        )
        return
    said = [f"{found.total:,} document{'' if found.total == 1 else 's'}."]
    if found.beginning:
        said.append(
            f"None holds all the words: these hold words that begin with “{escape(found.beginning)}”."
        )
    if typed.strip() and found.total > 1:
        said.append(
            "The best come first."
            if found.ranked
            else "In the order of the corpus: add a word to narrow them."
        )
    st.caption(" ".join(said))


def _result(row: Found) -> None:
    with st.container(gap="xxsmall"):
        st.button(
            f"**{escape(row.title or row.doc_id)}**",
            key=f"{KEY}result.{row.id}",
            type="tertiary",
            on_click=address.to_document,
            args=(row.corpus, row.doc_id),
        )
        named = f"{row.doc_id}, {row.corpus}" if row.title else row.corpus
        st.markdown(_marked(row.snippet))
        st.caption(escape(named))


def _marked(pieces: Iterable[Piece]) -> str:
    """Hits in bold on a coloured ground; the rest is text and nothing else."""
    return "".join(
        f":orange-background[**{escape(one.text)}**]" if one.hit and one.text.strip() else escape(one.text)
        for one in pieces
    )
