"""Lists of a run's pairs, a page at a time. Each row leads to the pair's review and to how it came about."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.records import ItemKind
from core.review import MOST_LISTED
from core.store import pair_trail, runs
from core.store.pair_trail import Narrowed
from pages.widgets import plain, state
from pages.widgets.runs import figures, lists

KEY = state.RUNS
REVIEW = "pages/review/conflict_labels.py"
NAMES = {"pairs": "Pairs", "repaired": "Repaired labels", "failed": "Failed pairs"}
"""List -> what its queue is called."""
ROOT = Path(__file__).parents[3]


def links(run: str | None, item_id: int) -> None:
    """From a pair to how its labels came about, and to its review."""
    with st.container(horizontal=True):
        if run is not None:
            st.page_link(
                lists.RUNS,
                label="How it came about",
                icon="↩️",
                query_params={"run": run, "pair": str(item_id)},
            )
        if (ROOT / REVIEW).exists():
            st.page_link(REVIEW, label="Open in review", icon="✏️", query_params={"item": str(item_id)})


def pairs(ws: state.Workspace, run: runs.Run, by: Narrowed, name: str) -> None:
    """The pairs of a run that are asked for; a row leads on."""
    total = state.read(ws, pair_trail.count_pairs, run.id, by)
    if not total:
        st.caption("There is no pair here.")
        return
    page = lists.paging(total, f"{KEY}{name}_page")
    rows = state.read(ws, _page, run.id, by, page)
    people = any(row.by_person for row in rows)
    picked = plain.choosable(
        [
            {
                "a": row.article_a,
                "b": row.article_b,
                "domain": figures.plain(row.domain),
                "tier": row.tier,
                "score": row.score,
                "model": None if row.by_person else figures.plain(row.model),
                **({"person": figures.plain(row.model) if row.by_person else None} if people else {}),
                "rules": figures.plain(row.heuristic),
                "axes": figures.plain(row.axes or None),
                "confidence": row.confidence,
                "note": figures.plain(row.failed) if row.failed else row.repairs or None,
            }
            for row in rows
        ],
        key=f"{KEY}{name}",
        boxes=True,
        of=(run.id, by, page),
        columns={
            "a": "Article A",
            "b": "Article B",
            "domain": "Domain",
            "tier": "Queue",
            "score": st.column_config.NumberColumn("Score", format="%.3f"),
            "model": "Model says",
            "person": "A person says",
            "rules": "Rules say",
            "axes": st.column_config.TextColumn("Axes", width="medium"),
            "confidence": st.column_config.NumberColumn("Confidence", format="%.2f"),
            "note": st.column_config.TextColumn("Failed, or repaired", width="medium"),
        },
    )
    narrowed = [figures.plain(one) for one in (by.domain, by.conflict_type, by.axis) if one]
    ticked = [rows[at].item_id for at in picked.ticked]
    lists.as_queue_of(
        ws,
        ticked or state.read(ws, pair_trail.pair_items, run.id, by, MOST_LISTED),
        f"{figures.count(total, 'pair')}. Click a row to go on to its review or its origin.",
        f"{', '.join([NAMES[name], *narrowed])}: {run.id}",
        run.corpus,
        page=REVIEW,
        kind=ItemKind.PAIR,
        total=len(ticked) or total,
    )
    for at in picked.shown:
        links(run.id, rows[at].item_id)


def _page(ws: state.Workspace, run: str, by: Narrowed, page: int) -> list[pair_trail.PairRow]:
    return pair_trail.pair_rows(ws, run, by, limit=lists.PAGE, offset=(page - 1) * lists.PAGE)
