"""Figures of a run: what its calls cost, how long they took, how much it says, by which settings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import streamlit as st

from core import evaluate as scoring
from core.kinds.names import NAMES
from core.store import ontologies, runs, sessions, tally
from pages.widgets import plain, state
from pages.widgets.plain import DASH, escape
from pages.widgets.runs import counts, figures

KEY = state.RUNS
_HASH = re.compile("[0-9a-f]{40,64}")
SHORT = 12
"""Letters of a hash that tell it from others."""


def spent(
    found: tally.Tally,
    stages: list[str],
    passages: int,
    session: sessions.Session | None,
    unit: str = "passage",
) -> None:
    """Cost and time per passage and stage, as HI-ALD, table 5; `unit`: what is counted instead."""
    if session is not None and session.rate:
        st.caption(
            f"{figures.count(session.done - session.resumed, unit)} in the last session, "
            f"{1 / session.rate:.2f} s each, what comes before the first one included."
        )
    if not found.spent:
        st.info("No model was asked by this run, so it cost nothing but the time of this machine.", icon="ℹ️")
        return
    order = [*stages, *(stage for stage in found.spent if stage not in stages)]
    rows = [(figures.stage_name(stage), found.spent[stage]) for stage in order if stage in found.spent]
    total = tally.Spent()
    for _, sums in rows:
        total = total.plus(sums)
    plain.dataframe(
        [_spent_row(name, sums, passages) for name, sums in [*rows, ("All stages", total)]],
        key=f"{KEY}spent",
        hide_index=True,
        placeholder=DASH,
        column_config={
            "stage": st.column_config.TextColumn("Stage", width="small"),
            "calls": st.column_config.NumberColumn("Calls", format="localized"),
            "failures": st.column_config.NumberColumn("Failed", format="localized"),
            "in": st.column_config.NumberColumn("Tokens in", format="localized"),
            "out": st.column_config.NumberColumn("Tokens out", format="localized"),
            "cost": st.column_config.NumberColumn("Cost, US$", format="%.4f"),
            "each": st.column_config.NumberColumn(f"Cost per {unit}, US$", format="%.6f"),
            "seconds": st.column_config.NumberColumn(f"Time per {unit}, s", format="%.2f"),
        },
    )
    st.caption(
        f"Over {figures.count(passages, unit)}. Time is what the calls took, one after the other; they "
        "run side by side. Answers taken over from an earlier run cost nothing and are not counted here."
    )
    if total.counted:
        st.caption(
            f"The endpoint did not report the tokens of {figures.count(total.counted, 'answer')}: their cost "
            "is of tokens counted here, which is an estimate. All other costs are of reported tokens."
        )
    if total.unpriced:
        st.caption(
            f"{figures.count(total.unpriced, 'call')} went to models that the price table does not know: "
            "their cost is not in these sums."
        )


def asked(spent: Iterable[tally.Spent]) -> str:
    """How many calls, and whether their tokens were reported."""
    calls = counted = 0
    for one in spent:
        calls, counted = calls + one.calls, counted + one.counted
    if not calls:
        return "no model was asked"
    return f"{figures.count(calls, 'call')}, tokens {'counted here' if counted else 'reported'}"


def _spent_row(name: str, sums: tally.Spent, passages: int) -> dict[str, Any]:
    priced = sums.calls > sums.unpriced
    return {
        "stage": name,
        "calls": sums.calls,
        "failures": sums.failures,
        "in": sums.prompt_tokens,
        "out": sums.completion_tokens,
        "cost": sums.price if priced else None,
        "each": sums.price / passages if priced and passages else None,
        "seconds": sums.seconds / passages if passages else None,
    }


def statistics(ws: state.Workspace, run: runs.Run, found: tally.Tally) -> None:
    """Size and breadth of the run's labels, beside the gold sets of its corpus, as HI-ALD, table 1."""
    rows = [counts.of_runs(ws, [run], scoring.run_statistics, run.id)]
    ontology = ontologies.ontology_by_id(ws, run.ontology_id).reference if run.ontology_id else None
    root = run.settings.get("root")
    for reference in state.read(ws, scoring.gold_references, run.id):
        rows.append(state.read(ws, scoring.gold_statistics, reference, run.corpus, ontology, root))
    plain.dataframe(
        [
            {
                "name": row.name,
                "kind": {"run": "labels of a run", "gold": "gold"}.get(row.kind, row.kind),
                "passages": row.counts.passages,
                "labelled": row.counts.labelled,
                "labels": row.counts.labels,
                "each": row.counts.labels_per_passage,
                "unique": row.counts.unique,
                "coverage": None if row.counts.coverage is None else 100 * row.counts.coverage,
            }
            for row in rows
        ],
        key=f"{KEY}statistics",
        hide_index=True,
        placeholder=DASH,
        column_config={
            "name": st.column_config.TextColumn("Data set", width="medium"),
            "kind": "Kind",
            "passages": st.column_config.NumberColumn("Passages", format="localized"),
            "labelled": st.column_config.NumberColumn(
                "With a label", format="localized", help="Passages with at least one concept"
            ),
            "labels": st.column_config.NumberColumn(
                "Concepts", format="localized", help="Pairs of passage and concept"
            ),
            "each": st.column_config.NumberColumn("Per passage", format="%.2f"),
            "unique": st.column_config.NumberColumn("Unique concepts", format="localized"),
            "coverage": st.column_config.NumberColumn(
                "Coverage, %",
                format="%.2f",
                help="Share of the ontology's live concepts below the root that occur at all",
            ),
        },
    )
    said = [
        f"Coverage of {rows[0].ontology}, {rows[0].counts.concepts:,} concepts"
        if rows[0].ontology and rows[0].counts.concepts
        else rows[0].counts.reason or ""
    ]
    if rows[0].root:
        said.append(f"below {rows[0].root}")
    st.caption(escape(" ".join(said)) + ". Affirmed and uncertain labels count.")


SETTINGS = {
    "profile": "Profile",
    "stages": "Stages",
    "offline": "Offline",
    "form": "Form",
    "source": "Made by",
    "model": "Model",
    "models": "Models by stage",
    "endpoint": "Endpoint",
    "options": "Called with",
    "profile_sha256": "Profile, sha256",
    "encoder": "Encoder",
    "threshold": "Least similarity",
    "classes": "Classes asked for",
    "direct": "Names without claims",
    "corpus": "Corpus",
    "corpus_passages": "Passages",
    "corpus_sha256": "Corpus, sha256",
    "ontology": "Ontology",
    "ontology_sha256": "Ontology, sha256",
    "root": "Root concept",
    "annotator": "Annotator",
    "guideline": "Guideline",
    "prompts": "Prompts",
    "domain": "Domain",
    "corpus_content": "Corpus content, sha256",
    "mining": "Mining",
    "imported": "From another tool",
}


def settings(ws: state.Workspace, run: runs.Run, found: tally.Tally) -> None:
    """What decided the outcome of the run, in words."""
    rows = [("Made by", run.source), ("Started, UTC", figures.moment(run.started_at))]
    if run.finished_at:
        rows.append(("Finished, UTC", figures.moment(run.finished_at)))
    for name, value in run.settings.items():
        rows += _setting(ws, run.id, name, value)
    rows.append(("Fingerprint", f"{run.fingerprint[:SHORT]}…"))
    if run.digest:
        rows.append(("Digest of all it said", f"{run.digest[:SHORT]}…"))
    plain.dataframe(
        [{"setting": name, "value": value} for name, value in rows],
        key=f"{KEY}settings",
        hide_index=True,
        height="content",
        column_config={
            "setting": st.column_config.TextColumn("Setting", width="medium"),
            "value": st.column_config.TextColumn("Value", width="large"),
        },
    )


def name_of(setting: str) -> str:
    return SETTINGS.get(setting, setting.replace("_", " ").capitalize())


def value_of(ws: state.Workspace, run: str, setting: str, value: Any) -> str:
    """A setting of a run in words: stages by their names, the root with its name, hashes cut."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(value_of(ws, run, setting, each) for each in value) or DASH
    if value is None:
        return DASH
    if setting == "root":
        return _concept(ws, run, str(value))
    said = str(value)
    return f"{said[:SHORT]}…" if _HASH.fullmatch(said) else NAMES.get(said, said)


def _concept(ws: state.Workspace, run: str, concept: str) -> str:
    """Such as `Phenotypic abnormality (HP:0000118)`."""
    ontology = next((one.ontology_id for one in state.all_runs(ws) if one.id == run), None)
    found = {} if ontology is None else ontologies.look_up(ws, ontology, [concept])
    return f"{found[concept].name} ({concept})" if concept in found else concept


def _setting(ws: state.Workspace, run: str, setting: str, value: Any) -> list[tuple[str, str]]:
    """Rows of a setting: one for each part."""
    if not isinstance(value, dict):
        return [(name_of(setting), value_of(ws, run, setting, value))]
    return [
        (f"{name_of(setting)}: {NAMES.get(key, key)}", text)
        for key, each in value.items()
        for _, text in _setting(ws, run, key, each)
    ]
