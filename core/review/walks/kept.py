"""What is kept in memory of a workspace, from one look at it to the next."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, Protocol, TypeVar

from core.store import Workspace

WORKSPACES = 8
"""Workspaces of which something is kept."""


V = TypeVar("V")


class Recent(Generic[V]):
    """The last few values that were asked for, each made once for all threads.

    A key holds all that its value rests on.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, V] = OrderedDict()
        self._lock = threading.RLock()

    def of(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value under this key; what was asked for longest ago is forgotten."""
        with self._lock:
            if key not in self._values:
                self._values[key] = make()
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
            return self._values[key]

    def clear(self) -> None:
        with self._lock:
            self._values.clear()


def file_of(workspace: Workspace) -> tuple[str, str, str]:
    """What stays the same of a workspace while it is written to: its path, its id, and its last restore."""
    key = workspace.key()
    return str(workspace.path.resolve()), key.uuid, key.restore_nonce


class Refreshed(Protocol):
    """What knows how to catch up with a workspace."""

    def refresh(self, workspace: Workspace) -> None: ...


W = TypeVar("W", bound=Refreshed)


class Walks(Generic[W]):
    """One walk per workspace file, or whatever else is read bit by bit. One before a restore and one after it
    never mix."""

    def __init__(self, make: Callable[[], W]) -> None:
        self._make = make
        self._kept: Recent[W] = Recent(WORKSPACES)

    def of(self, workspace: Workspace) -> W:
        """The walk over this workspace, refreshed."""
        walk = self._kept.of(file_of(workspace), self._make)
        walk.refresh(workspace)
        return walk

    def clear(self) -> None:
        """Forget all of them: for measuring."""
        self._kept.clear()
