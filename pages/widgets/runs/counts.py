"""Readers of the runs page that a large run must not slow down.

Counts are kept in memory per run and brought up to date by what was added; what a finished run leads to is
kept by the run's digest, so that a decision elsewhere in the workspace does not throw it away.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Concatenate, ParamSpec, TypeVar

import streamlit as st

from core.store import runs, tally
from pages.widgets import state

P = ParamSpec("P")
T = TypeVar("T")


@dataclass
class _Known:
    tally: tally.Tally | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


@st.cache_resource(show_spinner=False, max_entries=64)
def _known(uuid: str, restore_nonce: str, path: str, run: str) -> _Known:
    return _Known()


def tally_of(ws: state.Workspace, run: str) -> tally.Tally:
    """The counts of a run up to now. The first look at a very large run takes seconds, later ones none."""
    key = ws.key()
    known = _known(key.uuid, key.restore_nonce, str(ws.path.resolve()), run)
    with known.lock:
        if known.tally is None:
            with st.spinner("Counting what the stages did"):
                known.tally = tally.tally(ws, run)
        else:
            known.tally = tally.tally(ws, run, known.tally)
        return known.tally


@st.cache_resource(show_spinner=False, max_entries=32)
def _kept(
    version: tuple[str, ...], path: str, name: str, args: tuple[Any, ...], _read: Callable[[], Any]
) -> Any:
    return _read()


def of_runs(
    ws: state.Workspace,
    found: list[runs.Run],
    reader: Callable[Concatenate[state.Workspace, P], T],
    *args: P.args,
) -> T:
    """`reader(ws, *args)`, kept as long as none of these runs changes. The result is read-only: nobody copies
    it."""
    key = ws.key()
    unfinished = [] if all(run.digest for run in found) else [key.stamp]
    version = (key.uuid, key.restore_nonce, *(f"{run.id} {run.digest}" for run in found), *unfinished)
    name = f"{reader.__module__}.{reader.__qualname__}"
    with st.spinner("Reading the run" if len(found) == 1 else "Comparing the runs", show_time=False):
        kept: T = _kept(version, str(ws.path.resolve()), name, args, lambda: reader(ws, *args))
    return kept
