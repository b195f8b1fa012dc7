"""What an ontology shows about a concept that a passage does not support: the same lineage, another branch.

    kin = nearest("HP:0001250", {"HP:0007359"}, lineage)    # seizure proposed, focal-onset supported
    kin.relation, kin.path                                  # ancestor, (HP:0001250, HP:0007359)

A concept on one is_a path with a supported one is a matter of depth: E-1. Another branch alone shows nothing,
since over-generalised and inferred concepts often lie in another branch, too; it is a hint for whoever
decides about E-2. Source: paper 000, A.7.2, step 1 and 2; metric-definitions R46.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

from core.ontology.lineage import Lineage
from core.records import Curie

Relation = Literal["ancestor", "descendant"]


class Kin(NamedTuple):
    """The nearest supported concept on one is_a path with a concept."""

    relation: Relation
    """What the concept is to the supported one."""
    path: tuple[Curie, ...]
    """From the concept to the supported one, both included: a shortest way."""

    @property
    def steps(self) -> int:
        """From 1."""
        return len(self.path) - 1


def nearest(concept: Curie, supported: Collection[Curie], lineage: Lineage) -> Kin | None:
    """The nearest of the supported concepts that is above or below this one; of equally near ones the lowest
    id. None where there is none, where this one is supported itself, or where the ontology does not hold it.
    """
    if concept in supported or concept not in lineage:
        return None
    found = None
    for other in sorted(one for one in supported if one in lineage):
        steps = lineage.distance(concept, other)
        if steps is not None and (found is None or steps < found[0]):
            found = steps, other
    if found is None:
        return None
    up = lineage.path(concept, found[1])
    if up is not None:
        return Kin("descendant", up)
    down = lineage.path(found[1], concept) or ()
    return Kin("ancestor", tuple(reversed(down)))


def elsewhere(branches: Collection[Curie], supported: Iterable[Collection[Curie]]) -> bool:
    """Whether a concept shares no branch with any supported one. False where one side lies in no branch that
    is known: nothing is hinted then.

    Args:
        branches: of the concept.
        supported: branches of each supported concept.
    """
    theirs = {branch for one in supported for branch in one}
    return bool(branches) and bool(theirs) and theirs.isdisjoint(branches)
