"""Claims, candidates, tasks for annotators and adjudicated pairs of a run on their way out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from core.conflicts.articles import article_of
from core.exchange.artifacts import task_id
from core.exchange.pair_rows import CHUNK, described, licence_of, pair_rows, slots_of
from core.formats.claim_rows import AdjudicatedRow, ClaimRow, TaskRow
from core.formats.pair_schema import CandidateRow, Part
from core.formats.pairs import PairRow
from core.records import ItemKind
from core.store import Workspace, claims, corpora, pair_imports, pairs
from core.store.rows import chunks
from core.store.runs import Run
from core.store.settled import Settled, by_reference


class Lines(NamedTuple):
    """Rows of a file of lines, and the gold reference that they rest on."""

    rows: Iterator[Part]
    gold: str | None = None


def claim_rows(workspace: Workspace, run: Run) -> Iterator[ClaimRow]:
    """Claims of a run by article and place, streamed."""
    for chunk in chunks(claims.claims(workspace, run.id), CHUNK):
        passages = corpora.passages_by_id(workspace, (claim.passage_id for claim in chunk))
        bodies = claims.bodies(workspace, (claim.text_id for claim in chunk))
        for claim in chunk:
            passage = passages[claim.passage_id]
            yield ClaimRow(
                claim_id=claim.claim_id,
                article_uid=claim.article_uid,
                domain=claim.domain,
                source=article_of(passage, None).source,
                sentence=bodies[claim.text_id][claim.sentence_start : claim.sentence_end],
                claim_text=claim.text,
                claim_type=claim.claim_type,
                start=claim.start,
                end=claim.end,
                sentence_start=claim.sentence_start,
                sentence_end=claim.sentence_end,
                section=claim.section,
                direction=claim.direction,
                negated=claim.negated,
                entities=list(claim.entities),
                slots=slots_of(claim),
                confidence=claim.confidence,
                pub_year=claim.year,
                journal=claim.journal or None,
                licence=licence_of(passage),
            )


def candidate_rows(workspace: Workspace, run: Run) -> Iterator[CandidateRow]:
    """The pairs of a run without their labels, in its order, streamed."""
    given = pair_imports.given(workspace, run.id)
    for chunk in chunks(pairs.pairs(workspace, run.id), CHUNK):
        places = (claim.passage_id for pair in chunk for claim in (pair.a, pair.b))
        passages = corpora.passages_by_id(workspace, places)
        for task in pairs.tasks(workspace, chunk):
            yield CandidateRow(**described(task, given.get(task.pair.pair_id), passages))


def task_rows(workspace: Workspace, run: Run) -> Iterator[TaskRow]:
    """The same as an annotator gets them."""
    for row in candidate_rows(workspace, run):
        value = {name: getattr(row, name) for name in TaskRow.model_fields if name != "task_id"}
        yield TaskRow(task_id=task_id(run.id, row.pair_id), **value)


def adjudicated_rows(workspace: Workspace, run: Run, verdicts: Settled) -> Iterator[AdjudicatedRow]:
    """The pairs of a run that people settled, as they settled them."""
    for row in pair_rows(workspace, run.id, verdicts=verdicts, settled=True):
        taken = AdjudicatedRow.model_fields.keys() & PairRow.model_fields.keys()
        value = {name: getattr(row, name) for name in taken if name != "example_id"}
        people = len(verdicts.curators.get(row.pair_id, ()))
        yield AdjudicatedRow(
            example_id=row.example_id or row.pair_id,
            annotator_ids=[
                *(one.annotator_id for one in row.machine_labels),
                *(f"person-{number}" for number in range(1, people + 1)),
            ],
            adjudication_notes="\n".join(verdicts.notes.get(row.pair_id, ())),
            **value,
        )


_LINES: dict[str, Callable[[Workspace, Run], Iterator[Part]]] = {
    "claims": claim_rows,
    "pairs": candidate_rows,
    "tasks": task_rows,
}
LINES = (*_LINES, "adjudicated")
"""What is written one row a line, and of a run of claim pairs alone."""


def lines(workspace: Workspace, run: Run, what: str, gold: str | None) -> Lines:
    """The rows of one of `LINES`."""
    if what in _LINES:
        return Lines(_LINES[what](workspace, run))
    found = by_reference(workspace, run.corpus, ItemKind.PAIR, gold)
    return Lines(adjudicated_rows(workspace, run, found), found.reference)
