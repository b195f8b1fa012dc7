"""From agreement to the items on which two curators differ, with a mouse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.store import open_workspace
from tests.browser.conftest import StartApp
from tests.browser.review import PATIENCE, REST
from tests.browser.test_metrics_page import LOADING, chart
from tests.evaluate import ward


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> str:
    """One server for this file: its address; two curators have decided."""
    path: Path = tmp_path_factory.mktemp("agreement") / "agreement.db"
    with open_workspace(path) as workspace:
        ids = ward.fill(workspace)
        ward.review(workspace, ids)
        ward.second_review(workspace, ids)
    return module_app_server(path).url


def open_page(page: Page, url: str) -> None:
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": 1400, "height": 3600})
    page.goto(f"{url}/agreement")
    page.get_by_role("heading", name="What Alpha says").wait_for(timeout=LOADING)


def test_a_dot_opens_its_item(page: Page, house: str) -> None:
    open_page(page, house)
    dots = chart(page, "Item by item")
    expect(dots.get_by_text("split (3)")).to_be_visible()
    page.locator(REST).wait_for()
    dots.locator(".scatterlayer .trace .point").nth(2).click(force=True)  # one is both yes; of three split
    expect(page.get_by_text("3, item: 3", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Review this one")).to_be_visible()
    assert "open=agreement.dots" in page.url


def test_the_button_opens_all_that_they_differ_on(page: Page, house: str) -> None:
    open_page(page, house)
    settle = page.get_by_role("link", name="Settle these 3")
    expect(settle).to_be_visible()
    settle.click()
    expect(page).to_have_url(re.compile(r"items=\d+\.\d+\.\d+"))
    expect(page).to_have_url(re.compile(r"back=agreement"))
