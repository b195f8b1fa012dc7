"""How often tests repeat what is random or slow: a sample in the usual run, all of it with `--nightly`."""

from __future__ import annotations

import os

VARIABLE = "TOUCHSTONE_NIGHTLY"
"""Set by `--nightly`, and so known to every worker and child process."""


def times(usual: int, nightly: int) -> int:
    """How often to repeat, how many examples to try, how much to feed. The usual count still fails where the
    code is wrong."""
    return nightly if os.environ.get(VARIABLE) else usual
