"""The card shows where a concept stands in the ontology: its parents, itself, its children."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from core.records import Action
from core.review.frames import Wanted, open_frame
from core.store import ontologies, open_workspace
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.browser.test_accessibility import faint
from tests.browser.test_phone import ANSWERS, settle, unseen
from tests.review.clinic import FOCAL, SEIZURE, add_corpus, add_run, draft, ontology

TEXT = "A seizure at two years. It came back at three."
CORPORA = ("ladder", "small", "hidden", "seen")
CHOSEN = '[role="option"][aria-selected="true"]'


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Ward:
    path = tmp_path_factory.mktemp("place") / "place.db"
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        for corpus in CORPORA:
            at = add_corpus(workspace, {corpus: TEXT}, corpus)[corpus]
            add_run(workspace, {at: [draft(SEIZURE, TEXT, "seizure")]}, f"run-{corpus}", corpus=corpus)
        open_frame(workspace, Wanted("run-hidden", "hidden", blind=1.0))
    return Ward(module_app_server(path), path)


def steps(page: Page) -> list[str]:
    """Without what only a screen reader is told."""
    return [
        one.evaluate("(li) => [...li.childNodes].filter((n) => n.className !== 'unseen')"
                     ".map((n) => n.textContent).join('')")
        for one in page.locator(".place > li").all()
    ]  # fmt: skip


LADDER = [
    "Abnormality of the nervous system",
    "Seizure",
    "Focal-onset seizure, Generalized-onset seizure",
]


def test_parents_and_children_are_named_with_their_definitions_and_lead_to_the_fix_panel(
    house: Ward, page: Page
) -> None:
    desk = house.desk(page, "ladder")
    ladder = page.get_by_role("list", name="Place in the ontology")
    assert steps(page) == LADDER
    child = ladder.get_by_role("button", name="Focal-onset seizure")
    expect(child).to_have_attribute("title", "What is meant by focal-onset seizure.")
    expect(ladder.locator(".above button")).to_have_attribute(
        "title", "What is meant by abnormality of the nervous system."
    )
    expect(ladder.locator(".this")).to_have_attribute("title", "What is meant by seizure.")
    child.click()
    expect(page.locator(CHOSEN)).to_have_attribute("data-concept", FOCAL)
    assert desk.log() == []  # to look is not to answer
    desk.press("Enter")
    desk.wait_for_decisions(1)
    [said] = desk.log()
    assert said.action is Action.FIX
    assert said.answer is not None
    assert said.answer.concept == FOCAL


def test_on_a_telephone_it_is_behind_the_sheet_and_hides_no_answer(house: Ward, page: Page) -> None:
    desk = house.desk(page, "small")
    settle(page, 420, 860)
    expect(page.locator(".place")).to_be_hidden()
    assert unseen(page, ".label .words", ".mark.current", *ANSWERS) == []
    desk.press("Enter")
    expect(page.locator(".sheet .place")).to_be_visible()
    assert unseen(page, ".label .words", *ANSWERS) == []
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_a_blind_check_shows_what_the_ontology_says_and_no_more(house: Ward, page: Page) -> None:
    house.desk(page, "hidden")
    expect(page.locator(".slot-card-why")).to_contain_text("Blind check")
    assert steps(page) == LADDER
    expect(page.locator(".narrower, .evidence, .runs")).to_have_count(0)


def test_it_is_readable_in_both_themes(house: Ward, page: Page) -> None:
    house.desk(page, "seen")
    expect(page.locator(".place .below button").first).to_be_visible()
    assert faint(page) == []
