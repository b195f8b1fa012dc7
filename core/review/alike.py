"""Proposals that say the same of the same words in several passages, put as one question.

    found = alike(workspace, walk, filters, order, item, "ada")
    found["rows"]       # one for each passage, that of the item first, each with what stands around the words
    found["further"]    # whether there are more than these

They are of one concept and have the same set of quotes, apart from case and white space. Among them is only
what this curator may answer now and what says nothing odd: open, not blind, held by nobody else, its quotes
in the text, not repaired, every run of one class and status, and in no text that speaks to its reader.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field

from core.records import Proposal
from core.review.events import Question
from core.review.terms import Terms, ontology_of, terms_of
from core.review.views.passages import proposal_view
from core.review.walks.concept import Filters, Index
from core.review.walks.walk import Ids
from core.store import Workspace, corpora, proposals, queue
from core.store.blind import blind_among
from core.store.rows import chunks
from core.text.addressing import addresses_reader
from core.text.normalise import lower
from core.text.sentences import sentences

MOST = 50
"""Passages of one question."""
MOST_READ = 2_000
"""Items of the concept that are looked at."""
AROUND = 120
"""Most characters on either side of a quote, within its sentence."""
CHUNK = 200


class Asked(Question):
    """Which items are like this one."""

    kind: Literal["alike"]
    text: str = Field(max_length=18, pattern=r"^[0-9]+$")
    """The item, in digits."""


def alike(
    workspace: Workspace, walk: Index, filters: Filters, order: Ids, item: int, curator: str
) -> dict[str, Any]:
    """The item and those of its queue that are like it, as plain JSON; no rows where it is odd or blind.

    Args:
        order: every item of the queue.
    """
    names = {run.id: run for run in queue.run_names(workspace)}
    ontology = ontology_of(workspace, filters.corpus)
    terms = terms_of(workspace, ontology) if ontology is not None else None
    others = walk.of_concept(order, item, curator, walk.needs(workspace, filters))[:MOST_READ].tolist()
    rows: list[dict[str, Any]] = []
    wanted: frozenset[str] = frozenset()
    for row, held in _free(workspace, [item, *others], curator):
        if row.id != item and _surface(held) != wanted:
            continue
        shown = _row(workspace, row, held, names, terms)
        if row.id == item:
            wanted = _surface(held)
        if shown is not None:
            rows.append(shown)
        if not rows or len(rows) > MOST:
            break  # the item itself says something odd, or there are enough
    return {"rows": rows[:MOST], "further": len(rows) > MOST}


def _free(
    workspace: Workspace, items: list[int], curator: str
) -> Iterator[tuple[queue.ItemRow, list[Proposal]]]:
    """Items with their proposals, oldest first, in the order given: neither blind nor with anybody else."""
    for part in chunks(items, CHUNK):
        taken = blind_among(workspace, curator, part) | queue.with_others(
            workspace, part, curator, time.time()
        )
        known, held = queue.items(workspace, part), proposals.of_items(workspace, part)
        yield from (
            (known[one], held[one]) for one in part if one in known and one in held and one not in taken
        )


def _surface(held: list[Proposal]) -> frozenset[str]:
    return frozenset(" ".join(lower(e.quote).split()) for one in held for e in one.evidence)


def _row(
    workspace: Workspace,
    row: queue.ItemRow,
    held: list[Proposal],
    names: dict[str, queue.RunName],
    terms: Terms | None,
) -> dict[str, Any] | None:
    """None where something about it is odd. `narrower` names narrower concepts whose words stand in the text:
    such a row asks for a look of its own."""
    passage = corpora.passage(workspace, row.passage_id)
    views = [proposal_view(one, passage.text, names) for one in reversed(held)]
    said = {(one["class"], one["assertion"]) for one in views}
    places = {(e["start"], e["end"]) for one in views for e in one["evidence"]}
    odd = any(one["repaired"] or not one["evidence"] for one in views) or (None, None) in places
    if odd or len(said) > 1 or addresses_reader(passage.text):
        return None
    narrower = terms.narrower(workspace, passage.text, [row.subject]) if terms else {}
    return {
        "id": row.id,
        "passage": row.passage_id,
        "doc": passage.doc_id,
        "concept": row.subject,
        "label": held[-1].label,
        "proposals": views,
        "contexts": [_context(passage.text, *place) for place in sorted(places)],
        "narrower": [one["name"] for one in narrower.get(row.subject, [])],
    }


def _context(text: str, start: int, end: int) -> tuple[str, str, str]:
    """What stands before a quote, the quote, what stands behind it: its sentence, shortened."""
    held = [span for span in sentences(text) if span.start < end and start < span.end]
    first, last = (held[0].start, held[-1].end) if held else (start, end)
    left, right = max(first, start - AROUND), min(last, end + AROUND)
    before = ("…" if left > first else "") + text[min(left, start) : start]
    return before, text[start:end], text[end : max(right, end)] + ("…" if right < last else "")
