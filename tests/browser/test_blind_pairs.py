"""Blind pairs of a frame: answered before any label is on the screen, which then shows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from core.evaluate.estimated import estimated
from core.records import Action, Axis, ConflictType, PairAnswer
from core.review.frames import Wanted, open_frame
from core.review.views.blind import BLIND
from core.store import frames, open_workspace
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.browser.review import click
from tests.review.pairs.library import many

QUEUES = {"mixed": 4, "hand": 1, "late": 1}
CONTEXTUAL, DIRECT = ConflictType.CONTEXTUAL_CONTRADICTION, ConflictType.DIRECT_CONTRADICTION
KEYS = {kind: str(n) for n, kind in enumerate(ConflictType, 1)}
PARTS = (
    *(
        ".labels button",
        ".score",
        ".origin",
        "details.why",
        ".scores",
        ".slot-strip *",
        ".slot-table *",
        ".side-meta .chip",
    ),
    *(".on-cue", ".on-like", ".on-evidence", ".evidence li", ".axes .sign", ".axis.was", ".hollow.on"),
    *('.types [aria-checked="true"]', '.axis[aria-checked="true"]'),
)
"""Where a label, a score, or what else a machine found would show."""
WORDS = (
    "Older inpatients",
    "scripted-model",
    "Scripted for this test",
    "0.82",
    "0.74",
    "efficacy",
    "decreased",
)


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Ward:
    path = tmp_path_factory.mktemp("blind") / "blind.db"
    many(path, QUEUES)
    with open_workspace(path) as workspace:
        open_frame(workspace, Wanted("run-mixed", "mixed", blind=0.5, seed="1"))
        open_frame(workspace, Wanted("run-hand", "hand", blind=1.0))
    return Ward(module_app_server(path), path, kind="conflict")


def nothing_is_told(page: Page) -> None:
    for part in PARTS:
        expect(page.locator(part)).to_have_count(0)
    told = page.locator(".desk").evaluate("(desk) => desk.outerHTML")
    assert [word for word in WORDS if word in told] == []
    assert page.get_by_label("Reconciliation").input_value() == ""
    expect(page.locator(".slot-card-why")).to_have_text(BLIND)
    for side in "ab":
        expect(page.locator(f".slot-text-{side} .on-claim").first).to_be_visible()
        expect(page.locator(f".slot-text-{side}")).to_contain_text("CONCLUSIONS")


def test_nothing_is_shown_before_the_answer_and_all_of_it_afterwards(house: Ward, page: Page) -> None:
    with open_workspace(house.workspace) as workspace:
        units = {unit.item_id: unit for unit in frames.units(workspace, "mixed")}
    assert [unit.blind for unit in units.values()].count(True) == 2
    desk = house.desk(page, "mixed")
    answers = iter((DIRECT, CONTEXTUAL))
    walked = []
    for n in range(1, 5):
        item = desk.current
        walked.append(item)
        if units[item].blind:
            nothing_is_told(page)
            expect(page.get_by_role("button", name="Save A", exact=True)).to_be_visible()
            desk.press("q")  # how many labels there are is not told, either
            expect(page.locator(".notice").first).to_contain_text(BLIND)
            desk.press("a")
            expect(page.locator(".told")).to_contain_text("Choose a conflict type first, with 1 to 6.")
            desk.press("y", KEYS[next(answers)], "f" if n % 2 else "a")
        else:
            expect(page.locator(".labels button")).to_have_count(2)
            desk.press("a")
        desk.wait_for_decisions(n)
        desk.drawn()
    log = {one.item_id: one for one in desk.log()}
    blind = [item for item in walked if units[item].blind]
    for item, kind, action in zip(blind, (DIRECT, CONTEXTUAL), (Action.FIX, Action.ACCEPT), strict=True):
        one = log[item]
        assert (one.action, one.blind, one.base) == (action, True, f"item:{item}")
        assert isinstance(one.answer, PairAnswer)
        assert (one.answer.conflict_type, one.answer.axes) == (kind, (Axis.YEAR_TIME_PERIOD,))
    with open_workspace(house.workspace) as workspace:
        found = estimated(workspace, "mixed")
    assert (found.blind, found.answered_blind, found.counted) == (2, 2, 4)
    assert (found.anchoring.shown, found.anchoring.blind, found.anchoring.value) == (2, 2, 0.5)
    assert found.figures["accuracy"].value == 0.75

    desk.press(*["k"] * (4 - walked.index(blind[1])))
    desk.shows(blind[1])
    expect(page.locator(".slot-card-state")).to_contain_text("Accepted")  # as it is stored
    desk.press(*["k"] * (walked.index(blind[1]) - walked.index(blind[0])))
    desk.shows(blind[0])
    expect(page.locator(".slot-card-state")).to_contain_text("Fixed")
    expect(page.locator(".labels button")).to_have_count(2)
    expect(page.locator("details.why")).to_be_visible()
    expect(page.locator(".origin")).to_be_visible()
    expect(page.locator(".score")).to_be_visible()
    expect(page.locator(".on-cue").first).to_be_visible()
    expect(page.locator(".slot-table table")).to_be_visible()
    expect(page.locator(".side-meta .chip").first).to_have_text("efficacy claim")
    expect(page.locator(f'.types [data-key="type {DIRECT}"]')).to_have_attribute("aria-checked", "true")
    click(page.get_by_role("button", name="Back to the proposal"))
    desk.press("a")  # on top of the blind one
    assert desk.wait_for_decisions(5)[4] == (blind[0], Action.ACCEPT)
    assert not desk.log()[4].blind


def test_a_telephone_says_that_it_is_a_blind_check(house: Ward, page: Page) -> None:
    desk = house.desk(page, "hand")
    page.set_viewport_size({"width": 420, "height": 860})
    page.wait_for_timeout(400)
    gist = page.locator(".gist")
    expect(gist).to_contain_text("blind check")
    expect(gist).not_to_contain_text("labels")
    nothing_is_told(page)
    desk.press(KEYS[DIRECT])
    page.reload()
    desk.ready()  # what was chosen and not yet saved is kept, and nothing more is shown
    expect(gist).to_contain_text("blind check")
    expect(page.locator(".labels button")).to_have_count(0)
    expect(page.locator(f'.types [data-key="type {DIRECT}"]')).to_have_attribute("aria-checked", "true")
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    desk.press("f")
    desk.wait_for_decisions(1)
    assert desk.log()[0].blind
    desk.press("k")
    expect(gist).not_to_contain_text("blind check")  # what was answered is shown
    expect(gist).to_contain_text("2 labels")
    desk.press("z")
    desk.wait_for_decisions(2)
    expect(gist).not_to_contain_text("blind check")


def test_what_was_begun_with_a_label_on_the_screen_does_not_fill_a_blind_form(
    house: Ward, page: Page
) -> None:
    desk = house.desk(page, "late")
    desk.press("y")
    expect(page.locator(".changed")).to_have_text("Changed: axes.Back to the proposal")
    with open_workspace(house.workspace) as workspace:
        open_frame(workspace, Wanted("run-late", "late", blind=1.0))
    page.reload()
    desk.ready()
    nothing_is_told(page)
