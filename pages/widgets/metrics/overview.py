"""The headline: averages with their intervals, before and after review, and the counts they are made of."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core import charts
from core import evaluate as scoring
from core.charts import Cell, Chart, Table, Value
from core.evaluate.tables import cells
from pages.widgets.item_list import of_run, show_items
from pages.widgets.metrics.choice import KEY, Look
from pages.widgets.metrics.family import review_of, say_review, show_card
from pages.widgets.metrics.published import switch
from pages.widgets.metrics.tables import show_table
from pages.widgets.plain import DASH, escape
from pages.widgets.switch import one_of

BEFORE, AFTER, CHANGE = "as proposed", "after review", "change"
AGAINST = "as proposed, against {}"


def show(look: Look) -> None:
    result = look.result()
    caveats(result)
    _cards(look, result)
    _doubts(look, result)
    links = of_run(look.ws, look.run, result.before)
    say_review(result)
    average = one_of(
        "Average", {name: name.capitalize() for name in ("all", *cells.AVERAGES)}, f"{KEY}average"
    )
    averages = cells.AVERAGES if average == "all" else (average,)
    compared = switch("corpus", KEY)
    show_table(compared(values(result, averages)), KEY, links)
    show_table(counts(result), KEY, links)


def caveats(result: scoring.ReviewedEvaluation) -> None:
    """What must be read together with the numbers, and why values are undefined."""
    said = [
        f" {DASH} ".join(cell for cell in map(charts.text, row) if cell)
        for table in cells.caveats(result)
        for row in table.rows
    ]
    if said:
        st.info("\n".join(f"- {escape(sentence)}" for sentence in said))


def _cards(look: Look, result: scoring.ReviewedEvaluation) -> None:
    """F1 of each average, the macro average first; after review where there was one."""
    level, shown = result.before.settings.level, result.after or result.before
    links = of_run(look.ws, look.run, shown)
    for column, average in zip(st.columns([1.3, 1, 1], gap="medium"), cells.AVERAGES, strict=True):
        name = f"{average}_f1"
        with column.container(border=True, height="stretch"):
            show_card(
                f"{average.title()} F1",
                shown.families["corpus"],
                name,
                f"{KEY}card_{average}",
                links,
                review_of(result, "corpus", name),
                level=level,
            )


def _doubts(look: Look, result: scoring.ReviewedEvaluation) -> None:
    """Where review lowers a score, what may be wrong with the gold, open to a click."""
    found = scoring.doubts_of(result)
    if not found.lowered or result.after is None:
        return
    st.warning(escape(found.sentence()))
    links = of_run(look.ws, look.run, result.after)
    with st.container(horizontal=True):
        for name, title, held in found.lists():
            with st.popover(title, key=f"{KEY}doubt_{name}", on_change="rerun") as opened:
                if opened.open:
                    show_items(held, f"{KEY}doubt_{name}_items", links, title, width=640)


def values(result: scoring.ReviewedEvaluation, averages: tuple[str, ...]) -> Table:
    """Precision, recall and F1 of the averages, on both sides, with the paired difference; where the gold is
    corrected also against the imported one."""
    sides = dict(zip(("before", "after"), result.sides, strict=False))
    heads: tuple[str, ...] = ("value", BEFORE, AFTER, CHANGE) if result.after else ("value", BEFORE)
    beside, note = result.uncorrected, []
    if beside:
        heads = (*heads, AGAINST.format(beside.gold))
        note.append(f"The gold is {result.before.gold}, unless a column names another.")
    if result.after:
        note.append("The change is paired: both sides on the same resamples.")
    named = {f"{a}_{m}": f"{a.title()} {cells.NAMES[m]}" for a in averages for m in reversed(cells.MEASURES)}
    if averages == cells.AVERAGES:
        named |= {name: charts.title(f"corpus.{name}") or name for name in cells.FURTHER}
    rows: list[tuple[Value | Cell, ...]] = []
    for name, title in named.items():
        opened = (_cell(e.estimate(name), side, name, e) for side, e in sides.items())
        changes = [result.change("corpus", name)] if result.after else []
        uncorrected = [_cell(beside.estimate(name), "uncorrected", name, beside)] if beside else []
        rows.append((title, *opened, *changes, *uncorrected))
    drawn = tuple(head for head in heads[1:] if head != CHANGE)
    return Table.of(
        "Before and after review" if result.after else "All values",
        heads,
        rows,
        "values",
        chart=Chart("intervals", "value", drawn, unit=True, y_title="Value, with its interval"),
        note=" ".join(note),
        signed=(CHANGE,),
    )


def counts(result: scoring.ReviewedEvaluation) -> Table:
    """What the values are made of."""
    sides = dict(zip(("before", "after"), result.sides, strict=False))
    heads = ("outcome", BEFORE, AFTER)[: len(sides) + 1]
    rows = [
        (
            word.title(),
            *(_cell(getattr(e.families["corpus"].totals, name), side, name, e) for side, e in sides.items()),
        )
        for name, word in cells.OUTCOMES.items()
    ]
    return Table.of(
        "Counts",
        heads,
        rows,
        "counts",
        chart=Chart("bars", "outcome", heads[1:], y_title="Concepts of documents"),
    )


def _cell(value: Value, side: str, name: str, evaluation: scoring.Evaluation) -> Cell:
    return Cell(value, f"{side}:{name}", partial(evaluation.families["corpus"].open, name))
