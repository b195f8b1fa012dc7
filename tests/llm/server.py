"""A scripted OpenAI-compatible server on 127.0.0.1, for tests: it never holds a model, and says what the test
tells it to. In a thread, `with scripted_server(answer) as server: ... server.url`; in a process of its own,

    python tests/llm/server.py --delay 0.05

which prints its base URL and serves until its standard input ends.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from tests.patience import SECONDS

REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 429: "Too Many Requests"}


@dataclass(frozen=True)
class Fault:
    """What the server does in place of an answer. Without anything set: status 200 and an empty body."""

    status: int = 200
    body: bytes | str | dict[str, Any] | list[Any] | None = b""
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    """Seconds before the first byte."""
    drip: float = 0.0
    """Seconds before each byte of the body."""
    short: int = 0
    """Bytes of the body to leave out after it has been announced in full."""
    reset: bool = False
    """Close the connection without a byte."""

    def __str__(self) -> str:
        """What is out of the ordinary, as the name of a test: the same at every moment, for packed bytes bear
        the time at which they were packed."""
        told = {name: value for name, value in asdict(self).items() if value != getattr(Fault, name, {})}
        if isinstance(self.body, bytes) and self.body:
            told["body"] = f"{len(self.body)} bytes"
        return ", ".join(f"{name}={value}" for name, value in told.items())

    def content(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


Answer = Callable[[dict[str, Any]], "str | dict[str, Any] | Fault"]


@dataclass
class Asked:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def user(self) -> str:
        """The last message."""
        return str(self.body["messages"][-1]["content"])


class Server:
    """`requests` lists what was asked, in order; `most_at_once` counts requests in the works together."""

    def __init__(self, answer: Answer, delay: float = 0.0):
        self.answer = answer
        self.delay = delay
        self.requests: list[Asked] = []
        self.most_at_once = 0
        self.connections = 0
        self.url = ""
        self._busy = 0
        self._open: set[asyncio.StreamWriter] = set()

    async def start(self) -> asyncio.Server:
        listening = await asyncio.start_server(self._connection, "127.0.0.1", 0, backlog=512)
        self.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
        return listening

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        self.connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while await self._one(reader, writer):
                pass
        self._open.discard(writer)
        writer.close()

    def hang_up(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Serve one request; whether the connection may carry another."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)
        }
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        asked = Asked(head[0].split()[1], headers, json.loads(body) if body else {})
        self.requests.append(asked)
        self._busy += 1
        self.most_at_once = max(self.most_at_once, self._busy)
        try:
            return await self._say(writer, asked)
        finally:
            self._busy -= 1

    async def _say(self, writer: asyncio.StreamWriter, asked: Asked) -> bool:
        said = self.answer(asked.body)
        fault = said if isinstance(said, Fault) else Fault(body=_completion(asked.body, said))
        await asyncio.sleep(fault.wait or self.delay)
        if fault.reset:
            writer.transport.abort()
            return False
        content = fault.content()
        headers = {"content-type": "application/json", "content-length": str(len(content))} | fault.headers
        lines = [f"HTTP/1.1 {fault.status} {REASONS.get(fault.status, 'Scripted')}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
        content = content[: len(content) - fault.short]
        if not fault.drip:
            writer.write(head)
            for at in range(0, len(content) or 1, 1 << 16):  # in parts: no second copy of a huge body
                writer.write(content[at : at + (1 << 16)])
                await writer.drain()
            return not fault.short
        writer.write(head)
        for at in range(len(content)):
            await asyncio.sleep(fault.drip)
            writer.write(content[at : at + 1])
            await writer.drain()
        return True


def _completion(body: dict[str, Any], said: str | dict[str, Any]) -> dict[str, Any]:
    return said if isinstance(said, dict) else completion(said, body.get("model", "scripted"))


def completion(
    content: str | None, model: str = "scripted", finish_reason: str = "stop", **message: Any
) -> dict[str, Any]:
    """A chat completion as an endpoint sends it. Tokens are words, so that a test can count them."""
    words = len((content or "").split())
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [
            {
                "index": 0,
                "finish_reason": finish_reason,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": words, "total_tokens": 100 + words},
    }


@contextmanager
def scripted_server(answer: Answer, delay: float = 0.0) -> Iterator[Server]:
    """Serve in a thread. `answer` gets the request's body and runs in that thread: it must not block.

    It returns the words of the model, a whole completion body, or a `Fault`.
    """
    server = Server(answer, delay)
    ready, stop = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        listening = await server.start()
        ready.set()
        await stop.wait()
        listening.close()
        server.hang_up()
        waiting = asyncio.all_tasks() - {asyncio.current_task()}
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    ready.wait(SECONDS)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(SECONDS)
        loop.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=0.0, help="seconds until an answer")
    parser.add_argument("--answer", default="{}", help="what the model says to everything")
    options = parser.parse_args()
    with scripted_server(lambda body: options.answer, options.delay) as server:
        server.requests = _Forgetful()
        print(server.url, flush=True)
        sys.stdin.read()


class _Forgetful(list[Asked]):
    """A server that runs for long keeps no record."""

    def append(self, asked: Asked) -> None:
        pass


if __name__ == "__main__":
    main()
