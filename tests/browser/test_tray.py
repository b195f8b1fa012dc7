"""The guideline in Chromium: it is read beside the card, each decision carries its revision, and what was
decided under an older one is offered."""

from __future__ import annotations

import hashlib
import json

import pytest
from playwright.sync_api import Page, expect

from core.records import Action
from core.store import Workspace, guidelines, ontologies, open_workspace
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.browser.review import click, no_dialogs
from tests.review.clinic import add_labelled, hypotonia_and_cataract, ontology
from tests.review.pairs.library import many

TEXT = "Note {}: marked hypotonia and cataract."
FIRST = "Only what the patient has counts.\n<b>No</b> family & no <img src=x onerror=alert(1)> history."
SECOND = "What the family has counts, too."

RELOAD_AT_LIST = """() => {
    for (const name of ["pushState", "replaceState"]) {
        const write = history[name].bind(history)
        history[name] = (...given) => {
            write(...given)
            if (location.search.includes(".items=")) location.reload()
        }
    }
}"""
"""The browser loads the page anew as soon as its address names a list."""


def revision(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Ward:
    path = tmp_path_factory.mktemp("tray") / "tray.db"
    many(path, {"pairs": 3})
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        for corpus in ("kept", "plain"):
            texts = {f"{corpus}{n}": TEXT.format(n) for n in range(2)}
            add_labelled(workspace, corpus, texts, hypotonia_and_cataract)
        with workspace.write() as db:
            settings = json.dumps({"profile": "hpa", "options": {"profile": "hpa"}})
            db.execute("UPDATE runs SET settings = ? WHERE id IN ('run-kept', 'run-pairs')", (settings,))
        state(workspace, FIRST)
    return Ward(module_app_server(path), path)


def state(workspace: Workspace, text: str) -> None:
    with workspace.write() as db:
        guidelines.add_guideline(db, "hpa", text, origin="person")


def test_the_tray_is_read_and_what_was_decided_under_an_older_guideline_is_offered(
    house: Ward, page: Page
) -> None:
    with no_dialogs(page):
        desk = house.desk(page, "kept")
        first = desk.current
        desk.press(".")
        told = page.get_by_role("region", name="Guideline")
        expect(told).to_be_focused()
        expect(told.locator(".guideline")).to_have_text(FIRST)
        expect(told.locator(".guideline *")).to_have_count(0)
        expect(told.locator(".revision")).to_have_text(revision(FIRST))
        expect(page.locator(".card")).to_be_in_viewport()
        desk.press("x")  # keys are the tray's own
        desk.press(".")
        expect(told).to_have_count(0)
        assert desk.log() == []
        desk.press("a", "x")
        desk.wait_for_decisions(2)
        assert [d.guideline_revision for d in desk.log()] == [revision(FIRST)] * 2
        expect(page.get_by_text("made under an older guideline")).to_have_count(0)
        with open_workspace(house.workspace) as workspace:
            state(workspace, SECOND)
        desk.saved()
        page.get_by_role("button", name="Guideline .", exact=True).click()
        expect(told.locator(".guideline")).to_have_text(SECOND)
        desk.see("2 decisions of yours were made under an older revision.")
        desk.press("Escape")
        desk.see("2 decisions of yours were made under an older guideline.")
        page.evaluate(RELOAD_AT_LIST)
        click(page.get_by_role("button", name="Look at them"), then=page.get_by_text("List: Decisions made"))
        desk.shows(first)  # and not what was on the screen before
        desk.see("1 of 2")
        page.reload()  # what the browser holds already is not fetched again
        desk.ready()
        desk.see("You gave this answer under an older guideline")
        desk.press("a")
        desk.see("2 of 2")
        desk.press("a")
        found = desk.wait_for_decisions(4)
        assert [action for _, action in found] == [Action.ACCEPT, Action.REJECT, Action.ACCEPT, Action.ACCEPT]
        assert [d.guideline_revision for d in desk.log()[2:]] == [revision(SECOND)] * 2
        desk.saved()
        click(page.get_by_role("button", name="Leave the list"))
        page.get_by_text("kept, all runs").wait_for()
        expect(page.get_by_role("button", name="Look at them")).to_have_count(0)


def test_pairs_have_the_same_key_and_where_there_is_no_guideline_the_tray_says_what_to_do(
    house: Ward, page: Page
) -> None:
    desk = house.desk(page, "pairs", kind="conflict")
    with open_workspace(house.workspace) as workspace:
        now = guidelines.latest(workspace, "hpa")
    assert now is not None
    desk.press(".")
    told = page.get_by_role("region", name="Guideline")
    expect(told.locator(".revision")).to_have_text(revision(now.summary))
    desk.press("Escape", "x")
    desk.wait_for_decisions(1)
    assert desk.log()[0].guideline_revision == revision(now.summary)
    page.goto(f"{house.url}/{house.address('plain', kind='concept')}")
    desk.ready()
    desk.press(".")
    expect(told).to_contain_text("no run of this corpus names a task profile")
    expect(told).to_contain_text("touchstone run concepts --profile NAME")
