"""Two runs, or two versions of a prompt, side by side: how far they agree, and what changed."""

from __future__ import annotations

import streamlit as st

from core import evaluate as scoring
from core.charts import Table
from core.errors import TouchstoneError
from core.evaluate.references import in_words
from core.store import runs
from core.text.visible import visible
from pages.widgets import confidential, options, plain, state, take_away
from pages.widgets.item_list import REVIEW, concepts_of
from pages.widgets.metrics.family import show_family
from pages.widgets.plain import DASH, escape
from pages.widgets.runs import counts, figures, lists, numbers
from pages.widgets.switch import one_of

KEY = state.RUNS
CHANGES = {
    "only_a": "Only A",
    "only_b": "Only B",
    "assertion": "Another status",
    "class": "Another class",
    "same": "Agree",
}
"""Disagreements first, as `scoring.RunComparison.items` has them."""
WHAT = {"runs": "Runs", "prompts": "Prompt versions"}


def show(ws: state.Workspace, found: list[runs.Run]) -> None:
    prompts = state.read(ws, scoring.prompt_versions)
    what = "runs"
    if len(prompts) > 1:
        what = one_of("Compare", WHAT, f"{KEY}what", named=False)
    result = _prompts(ws, prompts) if what == "prompts" else _runs(ws, found)
    if result is None:
        return
    confidential.note(ws, result.corpus)
    take_away.note_choice("A", result.a)
    take_away.note_choice("B", result.b)
    _cards(result)
    _on_gold(ws, result)
    _items(ws, result)
    _differing(ws, result)


def _runs(ws: state.Workspace, found: list[runs.Run]) -> scoring.RunComparison | None:
    if len(found) < 2:
        st.info("There is only one run. Label a corpus twice to compare.", icon="ℹ️")
        return None
    left, right = st.columns(2)
    names = [run.id for run in reversed(found)]
    known = [run.corpus for run in reversed(found)]
    first = next((i for i, name in enumerate(known) if i and name == known[0]), 1)  # beside the newest run
    a = left.selectbox("Run A", names, format_func=visible, index=first, key=f"{KEY}a", bind="query-params")
    corpus = next(run.corpus for run in found if run.id == a)
    others = [run.id for run in reversed(found) if run.corpus == corpus and run.id != a]
    if not others:
        st.info(f"No other run labels {escape(corpus)}.", icon="ℹ️")
        return None
    b = right.selectbox(
        "Run B, of the same corpus", others, format_func=visible, key=f"{KEY}b", bind="query-params"
    )
    pair = [run for run in found if run.id in (a, b)]
    return counts.of_runs(ws, pair, scoring.compare_runs, a, b)


def _prompts(ws: state.Workspace, prompts: list[str]) -> scoring.RunComparison | None:
    left, right = st.columns(2)
    a = left.selectbox("Prompt A", prompts, format_func=visible, key=f"{KEY}prompt_a")
    stage = a.partition("@")[0]
    others = [p for p in prompts if p != a]
    others.sort(key=lambda p: p.partition("@")[0] != stage)  # versions of the same prompt first
    b = right.selectbox("Prompt B", others, format_func=visible, key=f"{KEY}prompt_b")
    try:
        result = state.read(ws, scoring.compare_prompts, a, b)
    except TouchstoneError as error:
        st.info(escape(str(error)), icon="ℹ️")
        return None
    st.caption(escape(f"The newest runs that used them: A is {result.a}, B is {result.b}."))
    return result


def _cards(result: scoring.RunComparison) -> None:
    agreed = result.agreement
    cards = [
        ("Cohen's kappa", agreed.kappa, agreed.reason or f"over {agreed.n:,} candidates"),
        ("Observed agreement", agreed.observed, f"{agreed.missing:,} left out" if agreed.missing else ""),
        ("Pairwise F1", result.pairwise_f1, f"{figures.count(result.documents, 'document')}"),
    ]
    for column, (name, value, said) in zip(st.columns([1, 1, 1, 1.4])[:3], cards, strict=True):
        with column.container(border=True, height="stretch"):
            st.metric(name, DASH if value is None else f"{value:.3f}")
            if said:
                st.caption(escape(said))
    columns = st.columns(5)
    values = (
        ("Both propose", result.both),
        ("Only A", result.only_a),
        ("Only B", result.only_b),
        ("Another status", result.assertion_changed),
        ("Another class", result.class_changed),
    )
    for column, (name, n) in zip(columns, values, strict=True):
        column.metric(name, f"{n:,}")
    told = [*((name, value) for name, value, _ in cards), *values]
    take_away.note_table(f"{KEY}figures", Table("How far they agree", ("figure", "value"), told))
    st.caption(f"Rated for kappa and agreement: {result.universe}.")


def _on_gold(ws: state.Workspace, result: scoring.RunComparison) -> None:
    """Which of the two is better, where there is a gold, and whether that may be chance."""
    references = state.read(ws, scoring.gold_references, result.a)
    if not references:
        return
    gold = options.gold(
        st.container(),
        ws,
        references,
        f"{KEY}gold",
        "Compare their scores on a gold",
        index=None,
        placeholder="Choose a gold",
        width=420,
    )
    if gold is None:
        return
    try:
        found = state.hold(ws, scoring.compare_on_gold, result.a, result.b, gold)
    except TouchstoneError as error:
        st.info(escape(str(error)), icon="ℹ️")
        return
    plain.text(f"A: {found.a}. B: {found.b}. As proposed, on {figures.count(found.documents, 'document')}.")

    links = concepts_of(ws, result.a, found.labels, f"{result.a} and {result.b} against {in_words(gold)}")
    show_family(found.result, KEY, links)


def _differing(ws: state.Workspace, result: scoring.RunComparison) -> None:
    rows = [
        {
            "setting": numbers.name_of(name),
            "a": numbers.value_of(ws, result.a, name, a),
            "b": numbers.value_of(ws, result.b, name, b),
        }
        for name, (a, b) in result.differing_settings.items()
        if name != "options"  # how it was called; what the labels depend on has a name of its own
    ]
    with st.expander(f"Settings that differ ({len(rows)})"):
        plain.dataframe(
            rows,
            key=f"{KEY}differing",
            hide_index=True,
            height="content",
            column_config={
                "setting": st.column_config.TextColumn("Setting", width="small"),
                "a": st.column_config.TextColumn("A", width="medium"),
                "b": st.column_config.TextColumn("B", width="medium"),
            },
        )


def _items(ws: state.Workspace, result: scoring.RunComparison) -> None:
    chosen = st.pills(
        "Show",
        list(CHANGES),
        format_func=CHANGES.__getitem__,
        selection_mode="multi",
        default=[change for change in CHANGES if change != "same"],
        key=f"{KEY}changes",
    )
    items = [item for item in result.items if item.change in chosen]
    if not items:
        st.caption("There is nothing of this kind.")
        return
    page = lists.paging(len(items), f"{KEY}items_page")
    shown = items[(page - 1) * lists.PAGE : page * lists.PAGE]
    rows = [
        {
            "change": CHANGES[item.change],
            "document": item.doc_id,
            "label": item.label,
            "concept": item.concept,
            "a": _said(item.assertion_a, item.class_a),
            "b": _said(item.assertion_b, item.class_b),
        }
        for item in shown
    ]
    take_away.note_table(
        f"{KEY}items", Table("Labels", tuple(rows[0]), [tuple(row.values()) for row in rows])
    )
    picked = plain.choosable(
        rows,
        key=f"{KEY}items",
        boxes=True,
        of=(result.a, result.b, *chosen, page),
        columns={
            "change": st.column_config.TextColumn("Difference", width="small"),
            "document": "Document",
            "label": st.column_config.TextColumn("Label", width="medium"),
            "concept": st.column_config.TextColumn("Concept", width="small"),
            "a": "A says",
            "b": "B says",
        },
    )
    lists.as_queue_of(
        ws,
        [item.item for item in [shown[at] for at in picked.ticked] or items],
        f"{figures.count(len(items), 'label')}. Click a row to go on to its review or its trails.",
        f"{', '.join(CHANGES[change] for change in CHANGES if change in chosen)}: {result.a} and {result.b}",
        result.corpus,
    )
    for at in picked.shown:
        _lead_on(result, shown[at])


def _said(assertion: str | None, of_class: str | None) -> str | None:
    return f"{figures.plain(assertion)}, {figures.plain(of_class)}" if assertion else None


def _lead_on(result: scoring.RunComparison, item: scoring.ComparedItem) -> None:
    with st.container(horizontal=True):
        st.page_link(REVIEW, label="Open in review", icon="✏️", query_params={"item": str(item.item)})
        for name, run, said in (("A", result.a, item.assertion_a), ("B", result.b, item.assertion_b)):
            if said is not None:
                st.page_link(
                    lists.RUNS,
                    label=f"How {name} came to it",
                    icon="↩️",
                    query_params={"run": run, "item": str(item.item)},
                )
