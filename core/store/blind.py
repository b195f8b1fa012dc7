"""Items that a curator answers before any machine answer is seen: blind units of frames, and the decoys among
them, until answered once.

A decoy is a concept that nobody proposed in its passage. It is asked about like a blind unit, so that being
asked says nothing. An answer that was taken back counts: once it is given, the machine's answers may show.
Source: review-budget, section 5.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from core.store.judged import is_judgement
from core.store.workspace import Workspace

_UNANSWERED = (
    " AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.item_id = n.item_id AND d.curator_id = ?2"
    f" AND {is_judgement()})"
)


class Decoy(NamedTuple):
    item_id: int
    concept: str
    beside: int
    """The blind unit that it goes with."""


def blind_among(workspace: Workspace, curator: str, items: Iterable[int]) -> set[int]:
    """Those of these items that are a blind unit of any frame, or a decoy, and that a curator never
    answered."""
    rows = workspace.db.execute(
        "SELECT n.item_id FROM json_each(?1) j CROSS JOIN items i ON i.id = j.value CROSS JOIN frames r"
        " CROSS JOIN frame_units n"
        " ON n.frame_id = r.id AND n.passage_id = i.passage_id AND ifnull(n.item_id, 0) = i.id"
        f" WHERE n.blind{_UNANSWERED}"
        " UNION SELECT n.item_id FROM json_each(?1) j JOIN frame_decoys n ON n.item_id = j.value"
        f" WHERE true{_UNANSWERED}",
        (json.dumps(list(items)), curator),
    )
    return {row[0] for row in rows}


def blind_of(workspace: Workspace, curator: str) -> set[int]:
    """All such items of a curator."""
    rows = workspace.db.execute(
        f"SELECT n.item_id FROM frame_units n WHERE n.blind AND n.item_id IS NOT NULL{_UNANSWERED}"
        f" UNION SELECT n.item_id FROM frame_decoys n WHERE true{_UNANSWERED}",
        (None, curator),
    )
    return {row[0] for row in rows}


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
