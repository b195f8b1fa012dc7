"""A server that labels pairs as a test tells it to, and the pair it is asked about. Every answer was written
by hand: no model made any of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from core.conflicts.annotate import ask
from core.llm import Asker
from core.records import Axis, ConflictType, PairLabel, PairTask
from tests.conflicts.pairs import task
from tests.llm.asking import Memory, endpoint
from tests.llm.server import Fault, Server, scripted_server

CLAIM_A = "In outpatients the syrup shortened cough by two days."
CLAIM_B = "In intensive care the syrup did not shorten cough."
ABSTRACT_A = f"Adults with cough were recruited in 2016. {CLAIM_A} Nobody knew who took what."
ABSTRACT_B = f"Cough is frequent. {CLAIM_B} The study was small."
NONE, DIRECT = ConflictType.NO_CONFLICT, ConflictType.DIRECT_CONTRADICTION
CONTEXTUAL = ConflictType.CONTEXTUAL_CONTRADICTION
SETTING, PLACE = Axis.CLINICAL_SETTING, Axis.GEOGRAPHY

GOOD: dict[str, Any] = {
    "comparable": True,
    "evidence_a": [{"quote": "outpatients", "role": "context"}],
    "evidence_b": [{"quote": "intensive care", "role": "context"}],
    "conflict_type": "contextual_contradiction",
    "divergence_axes": ["clinical_setting"],
    "dominant_confounder": "clinical_setting",
    "reconciliation": "The care setting differs.",
    "confidence": 0.9,
    "notes": "",
}


def pair(**changes: Any) -> PairTask:
    return task(CLAIM_A, CLAIM_B, ABSTRACT_A, ABSTRACT_B, **changes)


@dataclass
class Scene:
    server: Server
    shelf: Memory

    def ask(self, about: PairTask | None = None, *, swapped: bool = False) -> tuple[PairLabel, int]:
        async def one() -> tuple[PairLabel, int]:
            async with Asker(endpoint(self.server.url), self.shelf) as asker:
                return await ask(about or pair(), asker, swapped=swapped)

        return asyncio.run(one())


@contextmanager
def scene(*said: Any) -> Iterator[Scene]:
    """Serve the answers in order, the last one again and again: objects, words, faults."""
    answers = list(said)

    def answer(body: dict[str, Any]) -> Any:
        now = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(now, str | Fault):
            return now
        return now if isinstance(now, dict) and "choices" in now else json.dumps(now)

    with scripted_server(answer) as server:
        yield Scene(server, Memory())


def good(**changes: Any) -> dict[str, Any]:
    return {**GOOD, **changes}


def without(*names: str) -> dict[str, Any]:
    return {name: value for name, value in GOOD.items() if name not in names}


Expected = tuple[ConflictType, tuple[Axis, ...], Axis | None]
FITS: Expected = (CONTEXTUAL, (SETTING,), SETTING)
NOTHING: Expected = (NONE, (), None)
