"""What machines, and files of people's labels, say of items, with the evidence. One table, whatever the kind.

A kind turns its records into what is stored, and back (`core.kinds`). A stored proposal never changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.kinds import KINDS
from core.records import Curie, Draft, ItemKind, Kept, Origin, Proposal, Quoted, Stated
from core.store.connect import sqlite3
from core.store.rows import chunks, in_chunks, insert_rows, plain
from core.store.runs import find_run
from core.store.workspace import Workspace

CHUNK = 500
PASSAGES = 60
"""Whose proposals are made ready at once: few enough that they leave memory young."""
SPELT = {Origin.MODEL: "model", Origin.HEURISTIC: "rule", Origin.PERSON: "person"}
"""Who made a label -> how the table spells it."""
_READ = {word: origin for origin, word in SPELT.items()}
ORACLES = "SELECT id FROM runs WHERE json_extract(settings, '$.oracle') IS NOT NULL"
"""Ids of runs that took a part of their answers from gold: no curator may see what they propose."""
OF_RULE = "p.origin = 'rule'"
_WORDS = json.JSONEncoder(ensure_ascii=False).encode
_VALUE = json.JSONDecoder().raw_decode
"""What stands at the start of a text, and where it ends: half the time of `json.loads`."""

# --- writing ----------------------------------------------------------------------------------------------


Place = tuple[int, str]
"""(passage, subject)"""


def items(db: sqlite3.Connection, kind: str, wanted: Sequence[Place]) -> dict[Place, int]:
    """Place -> item, of a kind; what is missing is made in the order given."""
    kind = str(kind)  # a plain one: for a StrEnum's, sqlite3 looks for an adapter
    sql = "SELECT passage_id, subject, id FROM items WHERE passage_id IN (?*) AND kind = ?"
    rows = in_chunks(db, sql, {passage for passage, _ in wanted}, kind)
    found = {(row[0], row[1]): row[2] for row in rows}
    db.execute("INSERT INTO item_kinds VALUES (?) ON CONFLICT DO NOTHING", (kind,))
    first = db.execute("SELECT ifnull(max(id), 0) + 1 FROM items").fetchone()[0]
    missing = {key: first + i for i, key in enumerate(dict.fromkeys(k for k in wanted if k not in found))}
    insert_rows(
        db,
        "items",
        {"kind": kind},
        {
            "id": list(missing.values()),
            "passage_id": [passage for passage, _ in missing],
            "subject": [subject for _, subject in missing],
        },
    )
    return found | missing


def insert(
    db: sqlite3.Connection, run_id: str, rows: Sequence[tuple[int, Stated, Mapping[str | None, int]]]
) -> int:
    """Store what a run says; returns how many proposals that is.

    Args:
        rows: item, what is said of it, and the text that each side of its evidence stands in.

    Raises:
        sqlite3.IntegrityError: the run has a proposal of this origin for an item already.
    """
    after = db.execute("SELECT ifnull(max(number), 0) FROM decisions").fetchone()[0]
    first = db.execute("SELECT ifnull(max(id), 0) + 1 FROM proposals").fetchone()[0]
    ids = range(first, first + len(rows))
    said = [stated for _, stated, _ in rows]
    insert_rows(
        db,
        "proposals",
        {"run_id": run_id, "after_decision": after},
        {
            "id": ids,
            "item_id": [item for item, _, _ in rows],
            "origin": [SPELT[one.origin] for one in said],
            "annotator": [one.annotator for one in said],
            "answer": [_WORDS(one.answer) for one in said],
            "confidence": [one.confidence for one in said],
            "reason": [one.reason for one in said],
            "stage": [one.stage for one in said],
            "repaired": [int(one.repaired) for one in said],
            "repairs": [_WORDS(one.repairs) if one.repairs else None for one in said],
            "grounded": [int(False not in [q.grounded for q in one.evidence]) for one in said],
            "call_id": [one.call_id for one in said],
        },
    )
    evidence = [
        (number, position, texts[quoted.side], quoted)
        for number, (_, one, texts) in zip(ids, rows, strict=True)
        for position, quoted in enumerate(one.evidence)
    ]
    quotes = [quoted for *_, quoted in evidence]
    insert_rows(
        db,
        "evidence",
        {},
        {
            "proposal_id": [number for number, *_ in evidence],
            "position": [position for _, position, *_ in evidence],
            "text_id": [text for _, _, text, _ in evidence],
            "quote": [one.quote for one in quotes],
            "start": [one.start for one in quotes],
            "end": [one.end for one in quotes],
            "grounded": [int(one.grounded) for one in quotes],
            "assertion": [one.assertion for one in quotes],
            "side": [one.side for one in quotes],
            "level": [one.level for one in quotes],
            "role": [one.role for one in quotes],
        },
    )
    return len(rows)


def add(db: sqlite3.Connection, run_id: str, drafts: Iterable[tuple[int, list[Draft]]]) -> int:
    """Store the drafts of whole passages, creating items as needed; returns how many proposals were stored.

    Hot path: many rows a statement, over chunks of passages (see tests/benchmarks).
    """
    stored, stated = 0, KINDS[ItemKind.CONCEPT].stated
    for chunk in chunks(drafts, PASSAGES):
        flat = [(passage_id, d) for passage_id, ds in chunk for d in ds]
        held = items(db, ItemKind.CONCEPT, [(p, d.concept) for p, d in flat])
        rows = in_chunks(db, "SELECT id, text_id FROM passages WHERE id IN (?*)", (p for p, _ in chunk))
        text_of: dict[int, Mapping[str | None, int]] = {row[0]: {None: row[1]} for row in rows}
        said = [(held[p, d.concept], stated(d), text_of[p]) for p, d in flat]
        stored += insert(db, run_id, said)
    return stored


# --- reading ----------------------------------------------------------------------------------------------

_PROPOSAL = (
    "SELECT p.id, p.run_id, p.item_id, i.passage_id, i.subject, i.kind, p.origin, p.answer, p.confidence,"
    " p.reason, p.stage, p.annotator, p.repaired, p.repairs, p.call_id"
    " FROM proposals p JOIN items i ON i.id = p.item_id"
)


def read(workspace: Workspace, rest: str, values: Sequence[Any]) -> Iterator[Any]:
    """Proposals as the records of their kinds, streamed. `rest`: what follows the FROM, where `p` is a
    proposal and `i` its item."""
    for rows in chunks(plain(workspace.db, f"{_PROPOSAL} {rest}", values), CHUNK):
        evidence = _evidence(workspace.db, [row[0] for row in rows])
        for row in rows:
            said = Stated(
                _READ[row[6]],
                _VALUE(row[7])[0],
                tuple(evidence.get(row[0], ())),
                row[8],
                row[9],
                row[10],
                row[11],
                bool(row[12]),
                tuple(json.loads(row[13])) if row[13] else (),
                row[14],
            )
            kept = Kept(row[0], row[1], row[2], row[3], row[4], said)
            yield KINDS[row[5]].proposal(kept)


def _evidence(db: sqlite3.Connection, ids: list[int]) -> dict[int, list[Quoted]]:
    found: dict[int, list[Quoted]] = {}
    for proposal, quote, start, end, grounded, assertion, side, level, role in in_chunks(
        db,
        'SELECT proposal_id, quote, start, "end", grounded, assertion, side, level, role FROM evidence'
        " WHERE proposal_id IN (?*) ORDER BY proposal_id, position",
        ids,
    ):
        one = Quoted(quote, start, end, bool(grounded), assertion, side, level, role)
        found.setdefault(proposal, []).append(one)
    return found


def of_items(workspace: Workspace, item_ids: Iterable[int], *, order: str = "p.id") -> dict[int, list[Any]]:
    """Item -> what every run but oracles says of it. At most a screenful of items at a time."""
    wanted = list(dict.fromkeys(item_ids))
    found: dict[int, list[Any]] = {}
    rest = (
        f"WHERE p.item_id IN ({','.join('?' * len(wanted))}) AND p.run_id NOT IN ({ORACLES}) ORDER BY {order}"
    )
    for one in read(workspace, rest, wanted):
        found.setdefault(one.item_id, []).append(one)
    return found


def label_of(workspace: Workspace, concept: Curie) -> str | None:
    """What some run calls a concept; None where nobody proposes it."""
    row = workspace.db.execute(
        "SELECT p.answer ->> 'label' FROM items i JOIN proposals p ON p.item_id = i.id"
        " WHERE i.subject = ? AND i.kind = 'concept' LIMIT 1",
        (concept,),
    ).fetchone()
    return row[0] if row else None


def of_run(workspace: Workspace, run_id: str) -> Iterator[Proposal]:
    """What a run proposes of concepts, streamed: passages as they were added, proposals as stored."""
    find_run(workspace, run_id)
    return read(workspace, "WHERE p.run_id = ? ORDER BY i.passage_id, p.id", (run_id,))


def of_item(workspace: Workspace, run_id: str, item_id: int) -> Proposal | None:
    """What one run proposes of an item."""
    return next(
        read(workspace, "WHERE p.item_id = ? AND p.run_id = ? ORDER BY p.id", (item_id, run_id)), None
    )
