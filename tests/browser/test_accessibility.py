"""What those need who read by ear, by keyboard alone, or with little contrast."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.store import ontologies, open_workspace
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.browser.review import PATIENCE, REST, Desk
from tests.review.audit_ward import furnish
from tests.review.clinic import CATARACT, HYPOTONIA, SEIZURE, add_corpus, add_run, draft, ontology
from tests.review.pairs.library import many

TEXT = "A seizure at two years. Later hypotonia was seen. There was no cataract."
CONTRAST = Path(__file__).with_name("contrast.js").read_text("utf-8")


@pytest.fixture(scope="module")
def ward(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Ward:
    path = tmp_path_factory.mktemp("access") / "access.db"
    many(path, {"claims": 6, "seen": 3})
    with open_workspace(path) as workspace:
        ontologies.add_ontology(workspace, ontology())
        for corpus in ("heard", "tabbed", "undone", "notes"):
            at = add_corpus(workspace, {corpus: TEXT}, corpus)[corpus]
            drafts = [
                draft(SEIZURE, TEXT, "seizure"),
                draft(HYPOTONIA, TEXT, "hypotonia"),
                draft(CATARACT, TEXT, "gout"),  # not in the text
            ]
            for run in ("first", "second"):
                add_run(workspace, {at: drafts}, f"{run}-{corpus}", corpus=corpus)
        furnish(workspace, "audit")
    return Ward(module_app_server(path), path)


def test_the_next_item_is_announced_once_and_its_name_is_a_heading(ward: Ward, page: Page) -> None:
    desk = ward.desk(page, "heard", "vera")
    told = page.locator(".slot-said")
    heard: list[str] = []
    for keys in ((), ("j",), ("j",)):
        desk.press(*keys)
        expect(told).to_contain_text(page.locator(".card h2 .words").first.inner_text())
        heard.append(told.inner_text())
    assert sorted(heard) == [
        "Cataract. Explicit, affirmed. No place in the text",
        "Hypotonia. Explicit, affirmed. Sentence 2 of 3",
        "Seizure. Explicit, affirmed. Sentence 1 of 3",
    ]
    live = page.locator(".desk [role=status], .desk [role=alert], .desk [aria-live]")
    assert [one.get_attribute("class") for one in live.all() if one.inner_text()] == ["unseen"]


def test_buttons_that_undo_say_what(ward: Ward, page: Page) -> None:
    desk = ward.desk(page, "undone", "wim")
    desk.press("j", "a", "x")
    desk.wait_for_decisions(2)
    for name in ("Undo: accepted", "Undo: rejected"):
        expect(page.get_by_role("button", name=name)).to_have_count(1)
    names = page.locator(".desk button").evaluate_all(
        "(all) => all.filter((one) => one.checkVisibility()).map((one) => one.ariaLabel ?? one.innerText)"
    )
    assert len(names) == len(set(names))


def test_radios_are_one_stop_each_and_the_focus_is_seen(ward: Ward, page: Page) -> None:
    desk = ward.desk(page, "tabbed", "xena")
    stops, unseen = [], []
    page.locator(".text").focus()
    for _ in range(60):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => {
                let at = document.activeElement
                while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
                const style = getComputedStyle(at)
                const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
                const group = at.closest('[role=radiogroup]')?.ariaLabel
                return at.closest('.desk') ? [at.role === 'radio' ? group : at.innerText, ring] : null
            }"""
        )
        if found is None:
            break
        stops.append(found[0])
        unseen += [] if found[1] else [found[0]]
    assert unseen == []
    for group in ("Class", "Status", "Which run"):
        assert stops.count(group) == 1
    chosen = page.get_by_role("radio", checked=True)
    page.get_by_role("radiogroup", name="Class").locator("[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Logical")).to_be_focused()
    expect(page.get_by_role("radio", name="Logical")).to_be_checked()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("radio", name="Not relevant")).to_be_checked()
    assert chosen.count() == 3
    assert desk.log() == []


def faint(page: Page) -> list[str]:
    """What is too faint in either theme and stays so: what Streamlit draws anew fades in."""
    found: list[str] = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for _ in range(5):
            page.wait_for_timeout(400)
            page.locator(REST).wait_for(timeout=PATIENCE)
            if not (faint_now := list(page.evaluate(CONTRAST))):
                break
        found += [f"{scheme}: {one}" for one in faint_now]
    return found


def test_everything_on_the_desks_has_enough_contrast(ward: Ward, page: Page) -> None:
    desk = ward.desk(page, "notes", "yan")
    desk.press("s", "j", "a", "k")
    desk.saved()
    for keys in (
        ("4",),
        ("f",),
        ("Escape", "m"),
        ("Escape", "n"),
        ("Escape", "e"),
        ("Escape", "p"),
        ("Escape", "h"),
    ):
        desk.press(*keys)
        assert faint(page) == [], keys
    pairs = ward.desk(page, "seen", "yan", "conflict")
    pairs.press("a")
    for keys in (("4", "p"), ("1",), ("f",), ("n",), ("Escape", ","), ("Escape", "h")):
        pairs.press(*keys)
        assert faint(page) == [], keys


def test_the_desks_of_the_audit_have_enough_contrast_and_name_their_buttons(ward: Ward, page: Page) -> None:
    at = "false_positives?false_positives.set=audit"
    desk = Desk(page, ward.url, ward.workspace, "zoe", at)
    expect(page.locator(".slot-said")).to_contain_text(page.locator(".card h2 .words").first.inner_text())
    desk.press("0", "4", "s", "k", "k")
    desk.saved()
    for keys in ((), ("k",), ("n",), ("Escape", "h")):
        desk.press(*keys)
        assert faint(page) == [], keys
    desk.press("Escape")
    names = page.locator(".desk button").evaluate_all(
        "(all) => all.filter((one) => one.checkVisibility()).map((one) => one.ariaLabel ?? one.innerText)"
    )
    assert len(names) == len(set(names))
    other = page.context.new_page()
    at = "false_positives?false_positives.set=Gold changes to confirm: audit"
    Desk(other, ward.url, ward.workspace, "abe", at)
    assert faint(other) == []
