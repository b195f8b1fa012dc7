"""The overview: a bar of what the labels are, the headline with what review changed, all values on demand."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core import charts
from core import evaluate as scoring
from core.charts import Cell, Chart, Table, Value
from core.evaluate.references import in_words
from core.evaluate.tables import cells
from pages.widgets import take_away
from pages.widgets.item_list import Links, of_run, show_items
from pages.widgets.metrics.choice import KEY, Look
from pages.widgets.metrics.family import review_of, say_review, show_card
from pages.widgets.metrics.published import switch
from pages.widgets.metrics.tables import on_demand, show_figure, show_table
from pages.widgets.plain import DASH, escape
from pages.widgets.switch import one_of

HEADLINE = cells.AVERAGES[0]
PIECES = ("tp", "fp", "fn")
BEFORE, AFTER, CHANGE = "as proposed", "after review", "change"
AGAINST = "as proposed, against {}"


def show(look: Look) -> None:
    result = look.result()
    say_review(result)
    links = of_run(look.ws, look.run, result.before)
    show_table(pieces(result), KEY, links, numbers=False)
    left, right = st.columns([1, 2.5], gap="medium")
    with left:
        _card(look, result, HEADLINE)
    with right:
        table = changes(result) if result.after else values(result, (HEADLINE,))
        st.header(escape(table.title))
        show_figure(table, f"{KEY}headline")
        take_away.note_table(f"{KEY}headline", table)
        st.caption(escape(table.note))
    caveats(result)
    _doubts(look, result)
    with on_demand(f"{KEY}all", f"{KEY}values", f"{KEY}counts") as is_open:
        if is_open:
            _all(look, result, links)


def _all(look: Look, result: scoring.ReviewedEvaluation, links: Links) -> None:
    """The other averages, every value in numbers, and the counts."""
    for column, average in zip(st.columns(len(cells.AVERAGES[1:])), cells.AVERAGES[1:], strict=True):
        with column:
            _card(look, result, average)
    average = one_of(
        "Average", {name: name.capitalize() for name in ("all", *cells.AVERAGES)}, f"{KEY}average"
    )
    averages = cells.AVERAGES if average == "all" else (average,)
    compared = switch("corpus", KEY)
    show_table(compared(values(result, averages)), KEY, links)
    show_table(counts(result), KEY, links, chart=False)


def caveats(result: scoring.ReviewedEvaluation) -> None:
    """What must be read together with the numbers, and why values are undefined."""
    said = [
        f" {DASH} ".join(cell for cell in map(charts.text, row) if cell)
        for table in cells.caveats(result)
        for row in table.rows
    ]
    if said:
        st.info("\n".join(f"- {escape(sentence)}" for sentence in said))


def _card(look: Look, result: scoring.ReviewedEvaluation, average: str) -> None:
    """F1 of an average; after review where there was one."""
    level, shown = result.before.settings.level, result.after or result.before
    name = f"{average}_f1"
    with st.container(border=True, height="stretch"):
        show_card(
            f"{average.title()} F1",
            shown.families["corpus"],
            name,
            f"{KEY}card_{average}",
            of_run(look.ws, look.run, shown),
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


def pieces(result: scoring.ReviewedEvaluation) -> Table:
    """What is right, spurious and missed: a bar for each side, whose pieces open their items."""
    sides = dict(zip(("before", "after"), result.sides, strict=False))
    if result.uncorrected:
        sides["uncorrected"] = result.uncorrected
    title = {"before": BEFORE, "after": AFTER, "uncorrected": "against imported gold"}
    rows = [
        (
            title[side].capitalize(),
            *(_cell(getattr(e.families["corpus"].totals, name), side, name, e) for name in PIECES),
        )
        for side, e in sides.items()
    ]
    words = tuple(cells.OUTCOMES[name] for name in PIECES)
    return Table.of(
        "Right, spurious, missed",
        ("labels", *words),
        rows,
        "pieces",
        chart=Chart("funnel", "labels", words, y_title="Concepts of documents"),
        note=f"Against {in_words(result.before.gold)}. Right, spurious: proposed; missed: in gold alone.",
    )


def changes(result: scoring.ReviewedEvaluation) -> Table:
    """What review has changed in the headline's values, each with its paired interval."""
    found = {m: result.change("corpus", f"{HEADLINE}_{m}") for m in reversed(cells.MEASURES)}
    rows = [
        (f"{cells.NAMES[m]} {charts.text(e.value if e else None, '+') or DASH}", e) for m, e in found.items()
    ]
    return Table.of(
        f"Change by review, {HEADLINE} average",
        ("value", CHANGE),
        rows,
        "changes",
        chart=Chart("intervals", "value", (CHANGE,), y_title="Change (fraction); right of 0 is better"),
        note="Paired: both sides on the same resamples. An interval that holds 0 proves no change.",
        signed=(CHANGE,),
    )


def values(result: scoring.ReviewedEvaluation, averages: tuple[str, ...]) -> Table:
    """Precision, recall and F1 of the averages, on both sides, with the paired difference; where the gold is
    corrected also against the imported one."""
    sides = dict(zip(("before", "after"), result.sides, strict=False))
    heads: tuple[str, ...] = ("value", BEFORE, AFTER, CHANGE) if result.after else ("value", BEFORE)
    beside, note = result.uncorrected, []
    if beside:
        heads = (*heads, AGAINST.format(beside.gold))
        note.append(f"The gold is {in_words(result.before.gold)}, unless a column names another.")
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
        "Before and after review" if result.after else "Values",
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
    )


def _cell(value: Value, side: str, name: str, evaluation: scoring.Evaluation) -> Cell:
    return Cell(value, f"{side}:{name}", partial(evaluation.families["corpus"].open, name))
