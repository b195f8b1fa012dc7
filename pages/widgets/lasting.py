"""What pages have read and no decision changes: it goes on from one revision of the workspace to the next."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable

from core.evaluate.readings import Readings
from pages.widgets import state

_LAST: OrderedDict[Hashable, Readings] = OrderedDict()
KEPT = 3
"""Readings that outlive a decision."""


def readings(ws: state.Workspace, *rests_on: Hashable) -> Readings:
    """Readings for this revision, with what lasts of those before. Call it once at a revision.

    Args:
        rests_on: everything that they depend on beside decisions, such as a finished run and its gold.
    """
    file = ws.key()
    key = (str(ws.path.resolve()), file.uuid, file.restore_nonce, *rests_on)
    last = _LAST.pop(key, None)
    made = _LAST[key] = last.at_next_revision() if last else Readings()
    while len(_LAST) > KEPT:
        _LAST.popitem(last=False)
    return made


def forget() -> None:
    """As in a server that has just begun."""
    _LAST.clear()
