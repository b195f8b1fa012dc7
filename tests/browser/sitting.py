"""Random sittings at a desk, by keys, mouse and touch, against a model of it.

The item itself is read from the screen before each action, since a curator goes by the screen. The model says
what the action means. The screen must show what the model says, and the store must hold what was chosen,
nothing else.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from core.records import Action
from core.store import open_workspace
from tests.browser.conftest import StartApp
from tests.browser.desk_model import DeskModel, Saved
from tests.browser.review import PATIENCE, Desk
from tests.repeats import times

SITTINGS, ACTIONS = times(4, 50), times(40, 50)
"""Sittings at a desk, and actions in each: 5,000 actions at both desks in the nightly run."""
PHONE = {"width": 420, "height": 860}
"""Pixels."""
TOUCH = PATIENCE // 4
"""Milliseconds after which a tap without a click is done again."""
COUNT_CLICKS = """() => {
  const note = () => { window.clicks += 1; window.clicked = performance.now() }
  if (window.clicks === undefined) addEventListener('click', note, true)
  window.clicks = 0
  return Math.max(0, 600 - performance.now() + (window.clicked ?? -600))
}"""
"""Answers for how many milliseconds a tap would be the second of a double tap, which decides nothing."""
FOCUS = """() => {
  let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  const said = [...document.querySelectorAll('[role=dialog]')].map((node) => node.textContent)
  return {focus: at?.outerHTML.slice(0, 120), said}
}"""
"""What has the focus, and what dialogs of Streamlit say: told where a key did nothing."""
ANSWERS = {"a": "accept", "f": "fix", "x": "reject", "r": "reject", "s": "unsure"}
"""Keys of the four answers, and the classes of their buttons."""


def is_off(target: Locator) -> bool:
    """It says that it does nothing just now; people press it all the same."""
    return target.get_attribute("aria-disabled") == "true"


def tap(target: Locator) -> None:
    """Touch it. The browser makes a click of that, unless a slow machine made the touch a long one."""
    page = target.page
    page.wait_for_timeout(page.evaluate(COUNT_CLICKS))
    for _ in range(5):
        target.tap(force=is_off(target))
        for _ in range(0, TOUCH, 50):  # the page's policy forbids `wait_for_function`
            if page.evaluate("window.clicks"):
                return
            page.wait_for_timeout(50)
    raise AssertionError(f"no click came of a tap on {target}")


def point_at(target: Locator, touch: bool) -> None:
    """Click or touch it; what lies in a shut sheet is looked up there first."""
    handle = target.page.locator(".gist[aria-expanded=false]")
    if not target.is_visible() and handle.count() and handle.is_visible():
        tap(handle) if touch else handle.click()
        target.wait_for()
    tap(target) if touch else target.click(force=is_off(target))


def only(condition: Callable[[Any], object]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A rule that does nothing where a condition fails. Which rules are drawn, and with what, hangs on chance
    alone: what the server answers, and when, must not change it."""

    def guarded(rule: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(rule)
        def act(self: Any, **drawn: Any) -> None:
            if condition(self):
                rule(self, **drawn)

        return act

    return guarded


class House:
    """One server for a file of tests, and a corpus of its own for each sitting."""

    def __init__(self, start: StartApp, path: Path, browser: Browser):
        open_workspace(path).close()
        self.path, self.browser = path, browser
        self.contexts: dict[bool, BrowserContext] = {}
        self.url = start(path).url
        self.numbers: Iterator[int] = itertools.count(1)

    def page(self, touch: bool) -> Page:
        """In the context with or without fingers, whose first page stays: it has compiled the app."""
        if touch not in self.contexts:
            self.contexts[touch] = self.browser.new_context(has_touch=touch)
            self.contexts[touch].new_page()
        return self.contexts[touch].new_page()

    def close(self) -> None:
        for context in self.contexts.values():
            context.close()


class Sitting(RuleBasedStateMachine):
    """One curator at a desk, with a mouse or with fingers. In the end the log is compared."""

    house: ClassVar[House]
    address: ClassVar[str]
    """Path and query of the desk; `CORPUS` stands for the corpus."""
    model: Any
    page: Page

    @initialize(touch=st.booleans())
    def sit_down(self, touch: bool) -> None:
        number = next(self.house.numbers)
        corpus = f"sitting{number:03}"
        self.model = self.furnish(corpus)
        self.touch = touch
        self.page = self.house.page(touch)
        query = self.address.replace("CORPUS", corpus)
        self.desk = Desk(self.page, self.house.url, self.house.path, f"who{number}", query)
        if touch:
            self.page.set_viewport_size(PHONE)
            # by then what lies in the sheet is shut away
            expect(self.page.locator(".desk")).not_to_have_attribute("data-fit", "wide", timeout=PATIENCE)

    def furnish(self, corpus: str) -> DeskModel:
        """Make the corpus, and a model that knows what is in it."""
        raise NotImplementedError

    def screen(self) -> dict[str, Any]:
        """What the screen shows, `item` (0: none) and `panel` among it."""
        raise NotImplementedError

    def compare(self, item: int, seen: dict[str, Any]) -> None:
        """Fail where the screen shows an item otherwise than the model."""
        raise NotImplementedError

    def said(self, answer: Any) -> Any:
        """A stored answer as the model writes it."""
        raise NotImplementedError

    # --- hands --------------------------------------------------------------------------------------------

    @property
    def item(self) -> int:
        return int(self.screen()["item"])

    def press(self, *keys: str) -> None:
        self.desk.press(*keys)

    def hit(self, target: Locator) -> None:
        """Click it, or tap it where there are fingers."""
        point_at(target, self.touch)

    def answer(self, key: str, pointed: bool) -> None:
        if pointed:
            self.hit(self.page.locator(f".main button.{ANSWERS[key]}"))
        else:
            self.press(key)

    # --- what can be done at every desk -------------------------------------------------------------------

    @rule(key=st.sampled_from("xrs"), pointed=st.booleans())
    @only(lambda self: self.model.panel is None)
    def decide(self, key: str, pointed: bool) -> None:
        if item := self.item:
            self.answer(key, pointed)
            self.model.say(item, Action.UNSURE if key == "s" else Action.REJECT)

    @rule(text=st.sampled_from(["", " ", "ask a virologist", "axszjk 123"]), leave=st.booleans())
    @only(lambda self: self.model.panel is None)
    def note(self, text: str, leave: bool) -> None:
        if not (item := self.item):
            return
        self.press("n")
        self.model.moved()
        self.page.keyboard.type(text)
        written = self.model.notes[item] = self.model.notes.get(item, "") + text
        if leave or not written.strip():
            self.press("Escape")
        else:
            self.press("Enter")
            self.model.note(item)

    @rule(key=st.sampled_from("jk"))
    @only(lambda self: self.model.panel is None)
    def look_around(self, key: str) -> None:
        item = self.item
        self.press(key)
        if self.item != item:
            self.model.moved()

    @rule()
    @only(lambda self: self.model.panel is None)
    def ask_for_help(self) -> None:
        self.press("h")
        self.model.moved()
        self.model.panel = "help"

    @rule(key=st.sampled_from(["a", "x", "s", "1", "p", "z", "j", "h", "Escape", "Enter"]))
    @only(lambda self: self.model.panel == "help")
    def press_under_help(self, key: str) -> None:
        self.press(key)
        if key in ("h", "Escape", "Enter"):
            self.model.panel = None

    @rule()
    @only(lambda self: self.model.panel is None)
    def undo(self) -> None:
        known, item = self.model.standing(), self.item
        self.desk.saved()  # so that the strip of the last decisions is complete
        self.press("z")
        if not known:
            return
        self.model.undo(known[0])
        if about := self.model.saved[known[0]].item:
            self.desk.shows(about)
        if self.item != item:
            self.model.moved()

    # --- what must hold -----------------------------------------------------------------------------------

    @invariant()
    def screen_agrees(self) -> None:
        seen = self.screen()
        assert seen["panel"] == self.model.panel, self.page.evaluate(FOCUS) | seen
        if seen["item"] and not self.model.panel:
            self.compare(seen["item"], seen)

    def teardown(self) -> None:
        try:
            self.store_agrees()
        finally:
            self.page.close()

    def store_agrees(self) -> None:
        self.desk.wait_for_decisions(len(self.model.saved))
        log = self.desk.log()
        places = {decision.number: place for place, decision in enumerate(log)}
        found: list[Saved] = []
        for d in log:
            undone = places.get(d.undoes or 0)
            added = d.action is Action.ADD or (undone is not None and log[undone].action is Action.ADD)
            found.append(Saved(0 if added else d.item_id, d.action, self.said(d.answer), d.note, undone))
        assert found == self.model.saved


def sit(machine: type[Sitting], house: House) -> None:
    """Run a machine's sittings; the first that differs fails, with its actions."""
    chosen = settings(
        max_examples=SITTINGS,
        stateful_step_count=ACTIONS,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(type(machine.__name__, (machine,), {"house": house}), settings=chosen)
