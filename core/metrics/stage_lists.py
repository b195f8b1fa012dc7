"""What the stages of a run did with each concept, and so what is in the list of a document after each stage.

A concept is in the list from the record that brings it in to the record that drops it; a document that
failed or was thrown away has an empty list from that stage on. Statuses are ignored: the unit is (document,
concept), right if gold holds the concept with any status. Source: Full-Text HPO Extraction Benchmarking
Framework, section 7.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from core.records import Assertion, Verdict

T = TypeVar("T")
ENTERED = (Verdict.CANDIDATE, Verdict.ADDED)


class Step(NamedTuple):
    """One stage record of one concept."""

    stage: str
    verdict: str
    """A value of `core.records.Verdict`."""
    reason: str | None = None
    assertion: Assertion | None = None
    name: str | None = None
    """The words that led to the concept, where it entered the list. From outside, as is the reason."""


@dataclass(frozen=True, slots=True)
class Stages:
    """What each stage of a run did with each concept of each document."""

    order: tuple[str, ...]
    """The run's stages, first to last; at least one."""
    steps: Mapping[str, Mapping[Any, Sequence[Step]]]
    """doc_id -> concept (current id) -> what was said about it, in order."""
    failed: Mapping[str, str] = field(default_factory=dict)
    """doc_id -> stage that got no usable answer for the whole document; the first one where the run has not
    come to it."""
    discarded: Mapping[str, str] = field(default_factory=dict)
    """doc_id -> stage that threw the whole document away."""
    near: Mapping[str, Mapping[Any, Step]] = field(default_factory=dict)
    """doc_id -> concept -> the record of a name that came near it, and not near enough."""
    confirmed: Mapping[str, Mapping[Any, Assertion]] | None = None
    """doc_id -> concepts that people found to be there, with the status they gave, whatever the gold says;
    None: nobody has reviewed."""


_NONE: Mapping[Any, Sequence[Step]] = {}


def out_by(steps: Iterable[Step]) -> Step | None:
    """The step that took a concept out of the list for good; None where it is in the list at the end."""
    out: Step | None = None
    for step in steps:
        out = step if step.verdict == Verdict.DROPPED else None if step.verdict in ENTERED else out
    return out


def brought_in(steps: Sequence[Step]) -> Step:
    """The step by which a concept is in the list: the first entry after it was last out, for a name that
    leads to it again adds nothing. Where it never entered on record, the first step.

    Args:
        steps: at least one.
    """
    entry, out = steps[0], True
    for step in steps:
        if step.verdict in ENTERED and out:
            entry, out = step, False
        elif step.verdict == Verdict.DROPPED:
            out = True
    return entry


def per_way(of: Callable[[Sequence[Step]], T]) -> Callable[[Sequence[Step]], T]:
    """The same function, called once for each object: concepts that went the same way share their steps."""
    known: dict[int, tuple[Sequence[Step], T]] = {}

    def found(steps: Sequence[Step]) -> T:
        if id(steps) not in known:
            known[id(steps)] = steps, of(steps)  # held, so that no other object gets its id
        return known[id(steps)][1]

    return found


def lists(stages: Stages, doc_id: str) -> dict[str, set[Any]]:
    """Stage -> the concepts that are in the list of a document when it is done."""
    rank = _rank(stages)
    end = _end(stages, doc_id, rank)
    after: list[set[Any]] = [set() for _ in rank]
    for concept, steps in stages.steps.get(doc_id, {}).items():
        for number in _listed(steps, rank, end):
            after[number].add(concept)
    return dict(zip(stages.order, after, strict=True))


def left(stages: Stages, gold: Mapping[str, Container[Any]]) -> dict[str, tuple[int, int]]:
    """Stage -> how many concepts are in the lists when it is done: those that gold holds, and others.

    Args:
        gold: documents that count -> their gold concepts.
    """
    rank = _rank(stages)
    alike: Counter[tuple[int, int, bool]] = Counter()
    ways: dict[int, Sequence[Step]] = {}
    for doc_id, concepts in gold.items():
        end = _end(stages, doc_id, rank)
        for concept, steps in stages.steps.get(doc_id, _NONE).items():
            ways[id(steps)] = steps
            alike[id(steps), end, concept in concepts] += 1
    found = [[0, 0] for _ in rank]
    for (way, end, right), times in alike.items():
        for number in _listed(ways[way], rank, end):
            found[number][not right] += times
    return {stage: (right, wrong) for stage, (right, wrong) in zip(stages.order, found, strict=True)}


def _rank(stages: Stages) -> dict[str, int]:
    return {stage: number for number, stage in enumerate(stages.order)}


def _end(stages: Stages, doc_id: str, rank: Mapping[str, int]) -> int:
    """The stage from which on a document's list is empty."""
    ends = [held[doc_id] for held in (stages.failed, stages.discarded) if doc_id in held]
    return min((rank[stage] for stage in ends if stage in rank), default=len(rank))


def _listed(steps: Iterable[Step], rank: Mapping[str, int], end: int) -> set[int]:
    """Stages at whose end a concept is in the list."""
    return {n for first, last in _spells(steps, rank) for n in range(first, min(last, end))}


def _spells(steps: Iterable[Step], rank: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    """(first, after the last) stage numbers of each time that a concept was in the list at the end of."""
    since: int | None = None
    for step in steps:
        if (at := rank.get(step.stage)) is None:
            continue  # no stage of the run: an oracle's word on a status
        if step.verdict in ENTERED:
            since = at if since is None else since
        elif step.verdict == Verdict.DROPPED:
            if since is not None:
                yield since, at
            since = None
    if since is not None:
        yield since, len(rank)


def entered(steps: Iterable[Step]) -> bool:
    """Whether a concept was ever in the list."""
    return any(step.verdict in ENTERED for step in steps)
