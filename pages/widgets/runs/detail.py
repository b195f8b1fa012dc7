"""One run: its funnel, what was dropped and why, failures, cost and time, labels, statistics, settings."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.concepts import STAGES
from core.pipeline.status import Status
from core.records import ItemKind, Verdict
from core.store import runs, sessions, tally, trail
from pages.widgets import confidential, plain, state
from pages.widgets.plain import DASH, escape
from pages.widgets.runs import counts, figures, lists, numbers, pair_detail

KEY = state.RUNS


def show(ws: state.Workspace, one: Status) -> None:
    run, session = one.run, one.session
    if run.proposes == ItemKind.PAIR:
        return pair_detail.show(ws, one)
    found = counts.tally_of(ws, run.id)
    confidential.note(ws, run.corpus)
    if helped := run.settings.get("oracle"):
        st.warning(
            escape(
                f"An oracle run, and no labelling: {helped['takes']} were taken from {helped['gold']}. No "
                "curator is shown what it proposes."
            ),
            icon="🔮",
        )
    _headline(state.proposals(ws, run), found, session)
    titles = [
        "Funnel",
        "Labels",
        f"Failures ({len(found.failed):,})",
        "Cost and time",
        "Data set",
        "Settings",
    ]
    parts = (_funnel, lists.labels, lists.failures, _spent, numbers.statistics, numbers.settings)
    for tab, part in zip(st.tabs(titles, key=f"{KEY}tabs_{run.id}", on_change="rerun"), parts, strict=True):
        with tab:
            if tab.open:
                part(ws, run, found)


def stages_of(run: runs.Run, found: tally.Tally) -> list[str]:
    """The stages that a run was asked for, or those it has records of."""
    asked = run.settings.get("stages")
    if isinstance(asked, list) and all(stage in STAGES for stage in asked):
        return asked
    seen = {stage for stage, _ in found.verdicts}
    return [stage for stage in STAGES if stage in seen]


def passages_done(found: tally.Tally, session: sessions.Session | None) -> int:
    done = sum(n for (_, verdict), n in found.verdicts.items() if verdict == Verdict.DONE)
    return max(done, session.done if session else 0)


def _headline(labels: int, found: tally.Tally, session: sessions.Session | None) -> None:
    done = passages_done(found, session)
    price = sum(spent.price for spent in found.spent.values())
    asked = sum(spent.calls for spent in found.spent.values())
    unpriced = sum(spent.unpriced for spent in found.spent.values())
    of = f"of {session.total:,}" if session and session.total > done else None
    cards = [
        ("Labels", f"{labels:,}", f"{labels / done:.1f} per passage" if done else None),
        *([("Passages", f"{done:,}", of)] if done or session else []),  # labels from elsewhere name none
        ("Failures", f"{len(found.failed):,}", "passages without labels" if found.failed else None),
        (
            "Cost, US$",
            figures.money(price) if asked else "0",
            f"{figures.count(unpriced, 'call')} without a known price"
            if unpriced
            else numbers.asked(found.spent.values()),
        ),
    ]
    for column, (label, value, said) in zip(st.columns(len(cards)), cards, strict=True):
        with column.container(border=True, height="stretch"):
            st.metric(label, value)
            if said:
                st.caption(said)


# --- funnel -----------------------------------------------------------------------------------------------


def _funnel(ws: state.Workspace, run: runs.Run, found: tally.Tally) -> None:
    stages = stages_of(run, found)
    if not stages:
        st.info(
            "This run made its labels in one pass or came from another tool: it has no stages to show.",
            icon="ℹ️",
        )
        return
    flows = tally.funnel(found, stages)
    if not any(flow.out or flow.dropped for flow in flows):
        st.caption("No candidate has come up so far.")
        return
    left, right = st.columns(2, gap="large")
    with left:
        figures.funnel(
            [(figures.stage_name(f.stage), f.out - f.added, f.added, f.dropped + f.lost) for f in flows],
            "Candidates",
            KEY + "funnel",
        )
    with right:
        _drops(ws, run, found)
    plain.dataframe(
        [
            {
                "stage": figures.stage_name(f.stage),
                "in": f.came_in,
                "added": f.added,
                "dropped": f.dropped,
                "lost": f.lost,
                "out": f.out,
                "claims": f.claims or None,
                "unmatched": f.unmatched or None,
                "failed": f.failed or None,
            }
            for f in flows
        ],
        hide_index=True,
        placeholder=DASH,
        key=KEY + "flows",
        column_config={
            "stage": st.column_config.TextColumn("Stage", width="small"),
            "in": _whole("Came in", "Candidates that reached the stage"),
            "added": _whole("Added", "Candidates that entered here"),
            "dropped": _whole("Dropped", "Candidates that it dropped, or that went with a discarded passage"),
            "lost": _whole("Lost", "Candidates of passages that it failed on"),
            "out": _whole("Went on", "Candidates that left it"),
            "claims": _whole("Claims", "Statements that the passages were taken apart into"),
            "unmatched": _whole("No match", "Generated names that no concept was close enough to"),
            "failed": _whole("Failed", "Passages without a usable answer"),
        },
    )
    if any(f.unmatched for f in flows):
        _unmatched(ws, run)


def _whole(label: str, text: str) -> Any:
    return st.column_config.NumberColumn(label, format="localized", help=text)


def _drops(ws: state.Workspace, run: runs.Run, found: tally.Tally) -> None:
    """Reasons by how often; a row lists its candidates."""
    st.markdown("**Why candidates were dropped**")
    rows = sorted(
        (
            (stage, reason, n)
            for (stage, verdict, reason), n in found.reasons.items()
            if verdict == Verdict.DROPPED
        ),
        key=lambda row: -row[2],
    )
    rows += [(stage, "", n) for stage, n in found.discarded.items() if n]
    if not rows:
        st.caption("No candidate was dropped.")
        return
    picked = plain.choosable(
        [
            {
                "stage": figures.stage_name(stage),
                "reason": figures.plain(reason) if reason else "the passage was rated below average",
                "n": n,
            }
            for stage, reason, n in rows
        ],
        key=KEY + "drops",
        height=260 if len(rows) > 6 else "content",
        columns={
            "stage": st.column_config.TextColumn("Stage", width="small"),
            "reason": st.column_config.TextColumn("Reason", width="medium"),
            "n": st.column_config.NumberColumn("Count", format="localized", width="small"),
        },
    )
    st.caption("Click a row to list its candidates.")
    for at in picked.shown:
        if rows[at][1]:
            stage, reason, n = rows[at]
            st.markdown(f"**{escape(figures.stage_name(stage))}: {escape(figures.plain(reason))}**")
            of_page = state.read(ws, _judged, run.id, stage, reason, lists.paging(n, f"{KEY}drops_page"))
            name = f"{figures.stage_name(stage)}, {figures.plain(reason)}"
            lists.rows(ws, run, of_page, name, f"{KEY}drops_rows")
        else:
            st.caption("These went with whole passages: see the rating of the passage in their trail.")


def _judged(ws: state.Workspace, run: str, stage: str, reason: str, page: int) -> list[trail.Row]:
    return trail.judged(
        ws, run, stage, Verdict.DROPPED, reason=reason, limit=lists.PAGE, offset=(page - 1) * lists.PAGE
    )


def _unmatched(ws: state.Workspace, run: runs.Run) -> None:
    with st.expander("Names that matched no concept", key=KEY + "unmatched", on_change="rerun") as opened:
        if opened.open:
            plain.dataframe(
                [row._asdict() for row in counts.of_runs(ws, [run], trail.unmatched, run.id)],
                hide_index=True,
                placeholder=DASH,
                column_config={
                    "name": st.column_config.TextColumn("Name", width="large"),
                    "times": st.column_config.NumberColumn("Times", format="localized"),
                    "score": st.column_config.NumberColumn("Best similarity", format="%.3f"),
                    "nearest": "Nearest concept",
                },
            )
            st.caption("The 100 most frequent ones.")


def _spent(ws: state.Workspace, run: runs.Run, found: tally.Tally) -> None:
    session = sessions.session(ws, run.id)
    numbers.spent(found, stages_of(run, found), passages_done(found, session), session)
