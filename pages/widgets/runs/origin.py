"""How one label came about: claim, name, candidate, every stage's verdict, and the raw answer behind each."""

from __future__ import annotations

from itertools import groupby
from typing import Literal

import streamlit as st

from core.errors import TouchstoneError
from core.kinds.names import called
from core.records import Passage, Verdict
from core.store import corpora, trail
from core.text.addressing import addresses_reader
from pages.widgets import confidential, plain, state
from pages.widgets.item_list import REVIEW
from pages.widgets.plain import DASH, escape
from pages.widgets.runs import answer, figures, lists, pair_origin

Colour = Literal["green", "red", "blue", "orange", "gray"]
BADGES: dict[str, tuple[Colour, str]] = {
    Verdict.CANDIDATE: ("blue", "→"),
    Verdict.ADDED: ("blue", "＋"),
    Verdict.KEPT: ("green", "✓"),
    Verdict.DROPPED: ("red", "✕"),
    Verdict.FAILED: ("orange", "!"),
    Verdict.FLAGGED: ("orange", "!"),
    Verdict.RATED: ("gray", "★"),
}
HOW = {
    "claim": "named for a claim",
    "passage": "named for the passage",
    "words": "stands there in words",
    "similarity": "found by meaning",
}


def badge(verdict: str, text: str | None = None) -> None:
    colour, sign = BADGES.get(verdict, ("gray", "·"))
    st.badge(f"{sign} {escape(text or figures.VERDICTS.get(verdict, verdict))}", color=colour)


def show(ws: state.Workspace) -> None:
    """The page of the label that the address names."""
    query = st.query_params
    run = query["run"]
    st.page_link(lists.RUNS, label=f"Run {escape(run)}", icon="⬅️", query_params={"run": run})
    try:
        if "pair" in query:
            return pair_origin.show(ws, run, _number(query["pair"]))
        if "item" in query:
            found = trail.trail_of_item(ws, run, _number(query["item"]))
        else:
            found = trail.trail(ws, run, _number(query["passage"]), query["concept"])
    except TouchstoneError as error:
        st.error(escape(str(error)))
        return
    confidential.note(ws, found.corpus)
    _show(ws, found)


def _number(text: str) -> int:
    """An id out of an address; 0, which none has, for what is no number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def _show(ws: state.Workspace, found: trail.Trail) -> None:
    passage = state.read(ws, corpora.passage, found.passage_id)
    _head(found, passage)
    left, right = st.columns([3, 2], gap="large")
    with left:
        if not found.steps:
            _without_stages(found)
        _claims(found)
        for stage, rows in groupby(_in_order(found), key=lambda row: row.stage):
            _stage(found, stage, list(rows))
    with right:
        _passage(found, passage)


def _head(found: trail.Trail, passage: Passage) -> None:
    st.title(escape(found.label), anchor=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        _outcome(found)
        st.caption(
            escape(f"{found.concept} · {found.document}, {found.corpus} · run {found.run}"), width="content"
        )
        if found.item_id is not None:
            st.page_link(REVIEW, label="Open in review", icon="✏️", query_params={"item": str(found.item_id)})


def _outcome(found: trail.Trail) -> None:
    if found.proposal is not None:
        badge(Verdict.KEPT, "Proposed")
        return
    last = next((row for row in reversed(found.steps) if row.verdict == Verdict.DROPPED), None)
    failed = next((row for row in found.passage if row.verdict == Verdict.FAILED), None)
    if last is not None:
        badge(Verdict.DROPPED, f"Dropped at this stage: {figures.stage_name(last.stage).lower()}")
    elif failed is not None:
        badge(
            Verdict.FAILED,
            f"Lost at this stage: {figures.stage_name(failed.stage).lower()}",
        )
    else:
        badge(Verdict.DROPPED, "Its passage was discarded")


def _without_stages(found: trail.Trail) -> None:
    with st.container(border=True):
        st.markdown("**One pass**")
        plain.text(
            "This label was made in one pass or came from another tool: no stages are recorded behind it, "
            "only what it says of itself."
        )
        if found.proposal is not None and found.proposal.reason:
            st.caption("Reason")
            plain.text(found.proposal.reason)


def _in_order(found: trail.Trail) -> list[trail.Row]:
    """The concept's own steps, and what was said of the passage as a whole, as they were written."""
    return sorted((*found.steps, *found.passage), key=lambda row: row.record)


# --- claims -----------------------------------------------------------------------------------------------


def _claims(found: trail.Trail) -> None:
    if not found.claims:
        return
    led = {row.payload.get("claim") for row in found.steps} - {None}
    numbered = list(enumerate(found.claims))
    ours = [(n, row) for n, row in numbered if row.payload.get("number", n) in led]
    others = [(n, row) for n, row in numbered if (n, row) not in ours]
    with st.container(border=True):
        st.markdown("**Claims**" if len(ours) != 1 else "**Claim**")
        for _, row in ours:
            _claim(row)
        if not ours:
            st.caption("No claim led to this concept by name.")
        _call(found, [row.call for _, row in ours] or [row.call for _, row in numbered], "claims")
        if others:
            with st.expander(figures.count(len(others), "other claim") + " of this passage"):
                for _, row in others:
                    _claim(row)


def _claim(row: trail.Row) -> None:
    confidence = row.payload.get("confidence")
    said = f"confidence {confidence:.2f}" if isinstance(confidence, int | float) else "confidence not stated"
    with st.container(horizontal=True, vertical_alignment="center"):
        plain.text(f"“{row.payload.get('text', DASH)}”", width="stretch")
        st.caption(said, width="content")


# --- stages -----------------------------------------------------------------------------------------------


def _stage(found: trail.Trail, stage: str, rows: list[trail.Row]) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape(figures.stage_name(stage))}**", width="content")
            for verdict in dict.fromkeys(row.verdict for row in rows):
                badge(verdict, _verdict(next(row for row in rows if row.verdict == verdict)))
        for row in rows:
            _match(row)
            if row.reason:
                plain.text(row.reason)
        _call(found, [row.call for row in rows], stage)


def _verdict(row: trail.Row) -> str:
    word = figures.VERDICTS.get(row.verdict, row.verdict)
    of_class, quality = row.payload.get("class"), row.payload.get("quality")
    if row.verdict == Verdict.RATED and quality:
        kept = "kept" if row.payload.get("retained", True) else "passage discarded"
        return f"Passage {figures.plain(str(quality))}, {kept}"
    if row.verdict == Verdict.RATED:
        return "The passage as a whole"
    return f"{word}: {figures.plain(str(of_class))}" if of_class else word


def _match(row: trail.Row) -> None:
    """From which words to the concept, and how near they were."""
    name = row.payload.get("name")
    if not name:
        return
    said = []
    if row.payload.get("how"):
        how = str(row.payload["how"])
        said.append(HOW.get(how, figures.plain(how)))
    if isinstance(row.payload.get("score"), int | float):
        said.append(f"similarity {figures.score(row.payload['score'])}")
    with st.container(horizontal=True, vertical_alignment="center"):
        plain.text(f"“{name}” → {row.label or row.concept or DASH}", width="stretch")
        if said:
            st.caption(escape(" · ".join(said)), width="content")


def _call(found: trail.Trail, ids: list[int | None], name: str) -> None:
    for call_id in dict.fromkeys(i for i in ids if i is not None):
        asked = found.calls.get(call_id)
        if asked is None:
            st.caption(f"The answer, call {call_id}, is not in this workspace.")
        else:
            answer.show(asked, f"{name}_{call_id}", found.run)


# --- the passage ------------------------------------------------------------------------------------------


def _passage(found: trail.Trail, passage: Passage) -> None:
    with st.container(border=True):
        st.markdown(f"**{escape(passage.title or passage.doc_id)}**")
        if words := addresses_reader(passage.text):
            st.warning(escape(f"This text speaks to its reader: “{words}”. It may have misled a model."))
        st.markdown(marked(passage.text, _spans(found, passage.text)))
    if found.proposal is not None:
        with st.container(border=True):
            st.markdown("**As proposed**")
            p = found.proposal
            facts = {
                "Class": figures.plain(p.concept_class.value),
                "Status": called(p.assertion),
                "Confidence": figures.score(p.confidence),
                "Came in at": figures.stage_name(p.stage) + (", reply repaired" if p.repaired else ""),
                "Reason": p.reason or DASH,
            }
            for name, value in facts.items():
                with st.container(horizontal=True):
                    st.caption(name, width=90)
                    plain.text(value, width="stretch")
            for e in p.evidence:
                if not e.grounded or e.start is None:
                    st.warning(escape(f"Not in the text: “{e.quote}”"), icon="⚠️")
    if found.unmatched:
        with st.container(border=True):
            st.markdown("**Names that matched no concept**")
            plain.dataframe(
                [
                    {
                        "name": row.payload.get("name"),
                        "score": row.payload.get("score"),
                        "nearest": row.payload.get("nearest"),
                    }
                    for row in found.unmatched
                ],
                hide_index=True,
                placeholder=DASH,
                column_config={
                    "name": "Name",
                    "score": st.column_config.NumberColumn("Similarity", format="%.3f"),
                    "nearest": "Nearest concept",
                },
            )


def _spans(found: trail.Trail, text: str) -> list[tuple[int, int]]:
    """Quotes that do stand in the text."""
    evidence = found.proposal.evidence if found.proposal else ()
    return sorted(
        (e.start, e.end)
        for e in evidence
        if e.start is not None and e.end is not None and text[e.start : e.end] == e.quote
    )


def marked(text: str, spans: list[tuple[int, int]]) -> str:
    """The text as markdown that only marks these spans: everything of it is escaped."""
    parts, at = [], 0
    for start, end in spans:
        if start < at:
            continue  # overlaps the one before
        parts += [escape(text[at:start]), f":orange-background[{escape(text[start:end])}]"]
        at = end
    return "".join([*parts, escape(text[at:])])
