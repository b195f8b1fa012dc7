"""What each stage of a run did with each concept of each document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.records import Assertion, Curie


class Step(NamedTuple):
    """One stage record of one concept."""

    stage: str
    verdict: str
    """A value of `core.records.Verdict`."""
    reason: str | None = None
    assertion: Assertion | None = None


class Stages(NamedTuple):
    order: tuple[str, ...]
    """The run's stages, first to last."""
    steps: Mapping[str, Mapping[Curie, Sequence[Step]]]
    """doc_id -> concept (current id) -> what was said about it, in order."""
    failed: Mapping[str, str]
    """doc_id -> stage that got no usable answer for the whole document."""
