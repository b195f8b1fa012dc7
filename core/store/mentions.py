"""Where in its text a label stands: the evidence of a run's proposals, and of people's answers."""

from __future__ import annotations

from collections.abc import Iterator

from core.records import JUDGEMENTS, Action, Answer, Curie, Decision, ItemKind
from core.store.decisions import standing
from core.store.gold import parse_reviewed
from core.store.rows import plain
from core.store.workspace import Workspace

Placed = tuple[str, int | None, int | None, Curie, str, str | None, float | None]
"""One place of a label, or a label without any: doc_id, start, end (both None where none is known), concept,
status, quote, confidence. A plain row: there are hundreds of thousands."""


def proposed_mentions(workspace: Workspace, run_id: str) -> Iterator[Placed]:
    """Everything a run proposes with its places, streamed in stored order; not relevant concepts left out.

    A row for each piece of evidence of a proposal, with its own status where it has one, or for a proposal
    without any. A quote that does not stand in the text has no place.
    """
    return plain(
        workspace.db,
        'SELECT s.doc_id, CASE e.grounded WHEN 1 THEN e.start END, CASE e.grounded WHEN 1 THEN e."end" END,'
        " i.subject, ifnull(e.assertion, p.assertion), e.quote, p.confidence"
        " FROM proposals p JOIN items i ON i.id = p.item_id JOIN passages s ON s.id = i.passage_id"
        " LEFT JOIN evidence e ON e.proposal_id = p.id"
        " WHERE p.run_id = ? AND p.class <> 'not_relevant' ORDER BY p.id, e.position",
        (run_id,),
    )


def imported_mentions(workspace: Workspace, set_id: int) -> Iterator[Placed]:
    """Everything in an imported annotation set with its places, streamed in the order of the passages."""
    return plain(
        workspace.db,
        "SELECT p.doc_id, a.start, a.end, a.concept, a.assertion,"
        " CASE WHEN a.start NOT NULL THEN a.quote END, NULL"
        " FROM annotations a JOIN passages p ON p.id = a.passage_id WHERE a.set_id = ?"
        " ORDER BY a.passage_id, a.id",
        (set_id,),
    )


def texts(workspace: Workspace, corpus_id: int) -> dict[str, str]:
    """doc_id -> text of a corpus."""
    return dict(
        plain(
            workspace.db,
            "SELECT p.doc_id, t.body FROM passages p JOIN texts t ON t.id = p.text_id WHERE p.corpus_id = ?",
            (corpus_id,),
        )
    )


def states_confidence(workspace: Workspace, run_id: str) -> bool:
    """Whether any proposal of a run has a confidence."""
    query = "SELECT EXISTS (SELECT 1 FROM proposals WHERE run_id = ? AND confidence IS NOT NULL)"
    return bool(workspace.db.execute(query, (run_id,)).fetchone()[0])


def answers(workspace: Workspace, reference: str) -> dict[tuple[int, Curie], list[Answer]]:
    """(passage id, concept) -> positive answers that hold in reviewed gold, under the concept they give; an
    adjudication stands alone.

    Raises:
        InputError: `reference` is not of the form `reviewed@NUMBER:POLICY`.
    """
    number, policy = parse_reviewed(reference)
    states: dict[tuple[str, int], Decision] = {}
    adjudications: dict[tuple[int, Curie], Answer] = {}
    for d in standing(workspace, number):
        if d.kind != ItemKind.CONCEPT:
            continue
        if d.action is Action.ADJUDICATE and isinstance(d.answer, Answer) and policy == "adjudicated":
            adjudications[d.passage_id, d.answer.concept] = d.answer
        elif d.action in JUDGEMENTS and policy in (f"curator={d.curator}", "agreed", "adjudicated"):
            states[d.curator, d.item_id] = d
    found: dict[tuple[int, Curie], list[Answer]] = {}
    for d in sorted(states.values(), key=lambda d: d.number):
        if isinstance(d.answer, Answer) and d.action is not Action.UNSURE:
            found.setdefault((d.passage_id, d.answer.concept), []).append(d.answer)
    return found | {key: [answer] for key, answer in adjudications.items()}
