"""While the server is gone, the desk says so and goes on."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import StartApp
from tests.browser.review import Desk
from tests.review.clinic import many


def test_the_desk_says_that_the_server_is_gone_and_keys_go_on(
    app_server: StartApp, workspace_path: Path, page: Page
) -> None:
    many(workspace_path, {"gone": 6})
    server = app_server(workspace_path)
    desk = Desk(page, server.url, workspace_path, "rho", "?concept_labels.corpus=gone")
    gone, dialog = page.locator(".notice.gone"), page.get_by_role("dialog")
    seen = []

    def decide(name: str) -> None:
        seen.append(desk.current)
        desk.press(name)

    server.freeze()  # nothing tells the browser, and nothing waits for an answer
    expect(gone).to_contain_text("Touchstone's server does not answer.")
    decide("a")
    server.kill()  # now Streamlit knows, too, and opens its dialog
    page.wait_for_timeout(12_000)
    decide("x")
    decide("s")
    expect(gone).to_be_visible()
    expect(dialog).to_have_count(0)
    assert len(set(seen)) == 3
    server.start()
    assert [item for item, _ in desk.wait_for_decisions(3)] == seen
    expect(gone).to_have_count(0)
    desk.saved()


def test_a_busy_server_still_leads_to_the_page_of_a_link(
    app_server: StartApp, workspace_path: Path, page: Page
) -> None:
    """A message of the desk behind the click would call Streamlit back."""
    many(workspace_path, {"busy": 6})
    server = app_server(workspace_path)
    desk = Desk(page, server.url, workspace_path, "rho", "?concept_labels.corpus=busy")
    desk.saved()
    server.freeze()
    desk.press("a")
    page.get_by_role("link", name="Metrics", exact=True).click()
    page.wait_for_timeout(5_000)  # the desk would say again what nobody has acknowledged
    server.thaw()
    page.get_by_role("heading", name="Metrics", exact=True).wait_for()
    page.get_by_role("link", name="Concept labels").click()
    desk.ready()
    desk.wait_for_decisions(1)
