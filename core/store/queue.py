"""What review reads often: proposals as columns, who has answered what, leases, a curator's pace.

Nothing here reads a text or counts a table, so every query stays quick at 300,000 proposals.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from core.kinds import KINDS
from core.records import JUDGEMENTS, Action, Assertion, ConceptClass, ItemKind
from core.store.connect import sqlite3
from core.store.judged import is_judgement, stands
from core.store.proposals import ORACLES
from core.store.rows import chunks, column, in_chunks, plain
from core.store.workspace import Workspace

COLUMN_CHUNK = 20_000
CLASSES = tuple(ConceptClass)
"""Order of the class codes in `proposal_columns`."""
ASSERTIONS = tuple(status.value for status in Assertion)
"""Order of the status codes in `proposal_columns`."""


class RunName(NamedTuple):
    """A run without its counts."""

    code: int
    """Number that stands for the run in `proposal_columns`."""
    id: str
    source: str
    corpus: str
    ontology_id: int | None
    done: bool
    imported: bool = False
    """Whether its labels came in from a file."""


def run_names(workspace: Workspace, kind: str = ItemKind.CONCEPT) -> list[RunName]:
    """Runs that propose items of a kind and have not failed, oldest first; without oracles."""
    kinds = KINDS[kind].runs
    rows = workspace.db.execute(
        "SELECT r.rowid, r.id, r.source, c.name, r.ontology_id, r.status = 'done',"
        " ifnull(r.settings ->> 'imported', 0) FROM runs r"
        " JOIN corpora c ON c.id = r.corpus_id"
        f" WHERE r.status <> 'failed' AND r.kind IN ({','.join('?' * len(kinds))})"
        f" AND r.id NOT IN ({ORACLES}) ORDER BY r.started_at, r.rowid",
        kinds,
    )
    return [RunName(row[0], row[1], row[2], row[3], row[4], bool(row[5]), bool(row[6])) for row in rows]


def newest_ontology(workspace: Workspace) -> int | None:
    row = workspace.db.execute("SELECT max(id) FROM ontologies").fetchone()
    return int(row[0]) if row[0] is not None else None


def proposal_columns(workspace: Workspace, after: int) -> Iterator[list[tuple[Any, ...]]]:
    """Proposals of concepts, of all runs but oracles, with an id above `after`, by id, in chunks: (id, item,
    passage, run code, class code, assertion code, confidence or -1, flagged, first offset or -1, concept).

    Proposals never change, so rows read once stay true. Flagged: a quote is not in the text, or the proposal
    was repaired from an off-schema answer.
    """
    classes = " ".join(f"WHEN '{c.value}' THEN {i}" for i, c in enumerate(CLASSES))
    assertions = " ".join(f"WHEN '{a}' THEN {i}" for i, a in enumerate(ASSERTIONS))
    rows = plain(
        workspace.db,
        f"SELECT p.id, p.item_id, i.passage_id, r.rowid, CASE p.class {classes} END,"
        f" CASE p.assertion {assertions} END, ifnull(p.confidence, -1), p.repaired OR NOT p.grounded,"
        " ifnull((SELECT min(e.start) FROM evidence e WHERE e.proposal_id = p.id), -1), i.subject"
        " FROM proposals p JOIN items i ON i.id = p.item_id JOIN runs r ON r.id = p.run_id"
        f" WHERE p.id > ? AND i.kind = 'concept' AND p.run_id NOT IN ({ORACLES})"
        " ORDER BY p.id",
        (after,),
    )
    return chunks(rows, COLUMN_CHUNK)


# --- answers ----------------------------------------------------------------------------------------------


class Standing(NamedTuple):
    """The judgement of one curator that holds on one item."""

    item_id: int
    curator: str
    number: int
    action: Action


def last_number(workspace: Workspace) -> int:
    return int(workspace.db.execute("SELECT ifnull(max(number), 0) FROM decisions").fetchone()[0])


def answers_since(
    workspace: Workspace, number: int, actions: tuple[Action, ...] = JUDGEMENTS
) -> tuple[set[int], list[Standing]]:
    """Items on which anything was decided after `number`, and every answer of these actions that holds on
    them now."""
    changed = {
        row[0]
        for row in workspace.db.execute(
            "SELECT DISTINCT item_id FROM decisions NOT INDEXED WHERE number > ?", (number,)
        )
    }
    if not changed:
        return changed, []
    rows = workspace.db.execute(
        "SELECT d.item_id, d.curator_id, max(d.number), d.action FROM decisions d WHERE d.item_id IN"
        " (SELECT item_id FROM decisions WHERE number > ?)"
        f" AND d.action IN ({','.join('?' * len(actions))}) AND {stands()}"
        " GROUP BY d.item_id, d.curator_id",
        (number, *actions),
    )
    return changed, [Standing(row[0], row[1], row[2], Action(row[3])) for row in rows]


class Said(NamedTuple):
    """One uncancelled judgement or note of a curator, as a page shows it."""

    item_id: int
    number: int
    client_id: str
    action: Action
    answer: dict[str, Any] | None
    note: str | None
    revision: str | None
    """Of the guideline that it was said under."""


def said_by(workspace: Workspace, curator: str, item_ids: list[int]) -> list[Said]:
    """What one curator has said on these items and not taken back, oldest first."""
    rows = in_chunks(
        workspace.db,
        "SELECT d.item_id, d.number, d.client_id, d.action, d.payload, d.guideline_revision"
        " FROM decisions d"
        f" WHERE d.item_id IN (?*) AND d.curator_id = ? AND d.action <> 'undo' AND {stands()}",
        item_ids,
        curator,
    )
    found = []
    for item_id, number, client_id, action, payload, revision in rows:
        content = json.loads(payload)
        answer, note = content.get("answer"), content.get("note")
        found.append(Said(item_id, number, client_id, Action(action), answer, note, revision))
    return sorted(found, key=lambda said: said.number)


def closed_by(workspace: Workspace, curator: str, passage_ids: list[int]) -> set[int]:
    """Those of these passages that the curator has closed and not reopened."""
    rows = in_chunks(
        workspace.db,
        "SELECT i.passage_id, max(d.number), d.action FROM decisions d JOIN items i ON i.id = d.item_id"
        " WHERE i.passage_id IN (?*) AND d.curator_id = ? AND i.kind = 'passage'"
        f" AND d.action IN ('close', 'reopen') AND {stands()} GROUP BY i.passage_id",
        passage_ids,
        curator,
    )
    return {row[0] for row in rows if row[2] == Action.CLOSE}


def closed_by_others(workspace: Workspace, curator: str, passage_ids: list[int]) -> dict[int, int]:
    """Passage -> how many other curators have closed it and not reopened it, of those that somebody has."""
    rows = in_chunks(
        workspace.db,
        "SELECT passage_id, count(*) FROM (SELECT i.passage_id, max(d.number), d.action FROM decisions d"
        " JOIN items i ON i.id = d.item_id WHERE i.passage_id IN (?*) AND d.curator_id <> ?"
        f" AND i.kind = 'passage' AND d.action IN ('close', 'reopen') AND {stands()}"
        " GROUP BY i.passage_id, d.curator_id) WHERE action = 'close' GROUP BY passage_id",
        passage_ids,
        curator,
    )
    return {row[0]: row[1] for row in rows}


class Answering(NamedTuple):
    """The stored decision that answers a client id."""

    number: int
    item_id: int


def answering(workspace: Workspace, client_ids: Iterable[str]) -> dict[str, Answering]:
    """Client id -> the decision that answers it, for those the database holds."""
    rows = in_chunks(
        workspace.db,
        "SELECT a.client_id, d.number, d.item_id FROM acknowledgements a"
        " JOIN decisions d ON d.number = a.number WHERE a.client_id IN (?*)",
        client_ids,
    )
    return {row[0]: Answering(row[1], row[2]) for row in rows}


def item_of(workspace: Workspace, number: int) -> int | None:
    """The item that a decision is about; None where there is no such decision."""
    row = workspace.db.execute("SELECT item_id FROM decisions WHERE number = ?", (number,)).fetchone()
    return int(row[0]) if row else None


def pace(
    workspace: Workspace,
    curator: str | None,
    *,
    kinds: tuple[str, ...] = (ItemKind.CONCEPT,),
    actions: tuple[Action, ...] = JUDGEMENTS,
    last: int = 50,
) -> list[int]:
    """Milliseconds of a curator's latest answers, or of everybody's, to items of these kinds, newest first;
    those without a time are left out."""
    return column(
        workspace.db,
        f"SELECT d.milliseconds FROM decisions d WHERE {'d.curator_id = ?' if curator else '? IS NULL'}"
        f" AND d.action IN ({','.join('?' * len(actions))}) AND d.milliseconds IS NOT NULL"
        f" AND (SELECT i.kind FROM items i WHERE i.id = d.item_id) IN ({','.join('?' * len(kinds))})"
        " ORDER BY d.number DESC LIMIT ?",
        (curator, *actions, *kinds, last),
    )


# --- items ------------------------------------------------------------------------------------------------


def unanswered(workspace: Workspace, run: str, most: int) -> list[int]:
    """The first items that a run proposes and nobody has judged, as many as are asked for."""
    return column(
        workspace.db,
        "SELECT p.item_id FROM proposals p WHERE p.run_id = ? AND NOT EXISTS (SELECT 1 FROM decisions d"
        f" WHERE d.item_id = p.item_id AND {is_judgement()} AND {stands()})"
        " GROUP BY p.item_id ORDER BY p.item_id LIMIT ?",
        (run, most),
    )


class ItemRow(NamedTuple):
    id: int
    passage_id: int
    subject: str


def items_of_passages(
    workspace: Workspace, passage_ids: list[int], kind: str = ItemKind.CONCEPT
) -> list[ItemRow]:
    """Items of a kind of these passages, by id; also those that somebody added and nobody proposed."""
    rows = in_chunks(
        workspace.db,
        "SELECT id, passage_id, subject FROM items WHERE passage_id IN (?*) AND kind = ?",
        passage_ids,
        kind,
    )
    return sorted(ItemRow(*row) for row in rows)


def items(workspace: Workspace, item_ids: Iterable[int], kind: str = ItemKind.CONCEPT) -> dict[int, ItemRow]:
    """Items of a kind by id; unknown ids are left out."""
    rows = in_chunks(
        workspace.db,
        "SELECT id, passage_id, subject FROM items WHERE id IN (?*) AND kind = ?",
        item_ids,
        kind,
    )
    return {row[0]: ItemRow(*row) for row in rows}


def last_item(workspace: Workspace) -> int:
    """The highest id of an item, of whichever kind; 0 where there is none."""
    return int(workspace.db.execute("SELECT ifnull(max(id), 0) FROM items").fetchone()[0])


def visible(
    workspace: Workspace, item_ids: Iterable[int], curator: str, kind: str = ItemKind.CONCEPT
) -> set[int]:
    """Those of these items, of a kind, that a curator may see: some run proposes or labels it, or an own
    decision on it stands. What only another curator added is not there yet."""
    rows = in_chunks(
        workspace.db,
        "SELECT i.id FROM items i WHERE i.id IN (?*) AND i.kind = ? AND ("
        f"EXISTS (SELECT 1 FROM proposals WHERE item_id = i.id AND run_id NOT IN ({ORACLES}))"
        " OR EXISTS (SELECT 1 FROM decisions d"
        f" WHERE d.item_id = i.id AND d.curator_id = ? AND d.action <> 'undo' AND {stands()}))",
        item_ids,
        *(kind, curator),
    )
    return {row[0] for row in rows}


# --- leases -----------------------------------------------------------------------------------------------


def hand_over(db: sqlite3.Connection, session: str, former: Iterable[str]) -> None:
    """Give a browser session the leases of those that it succeeds. The caller holds a write."""
    db.executemany("UPDATE leases SET session = ? WHERE session = ?", [(session, one) for one in former])


def with_others(workspace: Workspace, items: list[int], curator: str, now: float) -> set[int]:
    """Those of these items that another curator has open.

    Args:
        now: Unix seconds.
    """
    rows = in_chunks(
        workspace.db,
        "SELECT item_id FROM leases WHERE item_id IN (?*) AND curator_id <> ? AND expires_at > ?",
        items,
        *(curator, now),
    )
    return {row[0] for row in rows}


_ANSWERED = (
    "DELETE FROM leases WHERE session <> ? AND EXISTS (SELECT 1 FROM decisions d"
    " WHERE d.item_id = leases.item_id AND d.curator_id = leases.curator_id"
    f" AND d.action NOT IN ('note', 'undo') AND {stands()})"
)
"""Of other sessions: whoever has answered an item needs it no longer, and may be gone without a word."""


def lease(
    db: sqlite3.Connection,
    session: str,
    curator: str,
    *,
    keep: list[int],
    candidates: Iterable[tuple[int, int]],
    wanted: int,
    now: float,
    seconds: float,
    room_of_kept: Callable[[int], int] = lambda item: 1,
) -> tuple[list[int], list[int]]:
    """Renew the leases of one browser session and take up to `wanted` more. The caller holds a write.

    Args:
        keep: items the session still holds; its other leases are given back.
        candidates: (item, how many curators may hold it at once), in the order to take them.
        room_of_kept: gives the same number for an item of `keep` whose lease ran out.
        now: Unix seconds, read within the write.
        seconds: how long a lease lasts. One that would last longer was taken while the clock was ahead; it
            ends after these, too.

    Returns:
        Items newly taken, and those of `keep` that somebody else holds by now.
    """
    expires, kept = now + seconds, set(keep)
    db.execute("DELETE FROM leases WHERE expires_at <= ?", (now,))
    db.execute(_ANSWERED, (session,))
    db.execute("UPDATE leases SET expires_at = ?1 WHERE expires_at > ?1", (expires,))
    _renew(db, session, curator, kept, expires)
    held: dict[int, list[tuple[int, str, str]]] = {}
    for item, slot, holder, who in db.execute("SELECT item_id, slot, session, curator_id FROM leases"):
        held.setdefault(item, []).append((slot, holder, who))

    def take(item: int, room: int) -> bool:
        rows = held.setdefault(item, [])
        if any(holder == session for _, holder, _ in rows):
            return True
        if len(rows) >= room or any(who == curator for _, _, who in rows):
            return False  # the same person never holds an item in two tabs
        slot = min(set(range(room)) - {slot for slot, _, _ in rows})
        db.execute(
            "INSERT INTO leases (item_id, slot, session, curator_id, expires_at) VALUES (?, ?, ?, ?, ?)",
            (item, slot, session, curator, expires),
        )
        rows.append((slot, session, curator))
        return True

    elsewhere = [item for item in keep if not take(item, room_of_kept(item))]
    fresh = ((item, room) for item, room in candidates if item not in kept)
    taken: list[int] = []
    while len(taken) < wanted and (row := next(fresh, None)):
        if take(*row):
            taken.append(row[0])
    return taken, elsewhere


def peek(
    db: sqlite3.Connection,
    session: str,
    curator: str,
    *,
    keep: Iterable[int],
    candidates: Iterable[tuple[int, int]],
    wanted: int,
    **_: Any,
) -> tuple[list[int], list[int]]:
    """As `lease`, where nothing can be saved, so that nobody needs to hold an item: the next ones, and none
    that is with somebody else."""
    kept = set(keep)
    return list(islice((item for item, _ in candidates if item not in kept), wanted)), []


def _renew(db: sqlite3.Connection, session: str, curator: str, kept: set[int], expires: float) -> None:
    """Give back the leases of a session but those in `kept`, which last until `expires`."""
    held = db.execute("SELECT item_id FROM leases WHERE session = ?", (session,)).fetchall()
    db.executemany(
        "DELETE FROM leases WHERE session = ? AND item_id = ?",
        [(session, item) for (item,) in held if item not in kept],
    )
    db.execute(
        "UPDATE leases SET expires_at = ?, curator_id = ? WHERE session = ?", (expires, curator, session)
    )
