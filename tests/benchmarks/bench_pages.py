"""Every page in Chromium, at 54,000 passages and 200,000 proposals: the first visit, further ones, and visits
right after a decision, by its address and by the menu.

    python tests/benchmarks/bench_pages.py [documents] [--visits 20]

Wall seconds from asking for a page until its script rests. By its address, the browser reads all of the app
anew; by the menu, as curators come there from another page, it reads the page alone. Baseline, in the same
run: the same pages on a workspace of 150 passages. Printed: p50 and p95 of further visits, of visits after a
decision and of those by the menu, and the ratio of each p95 to the baseline's.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.sync_api import Browser, Page, sync_playwright

from app import PAGES
from core.records import Action, NewDecision
from core.review.audit import Audit, draw_audit
from core.store import decisions, open_workspace
from core.store.gold import list_references
from tests.benchmarks.bench_evaluate import fill, ontology
from tests.benchmarks.bench_review import ROOT, opened, served, spread
from tests.browser.review import REST
from tests.conftest import QUIET, system_chromium

CURATOR = "bench"
SETTLED = 0.5
"""Seconds for which nothing goes on, outside what is timed."""


class Found(NamedTuple):
    """Wall seconds."""

    first: float
    p50: float
    p95: float
    after_p50: float
    after_p95: float
    menu_p50: float
    menu_p95: float


def names() -> dict[str, str]:
    """Name of each page in its address -> its title in the menu."""
    rows = [(Path(path), title) for section in PAGES.values() for path, title in section]
    return {path.stem: title for path, title in rows if (ROOT / path).exists()}


def prepare(path: Path, documents: int) -> list[int]:
    """A run of so many passages, an audit set of it, a curator; returns items to decide."""
    with open_workspace(path) as workspace:
        fill(workspace, documents, ontology())
        decisions.add_curator(workspace, CURATOR, "Bench")
        run, corpus = workspace.db.execute(
            "SELECT r.id, c.name FROM runs r JOIN corpora c ON c.id = r.corpus_id LIMIT 1"
        ).fetchone()
        gold = list_references(workspace, corpus)[0]
        draw_audit(workspace, Audit(run, gold, 50, name="audit"))
        rows = workspace.db.execute("SELECT id FROM items WHERE kind = 'concept' ORDER BY id LIMIT 2000")
        return [row[0] for row in rows]


def visit(page: Page, url: str, name: str) -> float:
    start = time.perf_counter()
    page.goto(f"{url}/{name}")
    page.get_by_test_id("stHeading").first.wait_for()
    return at_rest(page) - start


def turn_to(page: Page, title: str) -> float:
    start = time.perf_counter()
    page.get_by_role("link", name=title, exact=True).click()
    heading = page.get_by_test_id("stHeading")
    # the start page is headed by a sentence on the workspace
    (heading if title == "Start" else heading.get_by_text(title, exact=True)).first.wait_for()
    return at_rest(page) - start


def at_rest(page: Page) -> float:
    """When the page's script, and all that it shows, came to rest."""
    rests, skeletons, since = page.locator(REST), page.get_by_test_id("stSkeleton"), None
    while since is None or time.perf_counter() - since < SETTLED:
        if not rests.count() or skeletons.count():
            since = None  # it goes on, as once the browser has said who is at work
        elif since is None:
            since = time.perf_counter()
        page.wait_for_timeout(20)
    return since


def decide(path: Path, item: int) -> None:
    with open_workspace(path) as workspace:
        new = NewDecision(f"{CURATOR}-{item}", CURATOR, Action.REJECT, item_id=item)
        assert decisions.append(workspace, [new])[0].number


def measure(browser: Browser, folder: Path, documents: int, visits: int) -> dict[str, Found]:
    path = folder / f"{documents}.db"
    items = iter(prepare(path, documents))
    with open_workspace(path) as workspace:
        remembered = f"touchstone.curator.{workspace.uuid}"
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.add_init_script(f"localStorage.setItem({remembered!r}, {CURATOR!r})")
    found = {}
    with served(ROOT / "app.py", path) as url:
        opened(page, f"{url}/runs", "[data-testid='stHeading']")  # the server is warm
        for name, title in names().items():
            first = visit(page, url, name)
            again = spread([visit(page, url, name) for _ in range(visits)])
            after, by_menu = [], []
            for _ in range(visits):
                decide(path, next(items))
                after.append(visit(page, url, name))
            for _ in range(visits):
                visit(page, url, "conflict_labels" if name == "concept_labels" else "concept_labels")
                decide(path, next(items))
                by_menu.append(turn_to(page, title))
            found[name] = Found(first, *again, *spread(after), *spread(by_menu))
    page.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("documents", type=int, nargs="?", default=54_000)
    parser.add_argument("--visits", type=int, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=system_chromium(), args=[*QUIET, "--no-sandbox"])
        small = measure(browser, Path(place), 150, given.visits)
        large = measure(browser, Path(place), given.documents, given.visits)
        browser.close()
    heads = ["first", "p50", "p95", "after p50", "after p95", "menu p50", "menu p95"]
    heads += ["p95 / base", "after / base", "menu / base"]
    print(f"{'wall seconds':<20}" + "".join(f"{head:>14}" for head in heads))
    for name, row in large.items():
        base = small[name]
        ratios = row.p95 / base.p95, row.after_p95 / base.after_p95, row.menu_p95 / base.menu_p95
        print(f"{name:<20}" + "".join(f"{value:>14.2f}" for value in (*row, *ratios)))


if __name__ == "__main__":
    main()
