"""Finding documents of a corpus by id, and the items in one."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple

from core.store.queue import ItemRow
from core.store.rows import column, mapping
from core.store.workspace import Workspace


class Found(NamedTuple):
    passage: int
    doc_id: str
    title: str | None


def find(workspace: Workspace, corpus: str, text: str, most: int = 8) -> list[Found]:
    """Documents whose id holds a text, whatever its case: the one of just this id first, then those that
    begin with it. Reads ids only, so it stays quick in a large corpus."""
    rows = workspace.db.execute(
        "SELECT p.id, p.doc_id, p.title FROM passages p JOIN corpora c ON c.id = p.corpus_id"
        " WHERE c.name = ?1 AND instr(lower(p.doc_id), lower(?2))"
        " ORDER BY p.doc_id <> ?2, instr(lower(p.doc_id), lower(?2)) <> 1, length(p.doc_id), p.doc_id"
        " LIMIT ?3",
        (corpus, text, most),
    )
    return [Found(*row) for row in rows]


def titles(workspace: Workspace, corpus_id: int) -> dict[int, str]:
    """Passage -> title, of those that have one."""
    return mapping(
        workspace.db, "SELECT id, title FROM passages WHERE corpus_id = ? AND title IS NOT NULL", (corpus_id,)
    )


def passage_of(workspace: Workspace, corpus: str, doc_id: str) -> int | None:
    """The passage of just this document id; None where the corpus holds none."""
    row = workspace.db.execute(
        "SELECT p.id FROM passages p JOIN corpora c ON c.id = p.corpus_id WHERE c.name = ? AND p.doc_id = ?",
        (corpus, doc_id),
    ).fetchone()
    return int(row[0]) if row else None


def passages_of(workspace: Workspace, corpus: str, doc_ids: Collection[str]) -> dict[str, int]:
    """doc_id -> passage, of those of these documents that the corpus holds."""
    return mapping(
        workspace.db,
        "SELECT p.doc_id, p.id FROM corpora c JOIN passages p ON p.corpus_id = c.id"
        " WHERE c.name = ? AND p.doc_id IN (SELECT value FROM json_each(?))",
        (corpus, json.dumps(sorted(doc_ids))),
    )


def passages_among(workspace: Workspace, corpus: str, passages: Collection[int]) -> set[int]:
    """Those of these passages that the corpus holds."""
    rows = workspace.db.execute(
        "SELECT p.id FROM json_each(?) j CROSS JOIN passages p ON p.id = j.value"
        " JOIN corpora c ON c.id = p.corpus_id WHERE c.name = ?",
        (json.dumps(list(passages)), corpus),
    )
    return {row[0] for row in rows}


def pairs_of(workspace: Workspace, passage_id: int) -> list[int]:
    """Items of the claim pairs with a claim of this passage, on either side."""
    return column(
        workspace.db,
        "SELECT item_id FROM pairs WHERE claim_a IN (SELECT id FROM claims WHERE passage_id = ?1)"
        " UNION SELECT item_id FROM pairs WHERE claim_b IN (SELECT id FROM claims WHERE passage_id = ?1)",
        (passage_id,),
    )


def in_corpus(workspace: Workspace, corpus: str, item_ids: list[int]) -> list[ItemRow]:
    """Those of these items that are of the corpus, passage by passage."""
    marks = ",".join(map(str, map(int, item_ids)))
    rows = workspace.db.execute(
        "SELECT i.id, i.passage_id, i.subject FROM items i JOIN passages p ON p.id = i.passage_id"
        f" JOIN corpora c ON c.id = p.corpus_id WHERE c.name = ? AND i.id IN ({marks})"
        " ORDER BY i.passage_id, i.id",
        (corpus,),
    )
    return [ItemRow(*row) for row in rows]
