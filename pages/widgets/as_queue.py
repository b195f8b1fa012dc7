"""Any list is a queue: one link opens the desk on exactly its items, in its order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import streamlit as st

from core import evaluate as scoring
from core.review import MOST_LISTED
from core.text.visible import visible
from pages.widgets import way_back
from pages.widgets.desk import chosen


def offer(
    rows: Sequence[int | None],
    total: int,
    page: str,
    name: str,
    key: str,
    corpus: str = "",
    *,
    verb: str = "Review",
    also: Mapping[str, str] = MappingProxyType({}),
    of: str = "items",
) -> str:
    """The link *Review these N*; none where there is nothing to review.

    Args:
        rows: under which item, or passage, each row is reviewed, at least of the first `MOST_LISTED`; None:
            nowhere.
        total: of rows.
        page: file of the review page.
        name: of the list, as the desk shows it. From outside: text, never markup.
        key: prefix of the widgets' keys, which names the page that the desk leads back to.
        corpus: of the items.
        verb: what is done with them.
        also: further filters of the page, as its address names them.
        of: `items`, or `passages`, each of which is decided to its end and closed.

    Returns:
        What must be said beside it, in sentences; empty where there is nothing to say.
    """
    found = scoring.queued(rows[:MOST_LISTED])
    if not found.items:
        return "There is nothing to review in them."
    back = way_back.to_here(key.partition(".")[0])
    address, held = chosen.fitting(Path(page).stem, name, found.items, visible(corpus), back, of=of)
    whole = held == len(found.items) and total <= MOST_LISTED
    st.page_link(
        page,
        label=_label(verb, held, whole),
        icon="✏️",
        query_params=address | {f"{Path(page).stem}.{name}": value for name, value in also.items()},
    )
    of = f"{total:,}" if total <= MOST_LISTED else f"the first {MOST_LISTED:,}"
    said = []
    if found.without:
        said.append(f"{found.without:,} of {of} {'has' if found.without == 1 else 'have'} nothing to review.")
    if found.shared:
        said.append(f"{found.shared:,} of {of} {'is' if found.shared == 1 else 'are'} reviewed with another.")
    return " ".join(said)


def _label(verb: str, held: int, whole: bool) -> str:
    if not whole:
        return f"{verb} the first {held:,}"
    return f"{verb} these {held:,}" if held > 1 else f"{verb} this one"
