"""Items that a curator answers before any machine answer is seen: blind units of frames, until answered once.

An answer that was taken back counts: once it is given, the machine's answers may show. Source: review-budget,
section 5.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from core.store.judged import is_judgement
from core.store.workspace import Workspace

_UNANSWERED = (
    " AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.item_id = n.item_id AND d.curator_id = ?2"
    f" AND {is_judgement()})"
)


def blind_among(workspace: Workspace, curator: str, items: Iterable[int]) -> set[int]:
    """Those of these items that are a blind unit of any frame and that a curator never answered."""
    rows = workspace.db.execute(
        "SELECT n.item_id FROM json_each(?1) j JOIN items i ON i.id = j.value CROSS JOIN frames r"
        " JOIN frame_units n"
        " ON n.frame_id = r.id AND n.passage_id = i.passage_id AND ifnull(n.item_id, 0) = i.id"
        f" WHERE n.blind{_UNANSWERED}",
        (json.dumps(list(items)), curator),
    )
    return {row[0] for row in rows}


def blind_of(workspace: Workspace, curator: str) -> set[int]:
    """All such items of a curator."""
    rows = workspace.db.execute(
        f"SELECT n.item_id FROM frame_units n WHERE n.blind AND n.item_id IS NOT NULL{_UNANSWERED}",
        (None, curator),
    )
    return {row[0] for row in rows}
