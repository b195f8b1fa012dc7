"""The offline form: passages in chunks, each chunk through all stages, then stored in one write."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator, Sequence
from functools import partial

from core.concepts.oracle import Oracle
from core.concepts.tools import Tools
from core.pipeline import start
from core.pipeline.outcome import Outcome, store
from core.pipeline.pulse import Pulse
from core.records import Labelling, Origin, Passage
from core.store.rows import chunks
from core.store.workspace import Workspace

CHUNK = 50
"""Passages per write. A kill costs the work on one chunk; a pause waits for it."""


def run(
    workspace: Workspace,
    waiting: Iterator[Passage],
    stages: Sequence[str],
    tools: Tools,
    pulse: Pulse,
    oracle: Oracle | None = None,
) -> dict[str, float]:
    """Label passages until none is left or somebody asks for a pause; returns stage -> seconds of work."""
    seconds = dict.fromkeys(stages, 0.0)
    steps = [(stage, importlib.import_module(f"core.concepts.{stage}").run) for stage in stages]
    if oracle:
        steps = [(stage, oracle.around_run(stage, step)) for stage, step in steps]
    for chunk in chunks(waiting, CHUNK):
        labellings = [Labelling(passage) for passage in chunk]
        for stage, step in steps:
            begun = time.perf_counter()
            labellings = list(step(labellings, tools))
            seconds[stage] += time.perf_counter() - begun
        ended = [Outcome(labelling, stages[-1]) for labelling in labellings]
        pulse.message = None
        made = partial(store, run=pulse.run, outcomes=ended, origin=Origin.HEURISTIC)
        if not start.keep(workspace, pulse, made, len(chunk)):
            break
    return seconds
