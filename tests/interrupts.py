"""Ctrl-C for processes that tests start."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable


def _heed() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


HEEDED: Callable[[], None] | None = _heed if os.name == "posix" else None
"""`preexec_fn` of a process that is to heed Ctrl-C: where the tests themselves run in the background, it
would inherit that it is ignored."""
