"""What a model was asked and what it wrote, word for word."""

from __future__ import annotations

import json

import streamlit as st

from core.records import Call
from core.store import calls
from pages.widgets import plain, state
from pages.widgets.plain import DASH, escape
from pages.widgets.runs import figures

SHOWN = 20_000
"""Characters of an answer or request on the page; a download holds all."""


def show(asked: calls.AskedCall, name: str, run: str) -> None:
    """A folded part of the page that opens on the raw answer."""
    call = asked.call
    title = f"Raw answer · {call.prompt} · {call.model}"
    if call.failure:
        title = f"Raw answer, unusable ({figures.plain(call.failure)}) · {call.prompt} · {call.model}"
    key = f"{state.RUNS}call_{name}"
    with st.expander(escape(title), key=key, on_change="rerun") as opened:
        if opened.open:
            _open(asked, key, run)


def _how_known(call: Call) -> str:
    """Whether the price is of reported tokens."""
    if call.price is None:
        return ""
    return " (tokens reported)" if call.prompt_tokens is not None else " (tokens counted here)"


def _open(asked: calls.AskedCall, key: str, run: str) -> None:
    call = asked.call
    if call.failure:
        st.warning(
            escape(f"No usable answer: {figures.plain(call.failure)}. It was kept as it came."), icon="⚠️"
        )
    if call.answer is not None:
        words(call.answer, f"{key}_answer", "answer.txt")
    facts = [
        f"{_number(call.prompt_tokens)} tokens in, {_number(call.completion_tokens)} out",
        f"US$ {figures.money(call.price)}{_how_known(call)}",
        f"{call.seconds:.1f} s",
        figures.count(call.attempts, "attempt"),
        call.transport,
        figures.moment(asked.asked_at),
    ]
    if asked.run != run:
        facts.append(f"answer taken over from run {asked.run}" if asked.run else "answer taken over")
    st.caption(escape(f"{call.model} at {call.endpoint}"))
    st.caption(escape(" · ".join(facts)))
    whole, request = st.tabs(["Whole reply", "What was asked"])
    with whole:
        words(call.raw, f"{key}_raw", "reply.txt")
    with request:
        for message in call.request.get("messages") or ():
            if isinstance(message, dict) and isinstance(message.get("content"), str):
                st.caption(escape(str(message.get("role", ""))))
                words(message["content"], None, None)
        rest = {name: value for name, value in call.request.items() if name != "messages"}
        st.caption("Parameters")
        words(json.dumps(rest, indent=2, ensure_ascii=False), f"{key}_request", None)


def words(text: str, key: str | None, file: str | None) -> None:
    """Text from outside in full sight and as nothing but text."""
    plain.code(text[:SHOWN], language=None, wrap_lines=True)
    if len(text) > SHOWN:
        st.caption(f"The first {SHOWN:,} of {len(text):,} characters.")
        if key and file:
            st.download_button("All of it", text, file, "text/plain", key=key, on_click="ignore")


def _number(tokens: int | None) -> str:
    return DASH if tokens is None else f"{tokens:,}"
