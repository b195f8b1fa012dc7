"""What is kept in memory of a workspace, from one look at it to the next."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from core.store import Workspace

WORKSPACES = 8
"""Workspaces of which something is kept."""


class Refreshed(Protocol):
    """What knows how to catch up with a workspace."""

    def refresh(self, workspace: Workspace) -> None: ...


W = TypeVar("W", bound=Refreshed)


class Walks(Generic[W]):
    """One walk per workspace file, or whatever else is read bit by bit. One before a restore and one after it
    never mix."""

    def __init__(self, make: Callable[[], W]) -> None:
        self._make = make
        self._kept: OrderedDict[tuple[str, str, str], W] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, workspace: Workspace) -> W:
        """The walk over this workspace, refreshed."""
        key = workspace.key()
        identity = (str(workspace.path.resolve()), key.uuid, key.restore_nonce)
        with self._lock:
            if identity not in self._kept:
                self._kept[identity] = self._make()
            self._kept.move_to_end(identity)
            while len(self._kept) > WORKSPACES:
                self._kept.popitem(last=False)
            walk = self._kept[identity]
        walk.refresh(workspace)
        return walk

    def clear(self) -> None:
        """Forget all of them: for measuring."""
        self._kept.clear()
