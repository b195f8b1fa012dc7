"""Batch files: the same requests by another way. A run collects them, a file carries them to the endpoint's
batch service, and a file brings the answers back (OpenAI Batch JSONL, one line a request)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.llm.completion import Completion, read_completion
from core.llm.counting import used
from core.llm.dialect import Dialect, Request
from core.llm.faults import Deferred, FailureKind
from core.llm.prices import Prices
from core.records import Call

ADDRESS = "/v1/chat/completions"
INDEX = ".index.jsonl"
LINES = 50_000
"""Requests that the batch services take in one file; a larger batch goes into several."""


@dataclass(frozen=True)
class Waiting:
    """A request whose answer is still to come."""

    key: str
    stage: str
    passage_id: int | None
    prompt: str
    model: str
    endpoint: str
    body: dict[str, Any]


class Collector:
    """Takes the place of the network in an `Asker`: it keeps what would have been sent."""

    def __init__(self) -> None:
        self.waiting: dict[str, Waiting] = {}

    def defer(
        self, request: Request, dialect: Dialect, stage: str, passage_id: int | None, prompt: str
    ) -> Deferred:
        """Keep a request; the same one once."""
        waiting = Waiting(
            request.key, stage, passage_id, prompt, request.model, request.endpoint, dialect.body(request)
        )
        self.waiting.setdefault(request.key, waiting)
        return Deferred(request.key)


def write_batch(path: Path, collector: Collector) -> list[Path]:
    """Write the batch file and, beside it, its index (`<name>.index.jsonl`), which stays here and says what
    each request is for. More than 50,000 requests become `<name>-2.jsonl` and so on. Returns the batch files,
    none where nothing waits."""
    waiting = list(collector.waiting.values())
    written = []
    for number, first in enumerate(range(0, len(waiting), LINES), 1):
        target = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        part = waiting[first : first + LINES]
        lines = [
            {"custom_id": each.key, "method": "POST", "url": ADDRESS, "body": each.body} for each in part
        ]
        index = [vars(each) for each in part]
        for name, rows in ((target, lines), (_index(target), index)):
            name.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
        written.append(target)
    return written


def read_batch(answers: Path, batch: Path, prices: Prices) -> Iterator[Call]:
    """The calls that an answer file brings, failures among them, in the order of the file.

    Args:
        answers: output (or error) file of the batch service.
        batch: the batch file that was sent; its index must lie beside it.

    Raises:
        InputError: a file cannot be read, or an answer belongs to another batch; names the line.
    """
    waiting = {row["key"]: Waiting(**row) for _, row in _rows(_index(batch))}
    seen: set[str] = set()
    for number, row in _rows(answers):
        key = row.get("custom_id")
        if not isinstance(key, str) or key not in waiting:
            raise InputError(
                f"Line {number} of {answers.name} answers a request that is not in {batch.name}. "
                "Name the batch file that these answers belong to."
            )
        if key in seen:
            raise InputError(f"Line {number} of {answers.name} answers request {key[:12]} a second time.")
        seen.add(key)
        yield _call(waiting[key], _completion(row), prices)


def _completion(row: dict[str, Any]) -> Completion:
    response, error = row.get("response"), row.get("error")
    if not isinstance(response, dict):
        raw = json.dumps(error, ensure_ascii=False)
        return Completion(raw, failure=FailureKind.UNAVAILABLE, message=f"the batch reports {raw[:200]}")
    raw = json.dumps(response.get("body"), ensure_ascii=False)
    if response.get("status_code") != 200:
        message = f"HTTP {response.get('status_code')}: {raw[:300]}"
        return Completion(raw, failure=FailureKind.REFUSED, message=message)
    return read_completion(raw.encode("utf-8", "replace"))


def _call(waiting: Waiting, completion: Completion, prices: Prices) -> Call:
    price = prices.cost(waiting.model, *(used(waiting.body, completion) or (None, None)), batch=True)
    return Call(
        waiting.key,
        waiting.stage,
        waiting.passage_id,
        waiting.prompt,
        waiting.model,
        waiting.endpoint,
        waiting.body,
        completion.answer,
        completion.raw,
        completion.failure.value if completion.failure else None,
        completion.finish_reason,
        completion.prompt_tokens,
        completion.completion_tokens,
        price=price,
        transport="batch",
    )


def _index(batch: Path) -> Path:
    return batch.with_name(batch.stem + INDEX)


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line numbers from 1, and their objects."""
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    row = json.loads(line)
                    if not isinstance(row, dict):
                        raise ValueError("no JSON object")
                    yield number, row
    except OSError as error:
        raise InputError(f"{path.name} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path.name} is no batch file: a line is no JSON object ({error}).") from error
