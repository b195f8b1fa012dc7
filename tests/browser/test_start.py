"""The start page in a browser: mark and name, the picture, and the way to the desk."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.store import decisions, open_workspace
from tests.browser.conftest import AppServer, StartApp
from tests.browser.review import PATIENCE, REST, click
from tests.review.clinic import items_of_run, many


@pytest.fixture(scope="module")
def server(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> AppServer:
    path = tmp_path_factory.mktemp("start") / "start.db"
    many(path, {"ward": 50})
    return module_app_server(path)


def test_mark_and_name_stand_on_every_page(server: AppServer, page: Page) -> None:
    page.set_default_timeout(PATIENCE)
    for width, shown in ((1400, "stSidebarHeader"), (420, "stHeader")):
        page.set_viewport_size({"width": width, "height": 900})
        for name in ("", "metrics"):
            page.goto(f"{server.url}/{name}")
            mark = page.get_by_test_id(shown).locator("img")
            mark.wait_for()
            assert mark.evaluate("(one) => one.complete && one.naturalWidth > 20")
            box = mark.bounding_box() or {}
            assert box["x"] < 100
            assert box["y"] < 50


def test_the_picture_says_in_words_what_it_shows(server: AppServer, page: Page) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(server.url)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("100 machine labels on 50 passages. Nobody has checked any yet.")
    expect(page.get_by_role("img", name="100 squares: 0 right, 100 not known, 0 wrong.")).to_be_visible()


def test_what_charts_are_drawn_with_is_loaded_while_somebody_reads(server: AppServer, page: Page) -> None:
    page.set_default_timeout(PATIENCE)
    with page.expect_request_finished(lambda request: "/PlotlyChart." in request.url):
        page.goto(server.url)


def test_review_leads_to_the_desk_on_twenty_labels_which_asks_for_a_name_at_the_first_decision(
    server: AppServer, page: Page
) -> None:
    with open_workspace(server.workspace) as workspace:
        first = items_of_run(workspace, "run-ward")[0]
    page.set_default_timeout(PATIENCE)
    page.goto(server.url)
    assert page.get_by_text("Who is reviewing?").count() == 0
    page.locator(REST).wait_for()
    page.get_by_role("link", name="Review 20 labels").click()
    page.get_by_role("heading", name="Seizure, affirmed?").wait_for()
    assert page.get_by_text("Who is reviewing?").count() == 0
    click(page.get_by_role("button", name="Reject"), then=page.get_by_label("Your name"))
    page.get_by_label("Your name").fill("Gamma")
    page.keyboard.press("Enter")
    page.locator(".card:not(.empty)").wait_for()
    expect(page.get_by_text("List: The next 20 labels")).to_be_visible()
    assert page.locator(".desk").get_attribute("data-item") == str(first)
    with open_workspace(server.workspace) as workspace:
        assert list(decisions.decisions(workspace)) == []


def test_an_address_of_when_the_desk_was_the_first_page_still_leads_there(
    server: AppServer, page: Page
) -> None:
    with open_workspace(server.workspace) as workspace:
        fifth = items_of_run(workspace, "run-ward")[4]
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/?concept_labels.corpus=ward&item={fifth}")
    page.wait_for_url(re.compile(r"/concept_labels\?"))
    click(page.get_by_role("button", name="Accept"), then=page.get_by_label("Your name"))
    page.get_by_label("Your name").fill("Delta")
    page.keyboard.press("Enter")
    expect(page.locator(".desk")).to_have_attribute("data-item", str(fifth))


def test_an_empty_workspace_is_no_error(app_server: StartApp, workspace_path: Path, page: Page) -> None:
    open_workspace(workspace_path).close()
    page.set_default_timeout(PATIENCE)
    page.goto(app_server(workspace_path).url)
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing is labelled yet")
    page.get_by_text("touchstone annotate --corpus").wait_for()
    assert page.get_by_test_id("stAlert").count() == 0


@pytest.mark.parametrize("width", [1400, 1024, 420])
def test_no_word_of_a_card_is_cut(server: AppServer, page: Page, width: int) -> None:
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(server.url)
    links = page.get_by_test_id("stMain").get_by_test_id("stPageLink-NavLink")
    links.nth(2).wait_for()
    cut = links.evaluate_all(
        "(all) => all.flatMap((link) => [...link.querySelectorAll('*')])"
        ".filter((one) => getComputedStyle(one).overflowX !== 'visible')"
        ".filter((one) => one.scrollWidth > one.clientWidth + 1)"
        ".map((one) => one.textContent)"
    )
    assert cut == []
