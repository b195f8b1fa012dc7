"""Where a concept occurs in a workspace: what runs propose, people answer, gold holds and audits found. Reads
only, by index; who may see what of it is told elsewhere (`core.review.explore.sight`)."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple

from core.kinds.error import subject_of
from core.records import JUDGEMENTS, Action, Curie, ErrorType, ItemKind
from core.store.judged import stands
from core.store.proposals import ORACLES
from core.store.rows import mapping
from core.store.workspace import Workspace

ANSWERS = ", ".join(repr(str(action)) for action in (*JUDGEMENTS, Action.ADJUDICATE))
_OF = "i.kind = 'concept' AND i.subject IN (SELECT value FROM json_each(?1))"


class Item(NamedTuple):
    """A passage and one of the concept's ids."""

    id: int
    passage_id: int
    corpus: str
    concept: Curie = ""
    """As it stands in the item."""


class Answered(NamedTuple):
    """What holds of a curator's answers to one item."""

    item_id: int
    curator: str
    action: Action
    error: ErrorType | None = None
    concept: Curie = ""
    """As it stands in the item."""


class InGold(NamedTuple):
    """A passage of which an imported set holds the concept."""

    reference: str
    """`NAME@VERSION`"""
    corpus: str
    passage_id: int
    concept: Curie
    """As it stands in the set."""


def items_of(workspace: Workspace, ids: Collection[Curie]) -> dict[int, Item]:
    """Items about a concept, by id and in the order of their passages; also decoys, and what was only added.

    Args:
        ids: all ids that the concept bears.
    """
    rows = workspace.db.execute(
        "SELECT i.id, i.passage_id, c.name, i.subject FROM items i JOIN passages s ON s.id = i.passage_id"
        f" JOIN corpora c ON c.id = s.corpus_id WHERE {_OF} ORDER BY i.passage_id, i.id",
        (_json(ids),),
    )
    return {row[0]: Item(*row) for row in rows}


def proposed(workspace: Workspace, ids: Collection[Curie]) -> dict[str, list[int]]:
    """Run -> items for which it proposes the concept, oldest run first; oracles are left out."""
    found: dict[str, list[int]] = {}
    for run, item in workspace.db.execute(
        "SELECT DISTINCT r.id, i.id FROM items i JOIN proposals p ON p.item_id = i.id"
        f" JOIN runs r ON r.id = p.run_id WHERE {_OF} AND p.run_id NOT IN ({ORACLES})"
        " ORDER BY r.started_at, r.rowid, i.passage_id, i.id",
        (_json(ids),),
    ):
        found.setdefault(run, []).append(item)
    return found


def answered(workspace: Workspace, ids: Collection[Curie]) -> list[Answered]:
    """The answer of each curator that holds on each item about the concept, rulings included."""
    rows = workspace.db.execute(
        "SELECT i.id, d.curator_id, d.action, max(d.number), i.subject"
        " FROM items i JOIN decisions d ON d.item_id = i.id"
        f" WHERE {_OF} AND d.action IN ({ANSWERS}) AND {stands()}"
        " GROUP BY i.id, d.curator_id, d.action = 'adjudicate' ORDER BY i.passage_id, i.id",
        (_json(ids),),
    )
    return [Answered(row[0], row[1], Action(row[2]), concept=row[4]) for row in rows]


def in_gold(workspace: Workspace, ids: Collection[Curie]) -> list[InGold]:
    """Each passage of each imported set that holds the concept, in order; once for each id."""
    rows = workspace.db.execute(
        "SELECT DISTINCT g.name || '@' || g.version, c.name, a.passage_id, a.concept FROM annotations a"
        " JOIN annotation_sets g ON g.id = a.set_id JOIN corpora c ON c.id = g.corpus_id"
        " WHERE a.concept IN (SELECT value FROM json_each(?)) ORDER BY g.id, a.passage_id",
        (_json(ids),),
    )
    return [InGold(*row) for row in rows]


def concept_items(workspace: Workspace) -> tuple[list[int], list[int]]:
    """(items about concepts, passages that have one or are in gold)."""
    items = workspace.db.execute("SELECT id FROM items WHERE kind = 'concept'")
    passages = workspace.db.execute(
        "SELECT passage_id FROM items WHERE kind = 'concept' UNION SELECT passage_id FROM annotations"
    )
    return [row[0] for row in items], [row[0] for row in passages]


def gold_by_concept(workspace: Workspace) -> dict[Curie, int]:
    """Concept -> labels of all imported sets, each once a passage."""
    return mapping(
        workspace.db,
        "SELECT concept, count(*) FROM (SELECT DISTINCT set_id, passage_id, concept FROM annotations)"
        " GROUP BY concept",
    )


def proposed_by_concept(workspace: Workspace) -> dict[Curie, int]:
    """Concept -> labels of all runs but oracles, each once a passage and run."""
    return mapping(
        workspace.db,
        "SELECT i.subject, count(*) FROM (SELECT DISTINCT run_id, item_id FROM proposals"
        f" WHERE run_id NOT IN ({ORACLES})) p JOIN items i ON i.id = p.item_id WHERE i.kind = 'concept'"
        " GROUP BY i.subject",
    )


def audited(workspace: Workspace, ids: Collection[Curie]) -> tuple[dict[int, Item], list[Answered]]:
    """The concept's items in audits of false positives, and the answers that hold on them."""
    golds = workspace.db.execute(
        "SELECT DISTINCT scope ->> 'gold' FROM frames WHERE scope ->> 'gold' NOT NULL"
    )
    subjects = _json([subject_of(row[0], one) for row in golds.fetchall() for one in ids])
    of = f"i.kind = '{ItemKind.ERROR}' AND i.subject IN (SELECT value FROM json_each(?1))"
    items = workspace.db.execute(
        "SELECT i.id, i.passage_id, c.name FROM items i JOIN passages s ON s.id = i.passage_id"
        f" JOIN corpora c ON c.id = s.corpus_id WHERE {of} ORDER BY i.passage_id, i.id",
        (subjects,),
    )
    said = workspace.db.execute(
        "SELECT i.id, d.curator_id, d.action, max(d.number), d.payload ->> '$.answer.error'"
        f" FROM items i JOIN decisions d ON d.item_id = i.id WHERE {of} AND d.action IN ({ANSWERS})"
        f" AND {stands()} GROUP BY i.id, d.curator_id ORDER BY i.passage_id, i.id",
        (subjects,),
    )
    return (
        {row[0]: Item(*row) for row in items},
        [Answered(row[0], row[1], Action(row[2]), ErrorType(row[4]) if row[4] else None) for row in said],
    )


def _json(ids: Collection[Curie]) -> str:
    return json.dumps(sorted(ids))
