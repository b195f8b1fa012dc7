"""Where a curator is among claim pairs: lists, the way back, the end, what is unsure, filters, jumps."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from core.records import Action, Origin, Tier
from core.store import open_workspace
from tests.browser.conftest import StartApp
from tests.browser.queues import Queues
from tests.browser.review import click
from tests.review.pairs.library import IN_DENMARK, IN_VIETNAM, Draft, contextual, direct, many, shelve

QUEUES = {"one": 6, "walk": 6, "end": 4, "held": 4, "over": 4, "link": 40, "jump": 60, "mine": 6}
ACCEPT, REJECT, UNSURE = Action.ACCEPT, Action.REJECT, Action.UNSURE


def mixed() -> list[Draft]:
    """One of each: contextual, direct, in another domain and tier, by rule alone."""
    a, b = IN_DENMARK, IN_VIETNAM
    model = direct(a, b, origin=Origin.MODEL)
    return [
        Draft(a, b, (contextual(a, b),), score=0.9),
        Draft(f"{a} 2.", f"{b} 2.", (model,), score=0.8),
        Draft(f"{a} 3.", f"{b} 3.", (contextual(a, b),), Tier.PILOT, 0.7, "oncology"),
        Draft(f"{a} 4.", f"{b} 4.", (direct(a, b),), score=0.6),
    ]


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Queues:
    path = tmp_path_factory.mktemp("pair-queue") / "queue.db"
    shelves = many(path, QUEUES)
    with open_workspace(path) as workspace:
        shelves["mixed"] = shelve(workspace, mixed(), corpus="mixed", run="run-mixed")
    ids = {corpus: library.items for corpus, library in shelves.items()}
    return Queues(module_app_server(path), path, ids, kind="conflict")


def test_a_list_of_one_pair_leads_back_to_its_place(house: Queues, page: Page) -> None:
    """A pair that was decided before; what was typed and not saved elsewhere stays."""
    ids = house.ids["one"]
    desk = house.desk(page, "one")
    desk.press("a", "j")
    desk.shows(ids[2])
    desk.wait_for_decisions(1)
    desk.saved()
    page.goto(house.listed("one", "A single <b>pair</b>", ids[0]))
    desk.shows(ids[0])
    desk.see("List: A single <b>pair</b>")
    desk.see("1 of 1")
    desk.press("x")
    desk.see("That was the last of this list")
    desk.saved()
    click(page.get_by_role("button", name="Leave the list"))
    desk.shows(ids[2])
    expect(page.get_by_text("List: A single")).to_have_count(0)
    assert desk.wait_for_decisions(2) == [(ids[0], ACCEPT), (ids[0], REJECT)]


def test_a_list_of_pairs_is_walked_in_its_order(house: Queues, page: Page) -> None:
    ids = house.ids["walk"]
    desk = house.desk(page, "walk")
    page.goto(house.listed("walk", "Three", ids[4], ids[0], ids[2]))
    for n, (item, key) in enumerate(zip((ids[4], ids[0], ids[2]), "aja", strict=True), start=1):
        desk.shows(item)
        desk.see(f"{n} of 3")
        desk.press(key)
    desk.see("That was the last of this list")
    page.get_by_role("button", name="From the start").click()
    desk.shows(ids[4])
    assert desk.wait_for_decisions(2) == [(ids[4], ACCEPT), (ids[2], ACCEPT)]


def test_the_end_says_what_is_unsure_and_leads_through_it(house: Queues, page: Page) -> None:
    ids = house.ids["end"]
    desk = house.desk(page, "end")
    for item, key in zip(ids, "asxs", strict=True):
        desk.shows(item)
        desk.press(key)
    desk.see("2 unsure left: now or later?")
    expect(page.get_by_text("Every item")).to_have_count(0)
    desk.saved()
    desk.press("u")
    desk.shows(ids[1])
    desk.see("Your unsure ones, once more.")
    desk.press("a")
    desk.shows(ids[3])
    desk.press("s")  # still: said once, stored once
    desk.see("1 still unsure")
    desk.press("u")
    desk.see("1 unsure left: now or later?")
    desk.press("u")
    desk.shows(ids[3])
    desk.press("x")
    desk.see("Nothing is unsure any more")
    desk.press("u")
    desk.see("Every item of this queue is decided")
    first = list(zip(ids, (ACCEPT, UNSURE, REJECT, UNSURE), strict=True))
    assert desk.wait_for_decisions(6) == [*first, (ids[1], ACCEPT), (ids[3], REJECT)]


def test_the_end_says_what_is_undecided(house: Queues, page: Page) -> None:
    """Of the four one is with somebody else and one was answered by others: how, nobody is told."""
    ids = house.ids["held"]
    house.decide("held", UNSURE, ids[0], by="beta")
    house.hold(ids[1])
    desk = house.desk(page, "held")
    desk.press("a", "a")
    desk.see("Nothing more to decide here at the moment")
    desk.see("One item is open with another curator, or in another tab of yours, at the moment.")
    desk.see("One item was answered by others.")
    desk.see("mine 2, all 3 of 4")
    assert "unsure" not in desk.text(".desk").lower()


def test_what_lies_over_the_end_keeps_its_keys(house: Queues, page: Page) -> None:
    """Also when an item comes meanwhile: what is typed decides nothing."""
    ids = house.ids["over"]
    house.hold(ids[3])
    desk = house.desk(page, "over")
    desk.press("x", "x", "x")
    desk.see("Nothing more to decide here at the moment")
    desk.saved()
    desk.press("h")
    expect(page.get_by_role("region", name="Help")).to_be_visible()
    desk.press("Escape", "0", "a")
    sought = page.get_by_role("combobox", name="Document id")
    expect(sought).to_have_value("a")
    house.hold()
    page.evaluate("[...touchstoneDesks.values()].forEach((desk) => desk.beat())")
    desk.shows(ids[3])
    desk.press("x", "s")
    expect(sought).to_have_value("axs")
    desk.press("Escape", "a")
    assert desk.wait_for_decisions(4) == [*((item, REJECT) for item in ids[:3]), (ids[3], ACCEPT)]


def test_the_place_is_kept_when_a_pair_is_opened_from_elsewhere(house: Queues, page: Page) -> None:
    ids = house.ids["link"]
    more = "&conflict_labels.tier=Full"
    desk = house.desk(page, "link", more=more)
    desk.press(*"jja")
    desk.shows(ids[3])
    page.get_by_role("link", name="Metrics", exact=True).click()
    page.get_by_role("heading", name="Metrics", exact=True).wait_for()
    page.get_by_role("link", name="Conflict labels").click()
    desk.shows(ids[3])
    desk.see("link, all runs, likeliest conflict first, full")  # the filters, too
    page.goto(f"{house.url}/{house.address('link', more)}&item={ids[35]}")
    desk.shows(ids[35])
    desk.see("Opened out of turn. Your place in the queue is kept.")
    desk.press("x")
    desk.shows(ids[3])
    page.locator(".slot-history li button").first.click()  # rejected just now, far from here
    desk.shows(ids[35])
    page.get_by_role("button", name="Back to your place").click()
    desk.shows(ids[3])
    desk.press("s")
    desk.shows(ids[4])
    assert [row[0] for row in desk.wait_for_decisions(3)] == [ids[2], ids[35], ids[3]]


def test_an_article_is_gone_to_by_its_id_and_the_place_kept(house: Queues, page: Page) -> None:
    """Two articles a pair: either leads there."""
    ids = house.ids["jump"]
    desk = house.desk(page, "jump")
    desk.press("j", "j", "0")
    page.keyboard.type("jump-01")
    desk.see("There is no document jump-01 here. These hold it in their ids:")
    expect(page.get_by_role("option")).to_have_count(8)
    desk.press("Enter")  # nothing is chosen yet
    page.keyboard.type("01")
    expect(page.locator('[role="option"][aria-selected="true"]')).to_have_count(1)
    desk.press("Enter")
    desk.shows(ids[50])
    desk.see("Opened out of turn. Your place in the queue is kept.")
    desk.press("x")
    desk.shows(ids[2])
    desk.press("0")
    page.keyboard.type("nowhere")
    desk.see("There is no document nowhere here.")
    desk.press("Escape", "x")
    assert desk.wait_for_decisions(2) == [(ids[50], REJECT), (ids[2], REJECT)]


def test_own_answers_are_walked_by_an_address(house: Queues, page: Page) -> None:
    ids = house.ids["mine"]
    house.decide("mine", REJECT, ids[3], ids[1])
    house.decide("mine", UNSURE, ids[2])
    desk = house.desk(page, "mine", more="&conflict_labels.show=My+rejects")
    desk.shows(ids[1])
    desk.press("a")
    desk.shows(ids[3])
    desk.press("x")
    desk.see("That was the last of these")
    page.goto(f"{house.url}/{house.address('mine', '&conflict_labels.show=My+unsure+ones')}")
    desk.shows(ids[2])
    page.goto(f"{house.url}/{house.address('mine', '&conflict_labels.document=mine-0009')}")
    desk.shows(ids[4])
    desk.see("0 / 1")
    page.goto(f"{house.url}/{house.address('mine', '&conflict_labels.document=mine-9')}")
    desk.see("There is no document mine-9 in mine.")


def test_filters_leave_only_what_passes_them(house: Queues, page: Page) -> None:
    ids = house.ids["mixed"]
    desk = house.desk(page, "mixed")
    for filters, left in {
        "conflict_labels.type=Contextual+contradiction": (ids[2], ids[0]),
        "conflict_labels.type=Direct+contradiction&conflict_labels.origin=Heuristic+only": (ids[3],),
        "conflict_labels.tier=Pilot&conflict_labels.domain=oncology": (ids[2],),
    }.items():
        page.goto(f"{house.url}/{house.address('mixed', f'&{filters}')}")
        for item in left:
            desk.shows(item)
            desk.press("j")
        desk.see(f"0 / {len(left)}")
    assert desk.log() == []
