"""Where a curator is in a queue: lists, the way back, the end, the unsure ones, filters and jumps."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from core.records import Action
from core.store import open_workspace
from tests.browser.conftest import StartApp
from tests.browser.queues import Queues
from tests.browser.review import click
from tests.review.clinic import many
from tests.review.overlapping import drawn, names

CORPORA = {"sitting": 2, "list": 5, "end": 2, "held": 2, "link": 40, "jump": 40, "filter": 5, "twice": 5}


def items(path: Path, corpus: str) -> tuple[int, ...]:
    """Ids in document order, two a passage."""
    with open_workspace(path) as workspace:
        rows = workspace.db.execute(
            "SELECT i.id FROM items i JOIN passages p ON p.id = i.passage_id"
            " JOIN corpora c ON c.id = p.corpus_id WHERE c.name = ? AND i.kind = 'concept'"
            " ORDER BY p.doc_id, i.id",
            (corpus,),
        )
        return tuple(row[0] for row in rows)


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Queues:
    path = tmp_path_factory.mktemp("queue") / "queue.db"
    many(path, CORPORA)
    ids = {corpus: items(path, corpus) for corpus in CORPORA}
    return Queues(module_app_server(path), path, ids)


def test_a_list_is_walked_to_its_end_and_left(house: Queues, page: Page) -> None:
    """Decided items, too, in the order given; the place in the queue stays what it was."""
    ids = house.ids["list"]
    desk = house.desk(page, "list")
    desk.press("j", "j", "j")
    desk.shows(ids[3])
    house.decide("list", Action.REJECT, ids[8])
    page.goto(house.listed("list", "Three <b>fixes</b>", ids[8], ids[2], ids[6]))
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


def test_passage_done_warns_of_what_is_unsure_and_the_end_leads_through_it(house: Queues, page: Page) -> None:
    ids = house.ids["end"]  # seizure and hypotonia, twice
    desk = house.desk(page, "end")
    desk.press("a", "s")
    desk.see("All of end000 is answered, 1 as unsure.")
    desk.press("p")
    desk.see("One proposal of this passage is still unsure: Hypotonia.")
    desk.press("Enter")  # to it
    desk.shows(ids[1])
    desk.press("j", "p")
    desk.see("2 proposals of this passage are still undecided: Seizure, Hypotonia.")
    desk.press("Escape", "x", "s")
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
    desk.see("One passage is decided, but not marked as done.")
    page.get_by_role("button", name="Show the first").click()  # P is for the passage just decided
    desk.shows(ids[0])
    desk.press("p")
    desk.see("One proposal of this passage is still unsure: Hypotonia.")
    desk.press("Escape")
    page.get_by_role("button", name="Passage done", exact=True).click()
    desk.press("j")
    desk.see("1 unsure left: now or later?")
    desk.press("u")
    desk.shows(ids[3])
    desk.press("x")
    desk.see("Nothing is unsure any more")
    desk.press("u")
    desk.see("Every item of this queue is decided")
    accept, reject, unsure = Action.ACCEPT, Action.REJECT, Action.UNSURE
    found = desk.wait_for_decisions(7)
    assert [row for row in found if row[1] is not Action.CLOSE] == [
        (ids[0], accept),
        (ids[1], unsure),
        (ids[2], reject),
        (ids[3], unsure),
        (ids[1], accept),
        (ids[3], reject),
    ]


def test_the_end_tells_what_is_left_and_what_the_sitting_took(house: Queues, page: Page) -> None:
    more = "&concept_labels.answers=Two"
    desk = house.desk(page, "sitting", more=more)
    desk.press("a", "s", "a", "x")
    desk.see("1 unsure left: now or later?")
    desk.see("4 items wait for answers of others.")
    desk.see("This sitting: 4 answers in a minute. What holds of them: 2 accepted, 1 rejected, 1 unsure.")
    # Wilson's intervals of 2 of 3 and 3 of 4, from statsmodels
    desk.see("Right as proposed: 67 % of the 3 that you have judged here, 95 % interval 21 % to 94 %.")
    link = page.get_by_role("link", name="See what came of it: Metrics")
    assert link.get_attribute("target") == "_blank"
    page.set_viewport_size({"width": 420, "height": 620})
    for part in (page.get_by_role("heading", name="1 unsure left: now or later?"), link):
        expect(part).to_be_in_viewport(ratio=1)
    page.goto(f"{house.url}/{house.address('sitting', more)}")  # the same where a visit begins at the end
    desk.see("This sitting: 4 answers in a minute. What holds of them: 2 accepted, 1 rejected, 1 unsure.")
    with page.context.expect_page() as opened:
        link.click()
    opened.value.get_by_role("heading", name="Metrics", exact=True).wait_for()
    desk.press("u")
    desk.see("Your unsure ones, once more.")
    desk.press("a")
    desk.see("Nothing is unsure any more")
    desk.see("This sitting: 5 answers in a minute. What holds of them: 3 accepted, 1 rejected.")
    desk.see("Right as proposed: 75 % of the 4 that you have judged here, 95 % interval 30 % to 95 %.")


def test_the_end_tells_of_what_others_hold_and_have_answered(house: Queues, page: Page) -> None:
    """How many, and never what was answered."""
    ids = house.ids["held"]
    house.decide("held", Action.UNSURE, ids[0], by="beta")
    house.hold(ids[1])
    desk = house.desk(page, "held")
    desk.press("a", "a")
    desk.see("Nothing more to decide here at the moment")
    desk.see("One item is open with another curator, or in another tab of yours, at the moment.")
    desk.see("One item was answered by others.")
    desk.see("mine 2, all 3 of 4")
    assert "unsure" not in desk.text(".desk").lower()


def test_the_place_is_kept_when_an_item_is_opened_from_elsewhere(house: Queues, page: Page) -> None:
    ids = house.ids["link"]
    desk = house.desk(page, "link", more="&concept_labels.confidence=High+confidence")
    desk.press(*"jjjja")
    desk.shows(ids[5])
    page.get_by_role("link", name="Metrics", exact=True).click()
    page.get_by_role("heading", name="Metrics", exact=True).wait_for()
    page.get_by_role("link", name="Concept labels").click()
    desk.shows(ids[5])
    desk.see("link, all runs, as in the documents, high")  # the filters, too
    page.goto(
        f"{house.url}/concept_labels?concept_labels.corpus=link&concept_labels.confidence=High+confidence&item={ids[60]}"
    )
    desk.shows(ids[60])
    desk.see("Opened out of turn. Your place in the queue is kept.")
    page.reload()
    desk.shows(ids[60])
    desk.press("x")
    desk.shows(ids[5])
    desk.press("a")
    desk.shows(ids[6])
    page.locator(".slot-history li button").nth(2).click()  # rejected just now, far from here
    desk.shows(ids[60])
    page.get_by_role("button", name="Back to your place").click()
    desk.shows(ids[6])
    desk.press("j", "x")
    desk.shows(ids[8])
    expect(page.get_by_text("Opened out of turn")).to_have_count(0)
    assert [row[0] for row in desk.wait_for_decisions(4)] == [ids[4], ids[60], ids[5], ids[7]]


def test_a_document_is_gone_to_by_its_id_and_the_place_kept(house: Queues, page: Page) -> None:
    ids = house.ids["jump"]
    desk = house.desk(page, "jump")
    desk.press("j", "j", "g")
    page.keyboard.type("jump0")
    desk.see("There is no document jump0 here. These hold it in their ids:")
    expect(page.get_by_role("option")).to_have_count(8)
    desk.press("Enter")  # nothing is chosen yet
    page.keyboard.type("25")
    expect(page.locator('[role="option"][aria-selected="true"]')).to_have_count(1)
    desk.press("Enter")
    desk.shows(ids[50])
    desk.see("Opened out of turn. Your place in the queue is kept.")
    desk.press("x")
    desk.shows(ids[2])
    desk.press("g")
    page.keyboard.type("nowhere")
    desk.see("There is no document nowhere here.")
    desk.press("Escape", "x")
    assert desk.wait_for_decisions(2) == [(ids[50], Action.REJECT), (ids[2], Action.REJECT)]


def test_a_document_held_down_while_others_are_looked_up_is_opened(house: Queues, page: Page) -> None:
    """They are looked up a moment after the last letter."""
    ids = house.ids["jump"]
    desk = house.desk(page, "jump", "presser")
    desk.press("g")
    page.keyboard.type("jump00")
    fourth = page.get_by_role("option").nth(3)
    expect(fourth).to_contain_text("jump003")
    fourth.hover()
    page.keyboard.type("7")
    page.mouse.down()
    page.wait_for_timeout(500)
    page.mouse.up()
    desk.shows(ids[6])


def test_own_rejects_and_a_document_are_walked_by_an_address(house: Queues, page: Page) -> None:
    ids = house.ids["filter"]
    house.decide("filter", Action.REJECT, ids[3], ids[1])
    house.decide("filter", Action.UNSURE, ids[2])
    desk = house.desk(page, "filter", more="&concept_labels.show=My+rejects")
    desk.shows(ids[1])
    desk.press("a")
    desk.shows(ids[3])
    desk.press("x")
    desk.see("That was the last of these")
    page.goto(f"{house.url}/concept_labels?concept_labels.corpus=filter&concept_labels.document=filter003")
    desk.shows(ids[6])
    desk.see("0 / 2")
    page.goto(f"{house.url}/concept_labels?concept_labels.corpus=filter&concept_labels.document=filter9")
    desk.see("There is no document filter9 in filter.")


def test_a_share_is_answered_twice_and_by_a_third_where_two_disagree(
    house: Queues, context: BrowserContext, browser: Browser
) -> None:
    """Half of ten items, and nothing on the screen tells which half."""
    ids, more = house.ids["twice"], "&concept_labels.overlap=50+%25&concept_labels.seed=7"
    with open_workspace(house.workspace) as workspace:
        unit = names(workspace, "concept")
    twice = [one for one in ids if drawn(unit[one], 0.5, "7")]
    assert len(twice) > 2
    contexts = [context, browser.new_context()]
    accept, reject = Action.ACCEPT, Action.REJECT
    first = house.desk(contexts[0].new_page(), "twice", "first", more=more)
    for place, one in enumerate(ids):
        first.shows(one)
        expect(first.page.locator(".progress strong")).to_have_text(f"{place} / 10")
        first.press("a")
        first.saved()
    assert first.wait_for_decisions(10) == [(one, accept) for one in ids]
    second = house.desk(contexts[1].new_page(), "twice", "second", more=more)
    for one in twice:
        second.shows(one)
        second.press("x" if one == twice[1] else "a")
        second.saved()
    second.see("Every item of this queue is decided")
    assert second.wait_for_decisions(len(twice)) == [
        (one, reject if one == twice[1] else accept) for one in twice
    ]
    for desk in (first, second):
        assert "Another curator has answered" not in desk.text(".desk")
    second.page.close()
    third = house.desk(contexts[1].new_page(), "twice", "third", more=more)
    third.shows(twice[1])
    third.press("s")
    third.see("1 unsure left: now or later?")
    assert third.wait_for_decisions(1) == [(twice[1], Action.UNSURE)]
    assert "Another curator has answered" not in third.text(".desk")
    contexts[1].close()
