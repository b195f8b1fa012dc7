"""What a curator answers before any machine answer is seen: blind units of frames, and the decoys among them,
until answered once.

A decoy is a concept that nobody proposed in its passage. It is asked about like a blind unit, so that being
asked says nothing. A passage that is a blind unit is *unlisted* until its curator has listed its concepts.
The list is their own additions; a blind `reopen` ends it and opens the passage to what is proposed there.
Whoever has judged something in a passage, or closed it, is asked for no list. An answer that was taken back
counts: once it is given, the machine's answers may show. Source: review-budget, section 5.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from core.records import ON_PROPOSALS, Action
from core.store.judged import is_judgement
from core.store.rows import mapping
from core.store.workspace import Workspace

_UNANSWERED = (
    " AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.item_id = n.item_id AND d.curator_id = ?2"
    f" AND {is_judgement()})"
)
_SEEN = ", ".join(repr(action.value) for action in ON_PROPOSALS if action is not Action.ADD)
_OPENS = (
    f"(i.kind = 'concept' AND d.action IN ({_SEEN})"
    " OR i.kind = 'passage' AND d.action IN ('close', 'reopen'))"
)


class Decoy(NamedTuple):
    item_id: int
    concept: str
    beside: int
    """The blind unit that it goes with."""


def blind_among(workspace: Workspace, curator: str, items: Iterable[int]) -> set[int]:
    """Those of these items that are a blind unit of any frame, or a decoy, and that a curator never answered;
    and all of passages that are unlisted."""
    asked = json.dumps(list(items))
    rows = workspace.db.execute(
        "SELECT n.item_id FROM json_each(?1) j CROSS JOIN items i ON i.id = j.value CROSS JOIN frames r"
        " CROSS JOIN frame_units n"
        " ON n.frame_id = r.id AND n.passage_id = i.passage_id AND ifnull(n.item_id, 0) = i.id"
        f" WHERE n.blind{_UNANSWERED}"
        " UNION SELECT n.item_id FROM json_each(?1) j JOIN frame_decoys n ON n.item_id = j.value"
        f" WHERE true{_UNANSWERED}",
        (asked, curator),
    )
    held = "SELECT i.id, i.passage_id FROM json_each(?) j JOIN items i ON i.id = j.value"
    passages = dict(map(tuple, workspace.db.execute(held, (asked,))))
    unlisted = unlisted_among(workspace, curator, set(passages.values()))
    return {row[0] for row in rows} | {item for item, passage in passages.items() if passage in unlisted}


def blind_of(workspace: Workspace, curator: str) -> set[int]:
    """All such items of a curator."""
    rows = workspace.db.execute(
        f"SELECT n.item_id FROM frame_units n WHERE n.blind AND n.item_id IS NOT NULL{_UNANSWERED}"
        f" UNION SELECT n.item_id FROM frame_decoys n WHERE true{_UNANSWERED}",
        (None, curator),
    )
    return {row[0] for row in rows}


def blind_items(workspace: Workspace) -> list[int]:
    """Items that are a blind unit of any frame, whoever has answered them."""
    rows = workspace.db.execute("SELECT item_id FROM frame_units WHERE blind AND item_id IS NOT NULL")
    return sorted({row[0] for row in rows})


def unlisted_among(workspace: Workspace, curator: str, passages: Iterable[int]) -> set[int]:
    """Those of these passages that a curator has yet to list."""
    rows = workspace.db.execute(
        "SELECT n.passage_id FROM json_each(?1) j CROSS JOIN frames r CROSS JOIN frame_units n"
        " ON n.frame_id = r.id AND n.passage_id = j.value AND ifnull(n.item_id, 0) = 0"
        " WHERE r.unit = 'passage' AND n.blind AND NOT EXISTS (SELECT 1 FROM items i CROSS JOIN decisions d"
        " ON d.item_id = i.id AND d.curator_id = ?2 WHERE i.passage_id = n.passage_id"
        f" AND {_OPENS})",
        (json.dumps(list(passages)), curator),
    )
    return {row[0] for row in rows}


def blind_passages(workspace: Workspace, corpus: str) -> set[int]:
    """Passages of a corpus that are a blind unit of any frame, whoever has listed them."""
    rows = workspace.db.execute(
        "SELECT n.passage_id FROM corpora c CROSS JOIN runs o ON o.corpus_id = c.id"
        " CROSS JOIN frames r ON r.run_id = o.id CROSS JOIN frame_units n ON n.frame_id = r.id"
        " WHERE c.name = ? AND r.unit = 'passage' AND n.blind",
        (corpus,),
    )
    return {row[0] for row in rows}


def blind_units(workspace: Workspace, corpus_id: int) -> dict[int, frozenset[str] | None]:
    """Passage -> subjects that it asks about blind in any frame, decoys too; None: the passage as a whole."""
    found: dict[int, set[str] | None] = {}
    rows = workspace.db.execute(
        "SELECT n.passage_id, i.subject FROM frame_units n JOIN passages p ON p.id = n.passage_id"
        " LEFT JOIN items i ON i.id = n.item_id WHERE n.blind AND p.corpus_id = ?1"
        " UNION SELECT i.passage_id, i.subject FROM frame_decoys n JOIN items i ON i.id = n.item_id"
        " JOIN passages p ON p.id = i.passage_id WHERE p.corpus_id = ?1",
        (corpus_id,),
    )
    for passage, subject in rows:
        held = found.setdefault(passage, set())
        if subject is None:
            found[passage] = None
        elif held is not None:
            held.add(subject)
    return {passage: None if held is None else frozenset(held) for passage, held in found.items()}


def opened(workspace: Workspace, curator: str, after: int) -> set[int]:
    """Passages that a curator need not list any more, by decisions with a number above `after`."""
    rows = workspace.db.execute(
        "SELECT i.passage_id FROM decisions d CROSS JOIN items i ON i.id = d.item_id"
        f" WHERE d.curator_id = ? AND d.number > ? AND {_OPENS}",
        (curator, after),
    )
    return {row[0] for row in rows}


def unlisted_of(workspace: Workspace, curator: str, corpus: str) -> set[int]:
    """Passages of a corpus that a curator has yet to list."""
    return blind_passages(workspace, corpus) - opened(workspace, curator, 0)


def wholes(workspace: Workspace, passages: Iterable[int]) -> dict[int, int]:
    """Passage -> the item of it as a whole, which stands for all its others while it is unlisted. It is made
    when it is asked for first; in a workspace that is only read, those are left out that have none yet."""
    wanted = list(passages)

    def found() -> dict[int, int]:
        return mapping(
            workspace.db,
            "SELECT passage_id, id FROM items WHERE kind = 'passage'"
            " AND passage_id IN (SELECT value FROM json_each(?))",
            (json.dumps(wanted),),
        )

    known = found()
    lacking = [(passage,) for passage in wanted if passage not in known]
    if workspace.read_only or not lacking:
        return known
    with workspace.write() as db:
        new = "INSERT INTO items (kind, passage_id) VALUES ('passage', ?) ON CONFLICT DO NOTHING"
        db.executemany(new, lacking)
    return found()


def decoys(workspace: Workspace, corpus: str) -> list[Decoy]:
    """Decoys of a corpus, of all frames, in the order in which they were made; one that a run has come to
    propose since is none any more."""
    rows = workspace.db.execute(
        "SELECT n.item_id, i.subject, n.beside FROM frame_decoys n JOIN items i ON i.id = n.item_id"
        " JOIN passages s ON s.id = i.passage_id JOIN corpora c ON c.id = s.corpus_id WHERE c.name = ?"
        " AND NOT EXISTS (SELECT 1 FROM proposals p WHERE p.item_id = n.item_id) GROUP BY n.item_id",
        (corpus,),
    )
    return [Decoy(*row) for row in rows]


def decoys_among(workspace: Workspace, items: Iterable[int]) -> set[int]:
    """Those of these items that are decoys of any frame."""
    rows = workspace.db.execute(
        "SELECT n.item_id FROM json_each(?) j JOIN frame_decoys n ON n.item_id = j.value",
        (json.dumps(list(items)),),
    )
    return {row[0] for row in rows}
