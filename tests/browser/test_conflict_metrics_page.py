"""From a cell of the matrix of conflict types to its pair, and from a frame to its pairs, with a mouse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from core.records import Action, ConflictType, NewDecision, PairAnswer
from core.review.frames import next_units
from core.store import decisions, open_workspace, pairs
from tests.browser.conftest import StartApp
from tests.browser.review import PATIENCE, Desk, click
from tests.browser.test_metrics_page import CELLS, chart, click_cell, expect_rows, items
from tests.review.pairs.library import furnish


def one_answered(path: Path) -> tuple[int, str]:
    """Item and id of the one of four pairs that a curator has answered: a direct contradiction that was
    labelled contextual."""
    with open_workspace(path) as workspace:
        item = furnish(workspace).items[0]
        pair = next(p for p in pairs.pairs(workspace, "alpha") if p.item_id == item)
        answer = PairAnswer(pair.pair_id, True, ConflictType.DIRECT_CONTRADICTION)
        decisions.append(workspace, [NewDecision("c", "alpha", Action.FIX, item_id=item, answer=answer)])
    return item, pair.pair_id


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, int, str]:
    """A server, and the answered pair."""
    path: Path = tmp_path_factory.mktemp("conflicts") / "conflicts.db"
    item, pair_id = one_answered(path)
    return module_app_server(path).url, item, pair_id


def test_a_confusion_cell_leads_to_its_pair_and_on_to_its_review(
    house: tuple[str, int, str], page: Page
) -> None:
    """Row 2 of six, column 3: gold direct, labelled contextual."""
    url, item, pair_id = house
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": 1400, "height": 2600})
    page.goto(f"{url}/conflict_metrics?conflict_metrics.view=Types")
    page.get_by_role("heading", name="Conflict metrics").wait_for()
    page.keyboard.press("Escape")
    matrix = chart(page, "Gold type against predicted type")
    cell = matrix.locator(CELLS).nth(6 + 2)
    box = cell.bounding_box()
    assert box is not None
    assert abs(box["width"] - box["height"]) < 2
    click(cell, force=True)
    found = items(page, "direct contradiction, contextual contradiction: 1")
    expect_rows(page, found, [("confused", "trials-0000 + trials-0001", pair_id)])
    link = page.get_by_role("link", name="Open in review")
    click_cell(page, found, 0, 300, then=link)  # anywhere on the row
    link.click()
    page.wait_for_url(re.compile(rf"conflict_labels\?item={item}$"))


def test_a_frame_is_opened_decided_on_the_desk_and_estimated(
    module_app_server: StartApp, workspace_path: Path, page: Page
) -> None:
    """One pair was given another type; of the three left one is rejected and two accepted: 2 of 4."""
    one_answered(workspace_path)
    url = module_app_server(workspace_path).url
    desk = Desk(page, url, workspace_path, "alpha", "conflict_labels")
    page.set_viewport_size({"width": 1400, "height": 1800})
    page.goto(f"{url}/conflict_metrics?conflict_metrics.view=Whole+run")
    page.get_by_role("heading", name="Conflict metrics").wait_for()
    page.get_by_role("textbox", name="Name", exact=True).fill("pilot")
    click(page.get_by_role("button", name="Open the frame"))
    table = page.locator("[data-testid='stDataFrame']").first
    link = page.get_by_role("link", name="Review these 3")
    link.wait_for()
    with open_workspace(workspace_path) as workspace:
        left = [unit.item_id or 0 for unit in next_units(workspace, "pilot")]
    assert len(left) == 3
    click(link)
    for item, key in zip(left, "xaa", strict=True):
        desk.shows(item)
        desk.see("List: Frame pilot")
        desk.press(key)
    desk.see("That was the last of this list")
    desk.saved()
    desk.wait_for_decisions(4)
    click(page.get_by_role("link", name="Back to the number"))
    beside = ("Anchoring: shown less blind", "4 shown, 0 blind", "0")  # none of so few is blind
    expect_rows(page, table, [("Accuracy", "0.500 [0.500, 0.500]", "4 of 4 pairs"), beside])
    assert page.get_by_role("link", name=re.compile("Review these")).count() == 0
