"""One HTTP request: the shared client, no redirects, retries or proxies, and a cap on what it reads.

`openai` reads the whole body of any response, unpacked, and follows redirects with the prompt in hand
(openai 3.52). Here the transport below it reads, so that no body is larger than the cap, whatever its status.
"""

from __future__ import annotations

import socket
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from core.addresses import check_host, refusal
from core.llm.faults import EndpointError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import httpx2
    from openai import AsyncOpenAI

    from core.llm.endpoint import Endpoint


_READ = ("retry-after", "retry-after-ms", "x-should-retry", "location")


class TooLarge(Exception):
    """The body is larger than the cap; `head` is how it begins."""

    def __init__(self, limit: int, head: bytes):
        super().__init__(f"the response is larger than {limit:,} bytes")
        self.head = head


class Lost(Exception):
    """No whole response: refused, reset, cut short."""


@dataclass(frozen=True, slots=True)
class Response:
    status: int
    headers: Mapping[str, str]
    """Those that matter here, by lower-case name."""
    content: bytes


class Wire:
    """The one client of an endpoint. It belongs to the event loop that sends first."""

    def __init__(self, endpoint: Endpoint):
        self._endpoint = endpoint
        self._host = urlsplit(endpoint.base_url).hostname or ""
        if cause := check_host(self._host, internal=endpoint.allow_internal):
            raise self._refused(self._host, cause)
        self._refusal: EndpointError | None = None
        self._client: AsyncOpenAI | None = None
        self._plain: Any = None

    async def send(self, body: Mapping[str, Any]) -> Response:
        """Send one chat completion request.

        Raises:
            Lost: the connection failed; the caller may try again.
            TooLarge: the body passed the cap.
            EndpointError: the address must not be reached.
        """
        import openai

        client = self.open()
        try:
            found = await client.post("/chat/completions", cast_to=self._plain, body=dict(body))
        except openai.APIStatusError as error:
            found = error.response
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            if isinstance(cause, TooLarge):
                raise cause from None
            if self._refusal:
                raise self._refusal from None
            raise Lost(f"{type(cause).__name__}: {cause}") from None
        headers = {name: self._without_key(found.headers.get(name, "").encode()).decode() for name in _READ}
        return Response(found.status_code, headers, self._without_key(found.content))

    def _without_key(self, content: bytes) -> bytes:
        """An endpoint may send back what it was sent; the key goes no further than this."""
        key = self._endpoint.secret().encode()
        return content.replace(key, b"[key]") if len(key) >= 8 else content

    def open(self) -> AsyncOpenAI:
        """The shared client; the first time it is made, which loads `openai`."""
        if self._client is not None:
            return self._client
        import aiohttp
        import httpx2
        from openai import AsyncOpenAI, DefaultAioHttpClient
        from openai._vendor.httpx_aiohttp.transport import AiohttpTransport

        endpoint = self._endpoint
        connector = aiohttp.TCPConnector(
            limit=endpoint.concurrency,
            resolver=aiohttp.ThreadedResolver(),
            socket_factory=self._socket,
        )
        session = aiohttp.ClientSession(
            connector=connector, cookie_jar=aiohttp.DummyCookieJar(), trust_env=False
        )
        transport = _Capped(AiohttpTransport(client=session), endpoint.max_bytes)
        http = DefaultAioHttpClient(
            transport=transport,  # type: ignore[arg-type]
            follow_redirects=False,
            trust_env=False,  # a proxy of the environment would see what is meant for this machine alone
        )
        self._plain = httpx2.Response
        self._client = AsyncOpenAI(
            api_key=endpoint.secret() or "none",
            base_url=endpoint.base_url,
            max_retries=0,
            timeout=httpx2.Timeout(None, connect=10.0),  # the caller's deadline counts the whole call
            http_client=http,
            default_headers={"Accept-Encoding": "identity"},
        )
        return self._client

    def _socket(self, found: Any) -> socket.socket:
        """A socket for the very address that is connected to next. A name is not asked again after this, so
        it cannot lead elsewhere; and an address that was written as a name ends here, too.

        Raises:
            OSError: that address must not be reached; other addresses of the host may be tried.
        """
        family, kind, protocol, _, peer = found
        if cause := refusal(peer[0], self._host, internal=self._endpoint.allow_internal):
            self._refusal = self._refused(peer[0], cause)
            raise OSError(str(self._refusal))
        return socket.socket(family, kind, protocol)

    def _refused(self, place: str, cause: str) -> EndpointError:
        return EndpointError(f"The endpoint's base URL leads to {place}: {cause}.")

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None


class _Capped:
    """A transport that reads each body whole, up to a limit, and unpacks it itself."""

    def __init__(self, inner: Any, limit: int):
        self._inner = inner
        self._limit = limit

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        import httpx2

        response = await self._inner.handle_async_request(request)
        try:
            content = await self._read(response, httpx2.ReadError)
        finally:
            await response.aclose()
        # the last, because the clients above and below would each send a cookie back with every later prompt
        dropped = (b"content-encoding", b"content-length", b"transfer-encoding", b"set-cookie")
        headers = [(name, value) for name, value in response.headers.raw if name.lower() not in dropped]
        return httpx2.Response(response.status_code, headers=headers, content=content, request=request)

    async def _read(self, response: httpx2.Response, broken: type[Exception]) -> bytes:
        packing = response.headers.get("content-encoding", "identity").strip().lower()
        if packing not in ("identity", "gzip", "x-gzip", "deflate", ""):
            raise broken(f"the body is packed by {packing[:20]!r}, which was not asked for")
        unpack = zlib.decompressobj(47) if packing not in ("identity", "") else None  # 47: gzip or zlib
        content = bytearray()
        async for chunk in response.stream:  # type: ignore[union-attr]
            room = self._limit - len(content) + 1
            try:
                content += unpack.decompress(chunk, room) if unpack else chunk[:room]
            except zlib.error as error:
                raise broken(f"the packed body is damaged: {error}") from None
            if len(content) > self._limit:
                raise TooLarge(self._limit, bytes(content[:2000]))
        if unpack and not unpack.eof:
            raise broken("the packed body is cut short")
        return bytes(content)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> _Capped:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
