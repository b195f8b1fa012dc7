"""What an asked run of the five stages does with a passage: one stage after the other, then its end."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from core.concepts.oracle import Oracle
from core.concepts.tools import Tools
from core.llm import Asker, ReplyFailure
from core.pipeline.outcome import Outcome, store
from core.records import Labelling, Origin, Passage, Verdict
from core.text.addressing import addresses_reader

if TYPE_CHECKING:
    from core.store.connect import sqlite3


class Stages:
    """The stages of one run (`core.pipeline.asked.Work`)."""

    def __init__(self, run: str, stages: Sequence[str], tools: Tools, oracle: Oracle | None = None) -> None:
        self._run, self._tools = run, tools
        self._steps = [(stage, importlib.import_module(f"core.concepts.{stage}").ask) for stage in stages]
        if oracle:
            self._steps = [(stage, oracle.around_ask(stage, ask)) for stage, ask in self._steps]

    async def label(self, item: Passage, asker: Asker) -> Outcome:
        """The passage with all that was said about it, or the stage that got no usable answer."""
        labelling, stage = Labelling(item), ""
        if words := addresses_reader(item.text):
            labelling = labelling.record(
                self._steps[0][0], Verdict.FLAGGED, reason="The text speaks to its reader.", words=words
            )
        if self._tools.asker is not asker:
            self._tools = replace(self._tools, asker=asker)
        try:
            for name, ask in self._steps:
                stage = name
                labelling = await ask(labelling, self._tools)
        except ReplyFailure as failure:
            return Outcome(labelling, stage, failure)
        return Outcome(labelling, stage)

    def store(self, db: sqlite3.Connection, ended: Sequence[Outcome]) -> None:
        store(db, self._run, ended, Origin.MODEL)
