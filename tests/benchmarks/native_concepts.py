"""The desk for concept labels as plain Streamlit would have it: what `bench_review.py` compares with."""

import os
import uuid

import streamlit as st

from core import review
from core.kinds.concept import answer_of
from core.records import Action, NewDecision
from core.review.walks.concept import index_of
from core.store import corpora, decisions, open_workspace, proposals, queue

CURATOR = os.environ.get("BENCH_CURATOR", "nat")
st.set_page_config(layout="wide")
with open_workspace() as workspace:
    index = index_of(workspace)
    order = index.order(review.Filters("bench"), lambda c: frozenset())
    at = st.session_state.setdefault("at", len(order) // 2)
    item = int(order[at])
    passage = corpora.passage(workspace, queue.items(workspace, [item])[item].passage_id)
    rows = queue.items_of_passages(workspace, [passage.id])
    proposed = proposals.of_items(workspace, [row.id for row in rows])
    last = decisions.history(workspace, CURATOR)
    done, total = index.progress(order, review.Filters("bench"), CURATOR)[:2]
(proposal,) = proposed[item]


def decide(action: Action) -> None:
    answer = answer_of(proposal) if action is Action.ACCEPT else None
    new = NewDecision(uuid.uuid4().hex, CURATOR, action, item_id=item, shown=(proposal.id,), answer=answer)
    with open_workspace() as workspace:
        assert decisions.append(workspace, [new])[0].number
    st.session_state["at"] += 1


st.text(f"{done} / {total}")
left, right = st.columns([1.2, 1])
with left:
    with st.container(border=True):
        st.text(passage.text)
    for row in rows:
        st.button(f"{proposed[row.id][0].label} {row.subject}", key=f"row {row.id}")
with right:
    with st.container(border=True):
        st.text(f"item {item}: {proposal.label} {proposal.concept}")
        st.text(proposal.evidence[0].quote)
        st.text(f"{proposal.confidence:.2f} {proposal.reason}")
        with st.container(horizontal=True):
            st.button("Accept", shortcut="a", on_click=decide, args=(Action.ACCEPT,))
            st.button("Reject", shortcut="x", on_click=decide, args=(Action.REJECT,))
            st.button("Unsure", shortcut="s", on_click=decide, args=(Action.UNSURE,))
    for decision in last:
        st.button(f"{decision.action} {decision.subject}", key=f"last {decision.number}")
