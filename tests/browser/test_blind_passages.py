"""A blind passage: its concepts are listed before anything of a machine is in the page, then reviewed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from core.evaluate.estimated import estimated
from core.records import Action
from core.review.frames import Wanted, open_frame
from core.review.views.passages import EMPTY, LIST
from core.store import frames, ontologies, open_workspace
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.browser.review import select
from tests.review.clinic import (
    CATARACT,
    FOCAL,
    HYPOTONIA,
    SEIZURE,
    add_corpus,
    add_run,
    draft,
    item,
    ontology,
)

TEXTS = {
    "n1": "She had a focal seizure at two. Later low tone was seen.",
    "n2": "He is blind in one eye.",
    "n3": "Nothing of note.",
}
REASON = "the run says why"
SECRETS = (REASON, "reader-of-notes", "low tone by a word list", HYPOTONIA, CATARACT, '"confidence"')


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Ward:
    path = tmp_path_factory.mktemp("blind") / "passages.db"
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        for corpus in ("notes", "hand"):
            at = add_corpus(workspace, TEXTS, corpus)
            drafts = {
                at["n1"]: [
                    draft(SEIZURE, TEXTS["n1"], "seizure", reason=REASON),
                    draft(HYPOTONIA, TEXTS["n1"], "low tone", reason="low tone by a word list"),
                ],
                at["n2"]: [draft(CATARACT, TEXTS["n2"], "blind", reason=REASON)],
            }
            add_run(workspace, drafts, f"run-{corpus}", corpus=corpus, source="reader-of-notes")
            open_frame(workspace, Wanted(f"run-{corpus}", corpus, unit="passage", blind=1.0))
    return Ward(module_app_server(path), path)


def add(page: Page, words: str, concept: str, *keys: str) -> None:
    """With the keyboard, once the words are selected."""
    select(page, words)
    page.keyboard.press("m")
    page.get_by_role("combobox", name="Search the ontology").fill(concept)
    page.locator(f'[role="option"][data-concept="{concept}"][aria-selected="true"]').wait_for()
    page.keyboard.press("Enter")


def in_page(page: Page) -> str:
    """All that the document holds, also what is not in sight."""
    return str(
        page.evaluate(
            """() => [document, ...[...document.querySelectorAll('*')].map((e) => e.shadowRoot)]
            .filter(Boolean).map((root) => (root.documentElement ?? root).innerHTML).join(' ')"""
        )
    )


def test_the_list_comes_first_and_the_review_on_top_of_it(house: Ward, page: Page) -> None:
    heard: list[str] = []
    page.on(
        "websocket",
        lambda socket: socket.on(
            "framereceived",
            lambda frame: heard.append(frame if isinstance(frame, str) else frame.decode("utf-8", "replace")),
        ),
    )
    desk = house.desk(page, "notes")
    card = page.locator(".card.whole")
    expect(card).to_contain_text(LIST)
    for key in "axfs":
        desk.press(key)
        page.get_by_text("The list comes first: M adds a concept, P ends the list.").wait_for()
    expect(page.locator(".text .mark")).to_have_count(0)
    add(page, "focal seizure", FOCAL)
    expect(card.locator("li")).to_have_count(1)
    add(page, "seizure", SEIZURE)  # which the run proposes, too
    expect(card.locator("li")).to_have_count(2)
    desk.wait_for_decisions(2)
    desk.saved()
    told = " ".join(heard)
    assert TEXTS["n1"] in told, "what comes is read"
    assert not [secret for secret in SECRETS if secret in told + in_page(page)]
    desk.press("p")
    expect(card).to_have_count(0)
    desk.wait_for_decisions(3)
    with open_workspace(house.workspace) as workspace:
        n1, n2, n3 = (
            unit.passage_id for unit in sorted(frames.units(workspace, "notes"), key=lambda x: x.id)
        )
        hypotonia, cataract = item(workspace, n1, HYPOTONIA), item(workspace, n2, CATARACT)
        seizure = item(workspace, n1, SEIZURE)
    desk.shows(hypotonia)
    expect(page.locator(".why")).to_contain_text("low tone by a word list")
    expect(page.locator(f'.slot-list [data-item="{seizure}"]')).to_contain_text("Added")
    desk.press("a")
    page.get_by_text("Is nothing missing in it?").wait_for()
    desk.press("p")
    expect(card).to_contain_text(LIST)  # of the next one
    desk.press("p")
    desk.shows(cataract)
    desk.press("x", "p")
    expect(card).to_contain_text(LIST)
    desk.press("p")
    expect(card).to_contain_text(EMPTY)
    desk.press("p")
    desk.wait_for_decisions(10)
    assert [(one.action, one.blind, one.base.split(":")[0]) for one in desk.log()] == [
        (Action.ADD, True, "item"),
        (Action.ADD, True, "item"),
        (Action.REOPEN, True, "item"),
        (Action.ACCEPT, False, "proposals"),
        (Action.CLOSE, False, "decision"),
        (Action.REOPEN, True, "item"),
        (Action.REJECT, False, "proposals"),
        (Action.CLOSE, False, "decision"),
        (Action.REOPEN, True, "item"),
        (Action.CLOSE, False, "decision"),
    ]
    assert [one.quote for one in desk.log()[0].answer.spans] == ["focal seizure"]  # type: ignore[union-attr]
    with open_workspace(house.workspace) as workspace:
        found = estimated(workspace, "notes")
    assert (found.counted, found.blind, found.answered_blind, found.anchoring.blind) == (3, 3, 3, 3)
    assert found.figures["recall"].value == pytest.approx(2 / 3)
    assert {one.passage_id for one in desk.log()} == {n1, n2, n3}


def test_a_telephone_reload_and_undo(house: Ward, page: Page) -> None:
    desk = house.desk(page, "hand")
    page.set_viewport_size({"width": 420, "height": 860})
    page.wait_for_timeout(400)
    card = page.locator(".card.whole")
    expect(card.get_by_role("button", name="List done")).to_be_in_viewport()
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    add(page, "seizure", SEIZURE)
    desk.wait_for_decisions(1)
    page.reload()
    desk.ready()
    expect(card.locator("li")).to_have_count(1)
    page.set_viewport_size({"width": 1400, "height": 1000})
    at = desk.current
    page.locator(".slot-history").get_by_role("button", name="Seizure", exact=False).first.click()
    desk.shows(at)  # its concepts have no cards yet
    add(page, "seizure", SEIZURE)
    page.get_by_text("This concept is in the passage already").wait_for()
    expect(card.locator("li")).to_have_count(1)
    for count in (2, 4):  # what is taken back can be added again
        desk.press("z")
        expect(card.locator("li")).to_have_count(0)
        desk.wait_for_decisions(count)
        if count == 2:
            add(page, "seizure", SEIZURE)
            expect(card.locator("li")).to_have_count(1)
            desk.wait_for_decisions(3)
    desk.saved()
    desk.press("p")
    expect(card).to_have_count(0)
    desk.wait_for_decisions(5)
    desk.saved()
    page.reload()
    desk.ready()
    expect(page.locator(".card:not(.whole)")).to_be_visible()
    expect(page.get_by_text("Opened out of turn")).to_have_count(0)
    desk.press("z")  # an end that is taken back was given
    desk.wait_for_decisions(6)
    desk.saved()
    expect(page.locator(".slot-title .chip")).to_have_count(0)
    expect(card).to_have_count(0)
    assert [(one.action, one.blind) for one in desk.log()] == [
        *[(Action.ADD, True), (Action.UNDO, False)] * 2,
        (Action.REOPEN, True),
        (Action.UNDO, False),
    ]
