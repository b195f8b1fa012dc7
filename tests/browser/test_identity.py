"""The browser remembers the curator and says so at once, unless somebody may be off to another page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import AppServer, StartApp
from tests.browser.review import Desk
from tests.review.clinic import many

RECORD = """
window.held = []
const start = window.setTimeout
window.setTimeout = (work, wait, ...more) => {
  if (String(work).includes("remembered")) window.held.push(wait)
  return start(work, wait, ...more)
}
window.asked = null
const read = Storage.prototype.getItem
Storage.prototype.getItem = function (name) {
  if (name.startsWith("touchstone.curator")) window.asked = performance.now()
  return read.call(this, name)
}
"""
"""Keeps how long, in milliseconds, what the browser remembers was held back, and when it was looked up."""
PRESSED = """
new Promise((say) => {
  const record = new PerformanceObserver((list) => say(list.getEntries()[0].startTime))
  record.observe({ type: "first-input", buffered: true })
  setTimeout(() => say(null), 300)
})
"""
"""When somebody first pressed something, in milliseconds; null: nobody did."""


@pytest.fixture(scope="module")
def server(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> AppServer:
    path = tmp_path_factory.mktemp("identity") / "identity.db"
    many(path, {"only": 60})
    return module_app_server(path)


def test_a_reload_after_a_click_waits_for_nothing(server: AppServer, page: Page) -> None:
    page.add_init_script(RECORD)
    desk = Desk(page, server.url, server.workspace, "phi")
    assert page.evaluate("held") == []
    page.get_by_role("heading", name="Concept labels").click()
    page.reload()
    desk.ready()
    assert page.evaluate("held") == []


def test_a_press_before_the_page_was_ready_holds_the_answer_back(server: AppServer, page: Page) -> None:
    """It may have been on a link: an answer would call Streamlit back to the page just left."""
    page.add_init_script(RECORD)
    desk = Desk(page, server.url, server.workspace, "chi")
    for _ in range(5):  # one press may come too late
        page.goto(f"{server.url}/concept_labels", wait_until="commit")
        while not page.evaluate("performance.getEntriesByType('paint').length"):
            pass  # before the first paint, Chromium drops it
        page.mouse.click(5, 5)
        desk.ready()
        pressed, asked, held = page.evaluate(f"(async () => [await ({PRESSED}), asked, held])()")
        if pressed is not None and pressed < asked:
            break
    assert pressed is not None
    left = pressed + 3000 - asked
    assert held == ([pytest.approx(left, abs=50)] if left > 0 else [])
