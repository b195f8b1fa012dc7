"""The page of conflict metrics: which run and gold, the five tasks at a glance, and one view per task."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from core import charts
from core import evaluate as scoring
from core.evaluate.families.result import FamilyResult
from core.evaluate.tables.pairs import CIRCULAR, review_table
from core.kinds.names import called
from pages.widgets import options, state
from pages.widgets.item_list import Links, against, show_items
from pages.widgets.metrics import frames
from pages.widgets.metrics.family import review_of, say_review, show_card, show_notes
from pages.widgets.metrics.published import switch
from pages.widgets.metrics.run_and_gold import run_and_gold
from pages.widgets.metrics.tables import on_demand, pictures, show_table
from pages.widgets.plain import DASH, escape
from pages.widgets.switch import one_of

KEY = state.CONFLICT_METRICS
KIND = "conflicts"
REVIEW = frames.PAIRS.review
RESAMPLES = (0, 200, 1000, 5000)
EVERY = "All domains"
NO_RUNS = (
    "There are no claim pairs yet. Find and label some with `touchstone run conflicts`, or bring"
    " pairs that another tool labelled with `touchstone proposals add`."
)
NO_GOLD = (
    "Nothing to score this run against: review some of its pairs, or add pairs with gold labels to"
    " its corpus with `touchstone proposals add`."
)
ENCODER = "all-MiniLM-L6-v2"
VIEWS = {
    "overview": "Overview",
    "whole": frames.TITLE,
    "conflict_types": "Types",
    "divergence_axes": "Axes",
    "confounders": "Confounder",
    "reconciliation": "Reconciliation",
    "conflict_spans": "Evidence",
}
"""View -> what it is called; those but the first two are families."""
CARDS = {
    "conflict_types": "macro_f1",
    "divergence_axes": "micro_f1:primary",
    "confounders": "accuracy",
    "reconciliation": "rouge_l",
    "conflict_spans": "iou",
}
"""Family -> the value that stands for it at a glance."""
SIDES = {"before": "As labelled", "after": "After review"}


@dataclass(frozen=True)
class Look:
    """A run of pairs against a gold, counted by these settings."""

    ws: state.Workspace
    run: str
    gold: str
    settings: scoring.Settings

    def result(self) -> scoring.ReviewedEvaluation:
        return state.hold(self.ws, scoring.evaluate_pair_run, self.run, self.gold, self.settings)


def look(ws: state.Workspace) -> Look | None:
    """The filters; None where there is nothing to look at yet, and the page says what to do."""
    chosen = run_and_gold(
        ws,
        KEY,
        lambda: st.columns([3, 3, 2, 1.5], vertical_alignment="bottom"),
        scoring.pair_gold_references,
        (KIND,),
        NO_RUNS,
        NO_GOLD,
        lambda run: frames.without_gold(ws, run, frames.PAIRS),
    )
    if chosen is None:
        return None
    run, gold, (right, more) = chosen
    with more.popover("Options", width="stretch"):
        bootstrap = st.select_slider(
            "Resamples of the intervals", RESAMPLES, value=1000, key=f"{KEY}resamples", bind="query-params"
        )
        by_meaning = st.toggle(
            "Semantic similarity of reconciliations",
            key=f"{KEY}meaning",
            bind="query-params",
            help=f"Compares texts with the sentence encoder {ENCODER}; the first time takes a while.",
        )
        pictures()
    found = Look(ws, run.id, gold, scoring.Settings(bootstrap=bootstrap, about="pairs"))
    domains = list(found.result().before.domains)
    names = {EVERY: EVERY} | {domain: called(domain) for domain in domains}
    domain = options.choose(right, "Domain", names, f"{KEY}domain", required=True)
    settings = replace(
        found.settings,
        domain=None if domain in (None, EVERY) else domain,
        encoder=ENCODER if by_meaning else None,
    )
    return replace(found, settings=settings)


def show(look: Look) -> None:
    evaluated = look.result()
    notes = evaluated.before.notes
    show_notes((*notes, CIRCULAR) if evaluated.is_circular else notes)
    _cards(look, evaluated)
    _doubts(look, evaluated)
    view = one_of("View", VIEWS, f"{KEY}view", named=False)
    if view == "overview":
        _overview(look, evaluated)
    elif view == "whole":
        frames.show(look.ws, look.run, _corpus(look), frames.PAIRS)
    else:
        _task(look, evaluated, view)


def links(look: Look, evaluation: scoring.Evaluation) -> Links:
    """A pair leads to its review."""
    about = against(evaluation)
    return Links(evaluation.review_items, page=REVIEW, head="pair", corpus=_corpus(look), about=about)


def _corpus(look: Look) -> str:
    return next(str(run.corpus) for run in state.all_runs(look.ws) if run.id == look.run)


def _cards(look: Look, evaluated: scoring.ReviewedEvaluation) -> None:
    """The value that stands for each task, after review where there was one."""
    level, shown = evaluated.before.settings.level, evaluated.after or evaluated.before
    for column, (family, name) in zip(st.columns(len(CARDS), gap="small"), CARDS.items(), strict=True):
        title = charts.title(charts.metric_of(family, name)) or name
        observed = ""
        if name == "macro_f1":
            value = charts.text(shown.estimate("macro_f1_observed", family).value) or DASH
            observed = f"Macro F1 over the types that occur: {value}"
        with column.container(border=True, height="stretch"):
            show_card(
                VIEWS[family],
                shown.families[family],
                name,
                f"{KEY}card_{family}",
                links(look, shown),
                review_of(evaluated, family, name),
                level=level,
                unit="pair",
                about=f"{title}{', 9 axes' if ':' in name else ''}",
                beneath=observed,
            )


def _doubts(look: Look, evaluated: scoring.ReviewedEvaluation) -> None:
    """Where review lowers the accuracy of types, the pairs that were right by the gold before it."""
    change = evaluated.change("conflict_types", "accuracy")
    if evaluated.after is None or evaluated.is_circular or not change or (change.value or 0) >= 0:
        return
    right = {
        i.id for i in evaluated.before.families["conflict_types"].open("accuracy") if i.outcome == "right"
    }
    now = evaluated.after.families["conflict_types"].open("accuracy")
    turned = [item for item in now if item.outcome != "right" and item.id in right]
    if not turned:
        return
    what = f"the gold may be wrong on these {len(turned)}"
    st.warning(
        escape(f"Review lowers the accuracy of types. Review need not be wrong: {what}. Look at them.")
    )
    with st.popover(what.capitalize(), key=f"{KEY}doubts", on_change="rerun") as opened:
        if opened.open:
            show_items(
                turned, f"{KEY}doubts_items", links(look, evaluated.after), what.capitalize(), width=640
            )


def _overview(look: Look, evaluated: scoring.ReviewedEvaluation) -> None:
    """What machine and gold say of the type, as a grid of pairs; all headline values on demand."""
    say_review(evaluated)
    before = evaluated.before
    for table in before.families["conflict_types"].tables:
        if table.name == "confusion":
            show_table(table, f"{KEY}grid_", links(look, before), numbers=False)
    board = review_table(evaluated)
    with on_demand(f"{KEY}all", f"{KEY}{board.name}") as is_open:
        if is_open:
            show_table(board, KEY, links(look, before))


def _task(look: Look, evaluated: scoring.ReviewedEvaluation, family: str) -> None:
    """The tables and charts of one task, of one side at a time."""
    side = "before"
    if evaluated.after:
        side = one_of("Labels", SIDES, f"{KEY}side")
    evaluation = evaluated.after if side == "after" and evaluated.after else evaluated.before
    result: FamilyResult = evaluation.families[family]
    show_notes(result.caveats)
    compared = switch(family, f"{KEY}{family}_")
    for table in map(compared, result.tables):
        show_table(table, f"{KEY}{side}_{family}_", links(look, evaluation))
