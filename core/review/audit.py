"""Audit sets: apparent false positives of a run in the order of a draw, and what curators say is wrong.

    draw_audit(workspace, Audit("r1", "imported:gsc@1", 50, "7", None, "first"))
    audited(workspace, "first")                     # 50 rows: what was proposed, what the curator said
    aid(workspace, item, "ada")                     # what the machine can show about one of them

An audit set is a frame (`core.store.frames`): it holds every apparent false positive in its permanent order,
and the set is its first `size` units, so a larger set of the same seed goes on where a smaller one ends.
Source: paper 000, section 6.2 and A.7; review-budget, section 2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.errors import InputError
from core.kinds.error import subject_of
from core.metrics import draw
from core.metrics.documents import compare, settled
from core.records import Action, Assertion, Curie, ErrorType, ItemKind
from core.review.aid import Aid as Aid
from core.review.aid import Climb, supports
from core.review.aid import aid as aid
from core.review.strata import branch, stratum_of
from core.store import Workspace, audits, corpora, frame_answers, frames, ontologies, proposals, runs
from core.store.audits import Proposed
from core.store.decisions import chain_head, pinned
from core.store.frames import Frame, Unit
from core.store.gold import gold_set

STRATA = ("class", "branch", "stage")
"""What the order of a set may be proportional to."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit set is to hold, and how it is drawn."""

    run: str
    gold: str
    """A gold reference; `now` becomes the last decision."""
    size: int
    """How many are audited, from 1."""
    seed: str = "13"
    by: str | None = None
    """One of `STRATA`: every beginning holds each stratum in proportion; None: at random."""
    name: str = "audit"
    assertions: tuple[Assertion, ...] = (Assertion.AFFIRMED, Assertion.UNCERTAIN)

    def check(self) -> None:
        """Raises InputError, which says what is possible."""
        if self.by is not None and self.by not in STRATA:
            raise InputError(f"An audit set is not drawn by {self.by!r}. Choose one of: {', '.join(STRATA)}.")
        if self.size < 1:
            raise InputError(f"An audit set of {self.size} holds nothing. Give a size from 1.")
        if not self.assertions:
            raise InputError("An audit set without a status holds nothing. Name one, such as affirmed.")


class Audited(NamedTuple):
    """One apparent false positive of an audit set."""

    position: int
    """From 1, in the order of the draw."""
    item_id: int
    passage_id: int
    doc_id: str
    concept: Curie
    label: str
    concept_class: str
    """As the run proposes it."""
    branch: str
    """Name of its top branch, of several the first by name; `core.review.strata.NOWHERE`."""
    stage: str
    """Of the run, that brought it in."""
    stratum: str | None
    """What it was drawn by; None: nothing."""
    proposed: ErrorType | None
    """The machine's, by what gold and its confirmed changes hold."""
    error: ErrorType | None
    """The answer that counts: the standing one of whoever answered first. None: none, or unsure."""
    curator: str | None
    """Who gave it."""
    unsure: bool
    path: tuple[tuple[Curie, str], ...]
    """Where the machine proposes E-1: from the proposed concept to the supported one, with names."""


def draw_audit(workspace: Workspace, wanted: Audit) -> Frame:
    """Draw apparent false positives of a run and keep them in that order.

    Raises:
        InputError: the run is not done, is of claim pairs or an oracle's, proposes fewer than that against
            this gold; the name is taken; an option is unknown.
        NotFoundError: no such run or gold.
    """
    wanted.check()
    run = runs.find_run(workspace, wanted.run)
    if run.proposes == ItemKind.PAIR:
        raise InputError(f"Run {run.id!r} is of claim pairs. An audit set is drawn from concept labels.")
    if run.status == "running":
        raise InputError(f"Run {run.id!r} is not done: more may come. Finish it first, then draw.")
    audits.check_run(run.settings, run.id)
    stratum = stratum_of(workspace, run, wanted.by) if wanted.by else None
    gold, found = apparent(workspace, run, wanted.gold, wanted.assertions)
    if wanted.size > len(found):
        raise InputError(
            f"Run {run.id!r} has {len(found):,} apparent false positives against {gold}: {wanted.size:,}"
            " cannot be drawn. Give a smaller size."
        )
    frames.check_new(workspace.db, wanted.name)
    statuses = sorted(str(status) for status in wanted.assertions)
    units = _drawn(workspace, found, stratum, gold, wanted.seed)
    scope = {"assertions": statuses, "gold": gold, "by": wanted.by, "size": wanted.size}
    head = chain_head(workspace)[0]
    return frames.add(
        workspace,
        Frame(*(wanted.name, run.id, "item", scope, "random", "first", wanted.seed, 0.0, len(units), head)),
        units,
    )


def apparent(
    workspace: Workspace, run: runs.Run, gold: str, assertions: tuple[Assertion, ...]
) -> tuple[str, list[Proposed]]:
    """(pinned gold, what a run proposes and gold does not hold), counted as the corpus metrics count: with
    the alternative ids of the run's ontology, and of reviewed gold only what is settled there."""
    held = gold_set(workspace, gold, run.corpus)
    alt_ids = ontologies.alt_id_map(workspace, run.ontology_id) if run.ontology_id else {}

    def now(concept: Curie) -> Curie:
        return alt_ids.get(concept, concept)

    said = audits.proposed(workspace, run.id)
    statuses: dict[str, dict[Curie, Assertion]] = {d: {} for d in corpora.passage_ids(workspace, run.corpus)}
    for one in said:
        statuses[one.doc_id][one.concept] = one.assertion
    known = settled(held, statuses)

    def present(documents: dict[str, dict[Curie, Assertion]]) -> dict[str, set[Curie]]:
        return {
            d: {now(concept) for concept, status in of.items() if status in assertions}
            for d, of in documents.items()
        }

    outcomes = compare(
        present(held.documents),
        present(statuses),
        decided=None if known is None else {d: set(map(now, concepts)) for d, concepts in known.items()},
        complete=held.recall_documents,
    )
    wrong = {(o.doc_id, concept) for o in outcomes for concept in o.fp}
    found: dict[tuple[str, Curie], Proposed] = {}
    for one in said:
        place = one.doc_id, now(one.concept)
        if one.assertion in assertions and place in wrong:
            found.setdefault(place, one)  # two ids of one concept are one error
    return held.reference, list(found.values())


def _drawn(
    workspace: Workspace,
    found: list[Proposed],
    stratum: Callable[[Proposed], str] | None,
    gold: str,
    seed: str,
) -> list[Unit]:
    ids = [one.unit for one in found]
    u = np.array([draw.chance(seed, one) for one in ids])
    queue = draw.order(ids, u, np.ones(len(ids)))
    if stratum is not None:
        queue = queue[draw.proportional([stratum(found[at]) for at in queue], u[queue])]
    places = [(one.passage_id, subject_of(gold, one.concept)) for one in found]
    with workspace.write() as db:
        made = proposals.items(db, ItemKind.ERROR, places)
    return [
        Unit(
            position,
            f"{found[at].corpus}/{found[at].doc_id}/{places[at][1]}",
            found[at].passage_id,
            made[places[at]],
            float(u[at]),
            1.0,
            found[at].confidence,
            blind=False,
        )
        for position, at in enumerate(queue, 1)
    ]


def audited(workspace: Workspace, name: str, at: int | None = None) -> list[Audited]:
    """An audit set in the order of its draw, with what was said by a decision number (None: now).

    Raises:
        InputError: it is a frame of proposals.
        NotFoundError: no such audit set or decision.
    """
    frame = frames.find_audit(workspace, name)
    run = runs.find_run(workspace, frame.run)
    number = pinned(workspace, "", at)
    said = frame_answers.answers(workspace, frame, number)
    climb = Climb(workspace, run.ontology_id)
    by = frame.scope["by"]
    stratum = stratum_of(workspace, run, by) if by else None
    units = list(frames.units(workspace, name, upto=frame.scope["size"]))
    proposed = {
        (one.passage_id, subject_of(frame.scope["gold"], one.concept)): one
        for one in audits.proposed(workspace, run.id, {unit.passage_id for unit in units})
    }
    found = []
    for unit in units:
        item = unit.item_id or 0
        error = audits.error_item(workspace, item)
        one = proposed[unit.passage_id, subject_of(error.gold, error.concept)]
        lineage = climb.lineage(one.concept, supports(workspace, error, run.corpus, one.doc_id, number))
        answer = said.get(item)
        found.append(
            Audited(
                *(unit.position, item, unit.passage_id, one.doc_id, one.concept),
                climb.label(one.concept, one.label),
                one.concept_class.value,
                branch(climb, one.concept),
                one.stage,
                stratum(one) if stratum else None,
                ErrorType.GRANULARITY if lineage else None,
                ErrorType(answer.error) if answer and answer.error else None,
                answer.curator if answer else None,
                answer is not None and answer.action is Action.UNSURE,
                lineage.path if lineage else (),
            )
        )
    return found


__all__ = ["STRATA", "Aid", "Audit", "Audited", "aid", "apparent", "audited", "draw_audit"]
