"""Concepts to ask about among the blind units of a frame, so that being asked says nothing.

Each blind unit gets one, in its own passage: a sibling of its concept by the ontology, else a concept below
it, else one that is proposed elsewhere. Nobody has named it there, and nothing proposed there implies it. A
hash decides among several, so the same frame always has the same ones. Source: review-budget, section 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.metrics import draw
from core.records import Curie
from core.review.terms import Terms, terms_of
from core.store import Workspace, queue
from core.store.frames import Unit
from core.store.proposals import Place


def decoys(
    workspace: Workspace, ontology: int | None, units: Sequence[Unit], seed: str
) -> list[tuple[int, Place]]:
    """(item of a blind unit, (passage, concept) to ask about beside it), in the order of the draw. A unit for
    which there is no such concept has none.

    Args:
        ontology: of the run; None: it names none.
        units: all of a frame of concepts.
    """
    blind = {unit.item_id: unit for unit in units if unit.blind and unit.item_id is not None}
    terms = terms_of(workspace, ontology) if ontology is not None else None
    rows = queue.items_of_passages(workspace, list({unit.passage_id for unit in blind.values()}))
    concept = {row.id: row.subject for row in rows}
    elsewhere, taken = sorted(set(concept.values())), dict[int, set[Curie]]()
    for row in rows:
        here = taken.setdefault(row.passage_id, set())
        here.add(row.subject)
        if terms and row.subject in terms.lineage:
            here |= terms.lineage.ancestors(row.subject)
    found = []
    for item, unit in blind.items():
        here = taken[unit.passage_id]
        for near in _near(terms, concept[item], elsewhere):
            free = {draw.chance(f"{seed}|decoy|{unit.id}", one): one for one in near if one not in here}
            if free:
                chosen = free[min(free)]
                here.add(chosen)
                found.append((item, (unit.passage_id, chosen)))
                break
    return found


def _near(terms: Terms | None, concept: Curie, elsewhere: list[Curie]) -> Iterator[Iterable[Curie]]:
    """Concepts to choose among, the nearest first."""
    if terms and concept in terms.lineage:
        lineage = terms.lineage
        yield {one for parent in lineage.parents(concept) for one in lineage.children(parent)} - {concept}
        yield lineage.children(concept)
    yield elsewhere
