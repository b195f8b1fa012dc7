"""What is drawn for a second answer, and who says what on an item, of whichever kind."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from core.kinds import KINDS
from core.records import Action
from core.store.judged import is_judgement, stands
from core.store.rows import chunks, in_chunks, plain
from core.store.workspace import Workspace

CHUNK = 20_000


def units(workspace: Workspace, kind: str, after: int) -> Iterator[list[tuple[int, str]]]:
    """(id, name in a draw) of the items of a kind with an id above `after`, by id, in chunks. Its name is
    `corpus/doc_id/subject`, or the subject alone where that names one item. It never changes."""
    where = "" if KINDS[kind].unique else "c.name || '/' || s.doc_id || '/' || "
    rows = plain(
        workspace.db,
        f"SELECT i.id, {where}i.subject FROM items i JOIN passages s ON s.id = i.passage_id"
        " JOIN corpora c ON c.id = s.corpus_id WHERE i.id > ? AND i.kind = ? ORDER BY i.id",
        (after, kind),
    )
    return chunks(rows, CHUNK)


class Judged(NamedTuple):
    """The judgement of one curator that holds on an item."""

    action: Action
    answer: dict[str, Any] | None
    """As JSON; None where the action gives none."""


def judged(workspace: Workspace, items: list[int]) -> dict[int, list[Judged]]:
    """Item -> the judgements that hold on it, one a curator, of everybody. Not for a page to show."""
    found: defaultdict[int, list[Judged]] = defaultdict(list)
    rows = in_chunks(
        workspace.db,
        "SELECT d.item_id, d.action, d.payload, max(d.number) FROM decisions d WHERE d.item_id IN (?*)"
        f" AND {is_judgement()} AND {stands()}"
        " GROUP BY d.item_id, d.curator_id",
        items,
    )
    for item, action, payload, _ in rows:
        found[item].append(Judged(Action(action), json.loads(payload).get("answer")))
    return found
