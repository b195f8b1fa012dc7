"""Tests share a browser context and its process, and nothing that one of them left there."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from core.store import open_workspace
from tests.browser.conftest import StartApp

FOUND = """async () => ({
    local: {...localStorage},
    session: {...sessionStorage},
    cookie: document.cookie.includes('left='),
    name: window.name,
    caches: await caches.keys(),
    databases: (await indexedDB.databases()).map((one) => one.name),
})"""
LEAVE = """async () => {
    localStorage.left = sessionStorage.left = window.name = 'here'
    document.cookie = 'left=here; max-age=1000'
    await caches.open('left')
    await new Promise((done) => { indexedDB.open('left').onsuccess = done })
}"""
EMPTY = {"local": {}, "session": {}, "cookie": False, "name": "", "caches": [], "databases": []}


@pytest.fixture(scope="module")
def address(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("context") / "w.db"
    open_workspace(path).close()
    return f"{module_app_server(path).url}/_stcore/health"


@pytest.mark.parametrize("go", ["first", "second"])
def test_a_page_finds_nothing_of_the_test_before(address: str, page: Page, go: str) -> None:
    page.goto(address)
    assert page.evaluate(FOUND) == EMPTY
    page.evaluate(LEAVE)
    assert page.evaluate(FOUND) != EMPTY
    assert len(page.context.pages) == 2, "the empty one, and this"
    page.context.new_page()
