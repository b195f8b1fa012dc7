"""Reading the body of a chat completion. Endpoints send much else with status 200; each has its name here."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from core.llm.faults import FailureKind

HEAD = 2000
"""Characters that are kept of a body that is too large or no text."""

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Completion:
    """What a body says. `failure` None: `answer` is what the model wrote, to its end."""

    raw: str
    answer: str | None = None
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    failure: FailureKind | None = None
    message: str = ""


class _Unlike(ValueError):
    """Why a body is no chat completion."""


def read_completion(content: bytes) -> Completion:
    """Never raises: whatever is wrong is the completion's `failure`."""
    try:
        raw = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _malformed(content[:HEAD].decode("utf-8", "replace"), "the body is no UTF-8")
    raw = _SURROGATE.sub("\ufffd", raw)
    try:
        body = _parsed(raw)
        choice = _choice(body)
        answer, refusal = _words(choice["message"])
    except _Unlike as cause:
        return _malformed(raw, str(cause))
    usage = body.get("usage") if isinstance(body.get("usage"), dict) else {}
    finish = choice.get("finish_reason")
    finish = finish if isinstance(finish, str) else None
    failure, message = _failure(answer, refusal, finish)
    asked, said = (
        _count(usage, "prompt_tokens") or None,
        _count(usage, "completion_tokens"),
    )  # no prompt has 0
    return Completion(raw, answer, finish, asked, said, failure, message)


def _malformed(raw: str, cause: str) -> Completion:
    head = " ".join(raw[:200].split())
    message = f"the endpoint did not answer as expected: {cause}{f'; it begins {head!r}' if head else ''}"
    return Completion(raw, failure=FailureKind.MALFORMED, message=message)


def _parsed(raw: str) -> dict[str, Any]:
    if not raw.strip():
        raise _Unlike("the body is empty")
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise _Unlike("the body is no JSON") from None
    if not isinstance(body, dict):
        raise _Unlike("the body is no JSON object")
    if body.get("error"):
        error = body["error"]
        message = error.get("message") if isinstance(error, dict) else error
        raise _Unlike(f"it reports an error with status 200: {str(message)[:200]}")
    return body


def _choice(body: dict[str, Any]) -> dict[str, Any]:
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise _Unlike("the body has no `choices`")
    choice = choices[0]
    if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
        raise _Unlike("the first choice has no `message`")
    return choice


def _words(message: dict[str, Any]) -> tuple[str | None, str | None]:
    """Content and refusal of a message."""
    content, refusal = message.get("content"), message.get("refusal")
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        parts = [text for text in texts if isinstance(text, str)]
        if len(parts) < len(content):
            raise _Unlike("the message's content is no text")
        content = "".join(parts)
    if not isinstance(content, str | None):
        raise _Unlike("the message's content is no text")
    if content is not None:
        content = _SURROGATE.sub("\ufffd", content)  # no store takes half a character
    return content, refusal if isinstance(refusal, str) and refusal else None


def _failure(answer: str | None, refusal: str | None, finish: str | None) -> tuple[FailureKind | None, str]:
    if finish == "length":
        return FailureKind.CUT_OFF, "the answer was cut off at the token limit"
    if refusal or finish == "content_filter":
        why = f": {refusal[:200]}" if refusal else " (content filter)"
        return FailureKind.REFUSED, f"the model declined to answer{why}"
    if not (answer or "").strip():
        return FailureKind.EMPTY, "the answer has no content"
    return None, ""


def _count(usage: Any, name: str) -> int | None:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**12 else None
