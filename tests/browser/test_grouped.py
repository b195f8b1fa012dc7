"""One question for several items: the same words in many passages, a broad concept inside a narrow one's."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from core.records import Action, Answer, Draft
from core.store import decisions, ontologies, open_workspace
from tests.browser.conftest import StartApp
from tests.browser.queues import Queues
from tests.browser.test_phone import settle
from tests.review.clinic import (
    FOCAL,
    HYPOTONIA,
    NERVOUS,
    SEIZURE,
    add_labelled,
    draft,
    items_of_run,
    ontology,
)

SAME = ("reject", "leave", "pressed", "small")
NESTED = ("narrow", "broad", "list")
TEXTS = [
    "A seizure at night.",
    "No drug helped against the Seizure <b>of</b> the boy.",
    "The seizure came back. Hypotonia was seen.",
    "A seizure; its onset was focal.",
]
NEST = "A focal seizure at night. Hypotonia was seen."


def said(text: str) -> list[Draft]:
    found = [draft(SEIZURE, text, "Seizure" if "Seizure" in text else "seizure")]
    if "Hypotonia" in text:
        found.append(draft(HYPOTONIA, text, "Hypotonia"))
    if text == NEST:
        found += [draft(NERVOUS, text, "seizure"), draft(FOCAL, text, "focal seizure")]
    return found


@pytest.fixture(scope="module")
def ward(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Queues:
    path = tmp_path_factory.mktemp("grouped") / "grouped.db"
    ids = {}
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        for corpus in SAME + NESTED:
            texts = {f"{corpus}{n}": text for n, text in enumerate(TEXTS if corpus in SAME else [NEST])}
            add_labelled(workspace, corpus, texts, said)
            ids[corpus] = items_of_run(workspace, f"run-{corpus}")
        decisions.add_curator(workspace, "beta", "Beta")
    return Queues(module_app_server(path), path, ids)


def test_one_answer_for_the_same_words_in_all_passages_but_the_one_left_out(ward: Queues, page: Page) -> None:
    desk, (first, second, third, weak, narrower) = ward.desk(page, "leave"), ward.ids["leave"]
    desk.press("l")
    panel = page.get_by_label("The same words")
    rows = panel.get_by_role("checkbox")
    expect(rows).to_have_count(4)
    expect(rows.nth(1)).to_contain_text("No drug helped against the Seizure <b>of</b> the boy.")
    expect(rows.nth(3)).to_contain_text("Narrower, and in the text: Focal-onset seizure")
    expect(panel.get_by_role("checkbox", checked=False)).to_have_count(1)  # that one asks for a look
    desk.press("s", "f", "1", "Enter")  # nothing behind the question is decided meanwhile
    desk.press("ArrowDown", "Space")
    expect(page.get_by_role("button", name="Accept 2 A")).to_be_visible()
    expect(rows.nth(1)).to_contain_text("(left out)")
    desk.press("a")
    desk.shows(second)  # it stays open, and comes next
    assert desk.wait_for_decisions(2) == [(first, Action.ACCEPT), (third, Action.ACCEPT)]
    answers = [one.answer for one in desk.log() if isinstance(one.answer, Answer)]
    assert [(a.concept, a.spans[0].start) for a in answers] == [(SEIZURE, 2), (SEIZURE, 4)]
    page.reload()
    desk.ready()
    desk.press("z")
    assert desk.wait_for_decisions(4)[2:] == [(third, Action.UNDO), (first, Action.UNDO)]
    desk.shows(first)
    assert {weak, narrower}.isdisjoint(row[0] for row in desk.answers())


def test_they_are_rejected_together_and_those_behind_follow(ward: Queues, page: Page) -> None:
    desk, ids = ward.desk(page, "reject"), ward.ids["reject"]
    desk.press("l")
    expect(page.get_by_label("The same words").get_by_role("checkbox")).to_have_count(4)
    desk.press("x")
    desk.shows(ids[3])  # hypotonia, whose words are others
    assert desk.wait_for_decisions(3) == [(ids[i], Action.REJECT) for i in range(3)]
    desk.press("l")
    desk.see("No other open item has the same words for this concept.")
    desk.press("a", "x", "Escape")
    desk.press("a")
    desk.shows(ids[4])
    assert desk.wait_for_decisions(4)[3] == (ids[3], Action.ACCEPT)


def test_what_is_changed_on_its_card_is_answered_there(ward: Queues, page: Page) -> None:
    desk = ward.desk(page, "pressed")
    desk.press("2", "l")
    desk.see("This one is answered on its card")
    expect(page.get_by_label("The same words")).to_have_count(0)
    assert desk.log() == []


def test_on_a_telephone_rows_and_answers_fit(ward: Queues, page: Page) -> None:
    desk, ids = ward.desk(page, "small"), ward.ids["small"]
    settle(page, 420, 860)
    desk.press("l")
    panel = page.get_by_label("The same words")
    panel.get_by_role("checkbox").nth(1).click()
    expect(panel.get_by_role("checkbox", checked=True)).to_have_count(2)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    button = page.get_by_role("button", name="Accept 2 A")
    expect(button).to_be_in_viewport()
    button.click()
    assert desk.wait_for_decisions(2) == [(ids[0], Action.ACCEPT), (ids[2], Action.ACCEPT)]


def test_one_key_keeps_the_narrower_and_rejects_what_lies_inside_it(ward: Queues, page: Page) -> None:
    desk, (broad, weak, broadest, narrow) = ward.desk(page, "narrow"), ward.ids["narrow"]
    desk.shows(narrow)  # it stands first in the text
    expect(page.locator(".nested")).to_contain_text(
        "Inside its words: Seizure, Abnormality of the nervous system"
    )
    desk.press("y")
    desk.shows(weak)
    assert desk.wait_for_decisions(3) == [
        (narrow, Action.ACCEPT),
        (broad, Action.REJECT),
        (broadest, Action.REJECT),
    ]
    desk.press("y")
    desk.see("There is no open pair of a narrower and a broader concept")
    desk.press("z")
    desk.shows(narrow)
    undone = desk.wait_for_decisions(6)[3:]
    assert undone == [(broadest, Action.UNDO), (broad, Action.UNDO), (narrow, Action.UNDO)]


def test_the_card_of_the_broader_one_offers_the_same(ward: Queues, page: Page) -> None:
    desk, (broad, weak, broadest, narrow) = ward.desk(page, "broad"), ward.ids["broad"]
    page.locator(f'.slot-list [data-item="{broad}"]').click()
    desk.shows(broad)
    expect(page.locator(".nested")).to_contain_text("Inside the words of: Focal-onset seizure")
    page.locator(".nested button").click()
    found = desk.wait_for_decisions(3)
    assert sorted(found) == sorted(
        [(narrow, Action.ACCEPT), (broad, Action.REJECT), (broadest, Action.REJECT)]
    )
    assert weak not in dict(found)


def test_the_list_shows_it_below_the_narrower_one_and_an_answered_one_is_left_out(
    ward: Queues, page: Page
) -> None:
    desk, (broad, weak, broadest, narrow) = ward.desk(page, "list"), ward.ids["list"]
    order = page.locator(".slot-list [data-item]").evaluate_all(
        "(all) => all.map((one) => Number(one.dataset.item))"
    )
    assert order == [narrow, broad, broadest, weak]
    expect(page.locator(".slot-list li.inside")).to_have_count(2)
    expect(page.locator(".slot-together")).to_have_text("Accept these 2Shift+A")  # none inside another
    desk.press("j")
    desk.shows(broad)
    desk.press("a")  # the text names it elsewhere, the curator says
    desk.press("k", "k")
    desk.shows(narrow)
    expect(page.locator(".nested")).to_contain_text("Inside its words: Abnormality of the nervous system")
    desk.press("y")
    assert desk.wait_for_decisions(3)[1:] == [(narrow, Action.ACCEPT), (broadest, Action.REJECT)]
