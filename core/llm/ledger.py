"""Where calls are kept, and what an `Asker` tells of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from core.records import Call, StoredCall

T = TypeVar("T", bound=BaseModel)


class Ledger(Protocol):
    """Where calls are kept."""

    def find(self, key: str) -> StoredCall | None:
        """The answered call with this request hash; never a failure."""
        ...

    async def add(self, call: Call) -> int:
        """Store a call and return its number once it is durable. Where an answer to the same request is there
        already, its number."""
        ...


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A reply in the form asked for."""

    value: T
    call: int
    """The stored call that it was read from."""
    repaired: bool = False
    notes: tuple[str, ...] = ()
    """What was repaired."""


@dataclass
class Tally:
    """What an `Asker` has done."""

    paid: int = 0
    """Answers that came over the network."""
    found: int = 0
    """Answers that were in the ledger."""
    failed: int = 0
    """Calls without an answer."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
