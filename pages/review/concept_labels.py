"""Review of concept labels: filters above, the desk below. All deciding happens in the desk."""

from __future__ import annotations

import uuid

import streamlit as st

from core import review
from core.records import ConceptClass
from pages.widgets import confidential, frame, state
from pages.widgets.desk import concept_desk
from pages.widgets.plain import escape

PAGE = "concept_labels"
ANY = "any"
CLASSES = {ANY: "Any class", **{c.value: c.value.replace("_", " ").capitalize() for c in ConceptClass}}
BANDS = {ANY: "Any confidence", **{b.value: f"{b.value.capitalize()} confidence" for b in review.Band}}
ANSWERS = {"1": "One", "2": "Two", "3": "Three"}
SHOWN = {
    review.Show.UNDECIDED.value: "Undecided",
    review.Show.UNSURE.value: "My unsure ones",
    review.Show.ALL.value: "All",
}
ORDERS = {
    review.Order.DOCUMENT.value: "As in the documents",
    review.Order.CONFIDENCE.value: "Least confident first",
    review.Order.DISAGREEMENT.value: "Where runs differ first",
}


def choose(name: str, label: str, options: dict[str, str]) -> str:
    """One filter, kept in the address, so that it survives a reload and can be linked to."""
    key = f"{PAGE}.{name}"
    if st.session_state.get(key) not in options:
        st.session_state.pop(key, None)
    return str(
        st.selectbox(label, list(options), format_func=options.__getitem__, key=key, bind="query-params")
    )


def filters(workspace: state.Workspace, corpora: list[str]) -> review.Filters:
    corpus = choose("corpus", "Corpus", {name: name for name in corpora})
    named = [r.id for r in state.review_runs(workspace) if r.corpus == corpus]
    run = choose("run", "Run", {ANY: "All runs", **{name: name for name in named}})
    ontology = review.ontology_of(workspace, corpus)
    branches = dict(review.terms_of(workspace, ontology).top_branches()) if ontology else {}
    left, right = st.columns(2)
    with left:
        concept_class = choose("class", "Class", CLASSES)
        show = choose("show", "Show", SHOWN)
    with right:
        band = choose("confidence", "Confidence", BANDS)
        answers = choose("answers", "Curators per item", ANSWERS)
    branch = choose("branch", "Concept branch", {ANY: "All branches", **branches})
    order = choose("order", "Order", ORDERS)
    st.caption("Quotes that are not in the text and repaired proposals always come first.")
    return review.Filters(
        corpus=corpus,
        run=None if run == ANY else run,
        concept_class=None if concept_class == ANY else ConceptClass(concept_class),
        branch=None if branch == ANY else branch,
        band=None if band == ANY else review.Band(band),
        show=review.Show(show),
        order=review.Order(order),
        answers=int(answers),
    )


def summary(chosen: review.Filters) -> str:
    parts = [chosen.corpus, chosen.run or "all runs", ORDERS[chosen.order].lower()]
    narrowed = [chosen.concept_class, chosen.branch, chosen.band]
    parts += [str(value).replace("_", " ") for value in narrowed if value]
    if chosen.show is not review.Show.UNDECIDED:
        parts.append(SHOWN[chosen.show].lower())
    if chosen.answers > 1:
        parts.append(f"{ANSWERS[str(chosen.answers)].lower()} curators each")
    return escape(", ".join(parts))


def keep() -> None:
    """Store what a message brings before anything else, also where it is the last one from this page."""
    sent, curator = concept_desk.message(state.DESK), state.curator()
    if sent and curator:
        with state.workspace() as workspace:
            review.keep(workspace, sent, curator)


with state.workspace() as workspace:
    corpora = list(dict.fromkeys(run.corpus for run in state.review_runs(workspace)))
    if not corpora:
        st.title("Concept labels")
        st.info(
            "There is nothing to review yet. Make proposals with `touchstone annotate`, or bring labels that"
            " another tool made with `touchstone proposals add`."
        )
        st.stop()
    if state.nobody():  # certain: until the browser has answered the desk stays, with all that it holds
        frame.ask(workspace)
        st.stop()
    title, control = st.columns([3, 1], vertical_alignment="bottom")
    title.subheader("Concept labels", anchor=False)
    with control, st.popover("Filter and order", width="stretch"):
        chosen = filters(workspace, corpora)
    title.caption(summary(chosen))
    confidential.note(workspace, chosen.corpus)
    curator = state.curator()
    sent = concept_desk.message(state.DESK)
    reply = review.serve(workspace, sent, chosen, curator) if sent and curator else None
    concept_desk.show(
        state.DESK,
        {
            "workspace": review.identity(workspace),
            "curator": curator,
            "session": st.session_state.setdefault(state.SESSION, uuid.uuid4().hex),
            "reply": reply,
        },
        on_message=keep,
    )
