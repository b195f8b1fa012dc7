"""Which task profile's guideline an item is judged by, and answers that were given under another revision."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from core.store.connect import sqlite3
from core.store.judged import is_judgement, stands
from core.store.proposals import ORACLES
from core.store.rows import column, in_chunks
from core.store.workspace import Workspace


class Named(NamedTuple):
    """A task profile, as a run names it."""

    profile: str
    source: str
    """What the run was begun with: the profile's name, or the path of a YAML file."""


_NAMED = "r.settings ->> 'profile', ifnull(r.settings ->> '$.options.profile', r.settings ->> 'profile')"
_RUNS = (
    "r.settings ->> 'profile' IS NOT NULL AND r.status <> 'failed' AND r.kind IN (?*)"
    f" AND r.id NOT IN ({ORACLES})"
)


def _runs(kinds: tuple[str, ...]) -> str:
    return _RUNS.replace("(?*)", f"({','.join('?' * len(kinds))})")


def profiles(workspace: Workspace, kinds: tuple[str, ...]) -> list[Named]:
    """All that runs of these kinds name, each once, oldest first."""
    rows = workspace.db.execute(
        f"SELECT {_NAMED} FROM runs r WHERE {_runs(kinds)} ORDER BY r.rowid", kinds
    ).fetchall()
    return list(dict.fromkeys(Named(*row) for row in rows))


def of_item(workspace: Workspace, item: int, kinds: tuple[str, ...]) -> Named | None:
    """The profile of the newest run of these kinds that proposes an item; None where none names one."""
    row = workspace.db.execute(
        f"SELECT {_NAMED} FROM proposals p JOIN runs r ON r.id = p.run_id"
        f" WHERE p.item_id = ? AND {_runs(kinds)} ORDER BY r.rowid DESC LIMIT 1",
        (item, *kinds),
    ).fetchone()
    return Named(*row) if row else None


def of_passage(workspace: Workspace, passage: int, kinds: tuple[str, ...]) -> Named | None:
    """The profile of the newest run of these kinds over the corpus of a passage."""
    return _newest(workspace, "(SELECT corpus_id FROM passages WHERE id = ?)", passage, kinds)


def of_corpus(workspace: Workspace, corpus: str, kinds: tuple[str, ...]) -> Named | None:
    """The profile of the newest run of these kinds over a corpus."""
    return _newest(workspace, "(SELECT id FROM corpora WHERE name = ?)", corpus, kinds)


def _newest(workspace: Workspace, corpus: str, of: int | str, kinds: tuple[str, ...]) -> Named | None:
    row = workspace.db.execute(
        f"SELECT {_NAMED} FROM runs r WHERE r.corpus_id = {corpus} AND {_runs(kinds)}"
        " ORDER BY r.rowid DESC LIMIT 1",
        (of, *kinds),
    ).fetchone()
    return Named(*row) if row else None


_OLDER = (
    "SELECT d.number, d.item_id FROM decisions d WHERE {which}d.curator_id = ?"
    f" AND {is_judgement()} AND d.guideline_revision IS NOT NULL"
    " AND d.guideline_revision NOT IN (SELECT value FROM json_each(?))"
    " AND (SELECT i.kind FROM items i WHERE i.id = d.item_id) = ?"
    f" AND {stands()}"
    " AND NOT EXISTS (SELECT 1 FROM decisions l WHERE l.item_id = d.item_id AND +l.curator_id = d.curator_id"
    f" AND +l.number > d.number AND {is_judgement('l')}"
    f" AND {stands('l')})"
)
"""A plus keeps the planner off the index of the curator: by that, each row would read all that follow."""


def older(
    workspace: Workspace,
    curator: str,
    kind: str,
    in_force: Iterable[str],
    items: Iterable[int] | None = None,
) -> dict[int, int]:
    """Answers of a curator that hold and were given under a revision that is not in force: item -> number of
    the decision, oldest first. Those that were given under none are left out.

    Args:
        kind: of the items.
        in_force: revisions.
        items: only on these; None: on any.
    """
    given = (curator, json.dumps(sorted(in_force)), kind)
    if items is None:
        rows: Iterable[sqlite3.Row] = workspace.db.execute(_OLDER.format(which=""), given)
    else:
        rows = in_chunks(workspace.db, _OLDER.format(which="d.item_id IN (?*) AND +"), items, *given)
    return {item: number for number, item in sorted(map(tuple, rows))}


def touched(workspace: Workspace, curator: str, after: int) -> list[int]:
    """Items on which a curator has said anything since a decision number."""
    return column(
        workspace.db,
        "SELECT DISTINCT item_id FROM decisions NOT INDEXED WHERE curator_id = ? AND number > ?",
        (curator, after),
    )
