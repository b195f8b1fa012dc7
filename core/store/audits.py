"""What an audit of false positives reads: a run's proposals, and gold of one passage."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from core.errors import InputError, NotFoundError
from core.kinds.error import spoken_of
from core.records import Assertion, ConceptClass, Curie, ItemKind, Span
from core.store.proposals import ORACLES
from core.store.workspace import Workspace


class Proposed(NamedTuple):
    """A concept that a run proposes in a passage."""

    passage_id: int
    corpus: str
    doc_id: str
    concept: Curie
    label: str
    assertion: Assertion
    concept_class: ConceptClass
    stage: str
    confidence: float | None

    @property
    def unit(self) -> str:
        """As a draw spells it."""
        return f"{self.corpus}/{self.doc_id}/{self.concept}"


_PROPOSED = (
    "SELECT s.id, c.name, s.doc_id, i.subject, ifnull(p.answer ->> 'label', i.subject), p.assertion, p.class,"
    " p.stage, p.confidence FROM proposals p JOIN items i ON i.id = p.item_id"
    " JOIN passages s ON s.id = i.passage_id JOIN corpora c ON c.id = s.corpus_id"
    " WHERE p.run_id = ?1 AND i.kind = 'concept' AND p.class <> 'not_relevant'"
    " AND (?2 IS NULL OR s.id IN (SELECT value FROM json_each(?2))) ORDER BY p.id"
)


_STATUSES = {status.value: status for status in Assertion}
_CLASSES = {of.value: of for of in ConceptClass}


def proposed(workspace: Workspace, run: str, passages: Iterable[int] | None = None) -> list[Proposed]:
    """All that a run proposes, whatever its status; concepts that it classed as not relevant are left out.
    Of several proposals of one concept in a passage the last counts, as for `runs.predictions`.

    Args:
        passages: of these alone; None: of all.
    """
    within = None if passages is None else json.dumps(list(passages))
    found: dict[tuple[int, Curie], Proposed] = {}
    for passage, corpus, doc_id, concept, label, *said, stage, confidence in workspace.db.execute(
        _PROPOSED, (run, within)
    ):
        status, of = _STATUSES[said[0]], _CLASSES[said[1]]
        one = Proposed(passage, corpus, doc_id, concept, label, status, of, stage, confidence)
        found[passage, concept] = one
    return list(found.values())


class ErrorItem(NamedTuple):
    """An apparent false positive."""

    id: int
    passage_id: int
    gold: str
    """A pinned reference."""
    concept: Curie


def error_item(workspace: Workspace, item_id: int) -> ErrorItem:
    """
    Raises:
        NotFoundError: no such item, or one of another kind.
    """
    row = workspace.db.execute(
        "SELECT passage_id, subject FROM items WHERE id = ? AND kind = ?", (item_id, ItemKind.ERROR.value)
    ).fetchone()
    if row is None:
        raise NotFoundError("apparent false positive", item_id)
    return ErrorItem(item_id, row[0], *spoken_of(row[1]))


def ontology_of(workspace: Workspace, passage_id: int, concept: Curie) -> int | None:
    """Ontology of the newest run that proposes a concept in a passage; oracles are left out."""
    row = workspace.db.execute(
        "SELECT r.ontology_id FROM items i JOIN proposals p ON p.item_id = i.id"
        " JOIN runs r ON r.id = p.run_id WHERE i.passage_id = ? AND i.kind = 'concept'"
        " AND i.subject = ? AND r.ontology_id NOT NULL"
        f" AND r.id NOT IN ({ORACLES}) ORDER BY r.started_at DESC, r.rowid DESC LIMIT 1",
        (passage_id, concept),
    ).fetchone()
    return None if row is None else int(row[0])


def quotes(workspace: Workspace, passage_id: int, concept: Curie) -> list[Span]:
    """Evidence that runs give for a concept in a passage, as far as it stands in the text, each place once;
    oracles are left out."""
    rows = workspace.db.execute(
        'SELECT DISTINCT e.start, e."end", e.quote FROM items i JOIN proposals p ON p.item_id = i.id'
        " JOIN evidence e ON e.proposal_id = p.id WHERE i.passage_id = ? AND i.kind = 'concept'"
        f" AND i.subject = ? AND e.grounded AND p.run_id NOT IN ({ORACLES}) ORDER BY 1, 2",
        (passage_id, concept),
    )
    return [Span(*row) for row in rows]


def imported_in(
    workspace: Workspace, reference: str, passage_id: int
) -> list[tuple[Curie, str | None, Assertion]]:
    """(concept, name, status) of every annotation of an imported set in one passage.

    Args:
        reference: `imported:NAME@VERSION`.

    Raises:
        NotFoundError: no such set.
    """
    name, _, version = reference.removeprefix("imported:").partition("@")
    row = workspace.db.execute(
        "SELECT s.id FROM annotation_sets s JOIN passages p ON p.corpus_id = s.corpus_id"
        " WHERE s.name = ? AND s.version = ? AND p.id = ?",
        (name, version, passage_id),
    ).fetchone()
    if row is None:
        raise NotFoundError("gold set", reference)
    return [
        (concept, label, Assertion(assertion))
        for concept, label, assertion in workspace.db.execute(
            "SELECT concept, label, assertion FROM annotations WHERE set_id = ? AND passage_id = ?"
            " ORDER BY id",
            (row[0], passage_id),
        )
    ]


def check_run(settings: dict[str, object], run: str) -> None:
    """Refuse to show what an oracle proposes.

    Raises:
        InputError: it is one.
    """
    if "oracle" in settings:
        raise InputError(
            f"Run {run!r} took a part of its answers from gold, so nobody reviews it. Audit another run."
        )


class InSet(NamedTuple):
    """An item's place in an audit set."""

    name: str
    """Of the set. From outside: text, never markup."""
    position: int
    """From 1."""
    size: int
    """How many of the set are audited."""


def sets_of(workspace: Workspace, items: Iterable[int]) -> dict[int, list[InSet]]:
    """Item -> the audit sets in which it is to be audited, in the order in which they were drawn."""
    found: dict[int, list[InSet]] = {}
    for item, *place in workspace.db.execute(
        "SELECT i.id, r.name, n.position, r.scope ->> 'size' FROM json_each(?) one JOIN items i"
        " ON i.id = one.value CROSS JOIN frames r"
        " CROSS JOIN frame_units n INDEXED BY frame_of_unit"  # else a whole frame is read for each item
        " ON n.frame_id = r.id AND n.passage_id = i.passage_id AND ifnull(n.item_id, 0) = i.id"
        " WHERE r.scope ->> 'gold' IS NOT NULL AND n.position <= (r.scope ->> 'size') ORDER BY r.id",
        (json.dumps(list(items)),),
    ):
        found.setdefault(item, []).append(InSet(*place))
    return found
