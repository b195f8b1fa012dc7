"""Proof that what people decided, and what they decided on, was not altered: `verify`.

Whoever changes one decision, or a proposal that was decided on, breaks the hash chain there; whoever cuts off
its end, or writes it anew, is found out by a head that was written down before, in an export or a backup.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from itertools import islice
from types import MappingProxyType
from typing import Any

from core.errors import InputError, NotFoundError, WorkspaceError
from core.store import frames
from core.store.connect import sqlite3
from core.store.corpora import annotations_digest, text_digest
from core.store.digest import canonical
from core.store.link import GENESIS, chain_link
from core.store.migrate import LEDGER
from core.store.runs import run_digest
from core.store.schema import MIGRATIONS
from core.store.unproven import NOT_PROVEN
from core.store.workspace import Workspace

LISTED = 50
"""Problems of one kind that are spelled out; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What was recomputed, and every problem as a sentence."""

    number: int
    """Of the last decision."""
    head: str
    """Its link: write it down to notice, later, a history that was cut off or written anew."""
    decisions: int
    runs: int
    open_runs: int
    """Of these, not finished yet and so without a digest."""
    gold_sets: int
    texts: int
    problems: tuple[str, ...]
    skipped: tuple[str, ...]
    """What could not be checked, and why."""
    not_proven: tuple[str, ...] = NOT_PROVEN
    """What it says nothing about, in words."""


def verify(workspace: Workspace, *, head: str | None = None) -> Verification:
    """Recompute the hash chain, the digests of runs and imported gold, the texts' sha256 and every quote;
    check the schema with its append-only triggers, SQLite's own integrity, foreign keys, search indexes. What
    all this leaves open is listed in `unproven`.

    Args:
        head: a chain head from an export or a backup, 64 hex digits; it must occur in the chain.

    Raises:
        InputError: `head` is no such thing.
    """
    if head is not None and not re.fullmatch(r"[0-9a-fA-F]{64}", head):
        raise InputError(f"{head!r} is no chain head. Give the 64 hex digits from an export or a backup.")
    db = workspace.db
    problems: list[str] = []
    db.execute("BEGIN")  # one snapshot, whatever is written meanwhile
    try:
        for what, check in _CHECKS.items():
            problems += _listed(what, check(db))
        if head is not None:
            problems += _listed("the chain", _anchored(db, head.lower()))
        number, link = next(iter(_rows(db, _LAST)), (0, GENESIS))
        counts: dict[str, Any] = {
            name: next(iter(_rows(db, f"SELECT count(*) FROM {what}")), (0,))[0]
            for name, what in _COUNTED.items()
        }
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
    skipped: tuple[str, ...] = ()
    try:
        with workspace.write(bump=False, mark=False):
            problems += _listed("the search indexes", _search(db))
    except WorkspaceError:
        skipped = ("The search indexes were not compared with what they index, for that takes a write.",)
    return Verification(number, link, **counts, problems=tuple(problems), skipped=skipped)


_LAST = "SELECT number, link FROM decisions ORDER BY number DESC LIMIT 1"
_COUNTED = {
    "decisions": "decisions",
    "runs": "runs",
    "open_runs": "runs WHERE digest IS NULL",
    "gold_sets": "annotation_sets",
    "texts": "texts",
}


def _rows(db: sqlite3.Connection, query: str) -> list[Any]:
    """Empty where they cannot be read; a check has said so by then."""
    try:
        return db.execute(query).fetchall()
    except sqlite3.Error:
        return []


def _listed(what: str, check: Iterator[str]) -> list[str]:
    found: list[str] = []
    try:
        found += islice(check, LISTED)
        more = sum(1 for _ in check)
        found += [f"And {more} more problems of this kind."] if more else []
    except sqlite3.Error as error:
        found.append(f"A part of the file is damaged: {what} cannot be read to the end ({error}).")
    return found


def _integrity(db: sqlite3.Connection) -> Iterator[str]:
    for (message,) in db.execute(f"PRAGMA integrity_check({LISTED})"):
        if message != "ok":
            yield f"SQLite finds the file damaged: {message}."
    for table, row, parent, _ in db.execute("PRAGMA foreign_key_check"):
        yield f"Row {row} of {table} refers to a row of {parent} that is not there."


def _schema(db: sqlite3.Connection) -> Iterator[str]:
    """Tables, CHECKs, indexes and triggers, statement by statement, against a fresh workspace's."""
    expected, held = _intended(tuple(MIGRATIONS.values())), _statements(db)
    for name in sorted(expected.keys() | held.keys()):
        if name not in held:
            yield f"The {name} is missing from the schema."
        elif name not in expected:
            yield f"The {name} does not belong to the schema."
        elif expected[name] != held[name]:
            yield f"The {name} was changed."


@cache
def _intended(migrations: tuple[tuple[str, ...], ...]) -> Mapping[str, str]:
    """The statements of a workspace that was made by these migrations and nothing else."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        for statements in migrations:
            for statement in statements:
                fresh.execute(statement)
        return MappingProxyType(_statements(fresh))


def _statements(db: sqlite3.Connection) -> dict[str, str]:
    rows = db.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE tbl_name NOT LIKE 'sqlite^_%' ESCAPE '^'"
        " AND tbl_name <> ?",
        (LEDGER,),
    )
    return {f"{row[0]} {row[1]}": row[2] for row in rows}


def _chain(db: sqlite3.Connection) -> Iterator[str]:
    previous, last = GENESIS, 0
    for row in db.execute(
        "SELECT d.*, a.number AS acknowledged FROM decisions d"
        " LEFT JOIN acknowledgements a ON a.client_id = d.client_id ORDER BY d.number"
    ):
        number = row["number"]
        if number != last + 1:
            yield f"Decisions are missing: after number {last} comes {number}."
        try:
            fits = chain_link(db, previous, row) == row["link"]
        except (NotFoundError, ValueError):
            fits = False
        if not fits:
            yield (
                f"Decision {number} was altered, or what it answered, or the link before it: "
                "its link does not fit."
            )
        if row["acknowledged"] != number:
            yield f"Decision {number} is not the one that its client id is acknowledged with."
        previous, last = row["link"], number
    given = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'decisions'").fetchone()
    if given is not None and given[0] != last:
        yield f"The last decisions are missing: numbers were given up to {given[0]}, the log ends at {last}."


def _anchored(db: sqlite3.Connection, head: str) -> Iterator[str]:
    if head != GENESIS and not db.execute("SELECT 1 FROM decisions WHERE link = ?", (head,)).fetchone():
        yield (
            f"Chain head {head} does not occur in this history: its end was cut off, it was written anew, "
            "or the head is from another workspace."
        )


def _runs(db: sqlite3.Connection) -> Iterator[str]:
    for run_id, status, digest in db.execute("SELECT id, status, digest FROM runs ORDER BY id").fetchall():
        if (digest is None) != (status == "running"):
            yield f"Run {run_id!r} is marked as {status}, which its digest belies."
        if digest is not None and digest != run_digest(db, run_id):
            yield f"Run {run_id!r} was altered after it was done: its digest does not fit."


def _moved(db: sqlite3.Connection) -> Iterator[str]:
    """Digests of form 1 do not tell a person's label from a model's; the record of its import does."""
    for (proposal,) in db.execute(
        "SELECT p.id FROM proposals p JOIN items i ON i.id = p.item_id WHERE p.old_id NOT NULL"
        " AND p.origin <> 'rule' AND (p.origin = 'person') <> EXISTS (SELECT 1 FROM stage_records s"
        " WHERE s.run_id = p.run_id AND s.passage_id = i.passage_id AND s.stage = 'imported'"
        " AND s.concept = i.subject AND s.payload ->> 'origin' = 'model'"
        " AND s.payload ->> 'label_origin' = 'person')"
    ):
        yield f"Who made proposal {proposal} was altered: the record of its import says otherwise."


def _gold(db: sqlite3.Connection) -> Iterator[str]:
    for set_id, name, version, digest in db.execute(
        "SELECT id, name, version, digest FROM annotation_sets ORDER BY id"
    ).fetchall():
        if digest != annotations_digest(db, set_id):
            yield f"Imported gold {name}@{version} was altered: its digest does not fit."


def _learned(db: sqlite3.Connection) -> Iterator[str]:
    for name, version, digest, body in db.execute(
        "SELECT name, version, digest, body FROM learned_sets ORDER BY id"
    ):
        if digest != hashlib.sha256(canonical(json.loads(body))).hexdigest():
            yield f"Learned set {name}@{version} was altered: its digest does not fit."


def _trees(db: sqlite3.Connection) -> Iterator[str]:
    for name, version, digest, concepts, body in db.execute(
        "SELECT name, version, sha256, concepts, body FROM label_trees ORDER BY id"
    ):
        if digest != hashlib.sha256(body.encode()).hexdigest() or concepts != len(json.loads(body)):
            yield f"Label tree {name}@{version} was altered: its sha256 does not fit."


def _texts(db: sqlite3.Connection) -> Iterator[str]:
    for text_id, digest, body in db.execute("SELECT id, sha256, body FROM texts ORDER BY id"):
        if digest != text_digest(body):
            yield f"Text {text_id} was altered: its sha256 does not fit."


_QUOTED = """
SELECT 'Evidence ' || position || ' of proposal ' || proposal_id, text_id, start, "end", quote
    FROM evidence WHERE grounded
UNION ALL SELECT 'Annotation ' || a.id, p.text_id, a.start, a."end", a.quote
    FROM annotations a JOIN passages p ON p.id = a.passage_id WHERE a.start IS NOT NULL
UNION ALL SELECT 'An answer of decision ' || d.number, p.text_id, s.value ->> 0, s.value ->> 1, s.value ->> 2
    FROM decisions d JOIN items i ON i.id = d.item_id JOIN passages p ON p.id = i.passage_id,
    json_each(d.payload, '$.answer.spans') s
UNION ALL SELECT 'An answer of decision ' || d.number, c.text_id, s.value ->> 0, s.value ->> 1, s.value ->> 2
    FROM decisions d JOIN pairs p ON p.item_id = d.item_id JOIN claims c ON c.id = p.claim_a,
    json_each(d.payload, '$.answer.spans_a') s
UNION ALL SELECT 'An answer of decision ' || d.number, c.text_id, s.value ->> 0, s.value ->> 1, s.value ->> 2
    FROM decisions d JOIN pairs p ON p.item_id = d.item_id JOIN claims c ON c.id = p.claim_b,
    json_each(d.payload, '$.answer.spans_b') s
ORDER BY 2
"""


def _quotes(db: sqlite3.Connection) -> Iterator[str]:
    """In Python, since SQL's substr stops at a NUL character."""
    body, body_id = "", None
    for what, text_id, start, end, quote in db.execute(_QUOTED):
        if text_id != body_id:
            row = db.execute("SELECT body FROM texts WHERE id = ?", (text_id,)).fetchone()
            body, body_id = row[0] if row else "", text_id
        if body[start:end] != quote:
            yield f"{what} quotes {quote!r}, which does not stand at {start} to {end} of text {text_id}."


def _names(db: sqlite3.Connection) -> Iterator[str]:
    """A concept's name is stored twice, once for search, whose index is compared with it."""
    for name, version, curie in db.execute(
        "SELECT o.name, o.version, c.curie FROM concepts c JOIN ontologies o ON o.id = c.ontology_id"
        " WHERE NOT EXISTS (SELECT 1 FROM names n WHERE n.concept_id = c.id AND n.scope = 'NAME'"
        " AND n.text = c.name)"
    ):
        yield f"The name of {curie} in {name}@{version} was altered: search knows it by another."


def _search(db: sqlite3.Connection) -> Iterator[str]:
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%USING fts5%'").fetchall():
        try:
            db.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
        except sqlite3.DatabaseError as error:
            yield f"Search index {table} does not fit what it indexes ({error})."


_CHECKS: dict[str, Callable[[sqlite3.Connection], Iterator[str]]] = {
    "the file": _integrity,
    "the schema": _schema,
    "the log of decisions": _chain,
    "runs and proposals": _runs,
    "who made imported labels": _moved,
    "imported gold": _gold,
    "learned sets": _learned,
    "label trees": _trees,
    "frames": frames.altered,
    "texts": _texts,
    "quotes": _quotes,
    "names of concepts": _names,
}
