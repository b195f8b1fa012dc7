"""Pausing Python's garbage collector while a large evaluation is made, of which everything stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_LOCK = Lock()
_inside: list[bool] = []
"""Of each that has asked for a pause and not left it: whether it found the collector on."""


@contextmanager
def paused() -> Iterator[None]:
    """No collection until the last of those inside has left: with millions of live records each would walk
    through all of them and find nothing, a fifth of the whole time. A collector that was off stays off."""
    with _LOCK:
        _inside.append(_inside[0] if _inside else gc.isenabled())
        gc.disable()
    try:
        yield
    finally:
        with _LOCK:
            if _inside.pop() and not _inside:
                gc.enable()
