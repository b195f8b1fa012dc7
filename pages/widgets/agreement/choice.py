"""What the agreement page looks at: corpus, kind of item, and how labels are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core import evaluate as scoring
from core.evaluate.curators import FIELDS, UNIVERSES, Field, Kind, Universe
from core.evaluate.settings import MEASURES
from core.records import ItemKind
from core.store.runs import Run
from core.text.visible import visible
from pages.widgets import confidential, lasting, state
from pages.widgets.metrics.tables import pictures

KEY = state.AGREEMENT
KINDS: dict[Kind, str] = {"concepts": "Concepts", "pairs": "Claim pairs"}
SAID: dict[Universe, str] = {
    "named": "Named by one of them",
    "judged": "Named or rejected",
}
ASKED: dict[Field, str] = {
    "status": "Status",
    "presence": "Present or absent",
    "class": "Class",
    "concept": "Concept",
    "conflict_type": "Conflict type",
    "comparable": "Comparable",
    "confounder": "Dominant confounder",
    "axes": "Divergence axes",
}
NO_ONTOLOGY = "none"
ANY_RUN = "*"


@dataclass(frozen=True)
class Look:
    ws: state.Workspace
    corpus: str
    kind: Kind
    field: Field
    universe: Universe = "named"
    ontology: str | None = None
    settings: scoring.Settings | None = None
    run: str | None = None

    @property
    def about(self) -> str:
        """What the numbers are about, for the name of a list. From outside."""
        return f"agreement on {self.corpus}"

    def result(self) -> scoring.CuratorAgreement:
        asked = (self.corpus, self.kind, self.field, self.universe, self.ontology, self.settings, self.run)
        return state.hold(self.ws, _compared, *asked)


def _compared(ws: state.Workspace, *asked: Any) -> scoring.CuratorAgreement:
    """What it reads of the ontology is read once, whatever is decided."""
    known = [(one.reference, one.sha256) for one in state.all_ontologies(ws)]
    return scoring.agreement_of(ws, *asked, readings=lasting.readings(ws, "ontology", asked[4], tuple(known)))


def look(ws: state.Workspace) -> Look | None:
    """The filters; None where there is nothing to look at yet, and the page says what to do."""
    corpora = [corpus.name for corpus in state.all_corpora(ws)]
    if not corpora:
        st.info("There is no corpus yet. Import one, label it, and let two curators review it.", icon="ℹ️")
        return None
    first, second, third, fourth, more = st.columns([3, 3, 3, 3, 1.8], vertical_alignment="bottom")
    corpus = first.selectbox(
        "Corpus", corpora, format_func=visible, key=f"{KEY}corpus", bind="query-params", required=True
    )
    confidential.note(ws, corpus)
    here = [run for run in state.all_runs(ws) if run.corpus == corpus]
    paired = bool(here) and all(run.proposes == ItemKind.PAIR for run in here)
    kind = second.segmented_control(
        "Items",
        list(KINDS),
        format_func=KINDS.__getitem__,
        default="pairs" if paired else "concepts",
        key=f"{KEY}kind.{corpus}",
        required=True,
    )
    asked = third.selectbox(
        "Answer",
        FIELDS[kind],
        format_func=ASKED.__getitem__,
        key=f"{KEY}field" if kind == "pairs" else f"{KEY}answer",
        bind="query-params",
        required=True,
        help="What of their answers is compared. Concept: which one a proposal should have named.",
    )
    with fourth:
        run = _run(here, kind)
    with more:
        if kind == "pairs":
            _more()
            return Look(ws, corpus, "pairs", asked, run=run)
        universe, ontology, settings = _of_concepts(ws, here)
    return Look(ws, corpus, "concepts", asked, universe, ontology, settings, run)


def _run(here: Sequence[Run], kind: Kind) -> str | None:
    """Only the items that one run proposed; None: all."""
    runs = [run.id for run in here if (run.proposes == ItemKind.PAIR) == (kind == "pairs")]
    chosen = st.selectbox(
        "Proposed by",
        [ANY_RUN, *runs],
        format_func=lambda one: "Any run, or nobody" if one == ANY_RUN else visible(one),
        key=f"{KEY}run",
        bind="query-params",
        required=True,
        help="Count all that curators answered, or only what this run had proposed.",
    )
    return None if chosen == ANY_RUN else chosen


def _of_concepts(ws: state.Workspace, here: Sequence[Run]) -> tuple[Universe, str | None, scoring.Settings]:
    known = [ontology.reference for ontology in state.all_ontologies(ws)]
    of_runs = [run.ontology_id for run in here if run.ontology_id]
    ids = [ontology.id for ontology in state.all_ontologies(ws)]
    newest = ids.index(of_runs[-1]) + 1 if of_runs and of_runs[-1] in ids else 0
    with st.popover("Options", width="stretch"):
        universe = st.selectbox(
            "Items of two curators",
            UNIVERSES,
            format_func=SAID.__getitem__,
            key=f"{KEY}universe",
            bind="query-params",
            required=True,
            help="A concept that both reject is agreement only if rejected proposals count. The "
            "specification counts what at least one of them names.",
        )
        ontology, settings = _ontology(known, newest)
        pictures()
    return universe, ontology, settings


def _ontology(known: list[str], first: int) -> tuple[str | None, scoring.Settings]:
    settings = scoring.Settings()
    ontology = st.selectbox(
        "Ontology",
        [NO_ONTOLOGY, *known],
        index=first,
        key=f"{KEY}ontology",
        required=True,
        help="For alternative ids, for names, and for how alike two concepts are.",
    )
    if ontology != NO_ONTOLOGY:
        similarity = st.selectbox(
            "Similarity",
            MEASURES,
            format_func=lambda name: name.replace("_", "-"),
            key=f"{KEY}similarity",
            required=True,
        )
        alike = st.slider("Alike from", 0.55, 1.0, settings.alike, 0.05, key=f"{KEY}alike")
        settings = scoring.Settings(similarity=similarity, alike=alike)
    return (None if ontology == NO_ONTOLOGY else ontology), settings


def _more() -> None:
    with st.popover("Options", width="stretch"):
        pictures()
