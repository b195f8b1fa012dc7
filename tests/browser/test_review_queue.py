"""Where a curator is in a queue: lists, the way back, the end, the unsure ones, filters and jumps."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.records import Action, NewDecision
from core.store import decisions, open_workspace
from pages.widgets.desk.chosen import list_address
from tests.browser.conftest import StartApp
from tests.browser.review import Desk, click
from tests.review.clinic import many

CORPORA = {"list": 5}


class House:
    """One server for this file, over a corpus, and so a queue, for each test."""

    def __init__(self, url: str, path: Path):
        self.url, self.path = url, path

    def desk(self, page: Page, corpus: str, curator: str = "alpha", more: str = "") -> Desk:
        return Desk(page, self.url, self.path, curator, f"?concept_labels.corpus={corpus}{more}")

    def items(self, corpus: str) -> list[int]:
        """Ids in document order, two a passage."""
        with open_workspace(self.path) as workspace:
            rows = workspace.db.execute(
                "SELECT i.id FROM items i JOIN passages p ON p.id = i.passage_id"
                " JOIN corpora c ON c.id = p.corpus_id WHERE c.name = ? AND i.kind = 'concept'"
                " ORDER BY p.doc_id, i.id",
                (corpus,),
            )
            return [row[0] for row in rows]

    def decide(self, action: Action, *items: int) -> None:
        """As `alpha` did some other day."""
        new = [NewDecision(f"before-{i}", "alpha", action, item_id=i) for i in items]
        with open_workspace(self.path) as workspace:
            assert all(done.number for done in decisions.append(workspace, new))


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> House:
    path = tmp_path_factory.mktemp("queue") / "queue.db"
    many(path, CORPORA)
    return House(module_app_server(path).url, path)


def test_a_list_is_walked_to_its_end_and_left(house: House, page: Page) -> None:
    """Decided items, too, in the order given; the place in the queue stays what it was."""
    ids = house.items("list")
    desk = house.desk(page, "list")
    desk.press("j", "j", "j")
    desk.shows(ids[3])
    house.decide(Action.REJECT, ids[8])
    query = list_address("concept_labels", "Three <b>fixes</b>", [ids[8], ids[2], ids[6]])
    page.goto(f"{house.url}/?concept_labels.corpus=list&" + "&".join(f"{k}={v}" for k, v in query.items()))
    desk.shows(ids[8])
    desk.see("List: Three <b>fixes</b>")
    desk.see("1 of 3")
    desk.press("a")
    desk.shows(ids[2])
    desk.see("2 of 3")
    page.wait_for_url(f"**item={ids[2]}*")
    page.reload()
    desk.shows(ids[2])
    desk.see("2 of 3")
    desk.press("j")
    desk.shows(ids[6])
    desk.press("x")
    desk.see("That was the last of this list")
    desk.saved()
    click(page.get_by_role("button", name="Leave the list"))
    desk.shows(ids[3])
    expect(page.get_by_text("List: Three")).to_have_count(0)
    found = desk.wait_for_decisions(3)
    assert found == [(ids[8], Action.REJECT), (ids[8], Action.ACCEPT), (ids[6], Action.REJECT)]
