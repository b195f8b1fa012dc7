"""Narrower concepts that stand in the text are named beside a broad one; only the curator chooses one."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from core.records import Action
from core.store import ontologies, open_workspace
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.review.clinic import FOCAL, NERVOUS, SEIZURE, add_corpus, add_run, draft, item, ontology

TEXT = "She had seizures of focal onset. Nothing was seen in the brain."
CORPORA = ("kept", "chosen", "hand")
CHOSEN = '[role="option"][aria-selected="true"]'


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Ward:
    path = tmp_path_factory.mktemp("narrower") / "narrower.db"
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        for corpus in CORPORA:
            at = add_corpus(workspace, {corpus: TEXT}, corpus)[corpus]
            drafts = [draft(NERVOUS, TEXT, "brain"), draft(SEIZURE, TEXT, "seizures")]
            add_run(workspace, {at: drafts}, f"run-{corpus}", corpus=corpus)
    return Ward(module_app_server(path), path)


def of(house: Ward, corpus: str, concept: str) -> int:
    with open_workspace(house.workspace) as workspace:
        row = workspace.db.execute(
            "SELECT s.id FROM passages s JOIN corpora c ON c.id = s.corpus_id WHERE c.name = ?", (corpus,)
        ).fetchone()
        return item(workspace, row[0], concept)


def test_fix_and_enter_keep_the_broad_one(house: Ward, page: Page) -> None:
    desk = house.desk(page, "kept", "cora", more=f"&item={of(house, 'kept', SEIZURE)}")
    line = page.locator(".slot-card-narrower")
    expect(line).to_contain_text("Narrower, and in the text:")
    expect(line.get_by_role("button", name="Focal-onset seizure F 1")).to_be_visible()
    page.wait_for_timeout(900)  # candidates are here
    desk.press("f")
    expect(page.locator('[role="option"]').nth(1)).to_have_attribute("data-concept", FOCAL)
    expect(page.locator(".rows .group").nth(1)).to_have_text("Narrower, and in the text")
    expect(page.locator(CHOSEN)).to_have_attribute("data-concept", SEIZURE)
    desk.press("Enter")
    desk.wait_for_decisions(1)
    [said] = desk.log()
    assert said.action is Action.ACCEPT
    assert said.answer is not None
    assert said.answer.concept == SEIZURE


def test_two_keys_or_a_click_choose_the_narrow_one_and_a_click_leads_to_its_own_item(
    house: Ward, page: Page
) -> None:
    broad, narrow = of(house, "chosen", NERVOUS), of(house, "chosen", SEIZURE)
    desk = house.desk(page, "chosen", "dora", more=f"&item={broad}")
    there = page.locator(".slot-card-narrower").get_by_role(
        "button", name="Seizure proposed here too", exact=True
    )
    there.click()
    desk.shows(narrow)
    page.locator(".slot-card-narrower button").click()
    expect(page.locator(CHOSEN)).to_have_attribute("data-concept", FOCAL)
    desk.press("Escape", "f")
    expect(page.locator(CHOSEN)).to_have_attribute("data-concept", SEIZURE)
    expect(page.locator('[role="option"]').nth(1)).to_have_attribute("data-concept", FOCAL)
    desk.press("1", "Enter")
    desk.wait_for_decisions(1)
    answer = desk.log()[0].answer
    assert answer is not None
    assert (answer.concept, answer.label) == (FOCAL, "Focal-onset seizure")


def test_a_telephone_says_so_in_the_line_and_holds_the_rest_in_the_sheet(house: Ward, page: Page) -> None:
    desk = house.desk(page, "hand", "flora", more=f"&item={of(house, 'hand', SEIZURE)}")
    page.set_viewport_size({"width": 420, "height": 860})
    page.wait_for_timeout(400)
    expect(page.locator(".gist")).to_contain_text("narrower: Focal-onset seizure")
    desk.press("Enter")
    page.locator(".slot-card-narrower button").click()
    expect(page.locator(CHOSEN)).to_have_attribute("data-concept", FOCAL)
    expect(page.get_by_role("button", name="Save: Focal-onset seizure, explicit Enter")).to_be_in_viewport()
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    desk.press("Escape")
    assert desk.log() == []
