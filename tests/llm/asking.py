"""What the tests of the client ask with: a prompt, a reply, a ledger in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, Field

from core.llm import Answer, Asker, Endpoint, Prompt
from core.llm.replies import Checked
from core.records import Call, StoredCall
from tests.patience import SECONDS

PROMPT = Prompt("list", "0" * 12, "You list things in {place}.", "List them.\n{data}")
KEY = "sk-canary-4f1c9a77"


class Things(BaseModel):
    things: list[str]
    confidence: float | None = Field(default=None, ge=0, le=1)


class Memory:
    """A ledger that is gone with the test."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._found: dict[str, StoredCall] = {}

    def find(self, key: str) -> StoredCall | None:
        return self._found.get(key)

    async def add(self, call: Call) -> int:
        await asyncio.sleep(0)
        self.calls.append(call)
        if call.failure is None:
            self._found[call.key] = StoredCall(len(self.calls), call)
        return len(self.calls)

    @property
    def answered(self) -> list[Call]:
        return [call for call in self.calls if call.failure is None]


def endpoint(url: str, **settings: Any) -> Endpoint:
    """Quick to try again and, once nothing but faults came back, to give up. No call ends for being slow."""
    quick = {"model": "scripted", "key": KEY, "backoff": 0.01, "patience": 0.3, "deadline": SECONDS}
    return Endpoint(url, **(quick | settings))


async def one(
    asker: Asker,
    text: str = "text",
    check: Callable[[Things], Checked[Things]] | None = None,
    number: int = 1,
) -> Answer[Things]:
    return await asker.ask(
        PROMPT,
        Things,
        terms={"place": "a test"},
        data={"text": text},
        stage="list",
        passage_id=number,
        check=check,
    )


def ask(
    settings: Endpoint,
    ledger: Memory,
    texts: list[str],
    *,
    check: Callable[[Things], Checked[Things]] | None = None,
    **options: Any,
) -> list[Answer[Things] | BaseException]:
    """Ask about all texts at once; an error takes the place of its answer."""

    async def work() -> list[Answer[Things] | BaseException]:
        async with Asker(settings, ledger, **options) as asker:
            return await asyncio.gather(
                *(one(asker, text, check, number) for number, text in enumerate(texts, 1)),
                return_exceptions=True,
            )

    return asyncio.run(work())
