"""A script with an address of its own: the browser gets what was given, may keep it, and asks anew for
another one."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit import config

from pages.widgets import scripts

SCRIPT = "export default () => 'Größe 😀'\n"


def address(module: str) -> str:
    """What a component's module fetches."""
    [found] = re.findall(r'import\(new URL\((".*?"), location\.origin\)', module)
    return str(json.loads(found))


def client() -> TestClient:
    return TestClient(Starlette(routes=scripts.routes()))


@pytest.fixture
def base() -> Iterator[None]:
    """A server below an address, as behind a proxy."""
    before = config.get_option("server.baseUrlPath")
    config.set_option("server.baseUrlPath", "/labels/")
    yield
    config.set_option("server.baseUrlPath", before)


def test_it_is_answered_as_it_was_given_and_may_be_kept() -> None:
    where = address(scripts.module("size_desk", SCRIPT))
    assert where == f"/scripts/size_desk-{hashlib.sha256(SCRIPT.encode()).hexdigest()[:32]}.js"
    answer = client().get(where)
    assert (answer.status_code, answer.text) == (200, SCRIPT)
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "immutable" in answer.headers["cache-control"]


def test_a_changed_script_has_another_address_and_the_old_one_stays() -> None:
    first, second = (address(scripts.module("size_desk", text)) for text in (SCRIPT, SCRIPT + "// new\n"))
    assert first != second
    assert [client().get(where).text for where in (first, second)] == [SCRIPT, SCRIPT + "// new\n"]


def test_below_an_address_of_the_server(base: None) -> None:
    where = address(scripts.module("size_desk", SCRIPT))
    assert where.startswith("/labels/scripts/size_desk-")
    assert client().get(where).text == SCRIPT


@pytest.mark.parametrize("file", ["size_desk.js", "..%2f..%2fapp.py", "size_desk-0.js"])
def test_nothing_else_is_answered(file: str) -> None:
    scripts.module("size_desk", SCRIPT)
    answer = client().get(f"/scripts/{file}")
    assert answer.status_code == 404
    assert "cache-control" not in answer.headers
