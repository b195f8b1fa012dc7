"""A metric family on a page: what to know first, headline cards, its tables and charts, all values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

import streamlit as st

from core import charts
from core.charts import Cell, Estimate, Table, Value
from core.evaluate import ReviewedEvaluation
from core.evaluate.families.result import FamilyResult
from core.evaluate.references import in_words
from core.evaluate.report.page import Headline
from pages.widgets import plain, take_away
from pages.widgets.item_list import Links, show_items
from pages.widgets.metrics.published import switch
from pages.widgets.metrics.tables import on_demand, show_table
from pages.widgets.plain import DASH, escape

CARDS = 4


def show_family(
    result: FamilyResult,
    key: str,
    links: Links | None = None,
    *,
    after: FamilyResult | None = None,
    later_links: Links | None = None,
    changes: Mapping[str, Estimate] | None = None,
    only: tuple[str, ...] | None = None,
    narrow: bool = False,
) -> None:
    """Everything that a family found; where it could not be scored, why, and what to give.

    Args:
        key: prefix of the widgets' keys, one of `state.py`'s; the family's name is added.
        after: the same family after review, for cards and the list of all values.
        later_links: of its items.
        changes: value -> after - before review, with its paired interval, for cards and the list.
        only: names of the tables to show, in this order; None: all.
        narrow: one below the other, for half a page.
    """
    base = f"{key}{result.family}_"
    if result.absent is not None:
        st.info(escape(result.absent), icon="ℹ️")
        return
    for warning in result.warnings:
        st.warning(escape(warning), icon="⚠️")
    show_notes(result.caveats[len(result.warnings) :])
    later = (after, later_links) if after is not None and after.absent is None else None
    show_cards(result, base, links, changes, later, 2 if narrow else CARDS)
    compared = switch(result.family, base)
    tables = {table.name: compared(table) for table in result.tables}
    for name in tables if only is None else [name for name in only if name in tables]:
        show_table(tables[name], base, links, level=3, narrow=narrow)
    if len(result.estimates) > CARDS:
        with on_demand(f"{base}all", f"{base}values") as is_open:
            if is_open:
                show_table(all_values(result, after, changes), base, links, level=0)


def show_notes(notes: tuple[str, ...]) -> None:
    """What must be read together with the numbers."""
    if notes:
        st.info("\n".join(f"- {escape(note)}" for note in notes))


def show_cards(
    result: FamilyResult,
    base: str,
    links: Links | None = None,
    changes: Mapping[str, Estimate] | None = None,
    later: tuple[FamilyResult, Links | None] | None = None,
    most: int = CARDS,
    beneath: Mapping[str, str] | None = None,
) -> None:
    """The first estimates that are of no single stratum, each with its interval.

    Args:
        changes: value -> after - before review.
        beneath: value -> a further sentence.
        later: the family after review: it is then what the cards show, the value before it beside it.
    """
    names = [name for name in result.estimates if ":" not in name][:most]
    if not names:
        return
    for column, name in zip(st.columns(most, gap="small"), names, strict=False):
        held, to = later if later and name in later[0].estimates else (result, links)
        reviewed = Review(result.estimates[name], (changes or {}).get(name)) if held is not result else None
        with column.container(border=True, height="stretch"):
            title, further = charts.value_title(result.family, name), (beneath or {}).get(name, "")
            show_card(title, held, name, f"{base}card_{name}", to, reviewed, beneath=further)


class Review(NamedTuple):
    """What review has changed in a value."""

    before: Estimate
    change: Estimate | None
    """After - before, with its paired interval; None where either is undefined."""


def review_of(result: ReviewedEvaluation, family: str, name: str) -> Review | None:
    """What review has changed in a value; None where nobody has reviewed."""
    if result.after is None:
        return None
    return Review(result.before.estimate(name, family), result.change(family, name))


def say_review(result: ReviewedEvaluation) -> None:
    """Whose review stands beside the values, if any."""
    if result.review:
        review, gold = in_words(result.review), in_words(result.before.gold)
        plain.text(f"Review applied: {review}. Both sides are scored against {gold}.")


def show_card(
    title: str,
    held: FamilyResult,
    name: str,
    key: str,
    links: Links | None = None,
    review: Review | None = None,
    *,
    level: float = 0.95,
    unit: str = "document",
    about: str = "",
    beneath: str = "",
) -> None:
    """One number with everything that must travel with it, and its items. After review it is the value after;
    the value before stands beside it, with what became of it in words, sign and colour.

    Args:
        key: of the button that opens the items.
        unit: what the value rests on, in the singular.
        beneath: a further sentence.
    """
    metric, estimate = charts.metric_of(held.family, name), held.estimates[name]
    change = review.change.value if review and review.change else None
    take_away.note_value(key, Headline(f"{title}, after review" if review else title, estimate, metric))
    st.metric(
        escape(title),
        DASH if estimate.value is None or estimate.blank else _figure(estimate.value),
        delta=None if change is None else _figure(change, "+") if change else "unchanged",
        delta_color=_colour(metric) if change else "off",
        delta_arrow="auto" if change else "off",
        delta_description=_became(metric, change) if change else None,
        help="\n\n".join(map(escape, charts.explanation(metric))) or None,
    )
    if review:
        before = review.before.value
        st.caption(escape(f"after review; {DASH if before is None else _figure(before)} before"))
    st.caption(escape(" · ".join(filter(None, (about, charts.unit(metric), said(estimate, level, unit))))))
    by_review = review.change if review else None
    if by_review and by_review.low is not None and by_review.high is not None:
        bounds = f"{by_review.low:+.3f} to {by_review.high:+.3f}"
        if any((by_review.value, by_review.low, by_review.high)):  # else "unchanged" says it all
            st.caption(escape(f"by review: {level:.0%} interval {bounds}, paired"))
    if beneath:
        st.caption(escape(beneath))
    with st.popover("Pairs" if unit == "pair" else "Items", key=key, on_change="rerun") as opened:
        if opened.open:
            show_items(held.open(name), f"{key}_items", links, title, width=640)


def _became(metric: str, change: float) -> str:
    """Whether a change is for the better, in a word: a card has room for no more beside the sign."""
    words = {"higher": ("better", "worse"), "lower": ("worse", "better")}
    return words.get(charts.direction(metric), ("higher", "lower"))[change < 0]


def _figure(value: float, sign: str = "") -> str:
    """Three decimals, but none for a count."""
    whole = abs(value) > 1 and float(value).is_integer()
    return f"{int(value):{sign},}" if whole else f"{value:{sign}.3f}"


def said(estimate: Estimate, level: float = 0.95, unit: str = "document") -> str:
    """Interval, spread and number of documents; why it is undefined, where it is."""
    if estimate.value is None or estimate.blank:
        return estimate.blank or estimate.reason or "undefined"
    parts = [f"{estimate.n:,} {unit}{'' if estimate.n == 1 else 's'}{', few' if estimate.few else ''}"]
    if estimate.std is not None:
        parts.insert(0, f"standard deviation {estimate.std:.3f}")
    if estimate.low is not None and estimate.high is not None:
        parts.insert(0, f"{level:.0%} interval {estimate.low:.3f} to {estimate.high:.3f}")
    elif estimate.interval_reason:
        parts.insert(0, "no interval")
    return " · ".join(parts)


def _colour(metric: str) -> str:
    """Of a rise: good, bad, or neither."""
    return {"higher": "normal", "lower": "inverse"}.get(charts.direction(metric), "off")


def all_values(
    result: FamilyResult, after: FamilyResult | None = None, changes: Mapping[str, Estimate] | None = None
) -> Table:
    """Every estimate, a row each; its value opens its items."""
    columns = (
        ("value of", "as proposed", "after review", "change", "documents")
        if after
        else ("value of", "value", "n")
    )
    rows: list[tuple[Value | Cell, ...]] = []
    for name, estimate in result.estimates.items():
        cell = Cell(estimate, name, partial(result.open, name))
        reviewed = (after.estimates.get(name), (changes or {}).get(name)) if after else ()
        rows.append((charts.value_title(result.family, name), cell, *reviewed, estimate.n))
    return Table.of("All values", columns, rows, "values", signed=("change",) if after else ())
