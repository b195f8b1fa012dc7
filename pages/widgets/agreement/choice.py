"""What the agreement page looks at: corpus, kind of item, and how labels are read."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core import evaluate as scoring
from core.evaluate.curators import FIELDS, UNIVERSES, Field, Kind, Universe
from core.evaluate.settings import MEASURES
from core.text.visible import visible
from pages.widgets import confidential, state
from pages.widgets.metrics.tables import pictures

KEY = state.AGREEMENT
KINDS: dict[Kind, str] = {"concepts": "Concepts", "pairs": "Claim pairs"}
SAID: dict[Universe, str] = {
    "named": "Named by one of them",
    "judged": "Named or rejected",
}
ASKED: dict[Field, str] = {
    "conflict_type": "Conflict type",
    "comparable": "Comparable",
    "confounder": "Dominant confounder",
    "axes": "Divergence axes",
}
NO_ONTOLOGY = "none"


@dataclass(frozen=True)
class Look:
    ws: state.Workspace
    corpus: str
    kind: Kind
    field: Field = "conflict_type"
    universe: Universe = "named"
    ontology: str | None = None
    settings: scoring.Settings | None = None

    def result(self) -> scoring.CuratorAgreement:
        asked = (self.corpus, self.kind, self.field, self.universe, self.ontology, self.settings)
        return state.hold(self.ws, scoring.agreement_of, *asked)


def look(ws: state.Workspace) -> Look | None:
    """The filters; None where there is nothing to look at yet, and the page says what to do."""
    corpora = [corpus.name for corpus in state.all_corpora(ws)]
    if not corpora:
        st.info("There is no corpus yet. Import one, label it, and let two curators review it.", icon="ℹ️")
        return None
    left, middle, right, more = st.columns([3, 3, 3, 1.5], vertical_alignment="bottom")
    runs = state.all_runs(ws)
    corpus = left.selectbox(
        "Corpus", corpora, format_func=visible, key=f"{KEY}corpus", bind="query-params", required=True
    )
    confidential.note(ws, corpus)
    here = [run for run in runs if run.corpus == corpus]
    paired = bool(here) and all(run.kind == "conflicts" for run in here)
    kind = middle.segmented_control(
        "Items",
        list(KINDS),
        format_func=KINDS.__getitem__,
        default="pairs" if paired else "concepts",
        key=f"{KEY}kind.{corpus}",
        required=True,
    )
    if kind == "pairs":
        asked = right.selectbox(
            "Answer",
            FIELDS,
            format_func=ASKED.__getitem__,
            key=f"{KEY}field",
            bind="query-params",
            required=True,
        )
        with more:
            _more()
        return Look(ws, corpus, "pairs", asked)
    universe = right.selectbox(
        "Items of two curators",
        UNIVERSES,
        format_func=SAID.__getitem__,
        key=f"{KEY}universe",
        bind="query-params",
        required=True,
        help="A concept that both reject is agreement only if rejected proposals count. The specification "
        "counts what at least one of them names.",
    )
    known = [ontology.reference for ontology in state.all_ontologies(ws)]
    of_runs = [run.ontology_id for run in here if run.ontology_id]
    ids = [ontology.id for ontology in state.all_ontologies(ws)]
    first = ids.index(of_runs[-1]) + 1 if of_runs and of_runs[-1] in ids else 0
    with more:
        ontology, settings = _more(known, first)
    return Look(ws, corpus, "concepts", universe=universe, ontology=ontology, settings=settings)


def _more(known: list[str] | None = None, first: int = 0) -> tuple[str | None, scoring.Settings]:
    with st.popover("Options", width="stretch"):
        ontology, settings = NO_ONTOLOGY, scoring.Settings()
        if known is not None:
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
        pictures()
    return (None if ontology == NO_ONTOLOGY else ontology), settings
