"""Fetch a published ontology from the OBO library by its name (`hp`, `go`, `mondo`...)."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.addresses import PeerCheck
from core.errors import InputError
from core.ontology import source

if TYPE_CHECKING:
    import httpx

OBO_LIBRARY = "http://purl.obolibrary.org/obo"
MIRROR = "TOUCHSTONE_OBO_URL"
"""Environment variable: an address to fetch from in place of the OBO library."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_REDIRECTS = 10
_SAY_EVERY = 1 << 20


def library() -> str:
    """The address that ontologies are fetched from."""
    return os.environ.get(MIRROR) or OBO_LIBRARY


def fetch(
    name: str,
    folder: Path,
    *,
    base_url: str = OBO_LIBRARY,
    max_bytes: int = 512 << 20,
    seconds: float = 600.0,
    progress: Callable[[str], None] | None = None,
) -> Path:
    """Download `{base_url}/{name}.obo` to `{folder}/{name}.obo` and return that path.

    The file appears whole or not at all; one that is there already is replaced. The library's address
    redirects to where the ontology is kept: followed to https addresses, and within the host asked.
    `seconds` is for everything, from the first connection to the last byte.

    InputError: the name is no ontology name, the library does not know it or cannot be reached, the
    answer is a web page, too large, too slow or cut off.
    """
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} is no name in the OBO library: these are lower-case letters, digits and _, like hp or "
            "mondo. To add a file, check that its path is right."
        )
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{name}.obo"
    handle, part = tempfile.mkstemp(prefix=f".{name}-", suffix=".part", dir=folder)
    os.close(handle)
    try:
        download = _Download(name, base_url, Path(part), max_bytes, progress or (lambda _text: None))
        asyncio.run(download.run(seconds))
        Path(part).replace(target)
    finally:
        Path(part).unlink(missing_ok=True)
    return target


class _Download:
    def __init__(self, name: str, base_url: str, part: Path, max_bytes: int, progress: Callable[[str], None]):
        self.name, self.part, self.max_bytes, self.progress = name, part, max_bytes, progress
        self.url = f"{base_url.rstrip('/')}/{name}.obo"

    async def run(self, seconds: float) -> None:
        import httpx

        try:
            async with asyncio.timeout(seconds), self._client() as client:
                await self._follow(client)
        except TimeoutError as error:
            raise self._error(f"the download took longer than {seconds:g} s") from error
        except httpx.InvalidURL as error:
            raise self._error(f"an address in its answer is not valid ({error})") from error
        except httpx.HTTPError as error:
            raise self._error(str(error) or type(error).__name__) from error

    def _error(self, why: str) -> InputError:
        return InputError(
            f"{self.name!r} could not be fetched from {self.url}: {why.rstrip('.')}. "
            "Try again later, or download the file yourself and add it by its path."
        )

    def _client(self) -> httpx.AsyncClient:
        import httpx

        return httpx.AsyncClient(
            follow_redirects=False,
            timeout=httpx.Timeout(60.0, connect=20.0),
            headers={"Accept-Encoding": "identity", "User-Agent": "touchstone"},
        )

    async def _follow(self, client: httpx.AsyncClient) -> None:
        import httpx

        first = url = httpx.URL(self.url)
        check = PeerCheck(first.host, f"{self.name!r} in the OBO library")
        for _ in range(_REDIRECTS):
            self.progress(f"{self.name}: asking {url.host}")
            check.host = url.raw_host.decode("ascii")
            async with client.stream("GET", url, extensions={"trace": check}) as answer:
                if not answer.has_redirect_location:
                    return await self._save(answer)
                target = url.join(answer.headers["location"])
            if target.scheme != "https" and (target.scheme, target.host) != (first.scheme, first.host):
                raise self._error(f"it redirects to {target.scheme}://{target.host}, which is not secure")
            url = target
        raise self._error(f"it redirects more than {_REDIRECTS} times")

    async def _save(self, answer: httpx.Response) -> None:
        if answer.status_code == 404:
            raise InputError(
                f"The OBO library has no ontology {self.name!r} ({self.url} answers 404). "
                "Check the name at obofoundry.org, or add a file by its path."
            )
        if answer.status_code != 200:
            raise self._error(f"the answer is {answer.status_code} {answer.reason_phrase}")
        expected = int(answer.headers.get("content-length") or 0)
        of = f" of {source.megabytes(expected)}" if expected else ""
        if expected > self.max_bytes:
            raise self._error(f"it is larger than {source.megabytes(self.max_bytes)}, the limit")
        size, said, head = 0, 0, b""
        with self.part.open("wb") as file:
            async for chunk in answer.aiter_raw():
                size += len(chunk)
                if size > self.max_bytes:
                    raise self._error(f"it is larger than {source.megabytes(self.max_bytes)}, the limit")
                head = head if len(head) >= 1024 else head + chunk
                file.write(chunk)
                if size - said >= _SAY_EVERY:
                    self.progress(f"{self.name}: {source.megabytes(size)}{of}")
                    said = size
            file.flush()
            os.fsync(file.fileno())
        if source.looks_like_html(head) or not head.strip():
            raise self._error("the answer is a web page" if head.strip() else "the answer is empty")
        self.progress(f"{self.name}: {source.megabytes(size)} fetched")
