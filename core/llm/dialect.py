"""What an endpoint understands of a request: found out once per model, remembered for the rest of the run."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from core.llm.endpoint import Endpoint

_FORM = "Reply with one JSON object and nothing else. It follows this JSON schema:\n"
_AGAIN = (
    "That reply cannot be used:\n{problems}\nGive the whole reply again, corrected, as one JSON object and "
    "nothing else."
)
LONGEST_QUOTED = 6000
"""Characters of an unusable reply that go back to the model."""


@dataclass(frozen=True)
class Request:
    """One request in the form that its hash is made from, whatever the endpoint understands."""

    endpoint: str
    model: str
    messages: tuple[Mapping[str, str], ...]
    max_tokens: int
    temperature: float | None
    seed: int | None
    schema: Mapping[str, Any]
    name: str
    """Of the reply model; goes with the schema."""

    @cached_property
    def key(self) -> str:
        """sha256 of the canonical request."""
        parts = {name: value for name, value in vars(self).items() if name != "key"}
        text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def again(self, answer: str, problems: Sequence[str]) -> Request:
        """The same request with the unusable reply and what is wrong with it."""
        said = answer if len(answer) <= LONGEST_QUOTED else answer[:LONGEST_QUOTED] + " [...]"
        told = "\n".join(f"- {problem}" for problem in problems)
        further = (
            {"role": "assistant", "content": said},
            {"role": "user", "content": _AGAIN.format(problems=told)},
        )
        return replace(self, messages=(*self.messages[:2], *further))

    def with_more_room(self) -> Request:
        return replace(self, max_tokens=2 * self.max_tokens)


class Dialect:
    """How to say a request to one model."""

    def __init__(self, endpoint: Endpoint):
        self._fixed = endpoint.json_schema == "on"
        self.form: Literal["schema", "object", "plain"] = (
            "object" if endpoint.json_schema == "off" else "schema"
        )
        self.room = "max_tokens"
        self.dropped: frozenset[str] = frozenset()
        self.settled = False
        """Whether a request has come back; until then requests go one by one."""
        self.settling = asyncio.Lock()

    def body(self, request: Request) -> dict[str, Any]:
        """The body as sent."""
        messages = [dict(message) for message in request.messages]
        body: dict[str, Any] = {"model": request.model, "messages": messages, self.room: request.max_tokens}
        for name in ("temperature", "seed"):
            value = getattr(request, name)
            if value is not None and name not in self.dropped:
                body[name] = value
        if self.form == "schema":
            named = {"name": request.name, "schema": dict(request.schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
            return body
        messages[0]["content"] += f"\n\n{_FORM}{json.dumps(request.schema, ensure_ascii=False)}"
        if self.form == "object":
            body["response_format"] = {"type": "json_object"}
        return body

    def adapt(self, sent: Mapping[str, Any], status: int | None, said: str) -> bool:
        """Whether a refused request is worth sending in another form; takes that form on.

        `sent` is the refused body: where another call has changed the form meanwhile, that change is enough.
        """
        if status not in (400, 415, 422, 501):
            return False
        if self._forms(sent) != self._now():
            return True
        said = said.lower()
        if "max_completion_tokens" in said and self.room == "max_tokens":
            self.room = "max_completion_tokens"
            return True
        for name in ("temperature", "seed"):
            if name in said and name in sent:
                self.dropped |= {name}
                return True
        words = ("response_format", "response format", "json_schema", "json_object", "schema", "structured")
        told = any(word in said for word in (*words, "grammar", "guided", "json mode"))
        if self.form == "plain" or self._fixed or (self.settled and not told):
            return False
        self.form = "object" if self.form == "schema" else "plain"
        return True

    def _now(self) -> tuple[Any, ...]:
        return self.form, self.room

    @staticmethod
    def _forms(sent: Mapping[str, Any]) -> tuple[Any, ...]:
        kind = sent.get("response_format", {}).get("type", "")
        form = {"json_schema": "schema", "json_object": "object"}.get(kind, "plain")
        return form, "max_tokens" if "max_tokens" in sent else "max_completion_tokens"
