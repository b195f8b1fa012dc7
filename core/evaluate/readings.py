"""What evaluations of a run against a gold read, kept so that the next one need not read it again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")

LASTING = (
    *("gold", "gold statuses", "gold mentions", "labels", "predictions", "proposed", "texts"),
    *("lineage", "similarity", "known"),
)
"""What rests on a finished run, on imported gold and on an ontology alone, or the first part of its name."""
BEFORE = "before"


class Readings:
    """Of one run, gold and review, at one revision of the workspace; empty to begin with.

    It outlives the workspace that it was read from: only results are kept, never what reads them. Threads may
    share it; what two of them read at once is kept once.
    """

    def __init__(self) -> None:
        self._found: dict[Hashable, Any] = {}

    def once(self, name: Hashable, read: Callable[[], T]) -> T:
        """What `read` returned when this name was first asked for; nobody may change it."""
        if name not in self._found:
            self._found.setdefault(name, read())
        found: T = self._found[name]
        return found

    def kept(self, name: Hashable) -> Any | None:
        """What is known by this name; None: nothing is."""
        return self._found.get(name)

    def before(self, counted: Hashable) -> Any | None:
        """The run as it was proposed, scored by these settings; None: it is not yet."""
        return self.kept((BEFORE, counted))

    def keep_before(self, counted: Hashable, scored: Any) -> None:
        self._found[BEFORE, counted] = scored

    def at_next_revision(self) -> Readings:
        """What no decision changes, of a finished run against imported gold."""
        kept = Readings()
        for name, found in list(self._found.items()):
            if (name[0] if isinstance(name, tuple) else name) in (BEFORE, *LASTING):
                kept._found[name] = found
        return kept

    def reader(self, name: Hashable, read: Callable[[], T]) -> Callable[[], T]:
        """`read`, called once at most, when first needed."""
        return lambda: self.once(name, read)
