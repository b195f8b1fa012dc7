"""One request to its end: paced, tried again, bounded in time and size. No text that leaves holds a key."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from core.addresses import PeerCheck
from core.conflicts.collect.service import KEY_VARIABLES, Service
from core.errors import TouchstoneError
from core.formats.rows import shown
from core.llm.pace import LIMITED, backoff, is_limited, retry_after

if TYPE_CHECKING:
    import httpx

HEAD = 300
"""Characters of a body that a message quotes."""

Status = Callable[[str], None]
T = TypeVar("T")


class QueryFailed(TouchstoneError):
    """One query has no answer; others may have one."""

    def __init__(self, message: str, *, refused: bool = False):
        super().__init__(message)
        self.refused = refused
        """Whether the service understood and declined: asking again is no use."""


class ServiceStopped(TouchstoneError):
    """No query has an answer now. What was stored stays, and the same command goes on from there."""


class Faulty(Exception):
    """An answer that cannot be used and may be better the next time."""


class RateLimited(Exception):
    """An answer that says, in its body, that too much was asked."""


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


class Sender:
    """Sends for one service, one request at a time. Use it in a `with`."""

    def __init__(self, service: Service, announce: Status | None = None):
        self.service = service
        self.requests = 0
        """Requests sent."""
        self._announce = announce or (lambda text: None)
        self._next_at = 0.0
        self._gap = 1.02 / service.per_second  # a little more: their clock is not ours
        self._runner = asyncio.Runner()
        self._client: httpx.AsyncClient | None = None

    def __enter__(self) -> Sender:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._client is not None:
            self._runner.run(self._client.aclose())
            self._client = None
        self._runner.close()

    def post(
        self,
        path: str,
        fields: Mapping[str, str],
        read: Callable[[bytes], T],
        declined: Callable[[bytes], None] | None = None,
    ) -> T:
        """Send a form until `read` takes the answer. A form, because an address with a key or a long query
        in it would stand in the logs of every server it passes.

        Args:
            read: makes something of a body with status 200; raises Faulty for what is worth another
                attempt, RateLimited, or QueryFailed.
            declined: looks at the body of a status that declines the request, and may raise what it means.

        Raises:
            QueryFailed: the service declines this query, or sends nothing that can be read.
            ServiceStopped: it cannot be reached, refuses the key, asks for a long wait, or goes on failing.
        """
        failed = limited = 0
        while True:
            self._turn()
            try:
                answer = self._once(path, fields)
                if not is_limited(answer.status, answer.headers):
                    self._check(answer, declined)
                    with contextlib.suppress(RateLimited):
                        return read(answer.body)
                wait = retry_after(answer.headers)
            except (Faulty, _Lost) as fault:
                failed += 1
                if failed > self.service.retries:
                    raise self._given_up(fault, failed) from None
                self._sleep(backoff(self.service.backoff, failed - 1, 30.0))
                continue
            limited += 1
            if limited > LIMITED:
                raise self._stopped("its rate limit does not end") from None
            self._hold(backoff(self.service.backoff, min(limited, 6), math.inf) if wait is None else wait)

    # --- one attempt --------------------------------------------------------------------------------------

    def _once(self, path: str, fields: Mapping[str, str]) -> _Answer:
        self.requests += 1
        connecting = self._client is None
        try:
            return self._runner.run(self._exchange(path, fields))
        finally:
            if connecting:  # the request left later than its turn came
                self._next_at = time.monotonic() + self._gap

    async def _exchange(self, path: str, fields: Mapping[str, str]) -> _Answer:
        import httpx

        if self._client is None:
            self._client = httpx.AsyncClient(
                follow_redirects=False,
                timeout=httpx.Timeout(60.0, connect=20.0),
                headers={"Accept-Encoding": "gzip", "User-Agent": self.service.tool},
            )
        url = f"{self.service.base_url}/{path}"
        check = PeerCheck(urlsplit(url).hostname or "", f"{self.service.title} ({self.service.url_variable})")
        try:
            async with (
                asyncio.timeout(self.service.deadline),  # of the whole: a server may drip bytes for ever
                self._client.stream("POST", url, data=dict(fields), extensions={"trace": check}) as response,
            ):
                body = bytearray()
                async for chunk in response.aiter_bytes(1 << 16):
                    body += chunk
                    if len(body) > self.service.max_bytes:
                        raise Faulty(f"its answer is larger than {self.service.max_bytes >> 20} MB")
                return _Answer(response.status_code, response.headers, bytes(body))
        except TimeoutError:
            raise _Lost(f"no whole answer within {self.service.deadline:g} s") from None
        except httpx.DecodingError:
            raise Faulty("its answer is packed wrongly") from None
        except (httpx.TransportError, httpx.InvalidURL) as error:
            raise _Lost(self._told(str(error)) or type(error).__name__) from None

    def _check(self, answer: _Answer, declined: Callable[[bytes], None] | None) -> None:
        """Raise what a status other than 200 means."""
        status = answer.status
        if status == 200:
            return
        said = f"it answers {status}: {self.quoted(answer.body)}"
        if 300 <= status < 400:
            target = urlsplit(answer.headers.get("location", "")).hostname or "another address"
            raise self._stopped(
                f"it redirects to {shown(target)}, and redirects are not followed; if that is where you want "
                f"to ask, set {self.service.url_variable}"
            )
        if status in (400, 401, 403) and b"api key" in answer.body[:2000].lower():
            raise self._stopped(f"it refuses the API key ({' or '.join(KEY_VARIABLES)}); {said}")
        if status in (401, 403, 404, 405, 410):
            raise self._stopped(f"{said}. Check {self.service.url_variable}")
        if 400 <= status < 500 and status != 408 and b"error forwarding request" not in answer.body[:2000]:
            if declined is not None:
                declined(answer.body)
            raise QueryFailed(f"{self.service.title} declines it: {said}", refused=True)
        raise _Lost(said)

    # --- words --------------------------------------------------------------------------------------------

    def quoted(self, body: bytes) -> str:
        """The start of a body as it may stand in a message."""
        text = " ".join(body[: 8 * HEAD].decode("utf-8", "replace").split())
        return shown(self._told(text), HEAD) if text else "no body"

    def _told(self, text: str) -> str:
        """A text without the key, which an error of the service may repeat."""
        key = self.service.key.get_secret_value()
        return text.replace(key, "[API key]") if key else text

    def _stopped(self, cause: str) -> ServiceStopped:
        return ServiceStopped(
            f"{self.service.title} ({self.service.base_url}): {cause.rstrip('.')}. What was collected is "
            "stored; the same command goes on from there."
        )

    def _given_up(self, fault: Exception, attempts: int) -> TouchstoneError:
        if isinstance(fault, Faulty):
            return QueryFailed(f"{self.service.title} sent nothing usable in {attempts} attempts: {fault}.")
        return self._stopped(f"no answer in {attempts} attempts; the last: {fault}")

    # --- pace ---------------------------------------------------------------------------------------------

    def _turn(self) -> None:
        """Wait until the next request may start."""
        self._sleep(self._next_at - time.monotonic())
        self._next_at = time.monotonic() + self._gap

    def _hold(self, wait: float) -> None:
        until = datetime.now().astimezone() + timedelta(seconds=wait)
        if wait > self.service.longest_wait:
            raise self._stopped(f"it asks to wait until {until:%d %b %H:%M}")
        self._announce(f"{self.service.title} asks to wait until {until:%H:%M:%S}")
        self._sleep(wait)
        self._announce("")

    def _sleep(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)


class _Lost(Exception):
    """No answer, or one that says that the service is in trouble."""
