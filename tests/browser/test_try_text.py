"""Own texts in a browser: underlined and listed at once, never markup, and one press from review."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page, expect

from core.store import corpora, open_workspace
from tests.browser.conftest import AppServer, StartApp
from tests.browser.review import PATIENCE, REST, click, no_dialogs, outside_requests
from tests.review.clinic import furnish

TEXT = "He had a seizure, <b onclick=alert(1)>no</b> cataract. Hypotonia\u202e was suspected."
SECONDS = 2
"""From the press to what was found; of the best of a few tries, since other work may hold one up."""


@pytest.fixture(scope="module")
def server(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> AppServer:
    path = tmp_path_factory.mktemp("own") / "own.db"
    with open_workspace(path) as workspace:
        furnish(workspace)
    return module_app_server(path)


def paste(page: Page, url: str, text: str) -> float:
    """Paste a text and ask for its concepts; seconds until they are there."""
    page.set_default_timeout(PATIENCE)
    page.goto(f"{url}/try_text")
    page.get_by_label("A passage of a report or an abstract").fill(text)
    page.locator(REST).wait_for()
    begun = time.perf_counter()
    page.get_by_role("button", name="Show its concepts").click()
    page.locator(".reading").wait_for()
    return time.perf_counter() - begun


def test_concepts_are_underlined_by_status_and_listed_within_two_seconds(
    server: AppServer, page: Page
) -> None:
    outside = outside_requests(page, server.url)
    with no_dialogs(page):
        assert min(paste(page, server.url, TEXT) for _ in range(3)) < SECONDS
    marks = page.locator(".reading .text mark")
    found = marks.evaluate_all("(all) => all.map((one) => [one.textContent, one.className, one.title])")
    assert found == [
        ["seizure", "solid", "Seizure: affirmed"],
        ["cataract", "dashed", "Cataract: negated"],
        ["Hypotonia", "wavy", "Hypotonia: uncertain"],
    ]
    assert page.locator(".reading .text").text_content() == TEXT.replace("\u202e", "[U+202E]")
    assert page.locator(".reading b").count() == 0
    lines = marks.evaluate_all("(all) => all.map((one) => getComputedStyle(one).textDecorationStyle)")
    assert lines == ["solid", "dashed", "wavy"]
    rows = page.locator(".reading tbody tr").all_inner_texts()
    assert [row.split("\t") for row in rows] == [
        ["Seizure", "affirmed", "“seizure”"],
        ["Hypotonia", "uncertain", "“Hypotonia”"],
        ["Cataract", "negated", "“cataract”"],
    ]
    assert outside == []


def test_review_opens_the_desk_on_this_text_once_somebody_has_a_name(server: AppServer, page: Page) -> None:
    paste(page, server.url, TEXT)
    click(page.get_by_role("button", name="Review these 3"), then=page.get_by_role("button", name="Accept"))
    click(page.get_by_role("button", name="Accept"), then=page.get_by_label("Your name"))
    page.get_by_label("Your name").fill("Expert")
    page.keyboard.press("Enter")
    page.locator(".card:not(.empty)").wait_for()
    expect(page.locator(".text").first).to_contain_text("He had a seizure")
    page.get_by_text("never leave this machine").first.wait_for()
    page.keyboard.press("a")
    expect(page.locator(".sync.saved")).to_be_visible()
    with open_workspace(server.workspace) as workspace:
        assert [one.name for one in corpora.list_corpora(workspace)] == ["own-text-1", "ward"]


def test_two_abstracts_show_their_claims_and_where_they_seem_to_disagree(
    server: AppServer, page: Page
) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/try_text")
    page.get_by_role("tab", name="Two abstracts").click()
    shown = page.get_by_text("They seem to disagree")
    click(page.get_by_role("button", name="Take two examples"), then=shown)
    page.get_by_text("Contextual contradiction.").wait_for()
    disputed = page.locator(".reading mark.dashed")
    expect(disputed).to_have_count(2)
    assert "reduced the number of falls" in disputed.first.inner_text()
    assert "increased the number of falls" in disputed.last.inner_text()


def test_a_text_as_long_as_a_book_gets_a_message(server: AppServer, page: Page) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/try_text")
    page.get_by_label("A passage of a report or an abstract").fill("seizure " * 25_000)
    click(page.get_by_role("button", name="Show its concepts"), then=page.get_by_test_id("stAlert"))
    expect(page.get_by_test_id("stAlert")).to_contain_text("at most 20,000")
