"""All that people and gold say of the concepts of one passage. Reads only; who may see what of it is told
elsewhere (`core.review.explore.sight`)."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from core.records import Action, Curie
from core.store.judged import stands
from core.store.occurrences import ANSWERS
from core.store.rows import column
from core.store.workspace import Workspace


class Said(NamedTuple):
    """The answer of one curator that holds on one item."""

    item_id: int
    concept: Curie
    """Of the item; the answer may name another."""
    curator: str
    action: Action
    answer: dict[str, Any] | None
    note: str | None


class InGold(NamedTuple):
    """One annotation of an imported set."""

    reference: str
    """`NAME@VERSION`"""
    concept: Curie
    label: str | None
    assertion: str
    start: int | None
    end: int | None


def said_in(workspace: Workspace, passage_id: int) -> list[Said]:
    """What every curator answers, rulings included, oldest first."""
    rows = workspace.db.execute(
        "SELECT i.id, i.subject, d.curator_id, d.action, d.payload, max(d.number) FROM items i"
        " JOIN decisions d ON d.item_id = i.id WHERE i.passage_id = ? AND i.kind = 'concept'"
        f" AND d.action IN ({ANSWERS}) AND {stands()}"
        " GROUP BY i.id, d.curator_id, d.action = 'adjudicate' ORDER BY max(d.number)",
        (passage_id,),
    )
    found = []
    for item, concept, curator, action, payload, _ in rows:
        content = json.loads(payload)
        said = Said(item, concept, curator, Action(action), content.get("answer"), content.get("note"))
        found.append(said)
    return found


def gold_in(workspace: Workspace, passage_id: int) -> list[InGold]:
    """What imported sets hold, set by set."""
    rows = workspace.db.execute(
        "SELECT g.name || '@' || g.version, a.concept, a.label, a.assertion, a.start, a.end"
        " FROM annotations a JOIN annotation_sets g ON g.id = a.set_id WHERE a.passage_id = ?"
        " ORDER BY g.id, a.start, a.id",
        (passage_id,),
    )
    return [InGold(*row) for row in rows]


def gold_sets_of(workspace: Workspace, passage_id: int) -> list[str]:
    """`NAME@VERSION` of the imported sets of a passage's corpus, also of those that hold nothing in it."""
    return column(
        workspace.db,
        "SELECT g.name || '@' || g.version FROM annotation_sets g JOIN passages s"
        " ON s.corpus_id = g.corpus_id WHERE s.id = ? ORDER BY g.id",
        (passage_id,),
    )


def gold_since(workspace: Workspace, after: int) -> tuple[int, list[int]]:
    """(the last annotation of imported gold, the passages of those behind this one)."""
    rows = workspace.db.execute("SELECT id, passage_id FROM annotations WHERE id > ?", (after,)).fetchall()
    return max((row[0] for row in rows), default=after), sorted({row[1] for row in rows})
