"""What of the labels of some items a visitor may see.

Nobody sees another's answer to an item before giving one, nor anything of an item that they have yet to
answer blind. Somebody who has no name may still be asked for every answer. Only where nothing can be
answered, in a workspace that is open to look at only, does a visitor without a name see all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from core.store import Workspace
from core.store.blind import blind_among, unlisted_among
from core.store.curators import VISITOR


@dataclass(frozen=True, slots=True)
class Sight:
    """What one visitor may see."""

    curator: str | None
    everything: bool
    blind: frozenset[int]
    """Items of which nothing is told that a machine, gold or anybody else says."""
    unlisted: frozenset[int]
    """Passages of which they have yet to list the concepts: the same of all their items, also how many."""

    def of_others(self, answered: Iterable[tuple[int, str]]) -> frozenset[int]:
        """Those of some items of which this visitor may see what others answer.

        Args:
            answered: (item, curator) of every answer that holds on them.
        """
        rows = list(answered)
        return frozenset(item for item, curator in rows if self.everything or curator == self.curator)


def sees_all(workspace: Workspace, curator: str | None) -> bool:
    """Whether this visitor can answer nothing, whoever they are."""
    return curator is None and workspace.read_only


def sight(
    workspace: Workspace, curator: str | None, items: Collection[int], passages: Collection[int] = ()
) -> Sight:
    """What a curator, or a visitor without a name, may see of these items and passages."""
    if sees_all(workspace, curator):
        return Sight(None, True, frozenset(), frozenset())
    who = curator or VISITOR
    return Sight(
        curator,
        False,
        frozenset(blind_among(workspace, who, items)),
        frozenset(unlisted_among(workspace, who, passages)),
    )
