"""What the server spends on a page: on reruns in which nothing is computed, and on opening reports.

    python tests/benchmarks/bench_reruns.py [--visits 60] [--documents 150]

Reruns: each page of a workspace of so many passages is run again with nothing changed, without a browser.
Baseline, in the same run: a page with a title and nothing else. Printed: CPU milliseconds (p50 and p95, what
reads the messages for the test included) and the ratio of the p50 to the baseline's; the goal is 50.

Opening: three reports of a workspace of 150 passages are opened in turn in one Chromium. Baseline: the same
app with Streamlit's default, `runner.postScriptGC` on, which looks through all objects after each rerun.
Printed: the server's CPU seconds, their ratio, and the memory that each server holds at the end.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import psutil
from playwright.sync_api import Page, sync_playwright
from streamlit.testing.v1 import AppTest

from app import PAGES
from pages.widgets import state
from tests.benchmarks.bench_pages import CURATOR, prepare
from tests.benchmarks.bench_review import ROOT, spread
from tests.browser.conftest import AppServer
from tests.browser.review import REST
from tests.conftest import QUIET, system_chromium
from tests.review.clinic import many

REPORTS = ("metrics", "runs", "agreement")
BARE = "import streamlit as st\n\nst.title('Nothing')"
BASELINE = "a bare page (baseline)"
SETTLED = 150
"""Milliseconds after the script rests."""


def visit(page: Page, url: str, visits: int) -> None:
    for at in range(visits):
        page.goto(f"{url}/{REPORTS[at % len(REPORTS)]}")
        page.locator(REST).wait_for()
        page.wait_for_timeout(SETTLED)


def spent(page: Page, workspace: Path, collects: bool, visits: int) -> tuple[float, float]:
    """(CPU seconds, MB) of a server of its own."""
    flag = {"STREAMLIT_RUNNER_POST_SCRIPT_GC": str(collects).lower()}
    server = AppServer(workspace, workspace.with_suffix(f".{collects}.log"), flag, fork=False)
    server.start()
    try:
        (process,) = {
            c.pid
            for c in psutil.net_connections()
            if c.status == "LISTEN" and c.laddr and c.laddr.port == server.port
        }
        visit(page, server.url, visits)
        used = psutil.Process(process).cpu_times()
        return used.user + used.system, psutil.Process(process).memory_info().rss / 2**20
    finally:
        server.kill()


def reruns(workspace: Path, times: int) -> dict[str, tuple[float, float]]:
    """Page -> (p50, p95) of CPU milliseconds of a rerun in which nothing has changed; the baseline first."""
    os.environ["TOUCHSTONE_WORKSPACE"] = str(workspace)
    found = {BASELINE: spread(_again(AppTest.from_string(BARE), times))}
    for path, title in (row for rows in PAGES.values() for row in rows if (ROOT / row[0]).exists()):
        page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=600)
        page.session_state[state.CURATOR] = CURATOR
        found[title] = spread(_again(page.run().switch_page(path), times))
    return found


def _again(page: AppTest, times: int) -> list[float]:
    """CPU milliseconds of each rerun, after two that may compute."""
    page.run().run()
    found = []
    for _ in range(times):
        start = time.process_time()
        page.run()
        found.append(1000 * (time.process_time() - start))
    assert not page.exception, page.exception
    return found


def tell(found: dict[str, tuple[float, float]]) -> None:
    print(f"{'CPU ms of a rerun':<28}{'p50':>8}{'p95':>8}{'p50 / base':>12}")
    for title, (middle, high) in found.items():
        print(f"{title:<28}{middle:>8.1f}{high:>8.1f}{middle / found[BASELINE][0]:>12.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--visits", type=int, default=60)
    parser.add_argument("--documents", type=int, default=150)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pages.db"
        prepare(path, given.documents)
        tell(reruns(path, given.visits))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        workspace = Path(folder) / "reports.db"
        many(workspace, {"cases": 150})
        browser = playwright.chromium.launch(executable_path=system_chromium(), args=[*QUIET, "--no-sandbox"])
        page = browser.new_page()
        seconds = {}
        for collects, name in ((True, "with collection (baseline)"), (False, "as the app runs")):
            seconds[collects], memory = spent(page, workspace, collects, given.visits)
            print(f"{name:<28} {seconds[collects]:6.1f} CPU-s for {given.visits} pages, {memory:,.0f} MB")
        print(f"ratio {seconds[False] / seconds[True]:.2f}")
        browser.close()


if __name__ == "__main__":
    main()
