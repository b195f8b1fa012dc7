"""A curator at the review desk: opens it, presses keys, and reads what the screen and the store say."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, TimeoutError, ViewportSize, expect

from core.records import Action, Decision
from core.store import decisions, open_workspace

PATIENCE = 180_000
"""Milliseconds that a loaded machine may take for what usually takes a tenth of a second."""

SCREEN: ViewportSize = {"width": 1400, "height": 1000}
"""Pixels of a desk, unless a test wants others."""

REST = "[data-testid='stApp'][data-test-script-state='notRunning']"


def click(target: Locator, force: bool = False, then: Locator | None = None) -> None:
    """Click once Streamlit's script rests: it draws anew what a running script touches, and a press that
    meets that is lost. Whoever sees nothing happen presses again: so is done until `then` is there."""
    target.page.locator(REST).wait_for()
    target.click(force=force)
    deadline = time.monotonic() + PATIENCE / 1000
    while then is not None:
        with contextlib.suppress(TimeoutError):
            return then.wait_for(timeout=10_000)
        assert time.monotonic() < deadline, f"{target} was pressed in vain"
        target.click(force=force)
    return None


def known_as(curator: str, page: Page, workspace: Path) -> None:
    """Whoever opens a page of the app in this tab is this curator."""
    with open_workspace(workspace) as opened:
        decisions.add_curator(opened, curator, curator.title())
        name = f"touchstone.curator.{opened.uuid}"
    page.add_init_script(f"sessionStorage.getItem({name!r}) || localStorage.setItem({name!r}, {curator!r})")


class Desk:
    def __init__(self, page: Page, url: str, workspace: Path, curator: str, query: str = ""):
        self.page, self.url, self.workspace, self.curator = page, url, workspace, curator
        self.before = 0
        known_as(curator, page, workspace)
        page.set_default_timeout(PATIENCE)
        page.set_viewport_size(SCREEN)
        page.goto(f"{url}/{'concept_labels' if query[:1] in ('', '?') else ''}{query}")
        self.ready()

    def ready(self) -> None:
        self.page.locator(".card:not(.empty)").wait_for()

    @property
    def current(self) -> int:
        return int(self.page.locator(".desk").get_attribute("data-item") or 0)

    def shows(self, item: int) -> None:
        """Wait until an item is on the screen, with what is drawn one frame later."""
        expect(self.page.locator(".desk")).to_have_attribute("data-item", str(item))
        self.drawn()

    def press(self, *keys: str, every: float = 0) -> None:
        for name in keys:
            self.page.keyboard.press(name)
            if every:
                self.page.wait_for_timeout(every)

    def drawn(self) -> None:
        """Wait for a frame and what the desk draws behind it."""
        self.page.evaluate("new Promise((next) => requestAnimationFrame(() => setTimeout(next, 1)))")

    def saved(self) -> None:
        """Wait until all is saved: the screen shows what the last key did by its next frame."""
        self.drawn()
        expect(self.page.locator(".sync.saved")).to_be_visible()

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text()

    def see(self, text: str) -> None:
        self.page.get_by_text(text).first.wait_for()

    # --- what the store holds -----------------------------------------------------------------------------

    def log(self) -> list[Decision]:
        """Of this curator, since the test began."""
        with open_workspace(self.workspace) as opened:
            return list(decisions.decisions(opened, curator=self.curator))[self.before :]

    def begin_at(self, item: int) -> Desk:
        """Another test goes on at an item further down the queue, with nothing open and nothing counted."""
        if self.page.viewport_size != SCREEN:
            self.page.set_viewport_size(SCREEN)
        while self.page.locator(".panel").count():
            self.press("Escape")
            self.drawn()
        self.page.locator(".desk").focus()
        self.saved()
        while self.current != item:
            before = self.current
            self.press("j")
            self.drawn()
            assert self.current != before, f"{item} does not lie behind {before}"
        self.before += len(self.log())
        return self

    def answers(self) -> list[tuple[int, Action]]:
        return [(d.item_id, d.action) for d in self.log()]

    def wait_for_decisions(self, count: int) -> list[tuple[int, Action]]:
        """The log once it holds `count` decisions of this curator; more or fewer is a failure."""
        deadline = time.monotonic() + PATIENCE / 1000
        while len(found := self.answers()) < count and time.monotonic() < deadline:
            self.page.wait_for_timeout(50)
        assert len(found) == count, f"{len(found)} decisions instead of {count}: {found}"
        return found


def select(page: Page, words: str, nth: int = 0, within: str = ".text") -> None:
    """Select words of the passage with the mouse, from before the first letter to behind the last one."""
    box: dict[str, Any] = page.evaluate(
        """([words, nth, within]) => {
            const host = [...document.querySelectorAll('*')].find((e) => e.shadowRoot?.querySelector('.text'))
            const region = (host ? host.shadowRoot : document).querySelector(within)
            let from = -1
            for (let i = 0; i <= nth; i++) from = region.textContent.indexOf(words, from + 1)
            if (from < 0) throw new Error('not in the passage: ' + words)
            const at = (unit) => {
                const walk = document.createTreeWalker(region, NodeFilter.SHOW_TEXT)
                let node, seen = 0
                while ((node = walk.nextNode())) {
                    if (unit <= seen + node.length) return [node, unit - seen]
                    seen += node.length
                }
            }
            const range = document.createRange()
            range.setStart(...at(from + 0.5 > 0 ? from : 0))
            range.setEnd(...at(from + words.length))
            range.startContainer.parentElement.scrollIntoView({ block: 'center' })
            for (let pane = region; pane; pane = pane.parentElement) { // the parent may be a whole text
                const beyond = range.getBoundingClientRect().top - pane.getBoundingClientRect().top
                if (pane.scrollHeight > pane.clientHeight) pane.scrollTop += beyond - pane.clientHeight / 2
            }
            const rects = [...range.getClientRects()].filter((r) => r.width > 0)
            const a = rects[0], b = rects[rects.length - 1]
            return { x1: a.left, y1: a.top + a.height / 2, x2: b.right, y2: b.top + b.height / 2 }
        }""",
        [words, nth, within],
    )
    page.mouse.move(box["x1"] + 0.5, box["y1"])
    page.mouse.down()
    page.mouse.move((box["x1"] + box["x2"]) / 2, box["y2"], steps=3)
    page.mouse.move(box["x2"] - 0.5, box["y2"], steps=3)
    page.mouse.up()


def outside_requests(page: Page, url: str) -> list[str]:
    """A list that fills with every request that leaves the app's own host and port."""
    found: list[str] = []
    own = (url, url.replace("http", "ws"), "data:", "blob:")

    def note(address: str) -> None:
        if not address.startswith(own):
            found.append(address)

    page.on("request", lambda request: note(request.url))
    page.on("websocket", lambda socket: note(socket.url))
    return found


@contextlib.contextmanager
def no_dialogs(page: Page) -> Any:
    """Fails on any alert, prompt or confirmation, and on any error that reaches the page."""
    seen: list[str] = []

    def on_dialog(dialog: Any) -> None:
        seen.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", on_dialog)
    page.on("pageerror", lambda error: seen.append(str(error)))
    yield
    assert seen == []
