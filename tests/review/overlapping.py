"""What an overlap holds, by the definition of the draw, and judgements of one item by hand."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import replace
from typing import Any

from core.kinds.concept import answer_of
from core.records import Action, NewDecision
from core.store import Workspace, decisions, proposals


def drawn(unit: str, share: float, seed: str = "13", use: str = "overlap") -> bool:
    """By the definition of the draw: 53 bits of sha256, of which the last 3 of 7 bytes fall away."""
    digest = hashlib.sha256(f"{seed}|{use}|{unit}".encode()).digest()
    return (int.from_bytes(digest[:7], "big") >> 3) / 2**53 < share


def names(workspace: Workspace, kind: str) -> dict[int, str]:
    """Item -> its name in the draw."""
    rows = workspace.db.execute(
        "SELECT i.id, c.name, s.doc_id, i.subject FROM items i JOIN passages s ON s.id = i.passage_id"
        " JOIN corpora c ON c.id = s.corpus_id WHERE i.kind = ?",
        (kind,),
    )
    return {row[0]: "/".join(row[1:]) if kind == "concept" else row[3] for row in rows}


numbers = itertools.count()


def judge(workspace: Workspace, curator: str, item: int, action: Action, **changes: Any) -> int:
    answer = None
    if action in (Action.ACCEPT, Action.FIX):
        answer = replace(answer_of(proposals.of_items(workspace, [item])[item][0]), **changes)
    new = NewDecision(f"{curator}-{next(numbers)}", curator, action, item_id=item, answer=answer)
    outcome = decisions.append(workspace, [new])[0]
    assert outcome.number is not None, outcome.refused
    return outcome.number
