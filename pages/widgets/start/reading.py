"""Texts with what was found in them underlined; see `reading.js`. What comes from outside stays text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from core.conflicts.side_by_side import Labelled
from core.kinds.names import called
from core.pipeline.own_text import pieces
from core.records import STRONGEST_FIRST, Assertion, Claim, Draft
from core.text.visible import visible
from pages.widgets import state

HERE = Path(__file__).parent
STYLES = {
    Assertion.AFFIRMED: "solid",
    Assertion.NEGATED: "dashed",
    Assertion.UNCERTAIN: "wavy",
    Assertion.OTHER_PERSON: "dotted",
}
"""Status -> how it is underlined."""
CLAIM, DISPUTED = "solid", "dashed"
HEADS = ("Concept", "Status", "Words of the text")
_reading = st.components.v2.component(
    "touchstone_reading",
    js=(HERE / "reading.js").read_text("utf-8"),
    css=(HERE / "reading.css").read_text("utf-8"),
)


class Marked(NamedTuple):
    """Some of a text."""

    text: str
    style: str | None = None
    said: str = ""
    """Shown where the pointer rests on it."""


def concepts(text: str, drafts: Sequence[Draft]) -> None:
    """A text with its concepts underlined by status, and the list of them."""
    rows = [
        {
            "name": visible(draft.label),
            "style": STYLES[draft.assertion],
            "status": called(draft.assertion),
            "quotes": list(dict.fromkeys(visible(one.quote) for one in draft.evidence)),
        }
        for draft in sorted(drafts, key=lambda draft: STRONGEST_FIRST.index(draft.assertion))
    ]
    _draw("concepts", _marked(text, drafts), HEADS, rows)


def evidence(text: str, draft: Draft) -> None:
    """A passage with the words underlined that one label rests on."""
    _draw("evidence", _marked(text, [draft]))


def claims(text: str, found: Sequence[Claim], disputed: Iterable[Labelled], key: str) -> None:
    """An abstract with its claims underlined, in another line those that seem to disagree with the other."""
    against = {claim.claim_id for one in disputed for claim in (one.pair.a, one.pair.b)}
    marked, end = [], 0
    for claim in found:
        style, said = (
            (DISPUTED, "A claim that seems to disagree") if claim.claim_id in against else (CLAIM, "A claim")
        )
        marked += [Marked(text[end : claim.start]), Marked(text[claim.start : claim.end], style, said)]
        end = claim.end
    _draw(key, [*marked, Marked(text[end:])])


def _marked(text: str, drafts: Sequence[Draft]) -> list[Marked]:
    return [
        Marked(one.text, STYLES[one.assertion], f"{'; '.join(one.names)}: {called(one.assertion)}")
        if one.assertion
        else Marked(one.text)
        for one in pieces(text, drafts)
    ]


def _draw(
    key: str, marked: Iterable[Marked], heads: Sequence[str] = (), rows: Sequence[dict[str, object]] = ()
) -> None:
    shown = [(visible(text), style, visible(said)) for text, style, said in marked if text]
    data = {"pieces": shown, "heads": list(heads), "rows": list(rows)}
    _reading(key=f"{state.TRY_TEXT}{key}", data=data)
