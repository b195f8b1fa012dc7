"""Any list is a queue: from a number to the desk on its items, and back to the number, which has moved."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from core.records import Action
from core.store import corpora, open_workspace, queue
from tests.browser.conftest import AppServer, StartApp
from tests.browser.review import Desk, click, known_as
from tests.browser.test_metrics_page import click_cell, expect_rows, items, open_page
from tests.evaluate import ward

SPURIOUS = "metrics?metrics.view=Overview&open=metrics.counts/before:fp"
COUNTS = "xpath=//*[self::h2 or self::h3][contains(., 'Counts')]/following::*[@data-testid='stDataFrame'][1]"


@pytest.fixture
def house(app_server: StartApp, workspace_path: Path) -> AppServer:
    with open_workspace(workspace_path) as workspace:
        ward.fill(workspace)
    return app_server(workspace_path)


def spurious(path: Path) -> list[int]:
    """E of d1 and D of d2, as the table has them."""
    with open_workspace(path) as workspace:
        at = corpora.passage_ids(workspace, "ward")
        found = {
            (i.passage_id, i.subject): i.id for i in queue.items_of_passages(workspace, list(at.values()))
        }
        return [found[at["d1"], ward.E], found[at["d2"], ward.D]]


def counts(page: Page) -> Locator:
    return page.locator(COUNTS)


def test_a_number_is_reviewed_whole_and_has_moved_on_the_way_back(
    house: AppServer, workspace_path: Path, page: Page
) -> None:
    wanted = spurious(workspace_path)
    desk = Desk(page, house.url, workspace_path, "alpha")
    open_page(page, f"{house.url}/{SPURIOUS}")
    listed = items(page, "Spurious, as proposed: 2")
    expect_rows(page, listed, [("spurious", "d1", ward.E), ("spurious", "d2", ward.D)])
    expect_rows(page, counts(page), [("Right", "3"), ("Spurious", "2"), ("Missed", "1"), ("Undecided", "0")])
    link = page.get_by_role("link", name="Review these 2")
    address = link.get_attribute("href") or ""
    assert parse_qs(urlsplit(address).query)["concept_labels.items"] == [".".join(map(str, wanted))]
    click(link)
    for n, item in enumerate(wanted, start=1):
        desk.shows(item)
        desk.see("List: Spurious, as proposed: lexicon-1 against the imported gold ward")
        desk.see(f"{n} of 2")
        desk.press("x")
    desk.see("That was the last of this list")
    desk.saved()
    assert desk.wait_for_decisions(2) == [(item, Action.REJECT) for item in wanted]
    click(page.get_by_role("link", name="Back to the number"))
    right, missed, undecided = ("Right", "3", "3"), ("Missed", "1", "1"), ("Undecided", "0", "0")
    expect_rows(page, counts(page), [right, ("Spurious", "2", "0"), missed, undecided])
    items(page, "Spurious, as proposed: 2")  # the same cell is open
    expect(page.get_by_role("link", name="Review these 2")).to_be_visible()


def test_rows_are_shown_and_ticked_and_the_address_of_a_list_can_be_shared(
    house: AppServer, workspace_path: Path, page: Page
) -> None:
    wanted = spurious(workspace_path)
    known_as("alpha", page, workspace_path)
    open_page(page, f"{house.url}/{SPURIOUS}")
    listed = items(page, "Spurious, as proposed: 2")
    expect_rows(page, listed, [("spurious", "d1", ward.E), ("spurious", "d2", ward.D)])
    address = page.get_by_role("link", name="Review these 2").get_attribute("href") or ""
    own = page.get_by_role("link", name="Open in review")
    click_cell(page, listed, 0, 400, then=own)
    expect(own).to_have_attribute("href", f"concept_labels?item={wanted[0]}")
    page.keyboard.press("ArrowDown")
    expect(own).to_have_attribute("href", f"concept_labels?item={wanted[1]}")
    page.keyboard.press(" ")
    ticked = page.get_by_role("link", name="Review this one")
    expect(ticked).to_have_attribute("href", re.compile(rf"\.items={wanted[1]}$"))
    page.keyboard.press("ArrowUp")
    page.keyboard.press(" ")
    expect(page.get_by_role("link", name="Review these 2")).to_be_visible()
    expect(own).to_have_attribute("href", f"concept_labels?item={wanted[0]}")
    page.keyboard.press(" ")
    expect(ticked).to_be_visible()
    # another number: nothing of it is ticked
    click_cell(page, counts(page), 0, 600, then=page.get_by_role("link", name="Review these 3"))

    page.goto("about:blank")
    page.goto(f"{house.url}/{address}")
    expect(page.locator(".desk")).to_have_attribute("data-item", str(wanted[0]))
    page.get_by_text("1 of 2").first.wait_for()
    expect(page.get_by_role("link", name="Back to the number")).to_be_visible()
    second = page.context.new_page()
    second.goto(f"{house.url}/{address}")
    second.get_by_text("This list is open in another tab of yours").wait_for()
    expect(second.get_by_role("button", name="Look again")).to_be_visible()
