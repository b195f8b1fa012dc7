"""What must not go wrong: restarts, reloads, two people at once, a page left behind."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from core.records import Action
from core.store import decisions, open_workspace, queue
from tests.browser.conftest import StartApp
from tests.browser.queues import Ward
from tests.browser.review import REST, click
from tests.repeats import times
from tests.review.clinic import many

DESK = Path(__file__).parents[2] / "pages" / "widgets" / "desk"
RESTARTS = times(7, 20)
CORPORA = {"restart": 40, "reload": 5, "closed": 5, "two": 26, "behind": 5, "other": 5, "link": 5}


class House(Ward):
    def answers(self, corpus: str) -> set[tuple[int, str]]:
        """(item, curator) of every judgement that holds in a corpus."""
        with open_workspace(self.workspace) as workspace:
            rows = workspace.db.execute(
                "SELECT i.id FROM items i JOIN passages p ON p.id = i.passage_id"
                " JOIN corpora c ON c.id = p.corpus_id WHERE c.name = ?",
                (corpus,),
            )
            inside = {row[0] for row in rows}
            standing = queue.answers_since(workspace, 0)[1]
        return {(a.item_id, a.curator) for a in standing if a.item_id in inside}


@pytest.fixture(scope="module")
def house(module_app_server: StartApp, tmp_path_factory: pytest.TempPathFactory) -> House:
    path = tmp_path_factory.mktemp("faults") / "faults.db"
    many(path, CORPORA)
    return House(module_app_server(path), path)


def test_restarts_with_an_open_item_lose_and_misplace_nothing(house: House, page: Page) -> None:
    """kill -9 before, during and after a decision: each lands on the item that was on the screen."""
    desk = house.desk(page, "restart", "rho")
    expected: list[tuple[int, Action]] = []
    dialog = page.get_by_role("dialog")  # "connection error": keys rest as long as it covers the page

    def decide(name: str, action: Action) -> None:
        expect(dialog).to_have_count(0)
        assert decided(name, action)  # the next item at once, whatever the server does

    def decided(name: str, action: Action) -> bool:
        shown = desk.current
        desk.press(name)
        if desk.current == shown:
            return False
        expected.append((shown, action))
        return True

    for n in range(RESTARTS):
        if n % 3 == 0:
            decide("a", Action.ACCEPT)  # on its way to the server when it dies
        house.server.kill()
        if n % 3 != 1:
            # nobody is there to hear it; a slow machine may have shown by now that nobody is
            assert decided("x", Action.REJECT) or dialog.count()
        house.server.start()
        if n % 3 == 1:
            decide("s", Action.UNSURE)  # on a screen that is older than the server
        if n % 7 == 6:
            desk.saved()
    assert all(item for item, _ in expected)
    assert len({item for item, _ in expected}) == len(expected)
    assert desk.wait_for_decisions(len(expected)) == expected
    desk.saved()
    desk.see("The connection was reset")


def test_reload_with_unsent_decisions_loses_nothing(house: House, page: Page) -> None:
    desk = house.desk(page, "reload", "kappa")
    seen = []
    house.server.freeze()
    for name in "axs":
        seen.append(desk.current)
        desk.press(name)
    desk.press("n")
    page.keyboard.type("half a thou")  # a draft, never saved
    here = desk.current
    desk.see("3 saving")
    assert desk.answers() == []
    house.server.restart()
    page.reload()
    desk.ready()
    assert desk.current == here
    found = desk.wait_for_decisions(3)
    assert found == list(zip(seen, (Action.ACCEPT, Action.REJECT, Action.UNSURE), strict=True))
    desk.see("3 decisions from before are being saved now.")
    desk.press("n")
    assert page.get_by_label("Note").locator("textarea").input_value() == "half a thou"


def test_a_closed_tab_leaves_its_items_and_its_unsent_decisions_to_the_next(house: House, page: Page) -> None:
    desk = house.desk(page, "closed", "tau")
    first = desk.current
    context = page.context
    page.close()
    desk = house.desk(context.new_page(), "closed", "tau")
    assert desk.current == first
    house.server.freeze()
    desk.press("x")
    desk.page.close()
    house.server.restart()
    again = house.desk(context.new_page(), "closed", "tau")
    assert again.wait_for_decisions(1) == [(first, Action.REJECT)]


def test_two_browsers_never_share_an_item(house: House, context: BrowserContext, browser: Browser) -> None:
    """Two curators, and one of them in a second tab, side by side until a queue of 52 items runs out."""
    contexts = [context, browser.new_context()]
    desks = [
        house.desk(contexts[0].new_page(), "two", "alpha"),
        house.desk(contexts[1].new_page(), "two", "beta"),
        house.desk(contexts[0].new_page(), "two", "alpha"),
    ]
    shown: list[int] = []
    for desk in itertools.islice(itertools.cycle(desks), 75):
        if desk.current:
            shown.append(desk.current)
            desk.press("a")
    for desk in desks:
        desk.saved()
    assert len(set(shown)) == len(shown)
    assert len(shown) >= 48
    answers = house.answers("two")
    assert {item for item, _ in answers} == set(shown)
    assert len(answers) == len(shown)
    contexts[1].close()


def test_a_link_behind_fast_keys_is_followed_and_all_is_saved(house: House, page: Page) -> None:
    """What the second key says is still to be sent at the click, and would call Streamlit back."""
    desk = house.desk(page, "link", "mu")
    desk.saved()
    desk.press("a")
    page.evaluate(
        """() => {
            const pressed = new KeyboardEvent("keydown", { key: "x", code: "KeyX", bubbles: true })
            document.body.dispatchEvent(pressed)
            const links = [...document.querySelectorAll("a")]
            links.find((link) => link.innerText.trim() === "Metrics").click()
        }"""
    )
    page.get_by_role("heading", name="Metrics", exact=True).wait_for()
    assert [action for _, action in desk.wait_for_decisions(2)] == [Action.ACCEPT, Action.REJECT]
    page.locator(REST).wait_for()
    expect(page.get_by_role("heading", name="Metrics", exact=True)).to_be_visible()


def test_a_page_left_behind_decides_nothing(house: House, page: Page) -> None:
    desk = house.desk(page, "behind", "lambda")
    item = desk.current
    page.get_by_role("link", name="Metrics", exact=True).click()
    page.get_by_role("heading", name="Metrics", exact=True).wait_for()
    expect(page.locator(".desk")).to_have_count(0)
    desk.press("a", "x", "a")
    page.get_by_role("link", name="Concept labels").click()
    desk.ready()
    assert desk.current == item
    desk.press("s")
    assert desk.wait_for_decisions(1) == [(item, Action.UNSURE)]


def test_another_curator_in_the_same_tab_starts_afresh(house: House, page: Page) -> None:
    with open_workspace(house.workspace) as workspace:
        decisions.add_curator(workspace, "chi", "Chi")
    desk = house.desk(page, "other", "phi")
    first = desk.current
    desk.press("a")
    desk.saved()
    click(page.get_by_label("Curator"))
    page.get_by_role("option", name="Chi").click()
    expect(page.locator(".slot-history li")).to_have_count(0)
    desk.ready()
    second = desk.current
    desk.press("x")
    desk.saved()
    assert house.answers("other") == {(first, "phi"), (second, "chi")}
    assert first != second


def test_the_next_desk_of_a_page_takes_over_at_once(house: House, page: Page) -> None:
    """The browser tells of a dropped lock only later: the items would wait until their leases end."""
    scripts = "\n".join((DESK / f"{name}.js").read_text("utf-8") for name in ("dom", "outbox", "lives"))
    page.goto(f"{house.server.url}/_stcore/health")
    first, taken_over = page.evaluate(
        f"""async () => {{
            {scripts}
            const first = new Life()
            await first.begin()
            first.end()
            const next = new Life()
            await next.begin()
            return [first.id, next.former]
        }}"""
    )
    assert taken_over == [first]
