"""One run of claim pairs: its funnel, its counts by domain, type and axis, its pairs, failures, cost."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.conflicts import STAGES
from core.kinds.names import NAMES
from core.pipeline.status import Status
from core.records import Axis, ConflictType, Origin, Tier
from core.store import pair_tally, runs, sessions, tally
from core.store.pair_trail import Narrowed
from core.text.visible import visible
from pages.widgets import confidential, plain, state
from pages.widgets.plain import DASH
from pages.widgets.runs import counts, figures, lists, numbers, pair_lists

KEY = state.RUNS
ORIGINS = {Origin.MODEL.value: "Model", Origin.HEURISTIC.value: "Rules", Origin.PERSON.value: "People"}


def show(ws: state.Workspace, one: Status) -> None:
    run, session = one.run, one.session
    found = state.read(ws, pair_tally.pair_tally, run.id)
    confidential.note(ws, run.corpus)
    _headline(run, found, counts.tally_of(ws, run.id))
    titles = [
        "Funnel",
        "Types and axes",
        "Pairs",
        f"Repaired ({found.repaired:,})",
        f"Failures ({found.failed:,})",
        "Cost and time",
        "Settings",
    ]
    tabs = st.tabs(titles, key=f"{KEY}tabs_{run.id}", on_change="rerun")
    for tab, part in zip(
        tabs, (_funnel, _labels, _pairs, _repaired, _failed, _spent(session), _settings), strict=True
    ):
        with tab:
            if tab.open:
                part(ws, run, found)


def _headline(run: runs.Run, found: pair_tally.PairTally, spent: tally.Tally) -> None:
    left = sum(found.left.values())
    labelled = max(sum(found.labels(origin).values()) for origin in Origin)
    price = sum(each.price for each in spent.spent.values())
    asked = sum(each.calls for each in spent.spent.values())
    cards = [
        ("Articles", f"{found.kept:,}", f"{left:,} left out" if left else None),
        ("Claims", f"{sum(found.claims.values()):,}", None),
        ("Pairs", f"{sum(found.pairs.values()):,}", f"{labelled:,} labelled"),
        ("Repaired", f"{found.repaired:,}", "queued first in review" if found.repaired else None),
        ("Failures", f"{found.failed:,}", "labelled by rules instead" if found.failed else None),
        (
            "Cost, US$",
            figures.money(price) if asked else "0",
            numbers.asked(spent.spent.values()),
        ),
    ]
    for column, (label, value, said) in zip(st.columns(len(cards)), cards, strict=True):
        with column.container(border=True, height="stretch"):
            st.metric(label, value)
            if said:
                st.caption(said)


# --- funnel -----------------------------------------------------------------------------------------------


def _funnel(ws: state.Workspace, run: runs.Run, found: pair_tally.PairTally) -> None:
    stages = [stage for stage in run.settings.get("stages", []) if stage in STAGES]
    if not stages:
        st.info("These pairs came from another tool: there are no stages to show.", icon="ℹ️")
    if not found.domains:
        st.caption("No article has been read so far.")
        return
    labelled = max(sum(found.labels(origin).values()) for origin in Origin)
    by_stage = {
        "normalise": ("Articles kept", found.kept, 0, sum(found.left.values())),
        "extract": ("Claims found", sum(found.claims.values()), 0, 0),
        "mine": ("Pairs mined", sum(found.pairs.values()), 0, 0),
        "annotate": ("Pairs labelled", labelled - found.failed, 0, found.failed),
    }
    drawn = [by_stage[stage] for stage in stages or ("extract", "mine", "annotate")]
    left, right = st.columns([3, 2], gap="large")
    with left:
        figures.funnel(drawn, "Articles, claims, pairs", KEY + "pair_funnel")
    with right:
        st.markdown("**Why articles were left out**")
        if found.left:
            plain.dataframe(
                [
                    {"reason": figures.REASONS.get(reason, figures.plain(reason)), "n": n}
                    for reason, n in sorted(found.left.items(), key=lambda row: -row[1])
                ],
                hide_index=True,
                key=KEY + "left_out",
                column_config={"reason": "Reason", "n": _whole("Articles", "Articles left out for it")},
            )
        else:
            st.caption("None was.")
    st.markdown("**By domain**")
    plain.dataframe(
        [_domain_row(domain) for domain in found.domains],
        hide_index=True,
        placeholder=DASH,
        key=KEY + "domains",
        column_config={
            "domain": "Domain",
            "articles": _whole("Articles", "That came in"),
            "left": _whole("Left out", "Too short, empty, or there already"),
            "claims": _whole("Claims", "Sentences that state a finding"),
            "pairs": _whole("Pairs", "Claims of two articles that may disagree"),
            **{
                tier.value: _whole(tier.value.capitalize(), f"Pairs of the queue {tier.value}")
                for tier in Tier
            },
            "model": _whole("By model", "Pairs that a model labelled"),
            "people": _whole("By people", "Labels of people that came in with a file"),
            "repaired": _whole("Repaired", "Labels that came off the schema and were made to fit"),
            "failed": _whole("Failed", "Pairs without a usable answer"),
        },
    )
    _mining(found)


def _domain_row(domain: pair_tally.DomainFlow) -> dict[str, Any]:
    return {
        "domain": figures.plain(domain.domain),
        "articles": domain.articles or None,
        "left": sum(domain.left.values()) or None,
        "claims": sum(domain.claims.values()) or None,
        "pairs": sum(domain.pairs.values()) or None,
        **{tier.value: domain.pairs.get(tier.value) for tier in Tier},
        "model": sum(domain.labels.get(Origin.MODEL.value, {}).values()) or None,
        **({"people": sum(people.values())} if (people := domain.labels.get(Origin.PERSON.value)) else {}),
        "repaired": domain.repaired or None,
        "failed": domain.failed or None,
    }


def _mining(found: pair_tally.PairTally) -> None:
    """What mining counted on the way, whatever it counts."""
    rows = [(domain.domain, domain.mining) for domain in found.domains if domain.mining]
    if rows:
        with st.expander("What mining counted", key=KEY + "mining"):
            plain.dataframe(
                [
                    {
                        "domain": figures.plain(domain),
                        **{figures.plain(name).capitalize(): n for name, n in by.items()},
                    }
                    for domain, by in rows
                ],
                hide_index=True,
                placeholder=DASH,
                key=KEY + "mining_counts",
            )


def _whole(label: str, text: str) -> Any:
    return st.column_config.NumberColumn(label, format="localized", help=text)


# --- types and axes -----------------------------------------------------------------------------------------


def _labels(ws: state.Workspace, run: runs.Run, found: pair_tally.PairTally) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Types of conflict**")
        by_origin = {origin.value: found.labels(origin) for origin in Origin}
        _by_origin({kind.value: figures.plain(kind.value) for kind in ConflictType}, by_origin, "types")
        st.markdown("**Types of claims**")
        plain.dataframe(
            [{"type": kind, "n": n} for kind, n in sorted(found.claims.items(), key=lambda row: -row[1])],
            hide_index=True,
            key=KEY + "claim_types",
            column_config={"type": "Type", "n": _whole("Claims", "Claims of this type")},
        )
    with right:
        st.markdown("**Axes**")
        names = {axis.value: figures.plain(axis.value) for axis in Axis}
        _by_origin(names, found.axes, "axes")
        st.markdown("**Dominant confounders**")
        _by_origin(names, found.confounders, "confounders")
    if found.agreement:
        same = sum(n for (model, rules), n in found.agreement.items() if model == rules)
        both = sum(found.agreement.values())
        st.caption(f"Model and rules name the same type for {same:,} of {both:,} pairs that both labelled.")
        plain.dataframe(
            [
                {"model": figures.plain(model), "rules": figures.plain(rules), "n": n}
                for (model, rules), n in sorted(found.agreement.items(), key=lambda row: -row[1])
            ],
            hide_index=True,
            key=KEY + "agreement",
            column_config={"model": "Model says", "rules": "Rules say", "n": _whole("Pairs", "Pairs")},
        )


def _by_origin(names: dict[str, str], found: dict[str, dict[str, int]], key: str) -> None:
    shown = {o: said for o, said in ORIGINS.items() if o != Origin.PERSON or found.get(o)}
    plain.dataframe(
        [
            {"name": name, **{said: found.get(origin, {}).get(value, 0) for origin, said in shown.items()}}
            for value, name in names.items()
        ],
        hide_index=True,
        key=f"{KEY}by_origin_{key}",
        column_config={
            "name": st.column_config.TextColumn("", width="medium"),
            **{said: _whole(said, "Labels by the model, by rules, or by people") for said in shown.values()},
        },
    )


# --- lists --------------------------------------------------------------------------------------------------


def _pairs(ws: state.Workspace, run: runs.Run, found: pair_tally.PairTally) -> None:
    left, middle, right = st.columns(3)
    domain = left.selectbox(
        "Domain",
        [d.domain for d in found.domains],
        index=None,
        placeholder="All",
        format_func=lambda name: visible(figures.plain(name)),
        key=KEY + "pair_domain",
    )
    kind = middle.selectbox(
        "Type of conflict",
        [each.value for each in ConflictType],
        index=None,
        placeholder="All",
        format_func=NAMES.__getitem__,
        key=KEY + "pair_type",
    )
    axis = right.selectbox(
        "Axis",
        [each.value for each in Axis],
        index=None,
        placeholder="All",
        format_func=NAMES.__getitem__,
        key=KEY + "pair_axis",
    )
    pair_lists.pairs(ws, run, Narrowed(domain, kind, axis), "pairs")


def _repaired(ws: state.Workspace, run: runs.Run, found: pair_tally.PairTally) -> None:
    plain.text(
        "These labels came off the schema and were made to fit it. They are reviewed first, and enter no "
        "development or test set before."
    )
    pair_lists.pairs(ws, run, Narrowed(repaired=True), "repaired")


def _failed(ws: state.Workspace, run: runs.Run, found: pair_tally.PairTally) -> None:
    if not found.failed:
        st.caption("Every pair that the model was asked about has a usable answer.")
        return
    plain.text("The model gave no usable answer about these pairs. The label by rules stands for it.")
    lists.retry(ws, run, "pairs", f"{KEY}retry_pairs")
    pair_lists.pairs(ws, run, Narrowed(failed=True), "failed")


# --- cost, settings ---------------------------------------------------------------------------------------


def _spent(session: sessions.Session | None) -> Any:
    def part(ws: state.Workspace, run: runs.Run, found: pair_tally.PairTally) -> None:
        asked = sum(found.labels(Origin.MODEL).values()) + found.failed
        numbers.spent(counts.tally_of(ws, run.id), ["annotate"], asked, session, unit="pair")

    return part


def _settings(ws: state.Workspace, run: runs.Run, found: pair_tally.PairTally) -> None:
    numbers.settings(ws, run, counts.tally_of(ws, run.id))
