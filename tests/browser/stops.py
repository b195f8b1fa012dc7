"""Every page of the demonstration, in its states, and how one comes there."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

from core.store import open_workspace
from tests.browser.review import REST, click

CURATOR = "curator-a"
"""Who is at work behind `COLLEAGUE`."""
SHOTS = {1400: 1000, 1024: 800, 420: 860}
"""Width and height of screens, in pixels."""


class Stop(NamedTuple):
    """Something to look at."""

    name: str
    shown: str
    """Selector of what is there once all is."""
    address: str | None = None
    """Page and query; None: one is there, after the stop before."""
    act: Callable[[Page], None] | None = None
    """What is done there."""

    def go(self, page: Page, url: str) -> float:
        """Go there, and wait for all that is to be seen; seconds until its content was."""
        link = page.locator(f"[data-testid=stSidebarNavLink][href$='/{self.address}']")
        begun = time.perf_counter()
        if self.address is not None and link.count() == 1:  # as people do: without loading the app again
            link.click()
        elif self.address is not None:
            page.goto(f"{url}/{self.address}")
        if self.act:
            page.locator(REST).wait_for()
            begun = time.perf_counter()
            self.act(page)
        there(page, self.shown).wait_for()
        seconds = time.perf_counter() - begun
        settled(page)
        return seconds


def there(page: Page, shown: str) -> Locator:
    return page.locator(shown).filter(visible=True).first


def settled(page: Page) -> None:
    """Wait until no script runs and nothing that is still to come holds a place."""
    page.locator(REST).wait_for()
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    page.evaluate("document.fonts.ready")


def wide(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": SHOTS[width]})


def screen(page: Page, width: int, theme: str) -> None:
    wide(page, width)
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]


def press(role: str, name: str | re.Pattern[str]) -> Callable[[Page], None]:
    return lambda page: click(page.get_by_role(role, name=name, exact=True))  # type: ignore[arg-type]


def keys(*names: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        for name in names:
            page.keyboard.press(name)

    return act


def two_abstracts(page: Page) -> None:
    page.get_by_role("tab", name="Two abstracts").click()
    page.get_by_role("button", name="Take two examples").click()


def become(page: Page, workspace: Path, curator: str = CURATOR) -> None:
    """The browser remembers this curator from now on, and the page is loaded anew."""
    with open_workspace(workspace) as opened:
        name = f"touchstone.curator.{opened.uuid}"
    page.evaluate("([name, who]) => localStorage.setItem(name, who)", [name, curator])
    page.reload()


def chart(title: str) -> str:
    return f"[aria-label='{title}'] .js-plotly-plot .main-svg"


def heading(words: str) -> str:
    return f":is(h1, h2, h3):has-text('{words}')"


DESK = ".card:not(.empty)"
TABLE = "[data-testid=stDataFrame]"
HELP = "[role=region][aria-label=Help]"
VISITOR = (
    Stop("start", "img[alt*='squares']", ""),
    Stop("own text", "textarea", "try_text"),
    Stop("own text tried", ".reading table", act=press("button", "Take an example")),
    Stop("two abstracts", ".reading mark.dashed", act=two_abstracts),
    Stop("a label, nobody named", ".reading mark", "concept_labels"),
    Stop("a pair, nobody named", ".reading mark", "conflict_labels"),
)
"""Before anybody has given a name."""
NEXT = press("button", re.compile("^Next"))
TOUR = (
    Stop("start again", "img[alt*='squares']", ""),
    Stop("tour, 1", heading("Global developmental delay"), act=press("link", "Take the tour")),
    Stop("tour, 2", heading("Diabetes mellitus"), act=NEXT),
    Stop("tour, 3", heading("Microcephaly"), act=NEXT),
    Stop("tour, 4", heading("Direct contradiction"), act=NEXT),
    Stop("tour, 5", chart("What they are"), act=NEXT),
    Stop("tour, 6", chart("Right, spurious, missed"), act=NEXT),
)
"""As a visitor, from the start page."""
COLLEAGUE = (
    Stop("concept desk", DESK, "concept_labels"),
    Stop("concept desk, fix", ".panel", act=keys("f")),
    Stop("concept desk, help", HELP, act=keys("Escape", "h")),
    Stop("conflict desk", f"{DESK} .types", "conflict_labels"),
    Stop("conflict desk, help", HELP, act=keys("h")),
    Stop("false positives", f"{DESK} .label", "false_positives"),
    Stop("adjudication", f"{DESK} .label", "adjudication"),
    Stop("error taxonomy", chart("What they are"), "error_taxonomy"),
    Stop("metrics", chart("Right, spurious, missed"), "metrics"),
    Stop("metrics, all values", TABLE, act=lambda page: click(page.get_by_text("All values"))),
    Stop("near misses", TABLE, act=press("radio", "Near misses")),
    Stop("conflict metrics", chart("Gold type against predicted type"), "conflict_metrics"),
    Stop("generalisation", chart("Names by their looks"), "generalisation"),
    Stop("agreement", chart("Answer by answer"), "agreement"),
    Stop("runs", TABLE, "runs"),
    Stop("runs compared", ":text('Settings that differ')", act=press("radio", "Compare")),
    Stop("ontology", ".tree .name", "ontology"),
    Stop("concept", ".tree .here", "ontology?ontology.concept=HP:0000252"),
    Stop("versions", TABLE, "versions"),
    Stop("topic brief", heading("Against"), "brief"),
    Stop("corpus", ":text('64 documents.')", "corpus"),
    Stop("document", ".text .mark", "corpus?corpus.document=demo-001"),
    Stop("guide", "h2", "guide"),
)
"""As somebody whose name is known."""
