"""What the stages of a run did with each concept, and so what is in the list of a document after each stage.

A concept is in the list from the record that brings it in to the record that drops it; a document that
failed or was thrown away has an empty list from that stage on. Statuses are ignored: the unit is (document,
concept), right if gold holds the concept with any status. Source: Full-Text HPO Extraction Benchmarking
Framework, section 7.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from core.records import Assertion, Verdict

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


def lists(stages: Stages, doc_id: str) -> dict[str, set[Any]]:
    """Stage -> the concepts that are in the list of a document when it is done."""
    rank = {stage: number for number, stage in enumerate(stages.order)}
    ends = (stages.failed.get(doc_id), stages.discarded.get(doc_id))
    end = min((rank[stage] for stage in ends if stage in rank), default=len(rank))
    after: list[set[Any]] = [set() for _ in rank]
    for concept, steps in stages.steps.get(doc_id, {}).items():
        for first, last in _spells(steps, rank):
            for number in range(first, min(last, end)):
                after[number].add(concept)
    return dict(zip(stages.order, after, strict=True))


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
