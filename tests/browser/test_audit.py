"""Auditing false positives: a digit says what each is, the machine's proposal is only shown, changes of gold
go on to a second curator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from core.kinds.concept import answer_of
from core.kinds.error import spoken_of
from core.records import Action, Answer, Assertion, ConceptClass, ErrorAnswer, ItemKind
from core.store import corpora, decisions, open_workspace, proposals, queue
from pages.widgets.desk.chosen import list_address
from tests.browser.conftest import AppServer, StartApp
from tests.browser.review import Desk, click, no_dialogs, outside_requests
from tests.browser.test_phone import SCREENS, settle, unseen
from tests.browser.test_review_hostile import HOSTILE, any_name
from tests.review.audit_ward import TEXTS, furnish
from tests.review.clinic import HYPOTONIA, NAMES, SEIZURE, item

SETS = ("digits", "proposed", "tapped", "gold", "listed", "again", "tiny")
GOES_ON = 9
"""How often each text is in the set in which tests go on one behind the other."""
EACH = 3
"""Items of one of them."""
Seat = tuple[Desk, Page, list[int]]
"""A desk at work, its page, and the items of a test."""


@dataclass
class Audits:
    """One server over an audit set for each test."""

    server: AppServer
    workspace: Path
    items: dict[str, list[int]]
    """Set -> its items in the order of the draw."""

    def desk(self, page: Page, name: str, curator: str = "", query: str = "") -> Desk:
        query = query or f"false_positives.set={name}"
        return Desk(
            page, self.server.url, self.workspace, curator or f"auditor-{name}", f"false_positives?{query}"
        )

    def of(self, name: str, concept: str, words: str) -> int:
        """The item of a concept in the passage of these words."""
        with open_workspace(self.workspace) as workspace:
            rows = queue.items(workspace, self.items[name], ItemKind.ERROR).values()
            [found] = [
                row.id
                for row in rows
                if spoken_of(row.subject)[1] == concept
                and words in corpora.passage(workspace, row.passage_id).text
            ]
        return found


@pytest.fixture(scope="module")
def audits(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> Audits:
    path = tmp_path_factory.mktemp("audits") / "audits.db"
    with open_workspace(path) as workspace:
        items = {name: furnish(workspace, name) for name in SETS}
        items["shared"] = furnish(workspace, "shared", copies=GOES_ON)
    return Audits(module_app_server(path), path, items)


@pytest.fixture(scope="module")
def sitting(audits: Audits, module_page: Page) -> tuple[Desk, Iterator[int]]:
    """A desk, and where tests begin at it."""
    return audits.desk(module_page, "shared"), iter(range(0, len(audits.items["shared"]), EACH))


@pytest.fixture
def seat(audits: Audits, sitting: tuple[Desk, Iterator[int]]) -> Seat:
    """A desk that goes on at items of this test's own, its page, and these items."""
    desk, places = sitting
    begin = next(places)
    items = audits.items["shared"][begin : begin + EACH]
    return desk.begin_at(items[0]), desk.page, items


def errors(desk: Desk) -> list[tuple[int, str | None]]:
    """(item, what it was said to be) in the order of the log; None: unsure."""
    return [
        (d.item_id, d.answer.error.value if isinstance(d.answer, ErrorAnswer) else None) for d in desk.log()
    ]


def option(page: Page, name: str) -> Locator:
    return page.locator(".options").get_by_role("button", name=name)


def pressed(page: Page) -> list[str]:
    """Answers that are marked as given."""
    return page.locator(".option[aria-pressed='true'] .name").all_inner_texts()


def test_a_digit_decides_saves_and_shows_the_next(audits: Audits, page: Page) -> None:
    """Every digit, and unsure: what the store holds, and what the history tells."""
    items = audits.items["digits"]
    desk = audits.desk(page, "digits")
    given = ["0", "1", "2", "s"]
    for at, key in zip(items, given, strict=True):
        desk.shows(at)
        desk.press(key)
    desk.saved()
    desk.wait_for_decisions(4)
    assert errors(desk) == list(zip(items, ["missing_gold", "E-1", "E-2", None], strict=True))
    desk.see("1 unsure left: now or later?")
    for key in "345":
        desk.press("k", "k")
        desk.shows(items[2])
        desk.press(key)
        desk.saved()
    desk.wait_for_decisions(7)
    assert errors(desk)[4:] == [(items[2], f"E-{n}") for n in (3, 4, 5)]
    assert page.locator(".slot-history li").count() == 7
    expect(page.locator(".slot-history li .name").first).to_contain_text("Inferential overreach")


def test_the_machines_proposal_is_shown_as_such_and_never_ticked(audits: Audits, page: Page) -> None:
    """In a word and dashes; nothing is pressed, and Enter saves nothing."""
    wanted = audits.of("proposed", SEIZURE, "focal")
    desk = audits.desk(page, "proposed", query=f"false_positives.set=proposed&item={wanted}")
    desk.shows(wanted)
    expect(option(page, "Granularity mismatch")).to_contain_text("proposed")
    expect(page.locator(".option .proposed")).to_have_count(1)
    style = "(one) => [getComputedStyle(one).borderStyle, one.ariaPressed]"
    assert option(page, "Granularity mismatch").evaluate(style) == ["dashed", "false"]
    assert pressed(page) == []
    expect(page.locator(".lineage .proposed")).to_have_text("Seizure proposed")
    expect(page.locator(".lineage .supported")).to_have_text("Focal-onset seizure supported")
    assert page.locator(".lineage .path").inner_text().index("Seizure") == 0
    desk.press("Enter", "Enter")
    desk.drawn()
    assert desk.current == wanted
    other = audits.of("proposed", HYPOTONIA, "focal")
    page.goto(f"{audits.server.url}/false_positives?false_positives.set=proposed&item={other}")
    desk.shows(other)
    expect(page.locator(".option .proposed")).to_have_count(0)
    assert desk.log() == []


def test_triggers_look_other_than_evidence_and_another_branch_is_a_hint(audits: Audits, page: Page) -> None:
    wanted = audits.of("again", "HP:0000518", "clinic")
    desk = audits.desk(page, "again", query=f"false_positives.set=again&item={wanted}")
    desk.shows(wanted)
    assert page.locator(".text").inner_text() == TEXTS["a2"]
    assert set(page.locator(".text .mark.trigger").all_inner_texts()) == {"cataract"}
    looks = "(one) => getComputedStyle(one).borderTopStyle"
    assert page.locator(".text .mark.trigger").first.evaluate(looks) == "dotted"
    assert page.locator(".text .mark.current").first.evaluate(looks) == "none"
    desk.see("This alone is no E-2.")
    assert pressed(page) == []


def test_undo_takes_back_and_the_own_answer_is_marked(audits: Audits, seat: Seat) -> None:
    desk, page, items = seat
    desk.press("4", "3")
    desk.saved()
    desk.press("k")
    desk.shows(items[1])
    assert [name.replace("\xa0", " ") for name in pressed(page)] == ["E-3 Context over-generalisation"]
    desk.press("z")
    desk.shows(items[1])
    desk.saved()
    assert pressed(page) == []
    assert [d.action for d in desk.log()] == [Action.CLASSIFY_ERROR, Action.CLASSIFY_ERROR, Action.UNDO]
    desk.press("5")
    desk.saved()
    with open_workspace(audits.workspace) as workspace:
        held = [d for d in decisions.standing(workspace) if d.curator == desk.curator and d.item_id in items]
    assert [(d.item_id, d.answer.error.value) for d in held if isinstance(d.answer, ErrorAnswer)] == [
        (items[0], "E-4"),
        (items[1], "E-5"),
    ]


def test_help_defines_every_answer_with_an_example(seat: Seat) -> None:
    desk, page, _ = seat
    desk.press("h")
    told = page.get_by_role("region", name="Help")
    for name in ("Missing gold", "E-1 Granularity mismatch", "E-5 Inferential overreach"):
        expect(told.get_by_text(name)).to_be_visible()
    expect(told.get_by_text("Example: “")).to_have_count(6)
    desk.press("2", "s")  # decides nothing while it is open
    desk.press("h")
    expect(told).to_have_count(0)
    assert desk.log() == []


def test_a_note_is_kept_beside_the_answer(seat: Seat) -> None:
    desk, page, items = seat
    desk.press("n")
    page.keyboard.type("2 readings, 1 sure")
    desk.press("Enter")
    desk.saved()
    desk.press("2")
    desk.wait_for_decisions(2)
    first, second = desk.log()
    assert (first.item_id, first.action, first.note) == (items[0], Action.NOTE, "2 readings, 1 sure")
    assert (second.item_id, second.action) == (items[0], Action.CLASSIFY_ERROR)


def test_a_double_click_saves_once(seat: Seat) -> None:
    desk, page, items = seat
    option(page, "Lexical triggering").dblclick()
    desk.shows(items[1])
    desk.saved()
    page.wait_for_timeout(500)
    assert errors(desk) == [(items[0], "E-4")]


def test_a_double_tap_saves_once(audits: Audits, browser: Browser) -> None:
    items = audits.items["tapped"]
    context = browser.new_context(has_touch=True, is_mobile=True)
    phone = context.new_page()
    desk = audits.desk(phone, "tapped")
    settle(phone, 420, 860)
    desk.shows(items[0])
    box = option(phone, "Semantic scope shift").bounding_box()
    assert box is not None
    for _ in range(2):
        phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    desk.shows(items[1])
    desk.saved()
    phone.wait_for_timeout(500)
    assert errors(desk) == [(items[0], "E-2")]
    context.close()


def test_a_key_held_down_saves_once(seat: Seat) -> None:
    desk, page, items = seat
    for _ in range(5):
        page.keyboard.down("4")  # every one behind the first repeats
    page.keyboard.up("4")
    desk.saved()
    page.wait_for_timeout(500)
    assert errors(desk) == [(items[0], "E-4")]
    assert desk.current == items[1]


def test_sentence_name_and_answers_are_on_a_telephone_together(seat: Seat) -> None:
    _, page, _ = seat
    settle(page, 420, 860)
    assert page.locator(".desk").get_attribute("data-fit") == "phone"
    names = [f'[data-key="option error {value}"]' for value in ("missing_gold", "E-1", "E-3", "E-5")]
    assert unseen(page, ".mark.current", ".label .words", *names, '[data-key="option unsure"]') == []
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    page.locator(".gist").click()
    expect(page.locator(".sheet .slot-card-aid")).to_contain_text("Supported in this passage")
    assert unseen(page, ".slot-card-aid h3", ".label .words", *names) == []


def test_mark_name_and_answers_are_on_every_small_screen(audits: Audits, page: Page) -> None:
    audits.desk(page, "tiny")
    for width, height in SCREENS:
        settle(page, width, height)
        assert unseen(page, ".mark.current", ".label .words", ".options .option") == [], (width, height)
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_gold_is_changed_by_a_second_curator_and_never_by_the_first(
    audits: Audits, page: Page, browser: Browser
) -> None:
    found = audits.of("gold", HYPOTONIA, "focal")
    first = audits.desk(page, "gold", "gold-finder", f"false_positives.set=gold&item={found}")
    first.shows(found)
    first.press("0")
    first.saved()
    changes = "false_positives?false_positives.set=Gold changes to confirm: gold"
    page.goto(f"{audits.server.url}/{changes}")
    first.see("Nothing passes these filters")
    context = browser.new_context()
    second = Desk(context.new_page(), audits.server.url, audits.workspace, "gold-second", changes)
    second.see("Gold lacks this concept, says an auditor. Does the passage express it?")
    assert "finder" not in second.page.locator(".desk").inner_text().lower()
    wanted = second.current
    page.goto(f"{audits.server.url}/{changes}&item={wanted}")
    first.see(f"There is no item {wanted}")
    assert first.current == 0
    second.press("2", "5")  # digits mean nothing here
    second.press("a")
    second.saved()
    second.wait_for_decisions(1)
    [stored] = second.log()
    assert (stored.item_id, stored.action) == (wanted, Action.ACCEPT)
    with open_workspace(audits.workspace) as workspace:
        own = item(workspace, stored.passage_id, HYPOTONIA)
        [[proposal]] = proposals.of_items(workspace, [own]).values()
    assert isinstance(stored.answer, Answer)
    assert stored.answer == answer_of(proposal)
    assert (stored.answer.assertion, stored.answer.concept_class) == (
        Assertion.AFFIRMED,
        ConceptClass.EXPLICIT,
    )
    expect(second.page.locator(".slot-history li .chip")).to_have_text("Accepted")
    second.press("z")
    second.shows(wanted)
    second.press("r")
    second.saved()
    assert [d.action for d in second.log()] == [Action.ACCEPT, Action.UNDO, Action.REJECT]
    context.close()


def address(query: Iterable[tuple[str, str]]) -> str:
    return "&".join(f"{name}={value}" for name, value in query)


def test_a_list_of_items_is_audited_in_its_order_with_the_way_back(audits: Audits, page: Page) -> None:
    items = audits.items["listed"]
    wanted = [items[2], items[0]]
    back = "metrics?metrics.view=Overview"
    query = address(list_address("false_positives", "Two of them", wanted, back=back).items())
    desk = audits.desk(page, "listed", query=f"false_positives.set=listed&{query}")
    desk.see("List: Two of them")
    expect(page.get_by_role("link", name="Back to the number")).to_be_visible()
    for n, at in enumerate(wanted, start=1):
        desk.shows(at)
        desk.see(f"{n} of 2")
        desk.press("3")
    desk.see("That was the last of this list")
    desk.saved()
    assert errors(desk) == [(at, "E-3") for at in wanted]
    click(page.get_by_role("button", name="Leave the list"))
    desk.see("Audit set listed")


def test_a_set_is_drawn_and_audited_at_once(app_server: StartApp, workspace_path: Path, page: Page) -> None:
    with open_workspace(workspace_path) as workspace:
        furnish(workspace, draw=False)
        decisions.add_curator(workspace, "ada", "Ada")
        name = f"touchstone.curator.{workspace.uuid}"
    url = app_server(workspace_path).url
    page.add_init_script(f"localStorage.setItem({name!r}, 'ada')")
    page.goto(f"{url}/false_positives")
    page.get_by_label("Name").fill("first")
    page.get_by_label("Size").fill("3")
    click(page.get_by_role("button", name="Draw the set"))
    page.get_by_text("Audit set first: 3 of 4 false positives of run-ward").wait_for()
    page.locator(".card:not(.empty)").wait_for()
    click(page.get_by_role("button", name="Draw a set"))
    page.get_by_label("Name").fill("first")
    click(page.get_by_role("button", name="Draw the set"))
    page.get_by_text("exists already").wait_for()


def test_texts_from_outside_stay_texts(
    app_server: StartApp, workspace_path: Path, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    any_name(monkeypatch)
    texts = {doc: f"{text} {' '.join(HOSTILE)}" for doc, text in TEXTS.items()}
    for concept in (SEIZURE, HYPOTONIA):
        monkeypatch.setitem(NAMES, concept, f"{NAMES[concept]} {HOSTILE[0]} {HOSTILE[1]}")
    with open_workspace(workspace_path) as workspace:
        items = furnish(workspace, "ward", texts=texts)
    url = app_server(workspace_path).url
    outside = outside_requests(page, url)
    with no_dialogs(page):
        desk = Desk(page, url, workspace_path, "eve", "false_positives")
        for at in items:
            desk.shows(at)
            assert page.locator(".text").text_content() in texts.values()
            page.locator(".why summary").click()
            desk.press("1")
        desk.saved()
        expect(page.locator(".slot-history .name").first).to_contain_text("<script>alert(1)</script>")
    assert outside == []
