"""Learned sets by name and version, never changed; and which of their words people have silenced."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from typing import Literal, NamedTuple

from pydantic import ValidationError

from core.errors import InputError
from core.records import Curie
from core.records.learned import LearnedSet
from core.store.connect import sqlite3
from core.store.digest import canonical
from core.store.names import check_name, chosen
from core.store.workspace import Workspace, now

Silent = frozenset[tuple[Curie | None, str]]
"""(concept or None for any, words as they are counted)"""


class LearnedRow(NamedTuple):
    """A stored set without what it holds."""

    name: str
    version: int
    """From 1, without gaps."""
    digest: str
    source: Literal["learned", "added"]
    """Learned here, or added from a file."""
    created_at: str

    @property
    def reference(self) -> str:
        """`NAME@VERSION`, the way runs name it."""
        return f"{self.name}@{self.version}"


class Mute(NamedTuple):
    """Words that a person has silenced, or let speak again."""

    name: str
    concept: Curie | None
    words: str
    muted: bool
    curator: str | None
    created_at: str


def digest(learned: LearnedSet) -> str:
    """sha256 over the set in its one spelling."""
    return hashlib.sha256(canonical(learned.model_dump(mode="json"))).hexdigest()


def add(
    db: sqlite3.Connection, name: str, learned: LearnedSet, source: Literal["learned", "added"] = "learned"
) -> LearnedRow:
    """Store the next version of a set. The same as the latest version is no new one.

    Raises:
        InputError: `name` cannot name a learned set.
    """
    check_name("learned set", name)
    last = db.execute(f"{_ROW} WHERE name = ? ORDER BY version DESC LIMIT 1", (name,)).fetchone()
    made = digest(learned)
    if last is not None and last["digest"] == made:
        return LearnedRow(*last)
    row = LearnedRow(name, last["version"] + 1 if last else 1, made, source, now())
    db.execute(
        "INSERT INTO learned_sets (name, version, digest, body, source, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (row.name, row.version, row.digest, learned.model_dump_json(), row.source, row.created_at),
    )
    return row


_ROW = "SELECT name, version, digest, source, created_at FROM learned_sets"


def list_sets(workspace: Workspace) -> list[LearnedRow]:
    """All versions of all sets, by name, the oldest version first."""
    return [LearnedRow(*row) for row in workspace.db.execute(f"{_ROW} ORDER BY name, version")]


def find(workspace: Workspace, reference: str) -> LearnedRow:
    """A set by `NAME@VERSION`, or the latest version by `NAME`.

    Raises:
        NotFoundError: there is none; the known ones are listed.
    """
    return chosen("learned set", reference, list_sets(workspace))


def read(workspace: Workspace, row: LearnedRow) -> LearnedSet:
    """What a set holds."""
    body = workspace.db.execute(
        "SELECT body FROM learned_sets WHERE name = ? AND version = ?", (row.name, row.version)
    ).fetchone()[0]
    return parse(body)


def parse(body: str) -> LearnedSet:
    """A set from its JSON.

    Raises:
        InputError: it does not follow the form; names the field.
    """
    try:
        return LearnedSet.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(
            f"This is no learned set: {place + ': ' if place else ''}{first['msg']}. Write one with"
            " `touchstone learned export`."
        ) from error


def mute(
    db: sqlite3.Connection,
    name: str,
    words: str,
    *,
    concept: Curie | None = None,
    muted: bool = True,
    curator: str | None = None,
    client_id: str | None = None,
) -> None:
    """Silence words of a set, for one concept or for all, or let them speak again.

    Args:
        client_id: made by a browser; what came under it before is not stored again.
    """
    db.execute(
        "INSERT INTO learned_mutes (name, concept, words, muted, curator_id, created_at, client_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (name, concept, words, int(muted), curator, now(), client_id),
    )


def mutes(workspace: Workspace, name: str | None = None) -> list[Mute]:
    """What holds for a set's words, or those of every set: the last word on each, by words and concept."""
    rows = workspace.db.execute(
        "SELECT name, concept, words, muted, curator_id, created_at, max(id) FROM learned_mutes"
        " WHERE ?1 IS NULL OR name = ?1 GROUP BY name, words, concept ORDER BY words, concept, name",
        (name,),
    )
    return [Mute(row[0], row[1], row[2], bool(row[3]), row[4], row[5]) for row in rows]


def last_mute(workspace: Workspace) -> int:
    """A number that grows with every word on mutes; 0 where there is none."""
    return int(workspace.db.execute("SELECT ifnull(max(id), 0) FROM learned_mutes").fetchone()[0])


def mutes_stored(workspace: Workspace, client_ids: Collection[str]) -> set[str]:
    """Those of these client ids under which a mute, or its end, is stored."""
    rows = workspace.db.execute(
        "SELECT client_id FROM learned_mutes WHERE client_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(client_ids)),),
    )
    return {row[0] for row in rows}


def silent(workspace: Workspace, name: str) -> Silent:
    """The words that a set does not say now."""
    return frozenset((one.concept, one.words) for one in mutes(workspace, name) if one.muted)


def silent_digest(words: Collection[tuple[Curie | None, str]]) -> str | None:
    """sha256 over silenced words; None where none is."""
    if not words:
        return None
    ordered = sorted(words, key=lambda one: (one[1], one[0] or ""))
    return hashlib.sha256(json.dumps(ordered).encode()).hexdigest()
