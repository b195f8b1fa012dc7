"""Who reaches the app, under which name, and what its pages may do in a browser: around every route.

A browser on this machine also shows pages of others, and those can send requests here. So a request counts
only if it names this server as its host and comes from one of its own pages, and no page may frame the app.
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse

from core.addresses import check_listening, is_loopback
from core.errors import InputError

REFUSED = 1008  # websocket: policy violation


def middleware() -> list[Middleware]:
    return [Middleware(Perimeter)]


def check_address() -> None:
    """End the start of a server that would listen beyond this machine, whatever asked for that, unless the
    script was given `--listen ADDRESS --no-login`."""
    try:
        check_listening(st.get_option("server.address"), meant=_meant())
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)


def _meant() -> str | None:
    """The address of `--listen ADDRESS --no-login` among the script's own arguments."""
    given = sys.argv[1:]
    if "--no-login" in given and "--listen" in given[:-1]:
        return given[given.index("--listen") + 1]
    return None


class Perimeter:
    """ASGI middleware: refuses what is not from here, and sets the headers of every answer."""

    def __init__(self, app: Any):
        self._app = app
        self._hosts = {name.strip().lower() for name in st.get_option("server.allowedHosts")}
        self._beyond = _meant() is not None
        self._headers = _headers()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        cause = self._refusal(scope)
        if cause and scope["type"] == "websocket":
            return await send({"type": "websocket.close", "code": REFUSED, "reason": cause})

        async def answer(message: Any) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self._headers | _opener(Headers(scope=scope)))
            await send(message)

        inner = PlainTextResponse(cause, 403) if cause else self._app
        await inner(scope, receive, answer)

    def _refusal(self, scope: Any) -> str | None:
        """Why a request is not answered; None: it is."""
        headers = Headers(scope=scope)
        if len(headers.getlist("host")) != 1 or _name(headers["host"]) not in self._hosts:
            return "The host asked for is not in server.allowedHosts of .streamlit/config.toml."
        if not self._beyond and not is_loopback((scope.get("server") or ("",))[0]):
            return "The app is for this machine alone; see touchstone app --listen."
        # a proxy in front may do TLS, and then only the browser knows of it
        schemes = ("https", "http") if scope["scheme"] in ("http", "ws") else ("https",)
        own = [[f"{scheme}://{headers['host']}"] for scheme in schemes]
        origins = headers.getlist("origin")
        if origins not in own and (origins or scope["type"] == "websocket"):
            return "The request comes from a page of another origin."
        from_elsewhere = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        if from_elsewhere and headers.get("sec-fetch-dest") != "document":
            return "A page of another origin asks for a part of the app."
        return None


def _name(host: str) -> str | None:
    """The host name in a Host header; None where the header is more than name and port."""
    try:
        parts = urlsplit(f"//{host}")
        name, _ = parts.hostname, parts.port
    except ValueError:
        return None
    return name if parts.netloc == host and "@" not in host else None


def _opener(asked: Headers) -> dict[str, str]:
    """Parts the app from a page that opened it. Where the address was typed, or the app's own page led here,
    there is none, and the browser need not begin a new process: a twentieth of a second."""
    alone = asked.get("sec-fetch-site") in ("none", "same-origin")
    return {} if alone else {"Cross-Origin-Opener-Policy": "same-origin"}


def _headers() -> dict[str, str]:
    """What every answer says to the browser. Streamlit needs: styles made by scripts, scripts of components
    as blobs, images of charts as data and blobs, and no other host."""
    policy = {
        "default-src": "'none'",
        "script-src": f"'self' blob: {_inline_script()}".strip(),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' data: blob:",
        "connect-src": "'self' data: blob:",
        "worker-src": "'self' blob:",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {sources}" for name, sources in policy.items()),
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    }


def _inline_script() -> str:
    """The hashes that let the scripts inside Streamlit's own page run, and no other inline script."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_text("utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in digests)
