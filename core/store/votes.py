"""What each curator says of the concepts of a corpus, from one pass over the log of decisions.

The same as the gold of every single curator (`core.store.gold`, policy `curator=ID`), for all of them at
once and without a record per decision: the last uncancelled judgement of an item stands, the latest word on a
concept counts, and closing a passage says nothing of what was proposed before and left open.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from typing import NamedTuple

from core.records import JUDGEMENTS, Action, ConceptClass, Curie
from core.store import corpora
from core.store.decisions import pinned
from core.store.gold import first_proposed
from core.store.judged import stands
from core.store.rows import plain
from core.store.workspace import Workspace

ABSENT, UNSURE = "absent", "unsure"
"""What may be said of a concept beside the statuses of `core.records.Assertion`."""

_STANDING = (Action.CLOSE, Action.REOPEN, *JUDGEMENTS)
_QUERY = (
    "SELECT d.number, d.curator_id, d.item_id, i.passage_id, i.subject, d.action,"
    " json_extract(d.payload, '$.answer.concept'),"
    " ifnull(json_extract(d.payload, '$.answer.assertion'), 'affirmed'),"
    " json_extract(d.payload, '$.answer.class')"
    " FROM decisions d CROSS JOIN items i ON i.id = d.item_id CROSS JOIN passages p ON p.id = i.passage_id"
    " WHERE p.corpus_id = ?1 AND i.kind IN ('concept', 'passage') AND d.number <= ?2"
    f" AND d.action IN ({', '.join(repr(action.value) for action in _STANDING)})"
    f" AND {stands(upto='?2')}"
    " ORDER BY d.number"
)


class Vote(NamedTuple):
    """What one curator says of one item."""

    number: int
    """Of the decision."""
    item: int
    label: str
    """Status of the answer, `ABSENT` or `UNSURE`."""
    concept: Curie | None
    """The concept of the answer: that of the item, or what it was fixed to; None where nothing is named."""
    meant: str | None
    """Class of the answer."""


@dataclass(slots=True)
class Votes:
    """Of one curator."""

    said: dict[str, dict[Curie, str]] = field(default_factory=dict)
    """doc_id -> concept -> status, `ABSENT` or `UNSURE`."""
    judged: dict[str, dict[Curie, Vote]] = field(default_factory=dict)
    """doc_id -> concept of the item -> the judgement that stands; in order of number."""
    closed: dict[str, int] = field(default_factory=dict)
    """Documents where nothing is missing any more -> number of the decision that says so."""
    unasked: dict[str, set[Curie]] = field(default_factory=dict)
    """Of closed documents: concepts proposed before they were closed, and left open."""


def votes(workspace: Workspace, corpus: str, number: int | None = None) -> dict[str, Votes]:
    """Curator -> what they say, up to decision `number` (None: all); who has decided nothing is not there.

    Raises:
        NotFoundError: no such corpus or decision.
    """
    number = pinned(workspace, "", number)
    doc_ids = corpora.decided_in(workspace, corpus)
    rows = plain(workspace.db, _QUERY, (corpora.corpus(workspace, corpus).id, number))
    # an item is a passage or a concept, so its last judgement, closing or reopening is what stands
    standing = {(row[1], row[2]): row for row in rows}
    found: dict[str, Votes] = {}
    for at, curator, item, passage, concept, action, answered, status, meant in sorted(standing.values()):
        mine = found.get(curator)
        if mine is None:
            mine = found[curator] = Votes()
        doc_id = doc_ids[passage]
        if action == Action.CLOSE:
            mine.closed[doc_id] = at
        elif concept is not None:
            held = mine.said.setdefault(doc_id, {})
            held[concept] = label = UNSURE if action == Action.UNSURE else ABSENT
            given = answered if action not in (Action.UNSURE, Action.REJECT) else None
            if given is not None:
                held[given] = label = ABSENT if meant == ConceptClass.NOT_RELEVANT else status
            named = None if label in (ABSENT, UNSURE) else given
            mine.judged.setdefault(doc_id, {})[concept] = Vote(at, item, label, named, meant)
    if any(mine.closed for mine in found.values()):
        _left_open(workspace, corpus, found)
    return found


def decided_at(workspace: Workspace, numbers: Container[int]) -> dict[int, str]:
    """When each of these decisions was made, in UTC, as its row says."""
    rows = workspace.db.execute("SELECT number, decided_at FROM decisions ORDER BY number")
    return {row[0]: row[1] for row in rows if row[0] in numbers}


def ruled(workspace: Workspace) -> frozenset[int]:
    """Items on which an adjudication stands."""
    rows = workspace.db.execute(
        f"SELECT DISTINCT d.item_id FROM decisions d WHERE d.action = ? AND {stands()}",
        (Action.ADJUDICATE,),
    )
    return frozenset(row[0] for row in rows)


def _left_open(workspace: Workspace, corpus: str, found: dict[str, Votes]) -> None:
    nothing: dict[Curie, str] = {}
    for (doc_id, concept), proposed_after in first_proposed(workspace, corpus).items():
        for mine in found.values():
            closed = mine.closed.get(doc_id)
            # a proposal that came later changes nothing in what was said before it
            before = closed is not None and proposed_after < closed
            if before and concept not in mine.said.get(doc_id, nothing):
                mine.unasked.setdefault(doc_id, set()).add(concept)
