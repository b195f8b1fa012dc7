"""Blind units of a frame: answered before the machine's answer is on the screen, which then shows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from core.records import Action, Assertion, ConceptClass
from core.review.frames import Wanted, open_frame
from core.review.views.blind import BLIND
from core.review.views.passages import DECOY
from core.store import ontologies, open_workspace, queue
from core.store.blind import decoys
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.browser.review import select
from tests.review.clinic import CATARACT, HYPOTONIA, NAMES, SEIZURE, add_corpus, add_run, draft, ontology

TEXT = "She had a seizure at two. Later hypotonia was seen. There was no cataract."
CORPORA = ("wide", "hand", "among")
REASON = "the run says why"
CHOSEN = '[role="option"][aria-selected="true"]'


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Ward:
    path = tmp_path_factory.mktemp("blind") / "blind.db"
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        for corpus in CORPORA:
            at = add_corpus(workspace, {corpus: TEXT}, corpus)[corpus]
            drafts = [
                draft(SEIZURE, TEXT, "seizure", reason=REASON),
                draft(HYPOTONIA, TEXT, "hypotonia", reason=REASON),
                draft(CATARACT, TEXT, "cataract", reason=REASON, assertion=Assertion.NEGATED),
            ]
            add_run(workspace, {at: drafts}, f"run-{corpus}", corpus=corpus)
            open_frame(
                workspace,
                Wanted(
                    *(f"run-{corpus}", corpus),
                    blind=1.0,
                    assertions=tuple(Assertion),
                    decoys=corpus == "among",
                ),
            )
    return Ward(module_app_server(path), path)


def concept_of(house: Ward, item: int) -> str:
    with open_workspace(house.workspace) as workspace:
        return queue.items(workspace, [item])[item].subject


def test_nothing_is_shown_before_the_answer_and_all_of_it_afterwards(house: Ward, page: Page) -> None:
    desk = house.desk(page, "wide", "bea")
    said = page.locator(".slot-card-why")
    expect(said).to_have_text("Blind check: answer before any machine answer is seen.")
    for part in (
        ".text .mark",
        ".card .origin",
        ".card .evidence",
        ".why",
        ".slot-card-state .chip.hollow:nth-child(2)",
    ):
        expect(page.locator(part)).to_have_count(0)
    first = desk.current
    asked = concept_of(house, first)
    desk.press("2", "a")  # logically implicit; the panel asks before it saves
    expect(page.locator(CHOSEN)).to_have_attribute("data-concept", asked)
    expect(page.get_by_role("button", name=f"Save: {NAMES[asked]}, logical Enter")).to_be_visible()
    select(page, NAMES[asked].lower())
    desk.press("Enter")
    desk.wait_for_decisions(1)
    second = desk.current
    assert second != first
    desk.press("x")
    desk.press("s")
    desk.wait_for_decisions(3)
    log = desk.log()
    assert [(one.action, one.blind, one.base.split(":")[0]) for one in log] == [
        (Action.ACCEPT, True, "item"),
        (Action.REJECT, True, "item"),
        (Action.UNSURE, True, "item"),
    ]
    answer = log[0].answer
    assert answer is not None
    assert answer.concept_class is ConceptClass.LOGICALLY_IMPLICIT
    assert [span.quote for span in answer.spans] == [NAMES[asked].lower()]
    desk.saved()
    desk.press("k", "k")
    desk.shows(second)
    expect(page.locator(".card .evidence")).to_contain_text(NAMES[concept_of(house, second)].lower())
    expect(page.locator(".why")).to_contain_text(REASON)
    desk.press("a")  # on top of the blind one
    found = desk.wait_for_decisions(4)
    assert found[3] == (second, Action.ACCEPT)
    assert not desk.log()[3].blind


def test_a_telephone_says_that_it_is_a_blind_check(house: Ward, page: Page) -> None:
    desk = house.desk(page, "hand", "bob")
    page.set_viewport_size({"width": 420, "height": 860})
    page.wait_for_timeout(400)
    expect(page.locator(".gist")).to_contain_text("blind check")
    expect(page.locator(".text .mark")).to_have_count(0)
    asked = concept_of(house, desk.current)
    desk.press("f")
    expect(page.get_by_role("button", name=f"Save: {NAMES[asked]}, explicit Enter")).to_be_in_viewport()
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    desk.press("Enter")
    desk.wait_for_decisions(1)
    assert desk.log()[0].blind
    desk.press("k")
    expect(page.locator(".gist")).not_to_contain_text("blind check")  # what was answered is shown
    desk.press("z")
    desk.wait_for_decisions(2)
    expect(page.locator(".gist")).not_to_contain_text("blind check")


def test_a_concept_that_nobody_proposed_is_asked_about_among_them(house: Ward, page: Page) -> None:
    with open_workspace(house.workspace) as workspace:
        [decoy] = [one.item_id for one in decoys(workspace, "among")]
    desk = house.desk(page, "among")
    said = page.locator(".slot-card-why")
    asked = []
    for _ in range(4):
        asked.append(desk.current)
        expect(said).to_have_text(BLIND)
        desk.press("x")
        desk.drawn()
    assert decoy in asked
    assert [item for item, _ in desk.wait_for_decisions(4)] == asked
    assert all(one.blind for one in desk.log())
    desk.press(*["k"] * (4 - asked.index(decoy)))
    desk.shows(decoy)
    expect(said).to_have_text(DECOY)
    desk.press(*["z"] * (4 - asked.index(decoy)))
    desk.shows(decoy)
    desk.press("s")
    assert desk.wait_for_decisions(9 - asked.index(decoy))[-1] == (decoy, Action.UNSURE)
    assert not desk.log()[-1].blind
