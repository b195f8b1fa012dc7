"""Stages normalise and extract: articles in chunks, each chunk through both, then stored in one write.

Articles are told apart by all the others, so that a run that goes on normalises all of them again, and stores
what it had not stored. The same articles in the same order lead to the same outcome.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from core.conflicts.articles import article_of
from core.pipeline import start
from core.pipeline.pulse import PauseAsked, Pulse
from core.records import Article, Claim, Left, Normalised, StageRecord
from core.store import claims, corpora, pair_tally, runs
from core.store.rows import chunks

if TYPE_CHECKING:
    from core.pipeline.conflicts.plan import ConflictsPlan
    from core.store.connect import sqlite3
    from core.store.workspace import Workspace

CHUNK = 100
"""Articles per write. A kill costs the work on one chunk; a pause waits for it."""
NORMALISE, EXTRACT = "normalise", "extract"
READING = "Reading articles"


def read(workspace: Workspace, planned: ConflictsPlan, pulse: Pulse, seconds: dict[str, float]) -> bool:
    """Read all articles, or go on until somebody asks for a pause; returns whether all are read. Adds the
    work on each stage to `seconds`."""
    known = pair_tally.passages_read(workspace, planned.run)
    pulse.turn_to(workspace, READING, total=planned.corpus.passages, resumed=len(known))
    if len(known) == planned.corpus.passages:
        return True
    try:
        _read(workspace, planned, pulse, seconds, known)
    except PauseAsked:
        return False
    return pulse.done == pulse.total


def _read(
    workspace: Workspace,
    planned: ConflictsPlan,
    pulse: Pulse,
    seconds: dict[str, float],
    known: Collection[int],
) -> None:
    from core.conflicts import normalise

    extracting = EXTRACT in planned.stages
    outcomes = normalise.run(_articles(workspace, planned, pulse))
    for read_in, chunk in _timed(chunks(outcomes, CHUNK)):
        pulse.message = READING
        seconds[NORMALISE] = seconds.get(NORMALISE, 0.0) + read_in
        fresh = [one for one in chunk if one.article.passage_id not in known]
        if not fresh:
            continue
        begun = time.perf_counter()
        found = _claims([one for one in fresh if isinstance(one, Normalised)]) if extracting else None
        if extracting:
            seconds[EXTRACT] = seconds.get(EXTRACT, 0.0) + time.perf_counter() - begun
        made = partial(_store, run=planned.run, outcomes=fresh, found=found)
        if not start.keep(workspace, pulse, made, len(fresh)):
            break


def _articles(workspace: Workspace, planned: ConflictsPlan, pulse: Pulse) -> Iterator[Article]:
    told = pulse.pausing(workspace, "Looking for articles that came twice")
    for number, passage in enumerate(corpora.passages(workspace, planned.corpus.name)):
        told(number, planned.corpus.passages)
        yield article_of(passage, planned.corpus.domain)


def _timed(
    chunks: Iterator[list[Normalised | Left]],
) -> Iterator[tuple[float, list[Normalised | Left]]]:
    """(seconds that it took, chunk)"""
    begun = time.perf_counter()
    for chunk in chunks:
        yield time.perf_counter() - begun, chunk
        begun = time.perf_counter()


def _claims(articles: list[Normalised]) -> dict[int, tuple[Claim, ...]]:
    """Passage id -> claims."""
    from core.conflicts import extract

    return {one.article.passage_id: found for one, found in extract.run(articles)}


def _store(
    db: sqlite3.Connection,
    run: str,
    outcomes: Sequence[Normalised | Left],
    found: dict[int, tuple[Claim, ...]] | None,
) -> None:
    kept = [one for one in outcomes if isinstance(one, Normalised)]
    texts = claims.insert_texts(db, kept)
    runs.add_stage_records(db, run, (_normalised(one, texts) for one in outcomes))
    if found is None:
        return
    claims.insert_claims(
        db,
        run,
        (
            replace(claim, passage_id=passage, text_id=texts[passage])
            for passage, of_passage in found.items()
            for claim in of_passage
        ),
    )
    runs.add_stage_records(
        db,
        run,
        (
            StageRecord(EXTRACT, passage, None, "done", payload={"claims": len(of_passage)})
            for passage, of_passage in found.items()
        ),
    )


def _normalised(outcome: Normalised | Left, texts: dict[int, int]) -> StageRecord:
    article = outcome.article
    if isinstance(outcome, Left):
        into = {} if outcome.into is None else {"into": outcome.into, "shared": outcome.shared}
        return StageRecord(
            NORMALISE,
            article.passage_id,
            None,
            "dropped",
            outcome.reason,
            payload={"domain": article.domain, **into},
        )
    payload = {
        "domain": article.domain,
        "text": texts[article.passage_id],
        "sections": [[part.label, part.start, part.end] for part in article.sections],
    }
    if article.text != outcome.original:
        payload["offsets"] = [list(run) for run in outcome.offsets]
    return StageRecord(NORMALISE, article.passage_id, None, "kept", payload=payload)
