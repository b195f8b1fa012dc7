"""Queues in a browser: a corpus and a curator for each test, whatever the desk."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page

from core.records import Action, NewDecision
from core.store import decisions, open_workspace, queue
from pages.widgets.desk.chosen import list_address
from tests.browser.conftest import AppServer
from tests.browser.review import Desk


@dataclass
class Ward:
    """One server, over a corpus, and so a queue, for each test of a file."""

    server: AppServer
    workspace: Path
    kind: str = field(default="concept", kw_only=True)
    """Which of the two desks, unless a test says the other."""
    seats: dict[tuple[str, str], str] = field(default_factory=dict, kw_only=True)

    @property
    def url(self) -> str:
        return self.server.url

    def address(self, corpus: str, more: str = "", kind: str = "") -> str:
        page = f"{kind or self.kind}_labels"
        return f"{page}?{page}.corpus={corpus}{more}"

    def desk(self, page: Page, corpus: str, curator: str = "", kind: str = "", more: str = "") -> Desk:
        """A desk over one corpus, by default of its own reader. Nobody decides in two of a kind: a test
        counts all that its curator did."""
        curator = curator or f"reader-{corpus}"
        seat = self.seats.setdefault((kind or self.kind, curator), corpus)
        assert seat == corpus, f"{curator} decides in {seat} already, in another test"
        if not self.server.is_running:  # a test before this one failed while it was down
            self.server.start()
        return Desk(page, self.url, self.workspace, curator, self.address(corpus, more, kind))


@dataclass
class Queues(Ward):
    """A ward whose items are known, and decided or held by others."""

    ids: dict[str, tuple[int, ...]]
    """Items by corpus, in queue order."""

    def listed(self, corpus: str, name: str, *items: int) -> str:
        """The address of a list of items."""
        more = (f"&{key}={value}" for key, value in list_address(f"{self.kind}_labels", name, items).items())
        return f"{self.url}/{self.address(corpus, ''.join(more))}"

    def decide(self, corpus: str, action: Action, *items: int, by: str = "") -> None:
        """As the curator of a corpus, or another, did some other day."""
        curator = by or f"reader-{corpus}"
        new = [NewDecision(f"before-{curator}-{i}", curator, action, item_id=i) for i in items]
        with open_workspace(self.workspace) as workspace:
            decisions.add_curator(workspace, curator, curator.title())
            assert all(done.number for done in decisions.append(workspace, new))

    def hold(self, *items: int) -> None:
        """Somebody else has them open, and no others."""
        with open_workspace(self.workspace) as workspace, workspace.write(bump=False) as db:
            held = [(item, 1) for item in items]
            queue.lease(
                db, "another", "beta", keep=[], candidates=held, wanted=len(held), now=time.time(), seconds=85
            )
