"""How long tests wait for what must come: only a hang ends it. No test fails because the machine is slow."""

from __future__ import annotations

import time
from collections.abc import Callable

SECONDS = 600
"""For processes, servers and pages. What usually takes a second takes twenty on a loaded machine."""


def until(true: Callable[[], object], every: float = 0.05) -> None:
    """Wait until something is so; `every`: seconds between two looks."""
    end = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < end, f"still not so after {SECONDS} s"
        time.sleep(every)
