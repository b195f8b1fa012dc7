"""How the labels of one claim pair came about: claims, parts of the score, annotators, raw answers."""

from __future__ import annotations

import streamlit as st

from core.records import CandidatePair, Claim, Side, StoredPairLabel
from core.store import pair_trail
from pages.widgets import confidential, plain, state
from pages.widgets.plain import DASH, escape
from pages.widgets.runs import answer, figures, pair_lists


def show(ws: state.Workspace, run: str, item_id: int) -> None:
    """Raises NotFoundError: the run does not pair these claims."""
    found = pair_trail.pair_trail(ws, run, item_id)
    confidential.note(ws, found.corpus)
    pair = found.pair
    st.title(escape(f"{pair.a.article_uid} and {pair.b.article_uid}"), anchor=False)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            escape(f"{figures.plain(pair.domain)} · queue {pair.tier.value} · {found.corpus} · run {run}"),
            width="content",
        )
        pair_lists.links(None, item_id)
    left, right = st.columns([3, 2], gap="large")
    with left:
        _score(pair)
        for stored in found.labels:
            _label(stored)
        _stages(found)
    with right:
        for name, claim, side in (("A", pair.a, found.task.a), ("B", pair.b, found.task.b)):
            _side(name, claim, side)


def _score(pair: CandidatePair) -> None:
    scores = pair.scores
    with st.container(border=True):
        st.markdown("**Why these two were paired**")
        parts = {
            "Similarity": scores.sim,
            "Disagreement": scores.dis,
            "Entities": scores.ent,
            "Claim types": scores.type,
            "Years apart": -scores.year,
            "Score": scores.combined,
        }
        for column, (name, value) in zip(st.columns(len(parts)), parts.items(), strict=True):
            column.metric(name, f"{value:.3f}")
        if pair.signals:
            st.caption("Signals of disagreement")
            plain.text("\n".join(pair.signals))


def _label(stored: StoredPairLabel) -> None:
    label = stored.label
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{escape(label.annotator)}**", width="content")
            st.badge(escape(figures.plain(label.conflict_type.value)), color="blue")
            if label.repaired:
                st.badge("repaired", color="orange")
        facts = {
            "Comparable": "yes" if label.comparable else "no",
            "Axes": ", ".join(figures.plain(axis.value) for axis in label.axes) or DASH,
            "Dominant confounder": figures.plain(label.confounder.value if label.confounder else None),
            "Confidence": figures.score(label.confidence),
            "Reconciliation": label.reconciliation or DASH,
            "Repairs": "; ".join(label.repairs),
            "Notes": label.notes,
        }
        for name, value in facts.items():
            if value:
                with st.container(horizontal=True):
                    st.caption(name, width=150)
                    plain.text(value, width="stretch")
        for span in label.evidence:
            where = f"{span.side.upper()}, {'the claim' if span.level.value == 'claim' else 'its abstract'}"
            plain.text(f"{where}: “{span.quote}”")
            if not span.grounded:
                st.warning(escape(f"Not in the text: “{span.quote}”"), icon="⚠️")


def _stages(found: pair_trail.PairTrail) -> None:
    with st.container(border=True):
        st.markdown("**What the stages recorded**")
        plain.dataframe(
            [
                {
                    "stage": figures.stage_name(record.stage),
                    "document": record.document,
                    "verdict": figures.VERDICTS.get(record.verdict, record.verdict),
                    "by": figures.plain(record.payload.get("label_origin", record.payload.get("origin"))),
                    "reason": record.reason,
                }
                for record in found.records
            ],
            hide_index=True,
            placeholder=DASH,
            key=f"{state.RUNS}pair_records",
            column_config={
                "stage": "Stage",
                "document": "Article",
                "verdict": "Verdict",
                "by": "By",
                "reason": st.column_config.TextColumn("Reason", width="medium"),
            },
        )
        if not found.calls:
            st.caption("No model was asked about this pair.")
        for number, call in enumerate(found.calls):
            answer.show(call, f"pair_{number}_{call.id}", found.run)


def _side(name: str, claim: Claim, side: Side) -> None:
    with st.container(border=True):
        st.markdown(f"**{name}: {escape(side.title or claim.article_uid)}**")
        about = [claim.journal, str(claim.year) if claim.year else None, claim.claim_type.value]
        about += [claim.section, claim.direction.value, f"confidence {claim.confidence:.2f}"]
        st.caption(escape(" · ".join(part for part in about if part)))
        text = side.text
        st.markdown(
            f"{escape(text[: claim.start])}:orange-background[{escape(text[claim.start : claim.end])}]"
            f"{escape(text[claim.end :])}"
        )
