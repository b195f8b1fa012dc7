"""The metrics page in Chromium, at 5,000 and at 54,000 documents (20,000 and 200,000 labels).

    python tests/benchmarks/bench_metrics_page.py [documents ...]

Wall seconds until the page stands still: the first load, which scores; further loads (p50 / p95 of 20), which
read what is held; each view for the first time and again; and the first load after one decision, which scores
anew. Baseline, in the same run: the same page on four documents. Prints the ratios; p95 of further loads is
the figure to quote.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.sync_api import Page, sync_playwright

from core.records import Action, NewDecision
from core.store import decisions, open_workspace
from tests.benchmarks.bench_evaluate import SIZES, fill, ontology
from tests.benchmarks.bench_review import ROOT, opened, served, spread
from tests.conftest import QUIET, system_chromium
from tests.evaluate import ward

LOADS = 20
NO_SANDBOX = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
REST = "[data-testid='stApp'][data-test-script-state='notRunning']"
CURATOR = "bench"


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def load(page: Page, url: str) -> None:
    """Until the headline cards are there and the script rests."""
    page.goto(f"{url}/metrics")
    page.get_by_test_id("stMetric").first.wait_for()
    page.locator(REST).wait_for()


def look(page: Page, title: str) -> None:
    """Switch to a view and wait until its script rests again."""
    page.get_by_role("radio", name=title, exact=True).click()
    page.wait_for_timeout(100)  # until the script has begun
    page.locator(REST).wait_for()


def decide(path: Path) -> None:
    with open_workspace(path) as workspace:
        decisions.add_curator(workspace, CURATOR, "Bench")
        passage, concept = workspace.db.execute(
            "SELECT passage_id, subject FROM items ORDER BY id LIMIT 1"
        ).fetchone()
        new = NewDecision(f"{CURATOR}-1", CURATOR, Action.REJECT, passage_id=passage, subject=concept)
        assert [o.refused for o in decisions.append(workspace, [new])] == [None]


def measure(page: Page, path: Path) -> dict[str, float]:
    found: dict[str, float] = {}
    with served(ROOT / "app.py", path) as url:
        opened(page, f"{url}/runs", "[data-testid='stHeading']")  # the server is warm, nothing is scored yet
        found["first load"] = seconds(lambda: load(page, url))
        again = [seconds(lambda: load(page, url)) for _ in range(LOADS)]
        found["load p50"], found["load p95"] = spread(again)
        page.keyboard.press("Escape")  # who is at work is asked, and may stay unsaid
        views = page.get_by_role("radiogroup").filter(has_text="Overview")
        titles = views.get_by_role("radio").all_inner_texts()
        for title in titles:
            found[f"view {title}, first"] = seconds(lambda title=title: look(page, title))
        for title in titles:
            found[f"view {title}, again"] = seconds(lambda title=title: look(page, title))
        decide(path)
        found["load after a decision"] = seconds(lambda: load(page, url))
    return found


def main() -> None:
    known = ontology()
    columns: dict[str, dict[str, float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as driver,
        driver.chromium.launch(executable_path=system_chromium(), args=[*QUIET, *NO_SANDBOX]) as browser,
    ):
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        small = Path(folder) / "small.db"
        with open_workspace(small) as workspace:
            ward.fill(workspace)
        columns["baseline, 4"] = measure(page, small)
        for size in SIZES:
            path = Path(folder) / f"{size}.db"
            with open_workspace(path) as workspace:
                fill(workspace, size, known)
            columns[f"{size:,}"] = measure(page, path)
    print(f"{'wall seconds':<34}" + "".join(f"{name:>14}" for name in columns) + f"{'last / 4':>10}")
    last, first = list(columns.values())[-1], next(iter(columns.values()))
    for part in last:
        row = "".join(f"{column.get(part, float('nan')):>14.2f}" for column in columns.values())
        print(f"{part:<34}{row}{last[part] / first.get(part, float('nan')):>10.1f}")


if __name__ == "__main__":
    main()
