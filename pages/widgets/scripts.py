"""Scripts with an address of their own: a browser reads and compiles one once and keeps it, where a script
that comes with its component is sent and compiled at each load.

The address holds a digest of the script, so a changed script has another address.
"""

from __future__ import annotations

import hashlib
import json

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

PREFIX = "/scripts"
KEPT = {"Cache-Control": "public, immutable, max-age=31536000"}
_scripts: dict[str, str] = {}


def module(name: str, script: str) -> str:
    """What a component gets as its script: it fetches the real one from its address.

    Args:
        name: of the component, in letters that need no escape in an address.
        script: JavaScript of a module; its default export is the component's.
    """
    digest = hashlib.sha256(script.encode()).hexdigest()[:32]
    file = f"{name}-{digest}.js"
    _scripts[file] = script
    address = json.dumps(f"{_folder()}/{file}")
    return (
        f"const script = await import(new URL({address}, location.origin).href)\n"
        "export default script.default\n"
    )


def routes() -> list[Route]:
    """Where the server answers with them."""
    return [Route(f"{_folder()}/{{file}}", _answer)]


def _folder() -> str:
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}{PREFIX}" if base else PREFIX


async def _answer(request: Request) -> Response:
    script = _scripts.get(request.path_params["file"])
    if script is None:
        return PlainTextResponse("There is no such script.", 404)
    return Response(script, media_type="text/javascript", headers=KEPT)
