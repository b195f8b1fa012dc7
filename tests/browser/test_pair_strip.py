"""Above two abstracts: the pair in short, and their contexts lined up; axes fold away under no conflict."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from core.records import Action, PairAnswer
from core.review.frames import Wanted, open_frame
from core.store import open_workspace
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.browser.test_accessibility import faint
from tests.browser.test_phone import ANSWERS, settle, unseen
from tests.review.pairs.library import Draft, contextual, many, shelve

RESISTANT = "All isolates that carried the blaNDM-5 plasmid were resistant to meropenem."
SUSCEPTIBLE = "Isolates that carried the blaNDM-5 plasmid remained susceptible to tigecycline."
A = f"Isolates of Klebsiella pneumoniae from Norway were tested by broth microdilution in 2019. {RESISTANT}"
B = f"Isolates of Klebsiella pneumoniae from Peru were tested by broth microdilution. {SUSCEPTIBLE}"


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Ward:
    path = tmp_path_factory.mktemp("strip") / "strip.db"
    many(path, {"folded": 2, "hidden": 1, "small": 2, "seen": 1})
    with open_workspace(path) as workspace:
        label = contextual(A, B, axes=(), confounder=None, evidence=())
        drafts = [Draft(A, B, (label,), claims=(RESISTANT, SUSCEPTIBLE))]
        shelve(workspace, drafts, corpus="drugs", run="run-drugs")
        open_frame(workspace, Wanted("run-hidden", "hidden", blind=1.0))
    return Ward(module_app_server(path), path, kind="conflict")


def cells(page: Page, axis: str) -> list[str]:
    row = page.locator(f'.slot-table tr[data-axis="{axis}"]')
    return [text.strip() for text in row.locator("th, td").all_inner_texts()]


def top(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["y"]


def test_the_pair_is_told_in_short_and_its_contexts_stand_above_the_abstracts(
    house: Ward, page: Page
) -> None:
    house.desk(page, "drugs")
    strip = page.locator(".slot-strip")
    expect(strip.locator(".saying")).to_have_text(["Aresistant to meropenem", "Bsusceptible to tigecycline"])
    expect(strip.locator(".sign")).to_have_text("≠speaks against")
    expect(strip.locator(".in-common span").first).to_contain_text(
        "isolates that carried the blaNDM-5 plasmid"
    )
    expect(strip.locator(".in-common")).to_contain_text("Different: drug, geography")
    assert cells(page, "drug") == ["Drug", "meropenem", "≠ different", "tigecycline"]
    assert cells(page, "geography") == ["Geography", "Norway", "≠ different", "Peru"]
    assert cells(page, "assay_measurement_protocol")[2] == "= same"
    assert cells(page, "organism_strain_lineage") == [
        "Strain or lineage",
        "Klebsiella pneumoniae",
        "= same",
        "Klebsiella pneumoniae",
    ]
    assert cells(page, "year_time_period") == ["Time period", "in 2019", "– one side only", "not told"]
    looks = [
        page.locator(f'.slot-table tr[data-axis="{axis}"] .said').first.evaluate(
            "(chip) => getComputedStyle(chip).borderTopColor"
        )
        for axis in ("geography", "organism_strain_lineage", "year_time_period")
    ]
    assert len(set(looks)) == 3  # different, same and told by one side look different
    order = [page.locator(part) for part in (".strip", ".slot-table table", ".slot-head-a")]
    assert sorted(order, key=top) == order
    page.get_by_role("button", name="Peru").click()
    expect(page.locator('.text[data-side="b"] .pulse')).to_have_text("Peru")


def test_a_blind_pair_has_neither_until_it_is_answered(house: Ward, page: Page) -> None:
    desk = house.desk(page, "hidden")
    for part in (".slot-strip *", ".slot-table *"):
        expect(page.locator(part)).to_have_count(0)
    assert top(page.locator(".slot-head-a")) - top(page.locator(".grid")) < 10  # and no room is kept for them
    desk.press("2", "f")
    desk.wait_for_decisions(1)
    desk.press("k")
    expect(page.locator(".strip")).to_be_visible()
    expect(page.locator(".slot-table table")).to_be_visible()


def test_axes_fold_away_under_no_conflict_and_come_back_with_another_type(house: Ward, page: Page) -> None:
    desk = house.desk(page, "folded")
    axes = page.locator(".axes")
    expect(axes.first).to_be_visible()
    ticked = page.locator('.axis[aria-checked="true"]')
    expect(ticked).to_have_count(3)
    desk.press("1")
    expect(axes.first).to_be_hidden()
    fold = page.locator("summary", has_text="Axes: none")
    expect(fold).to_be_visible()
    desk.press("p", "u", "8")
    expect(page.locator(".told")).to_be_visible()  # says why not
    expect(ticked).to_have_count(0)
    fold.focus()
    page.keyboard.press("Enter")
    expect(axes.first).to_be_visible()
    expect(ticked).to_have_count(0)
    desk.press("4")
    expect(fold).to_have_count(0)
    expect(axes.first).to_be_visible()
    expect(ticked).to_have_count(3)
    desk.press("1", "g", "f")
    desk.wait_for_decisions(1)
    [said] = desk.log()
    assert said.action is Action.FIX
    assert isinstance(said.answer, PairAnswer)
    assert (said.answer.axes, said.answer.confounder) == ((), None)


def test_on_a_telephone_the_strip_is_seen_and_the_contexts_are_in_the_sheet(house: Ward, page: Page) -> None:
    desk = house.desk(page, "small")
    settle(page, 420, 860)
    assert unseen(page, ".strip .saying .words", *ANSWERS) == []
    expect(page.locator(".slot-table")).to_be_hidden()
    desk.press("Enter")
    expect(page.locator(".sheet .slot-table table")).to_be_visible()
    assert top(page.locator(".sheet .slot-table")) < top(page.locator(".sheet .axes").first)
    assert unseen(page, *ANSWERS) == []
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    settle(page, 1400, 1000)
    expect(page.locator(".left .slot-table table")).to_be_visible()
    assert top(page.locator(".slot-table")) < top(page.locator(".slot-head-a"))


def test_it_is_readable_in_both_themes(house: Ward, page: Page) -> None:
    desk = house.desk(page, "seen")
    desk.press("1")
    expect(page.locator(".strip.opposed")).to_be_visible()
    assert faint(page) == []
