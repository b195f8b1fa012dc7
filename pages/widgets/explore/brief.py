"""The topic brief: which corpus, which question; findings in three columns, each of which opens its pairs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from core.errors import TouchstoneError
from core.records import ItemKind
from core.store import runs
from core.text.visible import visible
from pages.widgets import as_queue, plain, state, take_away
from pages.widgets.plain import escape

if TYPE_CHECKING:  # what reads findings is loaded when a question is asked
    from core.evaluate.brief import Brief, Line, PairLine

KEY = state.BRIEF
PAIRS = "pages/review/conflict_labels.py"


def ask(ws: state.Workspace) -> tuple[str, str] | None:
    """The corpus and the question; None until both are given."""
    known = sorted({one.corpus for one in state.all_runs(ws) if _has_claims(one)})
    if not known:
        st.info(
            "No claims have been found yet. Find some with `touchstone run conflicts --corpus ID --offline`, "
            "or try the demonstration."
        )
        return None
    key = f"{KEY}in"
    if st.session_state.get(key) not in known:
        st.session_state.pop(key, None)
    left, right = st.columns([2, 1])
    corpus = str(right.selectbox("Corpus", known, format_func=visible, key=key, bind="query-params"))
    some = state.read(ws, _questions, corpus)
    about = left.text_input(
        "Question",
        value=next(iter(some), ""),
        key=f"{KEY}about",
        bind="query-params",
        placeholder="Such as: does aspirin prevent stroke, or the id of a concept",
        max_chars=300,
    )
    if some:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("Such as:", width="content")
            for at, one in enumerate(some):
                st.button(
                    escape(one), key=f"{KEY}such{at}", type="tertiary", on_click=_ask_about, args=(one,)
                )
    if not about.strip():
        st.caption("Name what was given or seen, and the outcome. Findings are read by rule.")
        return None
    return corpus, about


def _questions(ws: state.Workspace, corpus: str) -> tuple[str, ...]:
    from core.evaluate.brief import questions  # what reads findings takes a moment to load

    return questions(ws, corpus)


def _ask_about(question: str) -> None:
    st.session_state[f"{KEY}about"] = question


def _has_claims(run: runs.Run) -> bool:
    return run.proposes == ItemKind.PAIR and run.status != "failed"


def show(ws: state.Workspace, corpus: str, about: str) -> None:
    with st.skeleton(height=320):  # what reads claims takes a moment to load, the first time
        from core.evaluate.brief import Side, brief, brief_html
        from core.evaluate.brief.page import HEADS, HOW, told
    try:
        found = state.read(ws, brief, corpus, about, None, state.curator())
    except TouchstoneError as error:
        st.info(escape(str(error)))
        return
    for name, value in told(found).items():
        take_away.note_choice(name, value)
    take_away.note_whole(partial(brief_html, found))
    st.caption(f"{found.articles:,} articles, run {escape(found.run)}. {HOW}")
    columns = st.columns(len(Side))
    for column, one in zip(columns, Side, strict=True):
        title, said = HEADS[one]
        with column:
            st.header(f"{title} ({found.counts[one]:,})", anchor=False)
            st.caption(said)
            for line in found.sides[one]:
                _line(line)
            if left := found.counts[one] - len(found.sides[one]):
                st.caption(f"{left:,} more are not shown.")
    _below(found, corpus)


def _line(line: Line) -> None:
    from core.evaluate.brief.page import source

    with st.container(border=True, gap="xxsmall"):
        st.markdown(f"“{escape(line.quote)}”")
        st.caption(escape(source(line)))
        if not line.pairs:
            st.caption("No pair of it is on this question.")
            return
        first, *others = line.pairs
        _pair(line, first)
        if others:
            with st.expander(f"{len(others):,} more pair{'s' if len(others) > 1 else ''} of it"):
                for pair in others:
                    _pair(line, pair)


def _pair(line: Line, pair: PairLine) -> None:
    st.page_link(
        PAIRS,
        label="Open the pair",
        icon="⚖️",
        query_params={"item": str(pair.item_id)},
    )
    said = [pair.label]
    if pair.likelihood:
        said.insert(0, f"a conflict is {pair.likelihood}")
    if pair.decided:
        said.append(f"people say: {pair.decided}")
    st.caption(escape(f"with “{_short(pair.other)}” ({pair.other_study}): {'; '.join(said)}."))


def _short(words: str, most: int = 90) -> str:
    return words if len(words) <= most else f"{words[:most].rpartition(' ')[0]}…"


def _below(found: Brief, corpus: str) -> None:
    from core.evaluate.brief.page import tables

    for table in tables(found):
        st.header(table.title, anchor=False)
        if not table.rows:
            st.caption("Nothing.")
        elif len(table.columns) == 1:
            st.markdown("\n".join(f"- {escape(str(row[0]))}" for row in table.rows))
        else:
            if table.note:
                st.caption(table.note)
            plain.table(dict(zip(table.columns, row, strict=True)) for row in table.rows)
    if found.items:
        name = f"Pairs on {found.question}"
        said = as_queue.offer(found.items, len(found.items), PAIRS, name, KEY, corpus)
        if said:
            st.caption(said)
