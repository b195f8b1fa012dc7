"""What the server spends on opening report pages, with and without Streamlit's collection after each rerun.

    python tests/benchmarks/bench_reruns.py [--visits 60]

Three reports of a workspace of 150 passages are opened in turn in one Chromium. Baseline: the same app with
Streamlit's default, `runner.postScriptGC` on, which looks through all objects after each rerun. Printed: the
server's CPU seconds, their ratio, and the memory that each server holds at the end.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import psutil
from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import AppServer
from tests.browser.review import REST
from tests.conftest import QUIET, system_chromium
from tests.review.clinic import many

REPORTS = ("metrics", "runs", "agreement")
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


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--visits", type=int, default=60)
    given = parser.parse_args()
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
