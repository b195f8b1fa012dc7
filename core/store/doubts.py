"""What a curator answered with another concept than was proposed, and what stood there before. Reads only."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from core.records import Action, Curie
from core.store.judged import is_judgement, stands
from core.store.proposals import ORACLES
from core.store.rows import column
from core.store.workspace import Workspace


class Given(NamedTuple):
    """An answer that holds and names another concept than the item's, or adds one."""

    number: int
    item_id: int
    action: Action
    answer: dict[str, Any]


_GIVEN = (
    "SELECT d.number, d.item_id, d.action, json_extract(d.payload, '$.answer') FROM decisions d"
    " JOIN items i ON i.id = d.item_id"
    " WHERE d.curator_id = ?1 AND i.kind = 'concept' AND d.action IN ('fix', 'add')"
    " AND d.milliseconds NOT NULL"  # a page always tells how long an answer took; a file need not
    " AND (d.action = 'add' OR json_extract(d.payload, '$.answer.concept') <> i.subject)"
    " AND (?3 IS NULL OR d.item_id IN (SELECT value FROM json_each(?3)))"
    " AND NOT EXISTS (SELECT 1 FROM acknowledgements a WHERE a.number = d.number AND a.client_id GLOB ?2)"
    f" AND {stands()}"
    " AND NOT EXISTS (SELECT 1 FROM decisions l WHERE l.item_id = d.item_id AND l.curator_id = d.curator_id"
    f" AND l.number > d.number AND {is_judgement('l')}"
    f" AND {stands('l')})"
    " ORDER BY d.number"
)


def given(workspace: Workspace, curator: str, made: str, items: Iterable[int] | None = None) -> list[Given]:
    """Such answers of a curator, oldest first, that were made on a page, and neither made nor said again on
    one whose client ids begin with `made`.

    Args:
        items: only on these; None: on any.
    """
    chosen = None if items is None else json.dumps(list(items))
    rows = workspace.db.execute(_GIVEN, (curator, f"{made}*", chosen))
    return [Given(row[0], row[1], Action(row[2]), json.loads(row[3])) for row in rows]


class Before(NamedTuple):
    """What a page showed before an answer: a proposal, or an earlier answer of the same curator."""

    concept_class: str
    assertion: str
    spans: frozenset[tuple[int, int]]
    """Evidence that stands in the text."""


def before(workspace: Workspace, curator: str, answer: Given) -> list[Before]:
    proposals = workspace.db.execute(
        'SELECT p.class, p.assertion, (SELECT json_group_array(json_array(e.start, e."end")) FROM evidence e'
        " WHERE e.proposal_id = p.id AND e.grounded) FROM proposals p"
        f" WHERE p.item_id = ? AND p.after_decision < ? AND p.run_id NOT IN ({ORACLES}) ORDER BY p.id",
        (answer.item_id, answer.number),
    )
    answers = workspace.db.execute(
        "SELECT json_extract(payload, '$.answer.class'), json_extract(payload, '$.answer.assertion'),"
        " json_extract(payload, '$.answer.spans') FROM decisions WHERE item_id = ? AND curator_id = ?"
        " AND number < ? AND json_type(payload, '$.answer.spans') = 'array' ORDER BY number",
        (answer.item_id, curator, answer.number),
    )
    return [
        Before(kind, status, frozenset((span[0], span[1]) for span in json.loads(spans)))
        for kind, status, spans in (*proposals, *answers)
    ]


def names(workspace: Workspace, concept: Curie) -> list[str]:
    """Names and synonyms of a concept in any ontology here."""
    return column(
        workspace.db,
        "SELECT DISTINCT n.text FROM ontologies o"
        " CROSS JOIN concepts c ON c.ontology_id = o.id AND c.curie = ? JOIN names n ON n.concept_id = c.id",
        (concept,),
    )
