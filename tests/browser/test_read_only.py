"""An app that is open to look at only: no name is asked for, one goes through the items, and no key saves."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from core.store import decisions, open_workspace
from tests.browser.conftest import StartApp
from tests.browser.review import REST
from tests.evaluate import ward
from tests.review.pairs.library import furnish

SAYS_NO = "Nothing is saved: this workspace is open to look at only."


def test_a_desk_shows_its_items_and_saves_nothing(
    app_server: StartApp, workspace_path: Path, page: Page
) -> None:
    with open_workspace(workspace_path) as workspace:
        ward.fill(workspace)
        furnish(workspace)
    before = workspace_path.read_bytes()
    url = app_server(workspace_path, TOUCHSTONE_READ_ONLY="1").url
    for address in ("concept_labels?concept_labels.corpus=ward", "conflict_labels"):
        page.goto(f"{url}/{address}")
        page.locator(".card:not(.empty)").wait_for()
        page.locator(REST).wait_for()
        expect(page.get_by_text("Open to look at only: nothing is saved here.")).to_be_visible()
        assert page.get_by_label("Curator").count() == 0
        desk = page.locator(".desk")
        first = desk.get_attribute("data-item")
        for key in ("a", "x", "s", "z"):
            page.keyboard.press(key)
            expect(
                page.get_by_text("Nothing is saved: this workspace is open to look at only.")
            ).to_be_visible()
            expect(desk).to_have_attribute("data-item", str(first))
        page.keyboard.press("j")
        expect(desk).not_to_have_attribute("data-item", str(first))
    with open_workspace(workspace_path, create=False, read_only=True) as workspace:
        assert list(decisions.decisions(workspace)) == []
    assert workspace_path.read_bytes() == before


def test_reports_are_shown_at_once_and_with_everybodys_answers(
    app_server: StartApp, workspace_path: Path, page: Page
) -> None:
    with open_workspace(workspace_path) as workspace:
        ward.review(workspace, ward.fill(workspace))
    url = app_server(workspace_path, TOUCHSTONE_READ_ONLY="1").url
    page.goto(f"{url}/metrics")
    expect(page.get_by_role("heading", name="Right, spurious, missed")).to_be_visible()
    page.get_by_role("link", name="Corpus", exact=True).click()
    page.get_by_role("heading", name="Corpus", exact=True).wait_for()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
