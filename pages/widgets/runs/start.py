"""A new run: what to label, how, and what it may cost. The work itself is a process of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.concepts import STAGES
from core.concepts.profile import Hypernyms, Profile, load_profile, profiles
from core.errors import TouchstoneError
from core.store import corpora, learned, ontologies, runs
from core.text.visible import visible
from pages.widgets import confidential, state
from pages.widgets.plain import escape
from pages.widgets.runs import control, figures

if TYPE_CHECKING:
    from core.llm import Endpoint
    from core.pipeline.conflicts import ConflictsPlan
    from core.pipeline.plan import Plan

KEY = state.RUNS
OFFLINE, MODEL = "offline", "model"
_BROADER = {
    Hypernyms.KEEP: "Keep them",
    Hypernyms.KEEP_NAMED_APART: "Keep those that are also named apart from it",
    Hypernyms.DROP: "Leave them out",
}
FORMS = {OFFLINE: "Offline, on this machine", MODEL: "Ask a model"}


def show(ws: state.Workspace) -> None:
    known = {corpus.name: corpus for corpus in state.all_corpora(ws)}
    loaded = {row.reference: row.id for row in reversed(state.all_ontologies(ws))}
    if not known or not loaded or not profiles():
        st.info(
            "A run needs a corpus and an ontology. Bring them with `touchstone corpus add` and "
            "`touchstone ontology add`.",
            icon="ℹ️",
        )
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("What to label", anchor=False)
        corpus = corpus_of(ws, known, "passage", f"{KEY}corpus")
        ontology = st.selectbox("Ontology", list(loaded), format_func=visible, key=f"{KEY}ontology")
        tasks = _fitting(ws, loaded[ontology])
        name = st.selectbox(
            "Task profile", list(tasks), format_func=lambda one: tasks[one].title, key=f"{KEY}task_{ontology}"
        )
        profile = tasks[name]
        st.caption(escape(profile.description))
    with right:
        st.subheader("How", anchor=False)
        chosen = _stages(profile)
        options: dict[str, Any] = {
            "corpus": corpus,
            "ontology": ontology,
            "profile": name,
            "stages": chosen,
            **maker(known[corpus]),
            **_finer(ws, profile),
        }
    offer(ws, options, _cost)


def corpus_of(ws: state.Workspace, known: Mapping[str, corpora.Corpus], unit: str, key: str) -> str:
    """The corpus chosen among those known by name, each with how many of its units it has."""
    corpus = st.selectbox(
        "Corpus",
        list(known),
        format_func=lambda name: f"{visible(name)}, {figures.count(known[name].passages, unit)}",
        key=key,
    )
    confidential.note(ws, corpus)
    return corpus


def name_of_run(key: str, otherwise: str) -> str | None:
    """What the curator calls the run; None: `otherwise` says what its name is made of."""
    typed = st.text_input("Name of the run", key=key, max_chars=100, placeholder=otherwise)
    return typed.strip() or None


def _fitting(ws: state.Workspace, ontology_id: int) -> dict[str, Profile]:
    """All profiles, first those whose root the ontology holds."""
    known = {name: load_profile(name) for name in profiles()}
    roots = {profile.root for profile in known.values() if profile.root}
    held = ontologies.look_up(ws, ontology_id, sorted(roots))
    return dict(sorted(known.items(), key=lambda row: row[1].root is not None and row[1].root not in held))


def _stages(profile: Profile) -> list[str]:
    """The first stage is always one of them."""
    later = STAGES[1:]
    picked = st.pills(
        "Stages after the first",
        later,
        format_func=figures.stage_name,
        selection_mode="multi",
        default=[stage for stage in profile.default_stages if stage in later],
        key=f"{KEY}stages_{profile.name}",
    )
    chosen = [stage for stage in STAGES if stage == STAGES[0] or stage in picked]
    st.caption("\n".join(f"- **{figures.stage_name(s)}**: {figures.STAGE_HELP[s]}" for s in chosen))
    return chosen


def endpoint_is_set() -> bool:
    """Whether the environment names an endpoint or brings a key for one."""
    from core.llm.endpoint import KEY_VARIABLES, URL_VARIABLES

    return any(os.environ.get(name) for name in (*URL_VARIABLES, *KEY_VARIABLES))


def maker(corpus: corpora.Corpus) -> dict[str, Any]:
    """By rules, or by which model and for how much."""
    if not endpoint_is_set():
        st.caption(
            "Labels are made offline, by rules and an encoder on this machine. To ask a model, set "
            "`TOUCHSTONE_BASE_URL`, `TOUCHSTONE_MODEL` and, where it needs one, `TOUCHSTONE_API_KEY` before "
            "you start the app."
        )
        return {"offline": True}
    form = st.segmented_control(
        "Made", list(FORMS), format_func=FORMS.__getitem__, default=OFFLINE, key=f"{KEY}form", required=True
    )
    if form == OFFLINE:
        return {"offline": True}
    from core.llm.endpoint import MODEL_VARIABLE

    model = st.text_input("Model", os.environ.get(MODEL_VARIABLE, ""), key=f"{KEY}model", max_chars=200)
    return {"offline": False, "model": model.strip(), **_ceiling(model.strip())}


def _ceiling(model: str) -> dict[str, Any]:
    """In dollars where the model has a price, else in tokens."""
    from core.llm import load_prices

    if load_prices().of(model) is not None:
        most = st.number_input(
            "Most it may cost, US$", min_value=0.0, value=5.0, step=1.0, key=f"{KEY}ceiling", format="%.2f"
        )
        return {"ceiling": most}
    tokens = st.number_input(
        "Most tokens it may use",
        min_value=1,
        value=1_000_000,
        step=100_000,
        key=f"{KEY}ceiling_tokens",
        help="The price of this model is not known, so no ceiling in dollars could be kept. What the "
        "endpoint does not report is counted here, about.",
    )
    return {"ceiling_tokens": int(tokens)}


def _finer(ws: state.Workspace, profile: Profile) -> dict[str, Any]:
    with st.expander("Finer settings"):
        sets = {None: "Nothing", **{row.name: row.name for row in state.read(ws, learned.list_sets)}}
        taught = st.selectbox(
            "Learned set",
            list(sets),
            format_func=lambda name: visible(sets[name]),
            key=f"{KEY}taught",
            help="Names and a keep/drop head that were learned from gold or decisions, under Learned",
        )
        policy = st.selectbox(
            "Concepts more general than another one of the passage",
            list(_BROADER),
            format_func=_BROADER.__getitem__,
            index=list(_BROADER).index(profile.hypernyms),
            key=f"{KEY}hypernyms_{profile.name}",
        )
        own = st.toggle("Choose the least similarity", key=f"{KEY}own_threshold")
        threshold = st.slider(
            "Least similarity of a generated name to a concept's name",
            *(0.0, 1.0, control.threshold(profile), 0.01),
            disabled=not own,
            key=f"{KEY}threshold_{profile.name}",
            help="Off: the profile's own, else what was calibrated for the encoder",
        )
        classes = st.segmented_control(
            "Classes asked for", (2, 3, 4), default=4, key=f"{KEY}classes", required=True
        )
        run = name_of_run(f"{KEY}name", "Made from profile, corpus and ontology")
    return {
        "threshold": threshold if own else None,
        "classes": classes,
        "learned": taught,
        "hypernyms": None if policy is profile.hypernyms else policy,
        "run": run,
    }


def _said(planned: Plan | ConflictsPlan) -> str:
    """A plan in a sentence."""
    from core.pipeline.plan import Plan

    said = f"Made by {planned.source}"
    if isinstance(planned, Plan):
        said += f", least similarity {planned.threshold:.2f}"
        if "guideline" in planned.stages:
            said += f", guideline {planned.guideline.reference}"
    return f"{said}."


def offer(
    ws: state.Workspace,
    options: dict[str, Any],
    cost: Callable[[state.Workspace, dict[str, Any], Endpoint], None],
) -> None:
    """What the run will be, whatever forbids it, and the button.

    Args:
        cost: tells what leaves this machine, and what that costs.
    """
    try:
        planned = control.planned(ws, options)
    except TouchstoneError as error:
        st.error(escape(str(error)))
        st.button("Start", type="primary", disabled=True, key=f"{KEY}start")
        return
    with st.container(border=True):
        st.markdown(f"**{escape(planned.run)}**")
        st.caption(escape(_said(planned)))
        why = _taken(ws, planned)
        if why:
            st.info(f"{why} Give this one another name under Finer settings.", icon="ℹ️")
        elif planned.endpoint is not None:
            cost(ws, options, planned.endpoint)
        st.button(
            "Start",
            type="primary",
            key=f"{KEY}start",
            disabled=ws.read_only or bool(why),
            on_click=_start,
            args=(str(ws.path), options),
        )
        if problem := st.session_state.pop(KEY + "problem", None):
            st.error(escape(problem))


def _taken(ws: state.Workspace, planned: Plan | ConflictsPlan) -> str:
    """Why a run of this name cannot go on with these settings; empty where it can, or there is none."""
    known = next((run for run in state.all_runs(ws) if run.id == planned.run), None)
    if known is None:
        return ""
    if known.status == "done":
        return "There is a run of this name, and it is done."
    if known.fingerprint != runs.fingerprint(planned.inputs) and not runs.is_empty(ws, known.id):
        return "There is a run of this name with other settings."
    return ""


def _cost(ws: state.Workspace, options: dict[str, Any], endpoint: Endpoint) -> None:
    frozen = tuple((name, tuple(v) if isinstance(v, list) else v) for name, v in options.items())
    st.caption(escape(f"Texts of this corpus go to {endpoint.base_url}."))
    st.caption(escape(str(state.read(ws, control.estimated, frozen))))


def _start(path: str, options: dict[str, Any]) -> None:
    """Before the page is drawn again: a run that has begun is shown in the list."""
    try:
        run = control.start(path, options)
    except TouchstoneError as error:
        st.session_state[KEY + "problem"] = str(error)
        return
    st.session_state[KEY + "view"] = "runs"
    st.session_state[KEY + "next"] = run
