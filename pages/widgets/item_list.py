"""The items behind a number, each one step from review."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import streamlit as st

from core import evaluate as scoring
from core.charts import Table, file_name, table_csv
from core.evaluate.families.corpus import opened
from core.evaluate.families.result import Item
from core.evaluate.references import in_words
from core.evaluate.tables import cells
from core.review import MOST_LISTED
from pages.widgets import as_queue, plain, state

REVIEW = "pages/review/concept_labels.py"
AUDIT = "pages/audit/false_positives.py"
_PINNED = re.compile(r"^(reviewed|corrected)@[0-9]+:")
PAGE = 100
"""Items shown at once; the download holds all."""


@dataclass(frozen=True)
class Links:
    """How items are named, and where each of them is looked at."""

    review_items: Callable[[Sequence[Item]], list[int | None]]
    """Under which item of the workspace each is reviewed; None: it is nowhere to be seen."""
    labels: Mapping[Any, str] = field(default_factory=dict)
    """Names of ids, where ids alone say little. From outside: text, never markup."""
    page: str = REVIEW
    head: str = "concept"
    """What an id is the id of."""
    corpus: str = ""
    about: str = ""
    """What is compared with what, for the name of a list. From outside."""
    audit: Mapping[str, str] = field(default_factory=dict)
    """Query parameters under which false positives are audited; empty: they cannot be."""

    def named(self, number: str) -> str:
        """What a list behind this number is called."""
        return f"{number}: {self.about}" if self.about else number


def of_run(ws: state.Workspace, run: str, evaluation: scoring.Evaluation) -> Links:
    """Items of a run of concept labels lead to its review."""
    links = concepts_of(ws, run, evaluation.labels, against(evaluation))
    gold = _PINNED.sub(r"\1@now:", evaluation.gold)
    if gold not in state.read(ws, scoring.gold_references, run):
        return links
    return replace(links, audit=asking(run, gold))


def asking(run: str, gold: str) -> dict[str, str]:
    """Query parameters of the audit page that asks to draw a set of this run against this gold."""
    given = {"draw": run, "run": run, "gold": gold}
    return {f"{state.FALSE_POSITIVES}{name}": value for name, value in given.items()}


def concepts_of(ws: state.Workspace, run: str, labels: Mapping[Any, str], about: str) -> Links:
    """Concepts of documents of a run's corpus, to be reviewed."""
    corpus = next((one.corpus for one in state.all_runs(ws) if one.id == run), "")

    def review_items(found: Sequence[Item]) -> list[int | None]:
        return scoring.review_items(ws, run, [(item.doc_id, item.id) for item in found], state.curator())

    return Links(review_items, labels, corpus=corpus, about=about)


def against(evaluation: scoring.Evaluation) -> str:
    return f"{evaluation.predictions} against {in_words(evaluation.gold)}"


def nowhere(found: Sequence[Item]) -> list[int | None]:
    """Of items of files: none of them is in a workspace."""
    return [None] * len(found)


def show_items(
    found: Sequence[Item],
    key: str,
    links: Links | None = None,
    name: str = "Items",
    *,
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """The items, a page at a time, and the way to review all of them, or the chosen one.

    Args:
        key: prefix of the widgets' keys, one of `state.py`'s.
        name: of the number that they are behind. From outside: text, never markup.
    """
    if not found:
        st.caption("No items: nothing is counted here.")
        return
    pages = -(-len(found) // PAGE)
    at = st.pagination(pages, key=f"{key}page") if pages > 1 else 1
    first = (min(at, pages) - 1) * PAGE
    shown = found[first : first + PAGE]
    rows = links.review_items(found[:MOST_LISTED]) if links else []
    picked = plain.choosable(
        _rows(_table(shown, links)),
        key=key,
        boxes=any(row is not None for row in rows),
        of=(name, at),
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
        beside = ""
        if links:
            ticked = links.review_items([shown[row] for row in picked.ticked])
            total = len(ticked) or len(found)
            beside = as_queue.offer(ticked or rows, total, links.page, links.named(name), key, links.corpus)
            _lead_to_audit(found, links)
        for row in picked.shown:
            _lead_on(shown[row], links)
        _download(found, key, links)
        said = [f"{len(found):,} item{'' if len(found) == 1 else 's'}."]
        if links and not picked.shown:
            said.append(
                "Click a row to go on to its review; tick rows, with the space bar, to review them alone."
            )
        st.caption(" ".join([*said, beside]).strip())


def _download(found: Sequence[Item], key: str, links: Links | None) -> None:
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


def _lead_to_audit(found: Sequence[Item], links: Links) -> None:
    if links.audit and all(item.outcome == "fp" for item in found):
        address = dict(links.audit)
        st.page_link(AUDIT, label="Audit these false positives", icon="⚠️", query_params=address)


def _lead_on(item: Item, links: Links | None) -> None:
    own = links.review_items([item])[0] if links else None
    if links and own is not None:
        st.page_link(links.page, label="Open in review", icon="✏️", query_params={"item": str(own)})
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
    name: str,
) -> None:
    """The items behind a number of the corpus family, called so; a row leads to review."""
    chosen = [o for o in evaluation.outcomes if doc_id in (None, o.doc_id)]
    show_items(opened(chosen, value), key, of_run(ws, run, evaluation), name)
