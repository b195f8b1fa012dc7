"""A table of scores on a page: its chart, its numbers, and the items behind whatever was clicked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import streamlit as st

from core import charts
from core.charts import Estimate, Table, Value
from core.text.visible import visible
from pages.widgets import plain, state, take_away
from pages.widgets.item_list import Links, show_items
from pages.widgets.plain import DASH, escape

Place = tuple[int, int]
"""Row and column of a cell."""
OPEN = "open"
"""Query parameter that names the open cell: the table's place on the page, a slash, the cell's key."""
PICTURES = ("png", "svg")
BESIDE, BESIDE_SQUARES = 3, 4
"""Up to so many columns there is room for the numbers beside their chart, or beside a grid."""
ROWS = 12
"""A table with more of them scrolls."""


def show_table(
    table: Table,
    key: str,
    links: Links | None = None,
    *,
    chart: bool = True,
    numbers: bool = True,
    level: int = 2,
    narrow: bool = False,
) -> None:
    """The chart, the numbers, what to know about them, and the items of the cell that was clicked last.

    Args:
        key: prefix of the widgets' keys, one of `state.py`'s, with the family's name where there are several.
        links: how items are named and where they lead.
        chart: whether to draw it, where it says how.
        numbers: whether to list them; a chart alone must say how it is drawn.
        level: of its heading: 2 below the title of a page, 3 below that of a family; 0: it has none.
        narrow: the chart stands above the numbers, also where there would be room beside them.
    """
    base = f"{key}{table.name or 'table'}"
    if level:
        (st.header if level == 2 else st.subheader)(escape(table.title))
    if not table.rows:
        st.caption(escape(table.note) or "There is nothing to show here.")
        return
    take_away.note_table(base, table)
    drawn = chart and charts.is_drawn(table)
    most = BESIDE_SQUARES if table.chart and table.chart.kind == "heatmap" else BESIDE
    picked: dict[str, Place | None] = {}
    if not numbers:
        picked["chart"] = show_chart(table, base)
    elif drawn and len(table.columns) <= most and not narrow:
        left, right = st.columns([3, 2], gap="large", vertical_alignment="top")
        with left:
            picked["chart"] = show_chart(table, base)
        with right:
            picked["table"] = _numbers(table, base)
    else:
        if drawn:
            picked["chart"] = show_chart(table, base)
        picked["table"] = _numbers(table, base)
    _beneath(table, base)
    place = _newest(table, base, picked)
    if place is not None:
        _opened(table, base, links, place)


@contextmanager
def on_demand(key: str, *bases: str, title: str = "All values") -> Iterator[bool]:
    """A box for what stands behind the pictures, shut at first unless the address names a cell of a table in
    it; yields whether it is open.

    Args:
        key: of the box.
        bases: `key` and name of each table in it.
    """
    asked = st.query_params.get(OPEN, "").startswith(tuple(f"{base}/" for base in bases))
    with st.expander(title, expanded=asked, key=key, on_change="rerun") as opened:
        yield bool(opened.open)


def show_chart(table: Table, base: str) -> Place | None:
    """The figure of a table alone; answers which cell a reader has clicked."""
    clicked = show_figure(table, f"{base}_chart", on_select="rerun", selection_mode="points")
    places = [charts.cell_at(table, point) for point in clicked["selection"]["points"]]
    return next((place for place in places if place), None)


def show_figure(table: Table, key: str, **choosing: Any) -> Any:
    """The figure of a table; by itself it answers no click."""
    figure = _figure(repr(replace(table, items={})), table)
    # a grid of squares has a width of its own, which a narrow column shrinks; others take what there is
    width = "content" if figure.layout.width else "stretch"
    return st.plotly_chart(figure, width=width, key=key, config=picture(table), alt=table.title, **choosing)


@st.cache_resource(show_spinner=False, max_entries=64)
def _figure(said: str, _table: Table) -> Any:
    """The figure of a table, drawn once; nobody may change it.

    Args:
        said: all of the table but what its cells open, in words: equal numbers of other types differ in them.
    """
    import pandas as pd  # noqa: F401  plotly would take it half imported from another session's thread

    return charts.draw(_table)


def picture(table: Table) -> dict[str, Any]:
    """Plotly's own buttons: the camera saves what is seen, in the chosen format."""
    return {
        "displaylogo": False,
        "modeBarButtonsToRemove": ["zoom", "pan", "zoomIn", "zoomOut", "autoScale", "resetScale"],
        "toImageButtonOptions": {
            "format": st.session_state.get(state.PICTURE) or PICTURES[0],
            "filename": charts.file_name(table.name or table.title),
            "scale": 3,
        },
    }


def pictures() -> None:
    """Which format the camera above every chart saves; once per page."""
    st.segmented_control(
        "Pictures of charts",
        PICTURES,
        default=PICTURES[0],
        format_func=str.upper,
        key=state.PICTURE,
        required=True,
        persist_state="session",
        help="The camera above a chart saves it in this format.",
    )


# --- numbers ------------------------------------------------------------------------------------------------


def _numbers(table: Table, base: str) -> Place | None:
    heads = charts.heads(table)
    opens = any(key is not None for row in table.opens for key in row)
    kinds = [_kind(table, at) for at in range(len(heads))]
    columns = {head: _column(table, at, kinds[at]) for at, head in enumerate(heads)}
    rows = [
        {
            head: cell if kinds[at] else table.shown(r, at)
            for at, (head, cell) in enumerate(zip(heads, row, strict=True))
        }
        for r, row in enumerate(table.rows)
    ]
    if not opens:
        _frame(rows, base, columns)
        return None
    picked = _frame(rows, base, columns, on_select="rerun", selection_mode="single-cell")
    found = [(row, heads.index(head)) for row, head in picked["selection"]["cells"] if head in heads]
    return next((place for place in found if place[0] < len(table.rows)), None)


def _frame(rows: list[dict[str, Any]], base: str, columns: Mapping[str, Any], **choosing: Any) -> Any:
    return plain.dataframe(
        rows,
        key=f"{base}_table",
        hide_index=True,
        placeholder=DASH,
        height="content" if len(rows) <= ROWS else 36 * ROWS,
        column_config=dict(columns),
        **choosing,
    )


def _kind(table: Table, at: int) -> type | None:
    """int or float where every cell that is not undefined is one, so that the column sorts by value."""
    kinds = {type(row[at]) for row in table.rows if row[at] is not None}
    if table.columns[at] in table.signed:
        return None
    if kinds == {int}:
        return int
    return float if kinds and kinds <= {int, float} else None


def _column(table: Table, at: int, kind: type | None) -> Any:
    metric = table.help.get(table.columns[at], "")
    label = visible(charts.labels(table)[at])
    said = " \n\n".join(map(escape, charts.explanation(metric))) or None
    if kind is int:
        return st.column_config.NumberColumn(label, format="localized", help=said)
    if kind is float:
        return st.column_config.NumberColumn(label, format="%.3f", help=said)
    return st.column_config.TextColumn(label, help=said)


def _beneath(table: Table, base: str) -> None:
    """The note, why cells are undefined, and the download."""
    if table.note:
        st.caption(escape(table.note))
    reasons = undefined(table.rows)
    if reasons:
        st.caption("  \n".join(f"{DASH} {escape(reason)}" for reason in reasons))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "CSV",
            lambda: charts.table_csv(table),
            f"{charts.file_name(base)}.csv",
            "text/csv",
            key=f"{base}_csv",
            on_click="ignore",
            type="tertiary",
            icon="⬇️",
        )
        if any(key is not None for row in table.opens for key in row):
            st.caption("Click a number, bar or point to list the items behind it.")


def undefined(rows: Sequence[Sequence[Value]]) -> list[str]:
    """Why cells are undefined, each reason once."""
    found = (cell for row in rows for cell in row if isinstance(cell, Estimate))
    return list(dict.fromkeys(why for cell in found if (why := _why(cell))))


def _why(estimate: Estimate) -> str | None:
    """It is shown as a dash; None where it is not, or nothing is known."""
    return estimate.blank or (estimate.reason if estimate.value is None else None)


# --- what was clicked ---------------------------------------------------------------------------------------


def _newest(table: Table, base: str, picked: Mapping[str, Place | None]) -> Place | None:
    """Of what is chosen in the chart and in the table, the one that was chosen last.

    At first look it is the cell that the address names, so that a link opens what its sender saw.
    """
    kept = f"{base}_open"
    before = st.session_state.get(kept)
    if before is None:
        place = _asked(table, base)
        changed = [found for found in picked.values() if found]
    else:
        place = before["place"]
        changed = [found for source, found in picked.items() if found != before["picked"].get(source)]
    if changed:
        place = next((found for found in changed if found), None) or next(filter(None, picked.values()), None)
    if place is not None and not (place[0] < len(table.rows) and place[1] < len(table.columns)):
        place = None
    st.session_state[kept] = {"place": place, "picked": dict(picked)}
    cell = None if place is None else table.key_at(*place)
    if cell is not None:
        st.query_params[OPEN] = f"{base}/{cell}"
    elif st.query_params.get(OPEN, "").startswith(f"{base}/"):
        del st.query_params[OPEN]
    return place


def _asked(table: Table, base: str) -> Place | None:
    at, slash, key = st.query_params.get(OPEN, "").partition("/")
    if not slash or at != base:
        return None
    places = ((r, c) for r, row in enumerate(table.opens) for c, found in enumerate(row) if found == key)
    return next(places, None)


def _opened(table: Table, base: str, links: Links | None, place: Place) -> None:
    row, column = place
    cell, key = table.rows[row][column], table.key_at(row, column)
    name = f"{charts.text(table.rows[row][0]) or DASH}, {charts.text(table.columns[column])}"
    with st.container(border=True):
        st.markdown(f"**{escape(name)}: {escape(table.shown(row, column) or DASH)}**")
        if isinstance(cell, Estimate) and (why := _why(cell)):
            st.caption(escape(why))
        if key is None:
            st.caption("There are no items behind this cell. Choose a count or a value.")
        else:
            show_items(table.items[key](), f"{base}_items", links, name)
