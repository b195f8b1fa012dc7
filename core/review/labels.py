"""The labels that items of any desk are about, and those that a curator decided on last."""

from __future__ import annotations

from collections.abc import Iterable

from core.records import ItemKind
from core.review.views import VIEWS
from core.store import Workspace, pairs, queue, repeats


def labels_of(workspace: Workspace, kind: str, items: Iterable[int]) -> dict[int, int]:
    """Item of a desk -> the item of the concept or claim pair that it is about, in the order asked for. Left
    out is what is not there, and an item of the audit about what no run proposes any more.

    Args:
        kind: of the desk, as in `VIEWS`.
    """
    wanted = list(dict.fromkeys(items))
    if kind in (ItemKind.ERROR, ItemKind.GOLD_CHANGE):
        held = VIEWS[kind].held(workspace, wanted)
        return {item: held[item][-1].item_id for item in wanted if item in held}
    again = repeats.originals(workspace.db, wanted)
    about = {item: again.get(item, item) for item in wanted}
    known = (
        queue.items(workspace, about.values()).keys()
        | pairs.pairs_of_items(workspace, list(about.values())).keys()
    )
    return {item: one for item, one in about.items() if one in known}


def last_decided(workspace: Workspace, kind: str, curator: str) -> list[int]:
    """Items of the curator's last decisions at a desk, newest first."""
    history = VIEWS[kind].history(workspace, curator)
    return [row["item"] for row in history if row["item"] is not None]
