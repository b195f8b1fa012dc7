"""The desk for conflict labels as plain Streamlit would have it: what `bench_pairs.py` compares with."""

import os
import uuid

import streamlit as st

from core import review
from core.conflicts.cues import find_cues, line_up
from core.kinds.pair import answer_of
from core.records import Action, ItemKind, NewDecision
from core.review.walks.pair import index_of
from core.store import decisions, open_workspace, pairs

CURATOR = os.environ.get("BENCH_CURATOR", "nat")
st.set_page_config(layout="wide")
with open_workspace() as workspace:
    index = index_of(workspace)
    filters = review.PairFilters("bench")
    order = index.order(filters)
    at = st.session_state.setdefault("at", len(order) // 2)
    item = int(order[at])
    [(_, pair)] = pairs.pairs_of_items(workspace, [item])[item]
    [task] = pairs.tasks(workspace, [pair])
    labels = pairs.labels_of_items(workspace, [item])[item]
    last = decisions.history(workspace, CURATOR, kinds=(ItemKind.PAIR,))
    done, total = index.progress(order, filters, CURATOR)[:2]


def decide(action: Action) -> None:
    texts = {"a": task.a.text, "b": task.b.text}
    answer = answer_of(pair.pair_id, labels[0].label, texts) if action is Action.ACCEPT else None
    new = NewDecision(uuid.uuid4().hex, CURATOR, action, item_id=item, shown=(labels[0].id,), answer=answer)
    with open_workspace() as workspace:
        assert decisions.append(workspace, [new])[0].number
    st.session_state["at"] += 1


st.text(f"{done} / {total}")
a, b, right = st.columns([1, 1, 1.2])
for column, side in ((a, task.a), (b, task.b)):
    with column, st.container(border=True):
        st.text(side.title)
        st.text(side.text)
with a:
    for row in line_up(find_cues(task.a.text), find_cues(task.b.text)):
        st.text(f"{row.axis}: {[c.quote for c in row.a]} {[c.quote for c in row.b]}")
with right:
    with st.container(border=True):
        st.text(f"item {item}")
        for label in labels:
            st.text(f"{label.label.origin}: {label.label.conflict_type} {label.label.axes}")
        st.radio("Type", [str(label.label.conflict_type) for label in labels], key=f"type {item}")
        st.pills("Axes", list("pgymdblweitvu"), selection_mode="multi", key=f"axes {item}")
        st.text_area("Reconciliation", labels[0].label.reconciliation, key=f"box {item}")
        with st.container(horizontal=True):
            st.button("Accept", shortcut="a", on_click=decide, args=(Action.ACCEPT,))
            st.button("Reject", shortcut="x", on_click=decide, args=(Action.REJECT,))
            st.button("Unsure", shortcut="s", on_click=decide, args=(Action.UNSURE,))
    for decision in last:
        st.button(f"{decision.action} {decision.subject}", key=f"last {decision.number}")
