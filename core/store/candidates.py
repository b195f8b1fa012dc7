"""What a run offers to draw from: concepts that it proposes, claim pairs that it labels, passages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.records import Curie
from core.store.workspace import Workspace

IN_SCOPE = (
    "p.run_id = ?1 AND p.class <> 'not_relevant' AND p.assertion IN (SELECT value FROM json_each(?2))"
    " AND (?3 IS NULL OR i.subject IN (SELECT value FROM json_each(?3)))"
)
"""Of a proposal `p` of a concept `i`: ?1 a run, ?2 statuses, ?3 concepts, each a JSON list, or NULL."""
LABEL = (
    "SELECT l.id FROM proposals l WHERE l.run_id = {0} AND l.item_id = {1} ORDER BY l.origin = 'rule', l.id"
    " LIMIT 1"
)
"""What a run says of a claim pair: the label of the model, else that of the rules."""


def listed(concepts: Iterable[Curie] | None) -> str | None:
    """As `IN_SCOPE` reads them; None: all."""
    return None if concepts is None else json.dumps(sorted(concepts))


class Candidate(NamedTuple):
    """A unit before it is drawn."""

    id: str
    passage_id: int
    item_id: int | None
    f: float | None
    size: int
    """Proposals that it holds."""
    concept: Curie = ""
    concept_class: str = ""
    assertion: str = ""
    stage: str = ""
    """Of a concept, as it is proposed, and the stage of the run that brought it in."""
    conflict_type: str = ""
    """Of a claim pair."""


def proposed(
    workspace: Workspace, run: str, statuses: Sequence[str], within: Iterable[Curie] | None = None
) -> list[Candidate]:
    """Every concept that a run proposes with one of these statuses.

    Args:
        within: only these concepts, under whatever id; None: all.
    """
    rows = workspace.db.execute(
        "SELECT c.name || '/' || s.doc_id || '/' || i.subject, s.id, i.id, p.confidence, 1, i.subject,"
        " p.class, p.assertion, p.stage FROM proposals p JOIN items i ON i.id = p.item_id"
        " JOIN passages s ON s.id = i.passage_id"
        f" JOIN corpora c ON c.id = s.corpus_id WHERE {IN_SCOPE} ORDER BY p.id",
        (run, json.dumps(statuses), listed(within)),
    )
    return [Candidate(*row) for row in rows]


def pairs(workspace: Workspace, run: str) -> list[Candidate]:
    """Every claim pair of a run that it gives a conflict type; one without a label says nothing that could be
    right."""
    rows = workspace.db.execute(
        "SELECT i.subject, i.passage_id, i.id, p.confidence, p.answer ->> 'conflict_type'"
        " FROM pairs x JOIN items i ON i.id = x.item_id"
        f" JOIN proposals p ON p.id = ({LABEL.format('x.run_id', 'x.item_id')})"
        " WHERE x.run_id = ? ORDER BY x.id",
        (run,),
    )
    return [Candidate(pair, passage, item, f, 1, conflict_type=of) for pair, passage, item, f, of in rows]


def passages(
    workspace: Workspace, run: str, statuses: Sequence[str], within: Iterable[Curie] | None = None
) -> list[Candidate]:
    """Every passage of a run's corpus, with how much the run proposes there.

    Args:
        within: only these concepts count, under whatever id; None: all.
    """
    sizes = Counter(one.passage_id for one in proposed(workspace, run, statuses, within))
    rows = workspace.db.execute(
        "SELECT c.name || '/' || s.doc_id, s.id FROM runs r JOIN passages s ON s.corpus_id = r.corpus_id"
        " JOIN corpora c ON c.id = s.corpus_id WHERE r.id = ? ORDER BY s.id",
        (run,),
    )
    return [Candidate(unit, passage, None, None, sizes[passage]) for unit, passage in rows]
