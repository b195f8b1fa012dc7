"""Reviewing by keyboard alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from core.records import Action, Assertion, ConceptClass
from core.store import decisions, ontologies, open_workspace
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.browser.review import PATIENCE, REST, Desk, click
from tests.repeats import times
from tests.review.clinic import (
    CATARACT,
    FOCAL,
    GENERAL,
    HYPOTONIA,
    NERVOUS,
    SEIZURE,
    add_corpus,
    add_run,
    draft,
    item,
    ontology,
)

TEXT = "Note {}: a seizure at two years, later hypotonia, and no cataract."
CORPORA = ("again", "order", "fast", "undo", "link", "curator", "shared")

FAST = times(20, 50)
"""Passages, of three items each, that are decided as fast as keys come."""
EACH, PLACES = 9, 12
"""Items of one test at the desk at which tests go on one behind the other, and how often one begins."""


Seat = tuple[Desk, Page, list[int]]
"""A desk at work, its page, and the items of a test."""


@dataclass
class House(Ward):
    passages: dict[str, dict[str, int]]

    def items(self, corpus: str) -> list[int]:
        """Ids in document order."""
        with open_workspace(self.workspace) as workspace:
            return [
                item(workspace, passage, concept)
                for passage in self.passages[corpus].values()
                for concept in (SEIZURE, HYPOTONIA, CATARACT)
            ]


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> House:
    """One server for this file; a corpus, and so a queue, for each test that opens the page itself, and one
    for all others."""
    path = tmp_path_factory.mktemp("keys") / "keys.db"
    passages = {}
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        for corpus in CORPORA:
            count = {"fast": FAST, "shared": EACH * PLACES // 3}.get(corpus, 5)
            texts = {f"{corpus}{n:02}": TEXT.format(n) for n in range(count)}
            at = passages[corpus] = add_corpus(workspace, texts, corpus)
            drafts = {
                at[doc]: [
                    draft(SEIZURE, text, "seizure", confidence=0.7),
                    draft(HYPOTONIA, text, "hypotonia"),
                    draft(CATARACT, text, "cataract", assertion=Assertion.NEGATED, reason="'no' before it"),
                ]
                for doc, text in texts.items()
            }
            add_run(workspace, drafts, f"run-{corpus}", corpus=corpus)
    return House(module_app_server(path), path, passages)


@pytest.fixture(scope="module")
def sitting(house: House, module_page: Page) -> tuple[Desk, Iterator[int]]:
    """A desk, and where tests begin at it."""
    return house.desk(module_page, "shared"), iter(range(0, EACH * PLACES, EACH))


@pytest.fixture
def seat(house: House, sitting: tuple[Desk, Iterator[int]]) -> Seat:
    """A desk that goes on at items of this test's own, its page, and these items."""
    desk, places = sitting
    begin = next(places)
    ids = house.items("shared")[begin : begin + EACH]
    return desk.begin_at(ids[0]), desk.page, ids


def test_every_key_of_the_flow(seat: Seat) -> None:
    desk, page, ids = seat
    assert desk.current == ids[0]
    desk.press("a", "x", "s", "r")  # accept, reject, unsure, reject
    assert desk.current == ids[4]
    desk.press("j", "j", "k")
    assert desk.current == ids[5]
    desk.press("2", "t", "a")  # logically implicit; negated -> uncertain; accepted with these changes
    desk.wait_for_decisions(5)

    assert desk.current == ids[6]
    desk.press("b")  # broader: the parent is first
    expect(page.locator('[role="option"][aria-selected="true"]')).to_have_attribute("data-concept", NERVOUS)
    desk.press("Enter")
    assert desk.current == ids[7]
    desk.press("k", "d")  # deeper: the children are first
    expect(page.locator('[role="option"][aria-selected="true"]')).to_have_attribute("data-concept", FOCAL)
    desk.press("3")  # 0 keeps the answer, 1 is what was proposed
    expect(page.locator('[role="option"][aria-selected="true"]')).to_have_attribute("data-concept", GENERAL)
    desk.press("Escape", "k")
    desk.press("n")
    page.keyboard.type("ask a neurologist")
    desk.press("Enter")
    desk.wait_for_decisions(7)
    assert [(d.item_id, d.action) for d in desk.log()] == [
        (ids[0], Action.ACCEPT),
        (ids[1], Action.REJECT),
        (ids[2], Action.UNSURE),
        (ids[3], Action.REJECT),
        (ids[5], Action.FIX),
        (ids[6], Action.FIX),
        (ids[5], Action.NOTE),
    ]
    changed, broader, note = desk.log()[4:]
    assert changed.answer is not None
    assert changed.answer.concept_class is ConceptClass.LOGICALLY_IMPLICIT
    assert changed.answer.assertion is Assertion.UNCERTAIN
    assert broader.answer is not None
    assert broader.answer.concept == NERVOUS
    assert note.note == "ask a neurologist"

    desk.press("h")
    desk.see("Undo your last decision, on whichever item")
    desk.press("a", "x")  # nothing is decided under the help
    desk.press("h")
    desk.saved()
    assert len(desk.log()) == 7


def test_keys_are_printed_on_the_buttons(seat: Seat) -> None:
    _, page, _ = seat
    for label, key in {
        "Accept": "A",
        "Reject": "X",
        "Fix": "F",
        "Unsure": "S",
        "Undo": "Z",
        "Next": "J",
        "Back": "K",
        "Broader": "B",
        "Deeper": "D",
        "Note": "N",
        "Help": "H",
        "Add missing": "M",
        "Passage done": "P",
        "Explicit": "1",
        "Not relevant": "4",
    }.items():
        assert (
            page.get_by_role("button", name=f"{label} {key}", exact=True)
            .or_(page.get_by_role("radio", name=f"{label} {key}", exact=True))
            .count()
        ), label


def test_fast_keys_are_saved_exactly_once(house: House, page: Page) -> None:
    told: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: told.append(frame)))
    desk, ids = house.desk(page, "fast", "zeta"), house.items("fast")
    desk.saved()
    told.clear()
    assert len(ids) == FAST * 3
    for n, item_id in enumerate(ids):
        if desk.current != item_id:  # the next page of items is still on its way
            desk.shows(item_id)
        desk.press("axs"[n % 3])
        page.wait_for_timeout(40)
    found = desk.wait_for_decisions(len(ids))
    verdicts = (Action.ACCEPT, Action.REJECT, Action.UNSURE)
    assert found == [(i, verdicts[n % 3]) for n, i in enumerate(ids)]
    desk.saved()
    desk.see(f"{len(ids)} / {len(ids)}")
    assert max(Counter(found).values()) == 1
    assert told
    assert not any("Filter and order" in str(frame) for frame in told)  # the desk is drawn anew, not the page


def test_a_report_is_of_the_item_on_the_screen(house: House, seat: Seat) -> None:
    desk, page, ids = seat
    desk.press("a", "a", "a")
    desk.shows(ids[3])
    desk.saved()
    with page.expect_download() as saved:
        click(page.get_by_role("button", name="Save as report"))
    shown = list(house.passages["shared"])[house.items("shared").index(ids[3]) // 3]
    assert shown in saved.value.path().read_text("utf-8")


def test_keys_are_inert_while_somebody_types(seat: Seat) -> None:
    desk, page, _ = seat
    before = desk.current
    click(page.get_by_label("Curator"))  # a box of Streamlit's
    page.keyboard.type("a real xylophone szjk")
    page.keyboard.press("Escape")
    page.locator(".slot-title h2").click()
    desk.press("n")
    page.keyboard.type("a real xylophone szjk 1234")
    desk.press("Escape", "m")
    page.keyboard.type("axszjk 1234")
    page.get_by_role("combobox", name="Search the ontology").wait_for()
    assert page.get_by_role("combobox", name="Search the ontology").input_value() == "axszjk 1234"
    desk.press("Escape", "Escape")
    click(page.get_by_text("Filter and order"))  # while it is open, keys belong to it
    page.get_by_text("Quotes that are not in the text").wait_for()
    desk.press("a", "x", "s")
    page.keyboard.press("Escape")
    for held in ("Control", "Alt", "Shift", "Meta"):
        page.keyboard.press(f"{held}+x")
    page.wait_for_timeout(500)
    assert desk.current == before
    assert desk.log() == []
    desk.press("n")
    assert (
        page.get_by_label("Note").locator("textarea").input_value() == "a real xylophone szjk 1234"
    )  # the draft


def test_a_reload_finds_the_item_though_the_address_names_one_from_before(house: House, page: Page) -> None:
    """As where Streamlit writes the whole address once more, just after the desk did."""
    desk, ids = house.desk(page, "again", "omega"), house.items("again")
    desk.press("a")
    page.wait_for_url(f"**item={ids[1]}*")
    desk.press("a")
    page.wait_for_url(f"**item={ids[2]}*")
    page.evaluate(f"history.replaceState(history.state, '', location.href.replace('={ids[2]}', '={ids[1]}'))")
    page.reload()
    desk.ready()
    desk.shows(ids[2])
    page.goto(
        f"{desk.url}/concept_labels?concept_labels.corpus=again&item={ids[1]}"
    )  # a link leads to the item that it names
    desk.ready()
    desk.shows(ids[1])


def test_another_order_takes_the_place_of_the_queue_at_once(house: House, page: Page) -> None:
    desk, ids = house.desk(page, "order", "omicron"), house.items("order")
    desk.press("a")
    assert desk.current == ids[1]
    order = page.get_by_role("combobox", name="Order")
    least = page.get_by_role("option", name="Least confident first")
    click(page.get_by_text("Filter and order"), then=order)
    click(order, then=least)
    least.click()
    desk.shows(ids[3])  # the next of the seizures, which are less certain than the rest
    page.keyboard.press("Escape")
    page.locator(".slot-title h2").click()
    page.wait_for_url("**concept_labels.order=*")
    desk.press("x")
    desk.shows(ids[6])
    page.reload()
    desk.ready()
    desk.shows(ids[6])
    desk.see("least confident first")
    desk.wait_for_decisions(2)


def test_a_key_held_down_decides_once(seat: Seat) -> None:
    desk, page, ids = seat
    for _ in range(12):
        page.keyboard.down("a")  # the browser marks all but the first as repeats
    page.keyboard.up("a")
    assert desk.wait_for_decisions(1) == [(ids[0], Action.ACCEPT)]
    assert desk.current == ids[1]


def test_the_origin_is_that_of_the_item_on_the_screen(seat: Seat) -> None:
    desk, page, ids = seat
    with page.context.expect_page() as opened:
        page.evaluate(  # within one frame
            """for (const key of ["a", "o"]) {
                document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))
            }"""
        )
    assert desk.current == ids[1]
    assert opened.value.url.endswith(f"item={ids[1]}")
    opened.value.close()


def test_undo_across_items_and_sessions(house: House, page: Page) -> None:
    desk, ids = house.desk(page, "undo", "upsilon"), house.items("undo")
    desk.press("a", "x", "s", "z", "z")  # faster than any answer of the server
    assert desk.current == ids[1]
    desk.press("s")
    desk.wait_for_decisions(6)
    desk.saved()
    page.reload()  # another session
    desk.ready()
    desk.press("z", "z")
    assert desk.current == ids[0]
    found = desk.wait_for_decisions(8)
    assert [action for _, action in found[3:5]] == [Action.UNDO, Action.UNDO]
    assert [i for i, _ in found] == [ids[0], ids[1], ids[2], ids[2], ids[1], ids[1], ids[1], ids[0]]
    desk.saved()
    desk.press("x", "j", "a", "x")  # then one of the last decisions is undone by its button, an older one
    desk.wait_for_decisions(11)
    row = page.locator(".slot-history li").nth(2)
    assert "Rejected" in row.inner_text()
    row.get_by_role("button", name="Undo:").click()
    found = desk.wait_for_decisions(12)
    assert found[-1] == (ids[0], Action.UNDO)
    assert desk.current == ids[0]
    with open_workspace(house.workspace) as workspace:
        standing = {d.item_id: d.action for d in decisions.history(workspace, "upsilon")}
    assert standing == {ids[2]: Action.ACCEPT, ids[3]: Action.REJECT}


def test_a_link_and_the_history_lead_to_an_item(house: House, page: Page) -> None:
    ids = house.items("link")
    desk = house.desk(page, "link", "kappa2", more=f"&item={ids[10]}")
    assert desk.current == ids[10]
    desk.press("a")
    desk.saved()
    page.locator(".slot-history li button").first.click()
    assert desk.current == ids[10]
    desk.see("Your answer:")
    desk.press("x")  # a second answer stands on top of the first
    assert desk.wait_for_decisions(2) == [(ids[10], Action.ACCEPT), (ids[10], Action.REJECT)]
    page.wait_for_url(f"**item={desk.current}*")  # the address follows, so a reload finds the item
    here = desk.current
    page.reload()
    desk.ready()
    assert desk.current == here
    page.goto(f"{house.url}/concept_labels?concept_labels.corpus=link&item=999999")
    desk.see("There is no item 999999 in this workspace")
    desk.ready()


def test_passage_done_and_the_warning_before(house: House, seat: Seat) -> None:
    desk, _, ids = seat
    desk.press("a", "p")
    desk.see("2 proposals of this passage are still undecided: Hypotonia, Cataract.")
    desk.press("Enter")  # to the first of them
    assert desk.current == ids[1]
    desk.press("a", "a")
    assert desk.current == ids[3]
    desk.see("Is nothing missing in it?")
    desk.press("p")  # of the passage just finished, not of the one on the screen
    desk.press("p", "p")  # the one on the screen: all the same
    desk.wait_for_decisions(5)
    closed = desk.log()[3:]
    assert [d.action for d in closed] == [Action.CLOSE, Action.CLOSE]
    passages = list(house.passages["shared"].values())
    first = house.items("shared").index(ids[0]) // 3
    assert [d.passage_id for d in closed] == passages[first : first + 2]
    desk.press("z")
    desk.wait_for_decisions(6)
    assert desk.log()[-1].undoes == closed[-1].number


def test_no_decision_without_a_curator(house: House, page: Page) -> None:
    page.set_default_timeout(PATIENCE)
    page.set_viewport_size({"width": 1400, "height": 1000})  # the last decisions lie beside the card
    page.goto(f"{house.url}/concept_labels?concept_labels.corpus=curator")
    page.get_by_role("heading", name=", affirmed?").wait_for()  # a label to look at
    page.get_by_text("No curator is chosen").wait_for()
    assert page.get_by_role("heading", name="Who is reviewing?").count() == 0
    page.locator(REST).wait_for()
    page.keyboard.press("a")
    page.get_by_role("heading", name="Who is reviewing?").wait_for()
    page.get_by_label("Curator").fill("Curatör <b>One</b>")
    page.keyboard.press("Enter")
    page.locator(".card:not(.empty)").wait_for()
    page.keyboard.press("x")  # no click in between: the desk has taken the focus
    page.locator(".slot-history").get_by_text("Rejected").wait_for()
    expect(page.locator(".sync.saved")).to_be_visible()
    page.reload()
    page.locator(".slot-history").get_by_text("Rejected").wait_for()
    assert page.get_by_role("combobox", name="Curator").input_value() == "Curatör <b>One</b>"
    with open_workspace(house.workspace) as workspace:
        mine = [d.action for d in decisions.decisions(workspace, curator="curator-b-one-b")]
    assert mine == [Action.REJECT]
