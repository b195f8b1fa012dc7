"""Evidence chosen without a mouse: word by word with the keyboard, and by touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from core.records import Answer, PairAnswer
from core.store import ontologies, open_workspace
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.review.clinic import SEIZURE, add_corpus, add_run, draft, ontology
from tests.review.pairs.library import many

TEXT = "👩🏽‍⚕️ wrote: no seizure. Then 🧠 oede\u0301ma, a se\u0301izure 🤷🏽 and sleep. The end."
CORPORA = ("keys", "panel", "touch")


@pytest.fixture(scope="module")
def ward(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Ward:
    path = tmp_path_factory.mktemp("evidence") / "evidence.db"
    many(path, {"claims": 3})
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        for name in CORPORA:
            at = add_corpus(workspace, {name: TEXT}, name)[name]
            add_run(workspace, {at: [draft(SEIZURE, TEXT, "seizure")]}, f"run-{name}", corpus=name)
    return Ward(module_app_server(path), path)


def said(page: Page) -> str:
    return page.locator(".slot-said").inner_text()


def test_words_are_chosen_with_the_keyboard_alone(ward: Ward, page: Page) -> None:
    desk = ward.desk(page, "keys", "rita")
    bar = page.locator(".slot-selection q")
    desk.press("e")
    expect(bar).to_have_text("seizure")  # begins at the evidence that is proposed
    desk.press("ArrowRight", "ArrowRight", "Shift+ArrowRight")
    expect(bar).to_have_text("🧠 oede\u0301ma")
    assert said(page) == "🧠 oede\u0301ma"
    desk.press("ArrowUp", "ArrowUp")
    expect(bar).to_have_text("👩🏽‍⚕️")
    desk.press("Escape")
    expect(bar).to_have_count(0)
    desk.press("e", "End", "Home", "ArrowDown", *["ArrowRight"] * 4)
    desk.press("Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft")
    expect(bar).to_have_text("se\u0301izure 🤷🏽")
    desk.press("Enter")
    assert said(page) == "Chosen: se\u0301izure 🤷🏽"
    desk.press("f", "Enter")
    desk.wait_for_decisions(1)
    answer = desk.log()[0].answer
    assert isinstance(answer, Answer)
    [span] = answer.spans
    start = TEXT.index("se\u0301izure")
    assert (span.start, span.quote) == (start, "se\u0301izure 🤷🏽")
    assert TEXT[span.start : span.end] == span.quote


def test_words_are_added_to_an_open_panel_with_the_keyboard(ward: Ward, page: Page) -> None:
    desk = ward.desk(page, "panel", "sana")
    desk.press("f")
    page.locator(".text").focus()
    desk.press("e", "ArrowRight", "ArrowRight")
    page.get_by_role("button", name="Use as evidence").wait_for()
    desk.press("Enter")
    expect(page.locator(".spans .chip")).to_have_count(2)
    assert desk.log() == []
    desk.press("Enter")
    desk.wait_for_decisions(1)
    answer = desk.log()[0].answer
    assert isinstance(answer, Answer)
    assert [span.quote for span in answer.spans] == ["seizure", "🧠"]


def test_evidence_of_both_claims_is_chosen_with_the_keyboard(ward: Ward, page: Page) -> None:
    desk = ward.desk(page, "claims", "tove", "conflict")
    desk.press(",", "Shift+ArrowRight", "Enter")
    desk.press(",", ",", "ArrowRight", "Shift+ArrowRight", "Enter", "f")
    desk.wait_for_decisions(1)
    answer = desk.log()[0].answer
    assert isinstance(answer, PairAnswer)
    assert "Zetavir lowered" in [span.quote for span in answer.spans_a]
    assert "did not" in [span.quote for span in answer.spans_b]


def test_text_selected_by_touch_is_offered_and_taken(ward: Ward, browser: Browser) -> None:
    """The browser's own selection, as a long press and its handles leave it."""
    context = browser.new_context(has_touch=True, is_mobile=True)
    page = context.new_page()
    desk = ward.desk(page, "touch", "uma")
    page.set_viewport_size({"width": 420, "height": 860})
    page.wait_for_timeout(400)
    text = page.locator(".text")
    text.tap(position={"x": 5, "y": 5})  # a finger, no mouse
    for words in ("oede\u0301ma", "oede\u0301ma, a se\u0301izure 🤷🏽"):  # a handle is moved on
        text.evaluate(
            """(region, words) => {
                const walk = document.createTreeWalker(region, NodeFilter.SHOW_TEXT)
                const from = region.textContent.indexOf(words)
                const at = (unit) => {
                    walk.currentNode = region
                    let seen = 0
                    while (walk.nextNode()) {
                        if (unit <= seen + walk.currentNode.length) return [walk.currentNode, unit - seen]
                        seen += walk.currentNode.length
                    }
                }
                const [start, end] = [at(from), at(from + words.length)]
                getSelection().setBaseAndExtent(...start, ...end)
            }""",
            words,
        )
        expect(page.locator(".slot-selection q")).to_have_text(f"{words}")
    page.get_by_role("button", name="Evidence for this item").tap()
    page.get_by_role("button", name="Save:").tap()
    desk.wait_for_decisions(1)
    answer = desk.log()[0].answer
    assert isinstance(answer, Answer)
    [span] = answer.spans
    assert span.quote == "oede\u0301ma, a se\u0301izure 🤷🏽"
    assert TEXT[span.start : span.end] == span.quote
    context.close()
