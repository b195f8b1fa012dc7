"""A list of passages on the desk: each is gone through to its end, one behind the other.

What a curator is shown of a passage is its open items, and then the passage as a whole, to be closed. Of one
that they have yet to list, and of one where nothing is proposed, it is the whole alone.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from core.review.walks.walk import Ids, Listed, Progress
from core.store import Workspace

LAST = "All that is proposed in this passage has been shown."
"""Why a curator of such a list sees a passage as a whole that holds items."""


class Passages(NamedTuple):
    """Passages of a list, in its order, for one curator."""

    of: dict[int, list[int]]
    """Passage -> what is still to be shown of it, in order; nothing where it is done."""
    whole: dict[int, int]
    """Passage -> the item of it as a whole."""
    lacking: int
    """How many of the list cannot be shown: in a workspace that is only read no such item can be made."""

    @property
    def progress(self) -> Progress:
        """Of passages."""
        done = sum(not rest for rest in self.of.values())
        return Progress(done, len(self.of), done, done, 0)

    def instead(self, item: int | None, have: Collection[int]) -> list[int] | None:
        """What is shown where a passage as a whole is asked for: all that is open there, unless the browser
        has its items already, and then it as a whole. None: it is none of these.

        Args:
            have: passages that the browser holds.
        """
        passage = next((passage for passage, whole in self.whole.items() if whole == item), None)
        if passage is None or item is None:
            return None
        return [item] if passage in have else self.of.get(passage) or None

    def ended(self, sheets: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Sheets of these passages with their last step."""
        for sheet in sheets:
            whole = self.whole.get(sheet["id"])
            if whole is not None and not any(item.get("whole") for item in sheet["items"]):
                sheet["items"].append(as_whole(sheet["id"], whole, LAST))
        return sheets


def order_of(
    workspace: Workspace, view: Any, walk: Any, filters: Any, curator: str
) -> tuple[Ids, Passages | None]:
    """Every item of the queue, of a list all that this curator may see; and its passages, if it lists any."""
    listed: Listed | None = filters.listed
    if listed is None:
        return view.order(workspace, walk, filters, curator), None
    found: Passages | None = None
    if listed.of == "passages":
        found = view.passages(workspace, walk, listed.ids, filters.corpus, curator)
        order = np.array(list(chain.from_iterable(found.of.values())), np.int64)
    else:
        asked = view.instead(workspace, listed.ids, np.array(listed.ids, np.int64), curator)
        visible = view.visible(workspace, asked, curator)
        order = np.array([item for item in asked if item in visible], np.int64)
    with walk.lock:
        walk.answers.reach(int(order.max(initial=0)))
    return order, found


def shown(
    workspace: Workspace,
    view: Any,
    found: Passages | None,
    item: int | None,
    have: Collection[int],
    order: Ids,
    curator: str,
) -> list[int]:
    """What a curator is shown where this item is asked for, in a list of passages or any other queue."""
    of_list = found.instead(item, have) if found else None
    instead: list[int] = of_list or view.instead(workspace, [item] if item else [], order, curator)
    return instead


def told(listed: Listed | None, order: Ids, found: Passages | None) -> dict[str, Any] | None:
    """What the browser is told of a list: its name, what is in it, and how many cannot be shown."""
    if listed is None:
        return None
    ids, lacking = (order.tolist(), 0) if found is None else (list(found.of), found.lacking)
    return {"name": listed.name, "of": listed.of, "ids": ids, "lacking": lacking}


def as_whole(passage: int, item: int, why: str) -> dict[str, Any]:
    """A passage as a whole, as an item of its sheet."""
    return {
        "id": item,
        "whole": True,
        "passage": passage,
        "concept": None,
        "label": why,
        "proposals": [],
        "mine": [],
        "why": why,
    }
