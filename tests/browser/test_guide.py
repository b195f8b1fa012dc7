"""The guide in a browser: deep links, links between its pages, pictures, and nothing from outside."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from core.store import Workspace
from tests.browser.conftest import StartApp


def test_a_page_opens_at_its_heading_leads_on_in_its_tab_and_asks_nobody_else(
    app_server: StartApp, workspace: Workspace, page: Page
) -> None:
    server = app_server(workspace.path)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server.url}/guide?guide.page=Numbers#gold-references")
    expect(page.get_by_role("heading", name="Gold references")).to_be_in_viewport()
    page.goto(f"{server.url}/guide?guide.page=Conflicts")
    expect(page.locator("[data-testid=stImage] img")).to_be_visible()
    page.wait_for_function("document.querySelector('[data-testid=stImage] img').naturalWidth > 0")
    page.get_by_role("link", name="Curating").click()
    expect(page.get_by_role("heading", name="Keys")).to_be_in_viewport()
    assert page.url == f"{server.url}/guide?guide.page=Curating#keys"
    assert [url for url in asked if not url.startswith((server.url, "data:", "blob:"))] == []
    page.get_by_role("button", name="Formats").or_(page.get_by_role("radio", name="Formats")).click()
    expect(page.get_by_role("heading", name="Concept documents")).to_be_visible()
    assert page.url.startswith(f"{server.url}/guide?guide.page=Formats")
