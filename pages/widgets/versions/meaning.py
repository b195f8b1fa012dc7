"""What a new release means for this workspace: labels on concepts that changed."""

from __future__ import annotations

import streamlit as st

from core.charts import Table
from core.evaluate.report.page import Headline
from core.ontology.versions import Difference, Kind
from core.review.explore import Count, Occurrences, Touched, difference, occurrences_of, touched
from core.review.explore.occurs import Of
from core.store import Workspace
from core.text.visible import visible
from pages.widgets import plain, state, take_away
from pages.widgets.explore import where
from pages.widgets.versions import changes
from pages.widgets.versions.choice import KEY, Releases

SAID = {
    Kind.ADDED: "are new",
    Kind.ID_CHANGED: "have another id",
    Kind.MERGED: "were merged into another",
    Kind.REPLACED: "were replaced by another",
    Kind.OBSOLETED: "are obsolete",
    Kind.REMOVED: "are gone",
    Kind.RENAMED: "were renamed",
    Kind.MOVED: "moved",
    Kind.MOVED_AWAY: "moved away from a broader concept",
    Kind.EXTENDED: "have new narrower concepts",
    Kind.REDEFINED: "are defined otherwise",
    Kind.SYNONYMS: "have other synonyms",
}
"""Concepts that ..."""
HEADS = {Of.GOLD: "gold labels", Of.RUN: "labels of runs", Of.ANSWER: "answers"}
HEADS_SHOWN = ("concepts", *HEADS.values())


def _read(ws: Workspace, chosen: Releases, curator: str | None) -> tuple[Touched, ...]:
    return touched(ws, difference(ws, *chosen), curator)


def _where(ws: Workspace, chosen: Releases, kind: Kind, curator: str | None) -> Occurrences:
    return occurrences_of(ws, difference(ws, *chosen), kind, curator)


def summary(ws: state.Workspace, chosen: Releases, found: Difference) -> Kind | None:
    """The table of kinds, of which a row chooses what is listed; None: every change."""
    rows = state.hold(ws, _read, chosen, state.curator())
    table = Table(
        "What changed",
        ("change", *HEADS_SHOWN),
        [(changes.TITLES[r.kind], r.concepts, *(r.labels[of] for of in HEADS)) for r in rows],
        "kinds",
        note="What was put below an inserted concept has moved, but not moved away: its former parents are"
        " still above it.",
    )
    take_away.note_table(f"{KEY}kinds", table)
    for of, head in HEADS.items():
        moved = next(row for row in rows if row.kind is Kind.MOVED)
        take_away.note_value(
            f"{KEY}{of}", Headline(f"{head} on concepts that moved", f"{moved.labels[of]:,}")
        )
    picked = plain.choosable(
        [dict(zip(table.columns, row, strict=True)) for row in table.rows],
        key=f"{KEY}kinds",
        of=chosen,
        height="content",
        columns={"change": st.column_config.TextColumn("Change", width="medium")}
        | {
            head: st.column_config.NumberColumn(head.capitalize(), format="localized") for head in HEADS_SHOWN
        },
    )
    st.caption(table.note)
    asked = f"{KEY}asked"
    if picked.shown and st.session_state.get(asked) != picked.shown:
        st.session_state[f"{KEY}kind"] = rows[picked.shown[0]].kind.value
    st.session_state[asked] = picked.shown
    return changes.choose(found)


def show(ws: state.Workspace, chosen: Releases, found: Difference, kind: Kind | None) -> None:
    """Where the labels are, each number a list to review."""
    if kind is None:
        return
    held = state.hold(ws, _where, chosen, kind, state.curator())
    st.header("In this workspace", anchor=False)
    if not held.counts:
        st.markdown(f"No label is on concepts that {SAID[kind]}.")
    where.show(held, lambda one: _told(one, kind), f"{found.old} to {found.new}", f"{KEY}in.")


def _told(one: Count, kind: Kind) -> str:
    """What a number counts, in words behind it. From outside: text, never markup."""
    many = "" if one.number == 1 else "s"
    name = visible(one.name)
    what = {
        Of.GOLD: f"gold label{many} of {name}",
        Of.RUN: f"label{many} proposed by {name}",
        Of.ANSWER: f"answer{many} of curators in {visible(one.corpus)} ({name})",
        Of.ERROR: f"answer{many} of audits in {visible(one.corpus)} ({name})",
    }[one.of]
    return f"{what} {'is' if one.number == 1 else 'are'} on concepts that {SAID[kind]}"
