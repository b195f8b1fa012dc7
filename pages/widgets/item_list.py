"""The items behind a number, each one step from review."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import streamlit as st

from core import evaluate as scoring
from core.charts import Table, file_name, table_csv
from core.evaluate.families.corpus import opened
from core.evaluate.families.result import Item
from core.evaluate.tables import cells
from pages.widgets import plain, state

REVIEW = "pages/review/concept_labels.py"
PAGE = 100
"""Items shown at once; the download holds all."""


@dataclass(frozen=True)
class Links:
    """How items are named, and where each of them is looked at."""

    address: Callable[[Item], Mapping[str, str]]
    """Query parameters of the page for an item; empty: it is nowhere to be seen."""
    labels: Mapping[Any, str] = field(default_factory=dict)
    """Names of ids, where ids alone say little. From outside: text, never markup."""
    page: str = REVIEW
    head: str = "concept"
    """What an id is the id of."""
    say: str = "Open in review"


def of_run(ws: state.Workspace, run: str, evaluation: scoring.Evaluation) -> Links:
    """Items of a run of concept labels lead to its review."""

    def address(item: Item) -> dict[str, str]:
        return state.read(ws, scoring.review_address, run, item.doc_id, item.id)

    return Links(address, evaluation.labels)


def show_items(
    found: Sequence[Item],
    key: str,
    links: Links | None = None,
    *,
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """The items, a page at a time; a row leads to the page of its item.

    Args:
        key: prefix of the widgets' keys, one of `state.py`'s.
    """
    if not found:
        st.caption("No items: nothing is counted here.")
        return
    pages = -(-len(found) // PAGE)
    at = st.pagination(pages, key=f"{key}page") if pages > 1 else 1
    first = (min(at, pages) - 1) * PAGE
    shown = found[first : first + PAGE]
    picked = plain.choosable(
        _rows(_table(shown, links)),
        key=key,
        width=width,
        height="content" if len(shown) <= 10 else 390,
        columns={
            "outcome": st.column_config.TextColumn("Outcome", width="small"),
            "document": "Document",
            "label": st.column_config.TextColumn("Label", width="medium"),
            "detail": st.column_config.TextColumn("Detail", width="large"),
        },
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        for row in picked:
            _lead_on(shown[row], links)
        st.download_button(
            "Items, CSV",
            lambda: table_csv(_table(found, links)),
            f"{file_name('items', key)}.csv",
            "text/csv",
            key=f"{key}csv",
            on_click="ignore",
            type="tertiary",
            icon="⬇️",
        )
        said = f"{len(found):,} item{'' if len(found) == 1 else 's'}"
        st.caption(f"{said}. Choose a row to go on to its review." if links and not picked else f"{said}.")


def _lead_on(item: Item, links: Links | None) -> None:
    address = dict(links.address(item)) if links else {}
    if links and address:
        st.page_link(links.page, label=links.say, icon="🏷️", query_params=address)
    elif links:
        st.caption(
            "There is nothing to review: nothing is proposed in this document, or it is not in the workspace."
        )


def _table(found: Sequence[Item], links: Links | None) -> Table:
    labels, head = (links.labels, links.head) if links else ({}, "concept")
    rows = [
        (
            cells.OUTCOMES.get(item.outcome, item.outcome.replace("_", " ")),
            item.doc_id,
            str(item.id),
            labels.get(item.id),
            item.detail or None,
        )
        for item in found
    ]
    return Table("Items", ("outcome", "document", head, "label", "detail"), rows)


def _rows(table: Table) -> list[dict[str, Any]]:
    """Without the columns that hold nothing."""
    empty = {c for c in (3, 4) if all(row[c] is None for row in table.rows)}
    return [
        {head: cell for c, (head, cell) in enumerate(zip(table.columns, row, strict=True)) if c not in empty}
        for row in table.rows
    ]


def items(
    ws: state.Workspace,
    run: str,
    evaluation: scoring.Evaluation,
    value: str,
    doc_id: str | None,
    key: str,
    *,
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """The items behind a number of the corpus family; a row leads to review."""
    chosen = [o for o in evaluation.outcomes if doc_id in (None, o.doc_id)]
    show_items(opened(chosen, value), key, of_run(ws, run, evaluation), width=width)
