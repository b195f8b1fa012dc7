"""Review of concept labels: filters above, the desk below. All deciding happens in the desk."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import review
from core.records import Assertion, ConceptClass
from pages.widgets import confidential, frame, state
from pages.widgets.desk import chosen, concept_desk, doubts
from pages.widgets.desk.chosen import ANSWERS, ANY, SHOWN, named
from pages.widgets.plain import escape

PAGE = "concept_labels"
CLASSES = {ANY: "Any class", **{c.value: c.value.replace("_", " ").capitalize() for c in ConceptClass}}
BANDS = {ANY: "Any confidence", **{b.value: f"{b.value.capitalize()} confidence" for b in review.Band}}
STATUSES = {ANY: "Any status", **{a.value: a.value.capitalize() for a in Assertion}}
ORDERS = {
    review.Order.DOCUMENT.value: "As in the documents",
    review.Order.CONFIDENCE.value: "Least confident first",
    review.Order.DISAGREEMENT.value: "Where runs differ first",
}


choose = partial(chosen.choose, PAGE)


def filters(workspace: state.Workspace, corpora: list[str], tell: DeltaGenerator) -> review.Filters:
    corpus = choose("corpus", "Corpus", {name: name for name in corpora})
    runs = [r.id for r in state.review_runs(workspace) if r.corpus == corpus]
    run = choose("run", "Run", {ANY: "All runs", **{name: name for name in runs}})
    ontology = review.ontology_of(workspace, corpus)
    branches = dict(review.terms_of(workspace, ontology).top_branches()) if ontology else {}
    left, right = st.columns(2)
    with left:
        concept_class = choose("class", "Class", CLASSES)
        status = choose("status", "Status", STATUSES)
        show = choose("show", "Show", SHOWN)
    with right:
        band = choose("confidence", "Confidence", BANDS)
        passage = chosen.document(PAGE, workspace, corpus, "Document", tell)
        answers = choose("answers", "Curators per item", ANSWERS)
    branch = choose("branch", "Concept branch", {ANY: "All branches", **branches})
    order = choose("order", "Order", ORDERS)
    st.caption("Quotes that are not in the text and repaired proposals always come first.")
    return review.Filters(
        corpus=corpus,
        run=named(run),
        concept_class=None if concept_class == ANY else ConceptClass(concept_class),
        branch=named(branch),
        band=None if band == ANY else review.Band(band),
        assertion=None if status == ANY else Assertion(status),
        passage=passage,
        show=review.Show(show),
        order=review.Order(order),
        answers=int(answers),
    )


def summary(given: review.Filters) -> str:
    if given.listed is not None:
        return f"List: {escape(given.listed.name)}"
    parts = [given.corpus, given.run or "all runs", ORDERS[given.order].lower()]
    narrowed = [given.concept_class, given.assertion, given.branch, given.band]
    parts += [str(value).replace("_", " ") for value in narrowed if value]
    if given.passage is not None:
        parts.append(str(st.session_state[f"{PAGE}.document"]).strip())
    if given.show is not review.Show.UNDECIDED:
        parts.append(SHOWN[given.show].lower())
    if given.answers > 1:
        parts.append(f"{ANSWERS[str(given.answers)].lower()} curators each")
    return escape(", ".join(parts))


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
        st.title("Concept labels", anchor=False)
        frame.ask(workspace)
        st.stop()
    chosen.take_up(PAGE)
    head = st.container(gap="xxsmall")
    with head:
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.title("Concept labels", anchor=False, width="content")
            with st.popover("Filter and order"):
                given = replace(filters(workspace, corpora, head), listed=chosen.listed(PAGE))
        st.caption(summary(given))
        if given.listed is not None:
            chosen.leave_list(PAGE)
    confidential.note(workspace, given.corpus)
    if given.listed is None:
        doubts.tell(workspace, PAGE)
    concept_desk.desk.serve(workspace, given, key=state.DESK, session=state.SESSION)
