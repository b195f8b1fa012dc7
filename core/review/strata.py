"""The strata that a draw of what a run proposes goes by: audit sets and frames.

stratum = stratum_of(workspace, run, "branch")
stratum(one)                                        # "Abnormality of the eye"
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from core.errors import InputError
from core.records import Curie
from core.review.aid import Climb
from core.store import Workspace
from core.store.runs import Run

NOWHERE = "(in no branch)"


class Described(Protocol):
    """A concept as a run proposes it."""

    @property
    def concept(self) -> Curie: ...
    @property
    def concept_class(self) -> str: ...
    @property
    def assertion(self) -> str: ...
    @property
    def stage(self) -> str: ...


_SAID: dict[str, Callable[[Described], str]] = {
    "class": lambda one: str(one.concept_class),
    "assertion": lambda one: str(one.assertion),
    "stage": lambda one: one.stage,
}


def stratum_of(workspace: Workspace, run: Run, by: str) -> Callable[[Described], str]:
    """What names the stratum of a proposed concept.

    Args:
        by: `class`, `branch`, the top branch of the run's ontology, `assertion` or `stage`, the stage of the
            run that brought it in.

    Raises:
        InputError: by branch, and the run names no ontology.
    """
    if by != "branch":
        return _SAID[by]
    if run.ontology_id is None:
        raise InputError(f"Run {run.id!r} names no ontology, so its concepts lie in no known branch.")
    climb = Climb(workspace, run.ontology_id)
    return lambda one: branch(climb, one.concept)


def branch(climb: Climb, concept: Curie) -> str:
    """The name of a concept's top branch, of several the first by name; `NOWHERE`."""
    held = climb.branches(concept)
    return climb.label(held[0]) if held else NOWHERE
