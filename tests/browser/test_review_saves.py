"""A key saves what the curator chose, nothing else: the concept that is kept, the row that is seen, once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from core.records import Action, Answer, Assertion, ConceptClass, Decision, NewDecision, Span
from core.store import Workspace, decisions, ontologies, open_workspace
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.browser.review import Desk, click, select
from tests.review.clinic import (
    CATARACT,
    EYE,
    FOCAL,
    GENERAL,
    HYPOTONIA,
    NERVOUS,
    SEIZURE,
    add_labelled,
    add_run,
    draft,
    hypotonia_and_cataract,
    item,
    items_of_run,
    ontology,
)

TEXT = (
    "Note {}: marked hypotonia, no cataract, and a fit that was a generalized-onset seizure of both eyes."
    " Abnormalty of eyes."
)
CORPORA = ("class", "run", "doubt", "away", "fast", "down", "begun", "shared")
GOES_ON = 40
"""Passages of the queue in which tests go on one behind the other."""


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Ward:
    """One server for this file; a corpus, and so a queue that begins with Hypotonia, for each test that opens
    the page itself, and one for all others."""
    path = tmp_path_factory.mktemp("saves") / "saves.db"
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        for corpus in CORPORA:
            count = GOES_ON if corpus == "shared" else 2
            texts = {f"{corpus}{n:02}": TEXT.format(n) for n in range(count)}
            at = add_labelled(workspace, corpus, texts, hypotonia_and_cataract)
            if corpus == "run":
                text = texts["run00"]
                other = draft(HYPOTONIA, text, "marked hypotonia", assertion=Assertion.UNCERTAIN)
                add_run(workspace, {at["run00"]: [other]}, "second", corpus=corpus)
            if corpus == "doubt":
                answered_before(workspace, at, texts)
    return Ward(module_app_server(path), path)


@pytest.fixture(scope="module")
def sitting(house: Ward, module_page: Page) -> tuple[Desk, Iterator[int]]:
    """A desk, and where tests begin at it: at the Hypotonia of each passage."""
    desk = house.desk(module_page, "shared")
    with open_workspace(house.workspace) as workspace:
        return desk, iter(items_of_run(workspace, "run-shared")[::2])


@pytest.fixture
def desk(sitting: tuple[Desk, Iterator[int]]) -> Desk:
    """A desk that goes on at a Hypotonia."""
    desk, firsts = sitting
    return desk.begin_at(next(firsts))


def answered_before(workspace: Workspace, at: dict[str, int], texts: dict[str, str]) -> None:
    """Two fixes on an earlier version of the page, with another class and, unasked, another concept."""
    decisions.add_curator(workspace, "reader-doubt", "Reader-Doubt")
    for doc, text in texts.items():
        start = text.index("hypotonia")
        span = Span(start, start + len("hypotonia"), "hypotonia")
        answer = Answer(NERVOUS, "", Assertion.AFFIRMED, ConceptClass.LOGICALLY_IMPLICIT, (span,))
        on = item(workspace, at[doc], HYPOTONIA)
        new = NewDecision(
            f"old-{doc}", "reader-doubt", Action.FIX, item_id=on, answer=answer, milliseconds=1200
        )
        decisions.append(workspace, [new])


ANSWERED = "[...touchstoneDesks.values()].forEach((desk) => desk.view.panel.draw(true))"
"""The panel is drawn as when rows come."""


def chosen(page: Page) -> Locator:
    return page.locator('[role="option"][aria-selected="true"]')


def save(page: Page) -> Locator:
    return page.locator(".panel .foot .accept")


def opened(page: Page) -> None:
    """Wait until candidates stand below the concept that is kept."""
    page.locator('[role="option"]').nth(1).wait_for()


def only(desk: Desk) -> tuple[Decision, Answer]:
    """The one decision, and its answer."""
    desk.wait_for_decisions(1)
    (decision,) = desk.log()
    assert isinstance(decision.answer, Answer)
    return decision, decision.answer


def test_another_class_keeps_the_concept_and_is_told_before_and_after(house: Ward, page: Page) -> None:
    desk = house.desk(page, "class")
    desk.press("f")
    opened(page)
    expect(chosen(page)).to_have_attribute("data-concept", HYPOTONIA)
    expect(save(page)).to_contain_text("Accept: Hypotonia, explicit")
    page.locator(".panel").get_by_role("radio", name="Logical").click()
    expect(save(page)).to_contain_text("Save: Hypotonia, logical")
    desk.press("Enter")
    fixed, answer = only(desk)
    assert fixed.action is Action.FIX
    assert (answer.concept, answer.concept_class) == (HYPOTONIA, ConceptClass.LOGICALLY_IMPLICIT)
    strip = page.locator(".slot-history li").first
    expect(strip).to_contain_text("Fixed")
    expect(strip).to_contain_text("Hypotonia, logical")
    desk.saved()
    page.reload()
    desk.ready()
    expect(strip).to_contain_text("Hypotonia, logical")


def test_class_and_status_set_on_the_card_come_along(desk: Desk) -> None:
    page = desk.page
    desk.press("3", "t", "f")
    opened(page)
    expect(save(page)).to_contain_text("Save: Hypotonia, negated, pragmatic")
    desk.press("Enter")
    _, answer = only(desk)
    assert (answer.concept, answer.assertion) == (HYPOTONIA, Assertion.NEGATED)
    assert answer.concept_class is ConceptClass.PRAGMATICALLY_IMPLICIT
    desk.press("k", "2", "f")  # set anew on the card after a decision: that holds, too
    expect(save(page)).to_contain_text("Save: Hypotonia, logical")


def test_evidence_taken_away_or_added_keeps_the_concept(desk: Desk) -> None:
    page = desk.page
    desk.press("f")
    opened(page)
    page.get_by_role("button", name="Take away").click()
    select(page, "marked hypotonia")
    expect(save(page)).to_contain_text("Save: Hypotonia")
    desk.press("Enter")
    fixed, answer = only(desk)
    assert fixed.action is Action.FIX
    assert (answer.concept, [s.quote for s in answer.spans]) == (HYPOTONIA, ["marked hypotonia"])


def test_what_is_held_down_while_rows_come_is_pressed_all_the_same(house: Ward, page: Page) -> None:
    sockets: list[WebSocket] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    desk = house.desk(page, "down")
    logical = page.locator(".panel").get_by_role("radio", name="Logical")
    desk.press("f")
    opened(page)
    house.server.freeze()  # nothing moves under the mouse before it is down
    with sockets[-1].expect_event("framesent", lambda frame: b'"cat"' in frame):
        desk.press("c", "a", "t")
    logical.hover()
    page.mouse.down()
    with sockets[-1].expect_event("framereceived", lambda frame: CATARACT.encode() in frame):
        house.server.thaw()
    page.wait_for_timeout(1000)  # they would be on the screen by now
    page.mouse.up()
    expect(logical).to_be_checked()
    expect(chosen(page)).to_have_attribute("data-concept", CATARACT)


def test_what_is_held_down_when_a_search_begins_is_pressed_all_the_same(house: Ward, page: Page) -> None:
    """A search begins a moment after the last letter."""
    desk = house.desk(page, "begun")
    logical = page.locator(".panel").get_by_role("radio", name="Logical")
    desk.press("f")
    opened(page)
    house.server.freeze()  # so that no rows come
    desk.press("c", "a", "t")
    logical.hover()
    page.mouse.down()
    page.wait_for_timeout(500)
    page.mouse.up()
    house.server.thaw()
    expect(logical).to_be_checked()


def test_a_warning_stands_until_something_else_is_done(desk: Desk) -> None:
    """Better rows may come meanwhile."""
    page = desk.page
    select(page, "Abnormalty of eyes")
    desk.see("Evidence for this item")
    desk.press("m")
    page.locator('[role="option"]').first.wait_for()
    told = page.locator(".panel .warning")
    desk.press("Enter")
    expect(told).to_contain_text("Nothing is chosen, so nothing is saved.")
    page.evaluate(ANSWERED)
    expect(told).to_contain_text("Nothing is chosen, so nothing is saved.")
    desk.press("ArrowDown")
    expect(told).to_have_count(0)


def test_a_key_at_the_heels_of_a_selection_saves_it(desk: Desk) -> None:
    """A browser that is busy handles Enter before a timer that was due earlier."""
    page = desk.page
    desk.press("f")
    opened(page)
    page.get_by_role("button", name="Take away").click()
    page.evaluate(
        """() => {
            const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true })
            window.addEventListener("mouseup", () => document.body.dispatchEvent(enter), { once: true })
        }"""
    )
    select(page, "marked hypotonia")
    _, answer = only(desk)
    assert (answer.concept, [s.quote for s in answer.spans]) == (HYPOTONIA, ["marked hypotonia"])


def test_nothing_changed_accepts(desk: Desk) -> None:
    page = desk.page
    desk.press("f")
    opened(page)
    desk.press("Enter")
    expect(page.locator(".slot-history li").first).to_contain_text("Accepted")
    accepted, answer = only(desk)
    assert (accepted.action, answer.concept) == (Action.ACCEPT, HYPOTONIA)


def test_the_own_name_typed_keeps_the_concept(desk: Desk) -> None:
    page = desk.page
    desk.press("f")
    page.keyboard.type("hypotonia")
    expect(chosen(page)).to_have_attribute("data-concept", HYPOTONIA)
    desk.press("Enter")
    assert only(desk)[0].action is Action.ACCEPT


def test_rows_for_an_earlier_text_are_not_saved(desk: Desk) -> None:
    page = desk.page
    desk.press("f")
    opened(page)
    desk.press("1")
    page.locator(".panel").evaluate(
        """(panel) => {
            const box = panel.querySelector('input')
            box.value = 'cataract'
            box.dispatchEvent(new InputEvent('input'))
            panel.querySelector('.foot .accept').click()
            const rows = [...panel.querySelectorAll('[role=option]')]
            rows[1].click()
            panel.querySelector('.foot .accept').click()
            box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))
        }"""
    )
    expect(page.locator('[role="option"]').nth(1)).to_have_attribute("data-concept", CATARACT)
    expect(chosen(page)).to_have_count(0)  # the row that was clicked was no longer there
    assert desk.log() == []
    desk.press("1")
    expect(save(page)).to_contain_text("Save: Cataract")
    page.get_by_role("combobox", name="Search the ontology").fill("")  # as it was when it opened
    expect(chosen(page)).to_have_attribute("data-concept", HYPOTONIA)
    page.get_by_role("combobox", name="Search the ontology").fill("cataract")
    expect(chosen(page)).to_have_attribute("data-concept", CATARACT)
    desk.press("Enter")
    assert only(desk)[1].concept == CATARACT


def test_where_nothing_is_found_it_says_so_and_saves_nothing(desk: Desk) -> None:
    page = desk.page
    desk.press("f")
    page.keyboard.type("xylophone")
    desk.see("Nothing bears these words.")
    expect(chosen(page)).to_have_count(0)
    expect(save(page)).to_be_disabled()
    desk.press("Enter")
    desk.see("Nothing is chosen, so nothing is saved.")
    page.locator(".panel h3").click()  # out of the box, where digits pick
    desk.press("0")
    expect(save(page)).to_contain_text("Accept: Hypotonia")
    assert desk.log() == []


def test_broader_and_deeper_choose_only_among_their_own(desk: Desk) -> None:
    page = desk.page
    desk.press("d")  # nothing is below Hypotonia
    desk.see("There is nothing narrower.")
    expect(save(page)).to_be_disabled()
    desk.press("Enter", "Escape", "b")
    expect(chosen(page)).to_have_attribute("data-concept", NERVOUS)
    desk.press("Enter")
    assert only(desk)[1].concept == NERVOUS


def test_an_answer_of_ones_own_is_kept_like_a_proposal(desk: Desk) -> None:
    page = desk.page
    desk.press("f")
    page.keyboard.type("seizure")
    expect(chosen(page)).to_have_attribute("data-concept", SEIZURE)
    desk.press("Enter")
    desk.wait_for_decisions(1)
    desk.press("k", "f")
    opened(page)
    expect(chosen(page)).to_have_attribute("data-concept", SEIZURE)
    page.locator(".panel").get_by_role("radio", name="Logical").click()
    desk.press("Enter")
    desk.wait_for_decisions(2)
    answer = desk.log()[-1].answer
    assert isinstance(answer, Answer)
    assert (answer.concept, answer.concept_class) == (SEIZURE, ConceptClass.LOGICALLY_IMPLICIT)
    desk.press("k", "f", "1", "Enter")  # the proposal is a row of its own
    desk.wait_for_decisions(3)
    assert desk.log()[-1].answer.concept == HYPOTONIA


def test_another_runs_answer_is_put_into_the_panel_whole(house: Ward, page: Page) -> None:
    desk = house.desk(page, "run")
    desk.press("2", "a")
    page.get_by_text("Fixed").first.wait_for()
    desk.press("k")
    page.locator(".runs button").nth(0).click()
    desk.press("f")
    expect(save(page)).to_contain_text("Accept: Hypotonia, uncertain, explicit")
    expect(page.locator(".spans q")).to_have_text("marked hypotonia")


def test_add_from_selected_text_by_digit(desk: Desk) -> None:
    page = desk.page
    select(page, "seizure")
    desk.see("Evidence for this item")
    desk.press("m")
    second = page.locator('[role="option"]').nth(1)
    second.wait_for()
    expected = str(second.get_attribute("data-concept"))
    assert expected in (FOCAL, GENERAL)
    desk.press("2")
    assert page.get_by_role("combobox", name="Search the ontology").input_value() == "seizure"
    expect(chosen(page)).to_have_attribute("data-concept", expected)
    desk.press("Enter")
    added, answer = only(desk)
    assert (added.action, answer.concept) == (Action.ADD, expected)
    assert [s.quote for s in answer.spans] == ["seizure"]
    desk.saved()  # what the answer of the store changes is drawn anew, and a selection in it is gone
    select(page, "both eyes")
    desk.see("Evidence for this item")
    desk.press("m", "c")  # a letter begins a search of its own
    expect(page.get_by_role("combobox", name="Search the ontology")).to_have_value("c")


def test_what_is_only_like_the_words_is_not_chosen_unasked(desk: Desk) -> None:
    page = desk.page
    select(page, "Abnormalty of eyes")
    desk.see("Evidence for this item")
    desk.press("m")
    row = page.locator('[role="option"]').first
    expect(row).to_have_attribute("data-concept", EYE)
    expect(chosen(page)).to_have_count(0)
    expect(save(page)).to_be_disabled()
    desk.press("Enter")
    desk.see("Nothing is chosen, so nothing is saved.")
    assert desk.log() == []
    desk.press("ArrowDown")
    expect(save(page)).to_contain_text("Save: Abnormality of the eye, explicit")
    expect(row).to_contain_text("spelling")
    desk.press("Enter")
    assert only(desk)[1].concept == EYE


def test_a_digit_faster_than_its_row_saves_nothing(house: Ward, page: Page) -> None:
    """What is to choose from is fetched while an item is read: of the next one nothing has come yet."""
    desk = house.desk(page, "fast")
    keys = ["j", "f", "2", "Enter"]
    page.evaluate(f"for (const key of {keys}) window.dispatchEvent(new KeyboardEvent('keydown', {{ key }}))")
    opened(page)
    expect(chosen(page)).to_have_count(0)
    desk.press("Enter")
    desk.see("Nothing is chosen, so nothing is saved.")
    desk.press("0")
    expect(save(page)).to_contain_text("Accept: Cataract")
    desk.press("1", "9")  # there is no such row, so the first one is not meant either
    desk.see("There is no such row.")
    expect(save(page)).to_be_disabled()
    assert desk.log() == []


def test_enter_held_down_saves_once(desk: Desk) -> None:
    page = desk.page
    first = desk.current
    page.locator(".main .accept").focus()
    for _ in range(5):  # the browser marks all but the first as repeats
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    assert desk.wait_for_decisions(1) == [(first, Action.ACCEPT)]
    desk.press("p")
    desk.see("still undecided")
    for _ in range(5):
        page.keyboard.down("p")
    page.keyboard.up("p")
    desk.saved()
    closed = [action for _, action in desk.answers()]
    assert closed == [Action.ACCEPT, Action.CLOSE]


def test_the_second_click_of_a_double_click_decides_nothing(desk: Desk) -> None:
    page = desk.page
    first = desk.current
    page.locator(".main .reject").dblclick()
    assert desk.wait_for_decisions(1) == [(first, Action.REJECT)]
    page.locator(".main .fix").dblclick()  # opens the panel, and presses nothing in it
    opened(page)
    page.locator('[role="option"]').nth(1).dblclick()  # picks, and does not save
    expect(chosen(page)).to_have_attribute("data-concept", EYE)
    desk.saved()
    assert len(desk.log()) == 1


def test_enter_of_an_input_method_is_not_the_desks(desk: Desk) -> None:
    page = desk.page
    desk.press("f")
    page.keyboard.type("cataract")
    expect(chosen(page)).to_have_attribute("data-concept", CATARACT)
    page.get_by_role("combobox", name="Search the ontology").evaluate(
        "(box) => box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229 }))"
    )
    expect(page.locator(".panel")).to_be_visible()
    assert desk.log() == []


def test_answers_that_an_earlier_page_may_have_changed_are_offered(house: Ward, page: Page) -> None:
    desk = house.desk(page, "doubt")
    desk.see("2 fixes of yours kept their words but changed the concept.")
    click(page.get_by_role("button", name="Look at them"), then=page.get_by_text("List: Answers to look at"))
    page.get_by_role("button", name="Keep my answer").click()
    desk.wait_for_decisions(3)
    desk.press("f", "1", "Enter")  # the proposal's concept, with the class that was meant
    desk.wait_for_decisions(4)
    kept, changed = desk.log()[2:]
    assert isinstance(kept.answer, Answer)
    assert isinstance(changed.answer, Answer)
    assert (kept.action, kept.answer.concept) == (Action.FIX, NERVOUS)
    assert (changed.action, changed.answer.concept) == (Action.FIX, HYPOTONIA)
    assert changed.answer.concept_class is ConceptClass.LOGICALLY_IMPLICIT
    desk.saved()
    click(page.get_by_role("button", name="Leave the list"))
    page.get_by_text("doubt, all runs").wait_for()
    expect(page.get_by_role("button", name="Look at them")).to_have_count(0)


def test_keys_rest_while_the_item_asked_for_is_on_its_way(house: Ward, page: Page) -> None:
    """What is opened after a reload is not at hand yet: a key must not decide on the item shown meanwhile."""
    desk = house.desk(page, "away")
    first = desk.current
    desk.press("a", "a", "a")
    desk.saved()
    page.reload()
    desk.ready()
    desk.saved()
    house.server.freeze()
    page.locator(".slot-history li").nth(2).get_by_role("button").first.click()  # of a passage not at hand
    desk.press("x")
    house.server.thaw()
    desk.shows(first)
    desk.press("s")
    desk.wait_for_decisions(4)
    assert desk.answers()[-1] == (first, Action.UNSURE)
