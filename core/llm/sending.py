"""Sending one request to its end: attempts, waits, the breaker. The only layer that tries again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from core.errors import TouchstoneError
from core.llm.completion import HEAD, Completion, read_completion
from core.llm.endpoint import KEY_VARIABLES, URL_VARIABLES, Endpoint
from core.llm.faults import EndpointError, FailureKind, Paused
from core.llm.pace import LIMITED, backoff, clock, is_limited, retry_after
from core.llm.wire import Lost, Response, TooLarge, Wire

LONGEST_WAIT = 120.0
"""Seconds of Retry-After that are sat out; a longer one pauses the run."""

Status = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a request ended."""

    completion: Completion
    attempts: int
    seconds: float
    status: int | None = None
    """HTTP status of the last response."""
    stop: TouchstoneError | None = None
    """Set where no further request may be sent."""


class Sender:
    """Sends for one endpoint. All its calls wait together where the endpoint asks for it."""

    def __init__(self, endpoint: Endpoint, status: Status | None = None):
        self.endpoint = endpoint
        self.wire = Wire(endpoint)
        self.attempts = 0
        """Requests sent."""
        self._status = status or (lambda message: None)
        self._open_at = 0.0
        self._breaker = Breaker(2 * (endpoint.retries + 1), endpoint.patience, endpoint.backoff, self._status)

    async def send(self, body: Mapping[str, Any]) -> Outcome:
        """Send until there is an outcome; what the endpoint does is part of it.

        Raises:
            EndpointError: the breaker has given up while this call waited.
        """
        self.wire.open()  # loads the library: not the endpoint's time
        attempts = counted = limited = malformed = 0
        used = 0.0
        while True:
            await self._admitted()
            async with self._breaker.turn() as probing:
                attempts += 1
                self.attempts += 1
                started = time.monotonic()
                response, completion = await self._once(body, self.endpoint.deadline - used)
                used += time.monotonic() - started
                kind = completion.failure
                lost = kind in (FailureKind.UNAVAILABLE, FailureKind.TIMEOUT)
                stop = self._breaker.failed(completion.message) if lost else self._breaker.answered()
            status = response.status if response else None
            outcome = Outcome(completion, attempts, used, status, stop)
            if response and not stop and (refused := self._refused(response, completion)):
                return Outcome(completion, attempts, used, status, refused)
            if stop or kind is None or kind in (FailureKind.REFUSED, FailureKind.CUT_OFF, FailureKind.EMPTY):
                return outcome
            if kind is FailureKind.LIMITED:
                limited += 1
                if response and (paused := await self._limited(response, limited)):
                    return Outcome(completion, attempts, used, status, paused)
                continue
            malformed += kind is FailureKind.MALFORMED
            counted += not probing
            final = kind is FailureKind.TOO_LARGE or malformed > 1 or counted > self.endpoint.retries
            if final or (response and response.headers.get("x-should-retry") == "false"):
                return outcome
            pause = backoff(self.endpoint.backoff, counted - 1, 8.0)
            if used + pause >= self.endpoint.deadline:
                return outcome
            await asyncio.sleep(pause)
            used += pause

    async def _once(self, body: Mapping[str, Any], seconds: float) -> tuple[Response | None, Completion]:
        try:
            async with asyncio.timeout(seconds):
                response = await self.wire.send(body)
        except TimeoutError:
            message = f"no answer within {self.endpoint.deadline:g} s"
            return None, Completion("", failure=FailureKind.TIMEOUT, message=message)
        except TooLarge as error:
            head = error.head.decode("utf-8", "replace")[:HEAD]
            return None, Completion(head, failure=FailureKind.TOO_LARGE, message=str(error))
        except Lost as error:
            message = f"the connection failed: {error}"
            return None, Completion("", failure=FailureKind.UNAVAILABLE, message=message)
        except EndpointError as error:
            return Response(0, {}, b""), Completion("", failure=FailureKind.ENDPOINT, message=str(error))
        if response.status == 200:
            return response, read_completion(response.content)
        raw = response.content[: 20 * HEAD].decode("utf-8", "replace")
        message = f"HTTP {response.status}: {' '.join(raw[:300].split()) or 'no body'}"
        return response, Completion(raw, failure=_kind(response), message=message)

    def _refused(self, response: Response, completion: Completion) -> EndpointError | None:
        """The error that stops the run, for responses that every further request would meet, too."""
        if completion.failure is not FailureKind.ENDPOINT:
            return None
        said = completion.message
        url, urls = self.endpoint.base_url, f"--base-url or {URL_VARIABLES[0]}"
        if response.status == 0:
            return EndpointError(said)
        if 300 <= response.status < 400:
            target = urlsplit(response.headers.get("location", "")).hostname or "another address"
            return EndpointError(
                f"{url} redirects to {target[:100]}, and redirects are not followed. "
                f"If that is where you want to ask, set it as the base URL ({urls})."
            )
        if response.status in (401, 403):
            return EndpointError(
                f"{url} refuses the API key ({KEY_VARIABLES[0]} or {KEY_VARIABLES[1]}): {said}"
            )
        if response.status in (402, 429):
            return EndpointError(f"{url} asks for payment or a larger quota: {said}")
        return EndpointError(
            f"{url} does not know this path or model. Check the base URL ({urls}) and "
            f"the model (--model): {said}"
        )

    async def _limited(self, response: Response, times: int) -> Paused | None:
        """Wait, and hold all calls where the endpoint says for how long; or pause the run."""
        asked = retry_after(response.headers)
        wait = asked
        if wait is None:
            wait = backoff(self.endpoint.backoff, times, 60.0)
        until = datetime.now().astimezone() + timedelta(seconds=wait)
        if wait > LONGEST_WAIT:
            return Paused(
                f"The endpoint asks to wait until {clock(until, wait)}, longer than a run sits out. "
                "Resume it then.",
                until,
            )
        if times > LIMITED:
            return Paused(
                "The endpoint's rate limit does not end. Resume the run later, or with fewer at once."
            )
        if asked is not None:
            self._open_at = max(self._open_at, time.monotonic() + wait)
            self._status(f"waiting until {clock(until, wait)}: rate limit")
        else:
            await asyncio.sleep(wait)
        return None

    async def _admitted(self) -> None:
        waited = False
        while (wait := self._open_at - time.monotonic()) > 0:
            waited = True
            await asyncio.sleep(wait)
        if waited:
            self._status("")

    async def close(self) -> None:
        await self.wire.close()


class Breaker:
    """After `limit` failures in a row, one request at a time, further and further apart; once nothing
    has come back for `patience` seconds, no more."""

    def __init__(self, limit: int, patience: float, backoff: float, status: Status):
        self._limit, self._patience, self._backoff, self._status = limit, patience, backoff, status
        self._streak = 0
        self._since = 0.0
        self._stopped: EndpointError | None = None
        self._one = asyncio.Lock()

    @property
    def open(self) -> bool:
        return self._streak >= self._limit

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[bool]:
        """Whether this request only tries if the endpoint is back.

        Raises:
            EndpointError: the breaker has given up.
        """
        if not self.open:
            yield False
            return
        async with self._one:
            if self._stopped:
                raise self._stopped
            probing = self.open
            if probing:
                pause = min(30.0, self._backoff * 2.0 ** (self._streak - self._limit))
                until = datetime.now().astimezone() + timedelta(seconds=pause)
                self._status(f"waiting until {clock(until, pause)}: the endpoint does not answer")
                await asyncio.sleep(pause)
            yield probing

    def answered(self) -> EndpointError | None:
        if self.open:
            self._status("")
        self._streak = 0
        return None

    def failed(self, message: str) -> EndpointError | None:
        self._since = self._since if self._streak else time.monotonic()
        self._streak += 1
        if self.open and time.monotonic() - self._since >= self._patience:
            self._stopped = EndpointError(
                f"The endpoint has answered none of the last {self._streak} requests. Check that it "
                f"runs and that the base URL is right ({URL_VARIABLES[0]}), then resume the run. "
                f"The last: {message}"
            )
        return self._stopped


def _kind(response: Response) -> FailureKind:
    status = response.status
    spent = status == 429 and b"insufficient_quota" in response.content[:HEAD]
    if is_limited(status, response.headers) and not spent:
        return FailureKind.LIMITED
    if status < 400 or status in (401, 402, 403, 404, 405, 407, 429):
        return FailureKind.ENDPOINT
    if status in (408, 409) or status >= 500:
        return FailureKind.UNAVAILABLE
    return FailureKind.REFUSED
