"""Review of conflict labels: filters above, the desk of claim pairs below. All deciding happens there."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import review
from core.records import ConflictType, Origin, Tier
from pages.widgets import confidential, frame, state
from pages.widgets.desk import chosen, pair_desk
from pages.widgets.desk.chosen import ANSWERS, ANY, named
from pages.widgets.plain import escape

PAGE = "conflict_labels"
TYPES = {ANY: "Any type", **{row["value"]: row["name"] for row in review.pair_guide()["types"]}}
TIERS = {ANY: "Any tier", **{tier.value: tier.value.capitalize() for tier in Tier}}
ORIGINS = {
    ANY: "Any origin",
    Origin.MODEL.value: "A model's label",
    Origin.PERSON.value: "A person's label",
    Origin.HEURISTIC.value: "Heuristic only",
}
SHOWN = {value: name for value, name in chosen.SHOWN.items() if value != review.Show.ADDED}
ORDERS = {
    review.PairOrder.SCORE.value: "Best score first",
    review.PairOrder.CONFIDENCE.value: "Least confident first",
    review.PairOrder.DISAGREEMENT.value: "Where annotators differ first",
}

choose = partial(chosen.choose, PAGE)


def filters(workspace: state.Workspace, corpora: list[str], tell: DeltaGenerator) -> review.PairFilters:
    corpus = choose("corpus", "Corpus", {name: name for name in corpora})
    runs = [r.id for r in state.review_runs(workspace, review.PAIR_RUNS) if r.corpus == corpus]
    run = choose("run", "Run", {ANY: "All runs", **{name: name for name in runs}})
    domains = review.pair_index(workspace).domains(corpus)
    left, right = st.columns(2)
    with left:
        domain = choose("domain", "Domain", {ANY: "All domains", **{d: d.replace("_", " ") for d in domains}})
        tier = choose("tier", "Tier", TIERS)
        show = choose("show", "Show", SHOWN)
    with right:
        conflict_type = choose("type", "Conflict type", TYPES)
        origin = choose("origin", "Origin", ORIGINS)
        answers = choose("answers", "Curators per pair", ANSWERS)
    passage = chosen.document(PAGE, workspace, corpus, "Article", tell)
    order = choose("order", "Order", ORDERS)
    st.caption(
        "Repaired labels and quotes that are not in the text always come first; then tier by tier. Type and "
        "origin are those of the model's label, or of the heuristic's where there is no other."
    )
    return review.PairFilters(
        corpus=corpus,
        run=named(run),
        domain=named(domain),
        conflict_type=None if conflict_type == ANY else ConflictType(conflict_type),
        tier=None if tier == ANY else Tier(tier),
        origin=None if origin == ANY else Origin(origin),
        passage=passage,
        show=review.Show(show),
        order=review.PairOrder(order),
        answers=int(answers),
    )


def summary(given: review.PairFilters) -> str:
    if given.listed is not None:
        return f"List: {escape(given.listed.name)}"
    parts = [given.corpus, given.run or "all runs", ORDERS[given.order].lower()]
    narrowed = [given.domain, given.tier, given.origin]
    parts += [str(value).replace("_", " ") for value in narrowed if value]
    if given.conflict_type is not None:
        parts.append(TYPES[given.conflict_type].lower())
    if given.passage is not None:
        parts.append(str(st.session_state[f"{PAGE}.document"]).strip())
    if given.show is not review.Show.UNDECIDED:
        parts.append(SHOWN[given.show].lower())
    if given.answers > 1:
        parts.append(f"{ANSWERS[str(given.answers)].lower()} curators each")
    return escape(", ".join(parts))


with state.workspace() as workspace:
    corpora = list(dict.fromkeys(run.corpus for run in state.review_runs(workspace, review.PAIR_RUNS)))
    if not corpora:
        st.title("Conflict labels")
        st.info(
            "There are no claim pairs to review yet. Find and label some with `touchstone run conflicts`, or"
            " bring pairs that another tool labelled with `touchstone proposals add`."
        )
        st.stop()
    if state.nobody():  # certain: until the browser has answered the desk stays, with all that it holds
        st.title("Conflict labels", anchor=False)
        frame.ask(workspace)
        st.stop()
    chosen.take_up(PAGE)
    head = st.container(gap="xxsmall")
    with head:
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.title("Conflict labels", anchor=False, width="content")
            with st.popover("Filter and order"):
                given = replace(filters(workspace, corpora, head), listed=chosen.listed(PAGE))
        st.caption(summary(given))
        if given.listed is not None:
            chosen.leave_list(PAGE)
    confidential.note(workspace, given.corpus)
    pair_desk.desk.serve(workspace, given, key=state.PAIR_DESK, session=state.PAIR_SESSION)
