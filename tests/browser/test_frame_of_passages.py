"""A frame of passages, from the page of metrics to the desk and back: each is decided and closed in turn."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from core.records import Action
from core.review.lists import LAST
from core.review.views.passages import EMPTY, LIST
from core.store import frames, ontologies, open_workspace
from tests.browser.conftest import AppServer, StartApp
from tests.browser.review import Desk, click
from tests.browser.test_blind_passages import add
from tests.browser.test_metrics_page import expect_rows
from tests.review.clinic import CATARACT, HYPOTONIA, SEIZURE, add_corpus, add_run, draft, item, ontology

TEXTS = {
    "n1": "Nothing of note.",
    "n2": "She had a seizure at two. Later low tone was seen.",
    "n3": "Cataract of one eye. Low tone.",
}
SEED = "3"
"""Draws the three in this order, and the second one as blind."""


@pytest.fixture
def house(app_server: StartApp, workspace_path: Path) -> AppServer:
    with open_workspace(workspace_path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        at = add_corpus(workspace, TEXTS)
        said = {"n2": [(HYPOTONIA, "low tone")], "n3": [(CATARACT, "Cataract"), (HYPOTONIA, "Low tone")]}
        drafts = {
            at[doc]: [draft(concept, TEXTS[doc], words) for concept, words in rows]
            for doc, rows in said.items()
        }
        add_run(workspace, drafts, "reader")
    return app_server(workspace_path)


def table(page: Page) -> Locator:
    return page.locator("[data-testid='stDataFrame']").first


def estimate(value: str, closed: int, answered: str) -> list[tuple[str, ...]]:
    """Rows of the table: with one concept rejected and one missing in n2, and two accepted in n3, all three
    figures are the same. The missing one was listed blind."""
    rows = [(name, value, f"{closed} of 3 passages") for name in ("Precision", "Recall", "F1")]
    return [*rows, ("Anchoring: missing, blind less shown", "1.000", answered)]


def open_frame(page: Page, url: str) -> None:
    page.goto(f"{url}/metrics")
    page.get_by_role("heading", name="Metrics", exact=True).wait_for()
    page.get_by_role("textbox", name="Name", exact=True).fill("notes")
    page.get_by_text("Passages, each as a whole").click()
    page.get_by_role("textbox", name="Seed: the same one draws the same").fill(SEED)
    click(page.get_by_role("button", name="Open the frame"))


def test_passages_of_a_frame_are_closed_one_by_one_and_its_estimate_grows(
    house: AppServer, workspace_path: Path, page: Page
) -> None:
    desk = Desk(page, house.url, workspace_path, "alpha")
    open_frame(page, house.url)
    link = page.get_by_role("link", name="Review these 3")
    link.wait_for()
    with open_workspace(workspace_path) as workspace:
        units = list(frames.units(workspace, "notes"))
        n1, n2, n3 = (unit.passage_id for unit in units)
        low_tone = item(workspace, n2, HYPOTONIA)
        left = [item(workspace, n3, concept) for concept in (CATARACT, HYPOTONIA)]
    assert [(unit.id, unit.blind) for unit in units] == [
        ("ward/n1", False),
        ("ward/n2", True),
        ("ward/n3", False),
    ]
    address = parse_qs(urlsplit(link.get_attribute("href") or "").query)
    assert address["concept_labels.passages"] == [f"{n1}.{n2}.{n3}"]
    click(link)

    card, place = page.locator(".card.whole"), page.locator(".progress strong")
    expect(card).to_contain_text(EMPTY)
    desk.see("List: Frame notes")
    expect(place).to_have_text("1 of 3")
    desk.press("x")
    desk.see("This is the passage as a whole")
    desk.press("p")
    expect(card).to_contain_text(LIST)
    expect(place).to_have_text("2 of 3")
    add(page, "seizure", SEIZURE)
    expect(card.locator("li")).to_have_count(1)
    desk.press("p")
    desk.shows(low_tone)
    expect(place).to_have_text("2 of 3")
    desk.press("x")
    expect(card).to_contain_text(LAST)
    expect(card.locator("li")).to_have_count(2)
    desk.press("p")
    desk.shows(left[0])
    expect(place).to_have_text("3 of 3")
    desk.saved()
    desk.press("z")  # the closing is taken back, and the passage asks for it again
    expect(card).to_contain_text(LAST)
    expect(place).to_have_text("2 of 3")
    desk.press("p")
    desk.shows(left[0])
    desk.saved()
    page.reload()
    desk.shows(left[0])
    expect(place).to_have_text("3 of 3")
    desk.wait_for_decisions(7)

    click(page.get_by_role("link", name="Back to the number"))
    expect_rows(page, table(page), estimate("0.000", 2, "1 shown, 1 blind"))
    click(page.get_by_role("link", name="Review this one"))
    desk.shows(left[0])
    expect(place).to_have_text("1 of 1")
    desk.press("j", "j")
    expect(card).to_contain_text(LAST)
    desk.press("j")
    desk.see("One passage of this list is not done yet")
    click(page.get_by_role("button", name="From the start"))
    desk.shows(left[0])
    desk.press("a", "a", "p")
    desk.see("That was the last of this list")
    desk.saved()
    assert [one.action for one in desk.log()][-3:] == [Action.ACCEPT, Action.ACCEPT, Action.CLOSE]
    click(page.get_by_role("link", name="Back to the number"))
    expect_rows(page, table(page), estimate("0.667 [0.667, 0.667]", 3, "2 shown, 1 blind"))
    expect(page.get_by_role("link", name="Review th")).to_have_count(0)
