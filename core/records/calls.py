"""What was asked of a language model and what came back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """One request that reached an end: an answer, or a failure that named itself.

    `key` is the sha256 of the canonical request (endpoint, model, messages, parameters, reply schema), so
    that the same request is never paid twice. No field ever holds the API key.
    """

    key: str
    stage: str
    passage_id: int | None
    prompt: str
    """Name and version of the prompt file, such as `classify@3f2a91c04d5e`."""
    model: str
    endpoint: str
    """Base URL without user info, query or key."""
    request: dict[str, Any]
    """The body as sent."""
    answer: str | None
    """The text the model wrote; None where there was none."""
    raw: str
    """The whole body that came back, as text; its head where it was too large or no text."""
    failure: str | None = None
    """Kind of failure (see `core.llm.faults`); None for an answer, valid or not."""
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0
    price: float | None = None
    """US dollars; None where the price table does not know the model."""
    attempts: int = 1
    """Requests sent until this end, waits for Retry-After not counted as attempts of their own."""
    transport: str = "live"
    """live or batch."""


@dataclass(frozen=True, slots=True)
class StoredCall:
    """A call with its number in the workspace."""

    id: int
    call: Call
