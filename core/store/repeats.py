"""Items that a curator is asked once more: which are due, and what was said both times."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from core.kinds.repeat import PREFIX, SUFFIX, subject_of
from core.records import ASSESSING, Action
from core.store import proposals
from core.store.connect import sqlite3
from core.store.judged import is_judgement, stands
from core.store.rows import in_chunks
from core.store.workspace import Workspace

_PAIRED = (
    f"r.passage_id = o.passage_id AND r.kind = o.kind || '{SUFFIX}'"
    f" AND ifnull(r.subject, '') = '{PREFIX}' || o.subject"
)
"""Item `r` repeats item `o`."""
_REPEATS = (
    f"o.passage_id = r.passage_id AND o.kind = replace(r.kind, '{SUFFIX}', '')"
    f" AND ifnull(o.subject, '') = substr(r.subject, {len(PREFIX) + 1})"
)
"""The same, looked up from `r`."""


def originals(db: sqlite3.Connection, items: Iterable[int]) -> dict[int, int]:
    """Those of these items that repeat another one -> the one that they repeat."""
    rows = in_chunks(
        db,
        f"SELECT r.id, o.id FROM items r JOIN items o ON {_REPEATS} WHERE r.id IN (?*)"
        f" AND r.kind LIKE '%{SUFFIX}'",
        items,
    )
    return dict(rows)


def about(db: sqlite3.Connection, items: Iterable[int]) -> dict[int, int]:
    """Each of these items -> the one that it repeats, or itself."""
    asked = list(items)
    return dict(zip(asked, asked, strict=True)) | originals(db, asked)


def due(workspace: Workspace, curator: str, items: Sequence[int], apart: int) -> list[int]:
    """Those of these items that a curator may be asked about again, longest answered first: their answer
    stands, was not given blind, lies at least so many judgements of theirs back, and no second one stands.
    """
    last = workspace.db.execute(
        f"SELECT d.number FROM decisions d WHERE d.curator_id = ? AND {is_judgement()}"
        " ORDER BY d.number DESC LIMIT 1 OFFSET ?",
        (curator, apart),
    ).fetchone()
    if last is None:
        return []
    rows = in_chunks(
        workspace.db,
        "SELECT max(d.number), d.item_id, d.action, d.blind FROM decisions d JOIN items o ON o.id = d.item_id"
        f" WHERE d.item_id IN (?*) AND d.curator_id = ? AND {is_judgement()} AND {stands()}"
        f" AND NOT EXISTS (SELECT 1 FROM items r JOIN decisions e ON e.item_id = r.id WHERE {_PAIRED}"
        f" AND e.curator_id = ? AND {is_judgement('e')} AND {stands('e')}) GROUP BY d.item_id",
        items,
        *(curator, curator),
    )
    found = [tuple(row) for row in rows if row[0] <= last[0] and row[2] in ASSESSING and not row[3]]
    return [item for _, item, *_ in sorted(found)]


def items(db: sqlite3.Connection, originals: Sequence[int]) -> list[int]:
    """The items that repeat these, in the same order; what is missing is made. The caller holds a write."""
    rows = in_chunks(db, "SELECT id, passage_id, subject, kind FROM items WHERE id IN (?*)", originals)
    found = {}
    for item, passage, subject, kind in rows:
        place = (passage, subject_of(subject))
        found[item] = proposals.items(db, kind + SUFFIX, [place])[place]
    return [found[item] for item in originals]


class Twice(NamedTuple):
    """What a curator said of an item when asked for the first time, and when asked again."""

    curator: str
    item: int
    """That was asked about first."""
    passage: int
    subject: str
    number: int
    """Of the decision that answers the second time."""
    first: tuple[Action, dict[str, Any] | None]
    """As it stood before the second question was answered; the answer as JSON, None where there is none."""
    second: tuple[Action, dict[str, Any] | None]


def twice(workspace: Workspace, corpus: str, kind: str) -> Iterator[Twice]:
    """All that curators of a corpus answered twice, by curator and item; who was unsure the second time has
    not."""
    rows = workspace.db.execute(
        "SELECT t.*, f.action, f.payload FROM (SELECT d.curator_id AS curator, o.id, o.passage_id, o.subject,"
        " max(d.number), d.action AS again, d.payload AS said,"
        " (SELECT max(f.number) FROM decisions f WHERE f.item_id = o.id AND f.curator_id = d.curator_id"
        f" AND {is_judgement('f')} AND {stands('f')} AND f.number < (SELECT min(e.number) FROM decisions e"
        " WHERE e.item_id = r.id AND e.curator_id = d.curator_id)) AS before"
        f" FROM decisions d CROSS JOIN items r ON r.id = d.item_id JOIN items o ON {_REPEATS}"
        " JOIN passages s ON s.id = r.passage_id JOIN corpora c ON c.id = s.corpus_id"
        f" WHERE c.name = ? AND r.kind = ? AND {is_judgement()} AND {stands()} GROUP BY d.curator_id, o.id) t"
        " JOIN decisions f ON f.number = t.before ORDER BY t.curator, t.id",
        (corpus, kind + SUFFIX),
    )
    for curator, item, passage, subject, number, again, said, _, first, before in rows:
        if first in ASSESSING and again in ASSESSING:
            told = ((Action(first), before), (Action(again), said))
            yield Twice(
                *(curator, item, passage, subject, number),
                *((action, json.loads(payload).get("answer")) for action, payload in told),
            )
