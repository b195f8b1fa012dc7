"""The desks on telephones and tablets, held either way: what is judged and its answers are seen together."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.conflicts.guide import AXES, TYPES
from core.kinds.names import NAMES
from core.records import Action, Assertion
from core.review.concept_guide import CLASSES, STATUSES
from core.store import ontologies, open_workspace
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.browser.review import PATIENCE
from tests.review.clinic import FOCAL, HYPOTONIA, SEIZURE, add_corpus, add_run, draft, ontology
from tests.review.pairs.library import many

SCREENS = ((420, 860), (360, 640), (600, 960), (820, 1180), (860, 420), (740, 360), (960, 600), (1180, 820))
LONG_NAME = (
    "Focal-onset seizure with impaired awareness, with automatisms of the mouth and the hands, on one side of"
    " the body, that lasts for longer than five minutes and is followed by a paralysis of that side"
)
LONG_SENTENCE = (
    "At the age of two years, after a birth at term without complications, a normal first year and an illness"
    " with fever that nobody could explain although blood, urine and the fluid around the brain were tested"
    " for every usual agent, she had a first seizure, which began in the left hand, went over to the face,"
    " ended after four minutes without any treatment and was followed by a sleep of several hours."
)
MANY = ("several", "sheet")
"""Where five runs propose the concept."""
BEFORE = " ".join(f"Visit {n} brought nothing new." for n in range(30))
CASES = {
    "first": f"A boy of two years had a seizure this morning. {BEFORE}",
    "sentence": f"{BEFORE} {LONG_SENTENCE} {BEFORE}",
    "name": f"{BEFORE} Then a seizure of the left hand was seen. {BEFORE}",
    "several": f"{BEFORE} Marked hypotonia was seen in both arms. {BEFORE}",
}
TEXTS = {**CASES, "lines": CASES["name"], "sheet": CASES["several"], "helped": CASES["first"]}
"""A queue for each test: what one browser had on its screen is leased to it for a while."""
SEEN = """([what, whole]) => {
    const all = (root) => [...root.querySelectorAll('*')]
        .flatMap((e) => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])])
    const desk = all(document).find((e) => e.classList.contains('desk'))
    const nodes = [...desk.querySelectorAll(what)]
    if (!nodes.length) return [`no ${what}`]
    const boxes = nodes
        .flatMap((node) => [...node.getClientRects()].map((box) => [node, box]))
        .filter(([, box]) => box.width > 1)
    if (!boxes.length) return [`${what} is not drawn`]
    const hidden = boxes.flatMap(([node, box]) => {
        const inside = box.left >= 0 && box.top >= 0
            && box.right <= innerWidth + 0.5 && box.bottom <= innerHeight + 0.5
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
        const hit = node.getRootNode().elementFromPoint(x, y)
        const clear = hit && (node.contains(hit) || hit.contains(node))
        const said = `${what} at ${JSON.stringify(box)} is under ${hit?.outerHTML.slice(0, 80)}`
        return inside && clear ? [] : [said]
    })
    return whole || hidden.length === boxes.length ? hidden : []
}"""
"""Why parts of the desk cannot be seen; empty: they can, `whole` or at least one of their lines."""


@pytest.fixture(scope="module")
def ward(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Ward:
    """One server for this file; a corpus, and so a queue, for each case."""
    path = tmp_path_factory.mktemp("phone") / "phone.db"
    many(path, {"claims": 2, "written": 2, "meant": 2})
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology(label=LONG_NAME))
        for name, text in TEXTS.items():
            at = add_corpus(workspace, {name: text}, name)[name]
            concept, word = (HYPOTONIA, "hypotonia") if name in MANY else (SEIZURE, "seizure")
            label = LONG_NAME if name == "name" else None
            concept = FOCAL if label else concept
            for n in range(5 if name in MANY else 1):
                status = list(Assertion)[n % 3]
                proposal = draft(
                    concept, text, word, label=label, assertion=status, reason="it is named. " * 20
                )
                add_run(workspace, {at: [proposal]}, f"run-{name}-{n}", corpus=name, source=f"reader-{n}")
    return Ward(module_app_server(path), path)


def unseen(page: Page, *parts: str, whole: bool = True) -> list[str]:
    """Why these parts cannot be seen, also when the desk has had its time to find its form."""
    deadline = time.monotonic() + PATIENCE / 1000
    while reasons := [reason for part in parts for reason in page.evaluate(SEEN, [part, whole])]:
        if time.monotonic() > deadline:
            break
        page.wait_for_timeout(50)
    return reasons


def settle(page: Page, width: int, height: int) -> None:
    """Turn or change the screen, and let the desk find its new form."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_timeout(400)


ROWS = """(rows) => rows.flatMap((row) => [...row.querySelectorAll('strong')].map((name) => [
    name.textContent.trim(),
    { keys: row.querySelectorAll('kbd').length, words: row.textContent.replace(/\\s+/g, ' ') },
]))"""
"""Each name in bold print of the help, with the keys and words of its row."""
ANSWERS = (".main .accept", ".main .reject", ".main .fix", ".main .unsure")


@pytest.mark.parametrize("case", CASES)
def test_mark_name_and_answers_are_on_every_small_screen(ward: Ward, page: Page, case: str) -> None:
    ward.desk(page, case, f"nell-{case}")
    name = {"name": LONG_NAME, "several": "Hypotonia"}.get(case, "Seizure")
    for width, height in SCREENS:
        settle(page, width, height)
        assert page.get_by_role("heading", name=name, level=2).is_visible()
        assert unseen(page, ".mark.current", *ANSWERS) == [], (width, height)
        assert unseen(page, ".label .words", whole=case != "name") == [], (width, height)
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_a_short_sentence_is_seen_from_end_to_end_on_a_telephone(ward: Ward, page: Page) -> None:
    ward.desk(page, "lines", "otto")
    for width, height in ((420, 860), (360, 640)):
        settle(page, width, height)
        lines = page.locator(".text").evaluate(
            """(text) => {
                const mark = text.querySelector('.mark.current')
                const pane = text.parentElement.getBoundingClientRect()
                const box = mark.getBoundingClientRect()
                const line = parseFloat(getComputedStyle(text).lineHeight)
                return [(box.top - pane.top) / line, (pane.bottom - box.bottom) / line]
            }"""
        )
        assert min(lines) >= 1, (width, height)  # a line of the sentence above and below its mark


def test_two_claims_type_and_answers_are_on_every_small_screen(ward: Ward, page: Page) -> None:
    ward.desk(page, "claims", "pia", "conflict")
    for width, height in SCREENS:
        settle(page, width, height)
        assert page.get_by_role("heading", name="Contextual contradiction", level=2).count() == 1
        assert unseen(page, *ANSWERS) == [], (width, height)
        for side in "ab":
            assert unseen(page, f".side[data-side={side}] .on-claim", whole=False) == [], (width, height)
        kind = page.locator(".desk").get_attribute("data-fit")
        type_ = '.types [aria-checked="true"]' if kind == "wide" else ".label"
        assert unseen(page, type_) == [], (width, height)


def test_what_is_written_goes_into_the_box_of_a_sheet_that_was_shut(ward: Ward, page: Page) -> None:
    desk = ward.desk(page, "written", "rolf", "conflict")
    settle(page, 420, 860)
    here = desk.current
    desk.press("9", "Control+a")
    page.keyboard.type("axsf")
    assert page.get_by_label("Reconciliation").input_value() == "axsf"
    desk.press("Escape")
    assert desk.current == here
    assert desk.log() == []


def test_the_rest_is_in_a_sheet_that_a_tap_and_a_key_open(ward: Ward, browser: Browser) -> None:
    """Twice by touch and twice by keyboard; meanwhile the name and the answers stay, and keys go on."""
    context = browser.new_context(has_touch=True, is_mobile=True)
    page = context.new_page()
    desk = ward.desk(page, "sheet", "quinn")
    settle(page, 420, 860)
    sheet, handle = page.locator(".sheet"), page.locator(".gist")
    for shut, kind in ((handle.tap, "tap"), (lambda: desk.press("Enter"), "key")):
        expect(sheet).to_be_hidden()
        expect(handle).to_have_attribute("aria-expanded", "false")
        handle.tap() if kind == "tap" else desk.press("Enter")
        expect(handle).to_have_attribute("aria-expanded", "true")
        for part in (".about", ".runs", ".evidence", ".why", ".slot-list li", ".slot-card-class"):
            expect(sheet.locator(part).first).to_be_attached()
        assert unseen(page, ".label .words", *ANSWERS) == []
        assert unseen(page, ".mark.current") == []
        shut()
    expect(sheet).to_be_hidden()
    handle.tap()
    page.get_by_role("radio", name="Logical").tap()
    page.get_by_role("button", name="Accept changed").tap()
    desk.wait_for_decisions(1)
    assert desk.log()[0].action is Action.FIX
    page.locator(".slot-history li").first.wait_for(state="attached")
    context.close()


@pytest.mark.parametrize(
    ("kind", "corpus", "meant"),
    [
        ("concept", "helped", {**CLASSES, **STATUSES}),
        ("conflict", "meant", {**TYPES, **AXES}),
    ],
)
def test_h_tells_what_each_answer_means_on_every_screen(
    ward: Ward, page: Page, kind: str, corpus: str, meant: dict[str, Any]
) -> None:
    desk = ward.desk(page, corpus, f"hana-{kind}", kind)
    for width, height in ((420, 860), (860, 420), (1400, 1000)):
        settle(page, width, height)
        desk.press("h")
        told = page.get_by_role("region", name="Help")
        expect(told).to_be_focused()
        rows = told.locator("dl > div").evaluate_all(ROWS)
        for value, row in meant.items():
            [said] = [said for name, said in rows if re.match(f"{NAMES[value]}( |$)", name)]
            assert said["keys"] == 1
            assert row.definition in said["words"]
            assert f"Example: {row.example}" in said["words"]
        assert told.evaluate("(node) => node.scrollWidth <= node.clientWidth"), (width, height)
        desk.press("End")  # scrolls, as in any text
        expect(told.get_by_role("button", name="Close")).to_be_in_viewport()
        desk.press("Escape")
        expect(told).to_have_count(0)
    assert desk.log() == []
