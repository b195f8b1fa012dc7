"""What the metrics page looks at: run, gold, what counts, and which view. All of it stands in the address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core import evaluate as scoring
from core.evaluate.readings import Readings
from core.evaluate.settings import INFORMATION, MEASURES, SLICES
from core.records import Assertion
from core.store import corpora, ontologies, runs
from pages.widgets import lasting, state
from pages.widgets.metrics import frames
from pages.widgets.metrics.run_and_gold import run_and_gold
from pages.widgets.metrics.tables import pictures
from pages.widgets.plain import escape

KEY = state.METRICS
VACUOUS = {"one": "score 1", "zero": "score 0", "skip": "are left out of means"}
RESAMPLES = (0, 200, 1000, 5000)


@dataclass(frozen=True)
class Look:
    """A run against a gold, counted by these settings."""

    ws: state.Workspace
    run: str
    corpus: str
    gold: str
    settings: scoring.Settings
    ontology: int | None = None
    """Of the run."""
    labelled: str = ""
    """The concept that the run was asked to label below; empty: any."""
    root: str = ""
    """Score only this concept and those below it; empty: all."""

    def corpus_values(self) -> tuple[scoring.ReviewedEvaluation, Readings]:
        """Scores of the family `corpus`, and what was read for them."""
        counted = self.settings
        plain = scoring.Settings(
            assertions=counted.assertions, bootstrap=counted.bootstrap, vacuous=counted.vacuous
        )
        readings = state.hold(self.ws, _readings, self.run, self.gold)

        def corpus(ws: state.Workspace, *args: Any) -> scoring.ReviewedEvaluation:
            past = readings.before(args)
            found = _scored(ws, *args, scoring.ReviewedEvaluation(past) if past else None, readings)
            readings.keep_before(args, found.before)
            return found

        return state.hold(self.ws, corpus, self.run, self.gold, plain, *self._below), readings

    @property
    def _below(self) -> tuple[int | None, str]:
        return (self.ontology, self.root) if self.root else (None, "")  # what is held is held once

    def result(self, *families: str) -> scoring.ReviewedEvaluation:
        """Scores of these families beside the corpus values; nothing else is computed, and nothing twice."""
        base, readings = self.corpus_values()
        if not families:
            return base

        def further(ws: state.Workspace, *args: Any) -> scoring.ReviewedEvaluation:
            return _scored(ws, *args, base, readings)

        settings = replace(self.settings, families=("corpus", *families))
        return state.hold(self.ws, further, self.run, self.gold, settings, *self._below)


def _readings(ws: state.Workspace, run: str, gold: str) -> Readings:
    """Every view adds what it reads, and no later one reads it again. What no decision changes goes on from
    one revision to the next: so a finished run is scored as it was proposed once, not after each decision."""
    scored = runs.find_run(ws, run)
    if scored.status != "done" or not gold.startswith("imported:"):
        return Readings()
    documents = corpora.corpus(ws, scored.corpus).passages  # a corpus may grow
    return lasting.readings(ws, "run", run, gold, documents)


def _scored(
    ws: state.Workspace,
    run: str,
    gold: str,
    settings: scoring.Settings,
    ontology: int | None,
    root: str,
    earlier: scoring.ReviewedEvaluation | None,
    readings: Readings,
) -> scoring.ReviewedEvaluation:
    scope = None
    if root and ontology is not None:
        scope = scoring.scope(ws, ontologies.ontology_by_id(ws, ontology).reference, root)
    return scoring.evaluate_run(ws, run, gold, settings, scope, earlier=earlier, readings=readings)


def look(ws: state.Workspace) -> Look | None:
    """The filters; None where there is nothing to look at yet, and the page says what to do."""
    chosen = run_and_gold(
        ws,
        KEY,
        lambda: st.columns([3, 3, 3, 1.5], vertical_alignment="bottom"),
        scoring.gold_references,
        without_gold=lambda run: frames.without_gold(ws, run, frames.CONCEPTS),
    )
    if chosen is None:
        return None
    of_run, gold, (right, more) = chosen
    assertions = right.pills(
        "Assertions that count",
        [a.value for a in Assertion],
        selection_mode="multi",
        default=["affirmed", "uncertain"],
        format_func=lambda value: value.replace("_", " "),
        key=f"{KEY}assertions",
        bind="query-params",
    )
    with more.popover("Options", width="stretch"):
        options = _options()
    if oracle := of_run.settings.get("oracle"):
        st.warning(
            f"An ablation: this run took its {escape(str(oracle))} from gold. Its numbers bound what other "
            "parts of the pipeline cost; they score no labelling.",
            icon="⚠️",
        )
    if not assertions:
        st.info("Choose at least one assertion.", icon="ℹ️")
        return None
    settings = scoring.Settings.parse(assertions=",".join(assertions), **options)
    labelled = str(of_run.settings.get("root") or "")
    return Look(ws, of_run.id, of_run.corpus, gold, settings, of_run.ontology_id, labelled)


def _options() -> dict[str, Any]:
    vacuous = st.selectbox(
        "Documents with neither gold nor proposals",
        list(VACUOUS),
        format_func=VACUOUS.__getitem__,
        key=f"{KEY}vacuous",
        bind="query-params",
        required=True,
    )
    bootstrap = st.select_slider(
        "Resamples of the intervals", RESAMPLES, value=1000, key=f"{KEY}resamples", bind="query-params"
    )
    pictures()
    return {"vacuous": vacuous, "bootstrap": bootstrap}


# --- options of single views --------------------------------------------------------------------------------


def similar(chosen: Look) -> Look:
    """How alike two concepts must be, for the views of near misses."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = st.segmented_control(
            "Similarity of concepts",
            MEASURES,
            default=MEASURES[0],
            format_func={"lin": "Lin", "jiang_conrath": "Jiang-Conrath", "lineage": "Lineage"}.get,
            key=f"{KEY}similarity",
            bind="query-params",
            required=True,
        )
        information = st.segmented_control(
            "Information content from",
            INFORMATION,
            default=INFORMATION[0],
            key=f"{KEY}information",
            bind="query-params",
            required=True,
            disabled=measure == "lineage",
        )
        alike = st.slider(
            "Alike from", 0.55, 1.0, 0.7, 0.05, key=f"{KEY}alike", bind="query-params", width=220
        )
        sure = st.slider("Sure from", 0.0, 1.0, 0.8, 0.05, key=f"{KEY}sure", bind="query-params", width=220)
    settings = replace(chosen.settings, similarity=measure, information=information, alike=alike, sure=sure)
    return replace(chosen, settings=settings)


def sliced(chosen: Look) -> Look:
    """What the corpus values are cut by, and the concept whose children are the branches."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by = st.segmented_control(
            "Slices by",
            SLICES,
            default=SLICES[0],
            format_func=str.capitalize,
            key=f"{KEY}by",
            bind="query-params",
            required=True,
        )
        root = st.text_input(
            "Concepts at and below",
            value=chosen.labelled,
            placeholder="all",
            key=f"{KEY}root.{chosen.run}",
            bind="query-params",
            width=240,
            help="Only these are scored in this view. Their branches are the children of this concept.",
            disabled=chosen.ontology is None,
        )
    settings = replace(chosen.settings, by=(by,))
    return replace(chosen, settings=settings, root=root.strip())
