"""The words that proposals of a concept rest on, and what one curator said of them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.records import Action, Curie
from core.store.judged import is_judgement, stands
from core.store.proposals import ORACLES
from core.store.rows import column
from core.store.workspace import Workspace


def last_proposal(workspace: Workspace) -> int:
    """The highest id of a proposal; 0 where there is none."""
    return int(workspace.db.execute("SELECT ifnull(max(id), 0) FROM proposals").fetchone()[0])


def quotes(workspace: Workspace, concept: Curie) -> dict[int, set[str]]:
    """Item of a concept -> the quotes of all that runs, but oracles, propose for it."""
    found: dict[int, set[str]] = {}
    for item, quote in workspace.db.execute(
        "SELECT i.id, e.quote FROM items i CROSS JOIN proposals p ON p.item_id = i.id"
        " CROSS JOIN evidence e ON e.proposal_id = p.id"
        f" WHERE i.subject = ? AND i.kind = 'concept' AND p.run_id NOT IN ({ORACLES})",
        (concept,),
    ):
        found.setdefault(item, set()).add(quote)
    return found


def judged(workspace: Workspace, concept: Curie, curator: str) -> dict[int, Action]:
    """Item of a concept -> the judgement of a curator that holds on it; what was answered blind is left
    out."""
    rows = workspace.db.execute(
        "SELECT d.item_id, d.action, max(d.number) FROM items i CROSS JOIN decisions d ON d.item_id = i.id"
        " WHERE i.subject = ? AND i.kind = 'concept' AND d.curator_id = ? AND NOT d.blind"
        f" AND {is_judgement()} AND {stands()} GROUP BY d.item_id",
        (concept, curator),
    )
    return {row[0]: Action(row[1]) for row in rows}


def inside(workspace: Workspace, items: Sequence[int], passages: Sequence[int]) -> list[int]:
    """Those of these items that are in one of these passages."""
    return column(
        workspace.db,
        "SELECT i.id FROM json_each(?) j CROSS JOIN items i ON i.id = j.value"
        " WHERE i.passage_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(items)), json.dumps(list(passages))),
    )


def proposed_by(workspace: Workspace, item: int) -> str:
    """The newest run that proposes an item."""
    row = workspace.db.execute(
        "SELECT run_id FROM proposals WHERE item_id = ? ORDER BY id DESC LIMIT 1", (item,)
    ).fetchone()
    return str(row[0])
