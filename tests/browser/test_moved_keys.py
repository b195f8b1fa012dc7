"""Keys that a curator has moved: shown on buttons, refused where taken, kept in the browser per curator."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.records import Action
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.browser.review import Desk
from tests.review.clinic import many as concepts
from tests.review.pairs.library import many as pairs


@pytest.fixture(scope="module")
def ward(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Ward:
    path: Path = tmp_path_factory.mktemp("moved") / "moved.db"
    concepts(path, {"labels": 6, "others": 2})
    pairs(path, {"claims": 2})
    return Ward(module_app_server(path), path)


def move(desk: Desk, action: str, *keys: str) -> None:
    desk.press("h")
    desk.page.get_by_role("button", name=f"Change: {action}").click()
    desk.press(*keys)


def test_accept_moves_to_e(ward: Ward, page: Page) -> None:
    desk = ward.desk(page, "labels", "mona")
    first, told = desk.current, page.locator(".help [role=status]")
    move(desk, "Accept the proposal", "e")
    expect(told).to_have_text(
        "E is the key for “Evidence by keyboard”. Press another one, or change that one first."
    )
    for key, shown in {"c": "C", "r": "R", "4": "4", "Enter": "Enter", "ArrowUp": "ArrowUp"}.items():
        desk.press(key)
        expect(told).to_contain_text(f"{shown} cannot be taken")
    desk.press("Escape")
    expect(told).to_have_text("The key stays as it is.")
    desk.press("Escape")
    move(desk, "Evidence by keyboard", "w")
    expect(told).to_have_text("W is now the key for “Evidence by keyboard”.")
    desk.press("Escape")
    move(desk, "Accept the proposal", "e")
    expect(told).to_have_text("E is now the key for “Accept the proposal as it stands”.")
    desk.press("Escape")

    expect(page.locator(".main .accept")).to_have_text("AcceptE")
    expect(page.locator(".slot-together")).to_have_text("Accept these 2Shift+E")
    desk.press("a")
    desk.drawn()
    assert desk.current == first
    desk.press("e")
    assert desk.wait_for_decisions(1) == [(first, Action.ACCEPT)]
    desk.press("n", "a", "e")  # in a box keys are what they are
    expect(page.get_by_label("Note").locator("textarea")).to_have_value("ae")
    desk.press("Escape")

    page.reload()
    desk.ready()
    expect(page.locator(".main .accept")).to_have_text("AcceptE")
    second = desk.current
    desk.press("e")
    assert desk.wait_for_decisions(2)[1] == (second, Action.ACCEPT)

    desk.press("h")
    page.get_by_role("button", name="Back to the usual keys").click()
    expect(told).to_have_text("The keys are the usual ones again.")
    desk.press("Escape")
    expect(page.locator(".main .accept")).to_have_text("AcceptA")
    third = desk.current
    desk.press("a")
    assert desk.wait_for_decisions(3)[2] == (third, Action.ACCEPT)
    move(desk, "Accept the proposal", ";")

    expect(page.locator(".help [role=status]")).to_contain_text("; is now the key")
    other = page.context.new_page()  # another curator in this browser
    ward.desk(other, "others", "olga")
    expect(other.locator(".main .accept")).to_have_text("AcceptA")


def test_a_moved_key_holds_at_every_desk_and_none_is_without_a_key(ward: Ward, page: Page) -> None:
    desk = ward.desk(page, "claims", "nora", kind="conflict")
    page.evaluate("localStorage.setItem('touchstone.keys.nora', JSON.stringify({ a: 'e' }))")
    page.reload()
    desk.ready()
    expect(page.locator(".main .accept")).to_have_text("AcceptE")
    axis = page.locator(".desk button", has_text="Endpoint").locator("kbd")
    expect(axis).to_have_text("A")  # it changes places with accept
    first = desk.current
    desk.press("e")
    assert desk.wait_for_decisions(1) == [(first, Action.ACCEPT)]
