"""The first five minutes in pictures and seconds: `python -m tests.browser.film_strip FOLDER`.

It opens the demonstration as `touchstone demo` does, and an empty Streamlit app beside it, and goes from stop
to stop in a real Chromium. Every stop is pictured light and dark on three widths. Seconds depend on what else
the machine does: its load stands beside each.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, ConsoleMessage, sync_playwright

from core.cli.demo import build_demo
from tests.browser import stops
from tests.browser.conftest import afresh, free_port
from tests.conftest import QUIET, system_chromium
from tests.patience import until

ROOT = Path(__file__).parents[2]
THEMES = ("light", "dark")
LOADS = 7
"""Of the start page and of the empty app, in turn."""
READING = 2500
"""Milliseconds at a stop, as people take them."""
GUESS = "/_stcore/"
"""Streamlit first looks for its server below the page asked for, and tells when it is not there."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--no-pictures", action="store_true", help="only seconds")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        workspace = Path(place) / "demo.db"
        build_demo(workspace)
        empty = Path(place) / "empty.py"
        empty.write_text("import streamlit as st\nst.title('Empty')\n", "utf-8")
        arguments = [*QUIET, *(["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else [])]
        browser = playwright.chromium.launch(executable_path=system_chromium(), args=arguments)
        with served(workspace, Path(place)) as url, alone(empty, Path(place)) as other:
            starts(browser, url, other)
            film = Film(browser, url, None if given.no_pictures else given.folder)
            film.turn(stops.VISITOR)
            film.turn(stops.TOUR)
            stops.become(film.page, workspace)
            film.turn(stops.COLLEAGUE)
        browser.close()


# --- servers ------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def served(workspace: Path, place: Path) -> Iterator[str]:
    """The app as its own command opens it."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "core.cli",
        "--workspace",
        str(workspace),
        "app",
        "--no-browser",
        "--port",
        str(port),
    ]
    with (place / "app.log").open("ab") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        until(lambda: answers(url))
        yield url
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def alone(script: Path, place: Path) -> Iterator[str]:
    """A Streamlit app of one file."""
    port = free_port()
    process = afresh(["run", str(script), f"--server.port={port}"], dict(os.environ), place / "empty.log")
    url = f"http://127.0.0.1:{port}"
    try:
        until(lambda: answers(url))
        yield url
    finally:
        process.terminate()
        process.wait()


def answers(url: str) -> bool:
    with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:  # noqa: S310
        return bool(answer.status == 200)
    return False


# --- seconds ------------------------------------------------------------------------------------------------


def starts(browser: Browser, url: str, other: str) -> None:
    """Loads of the start page and of the empty app, each in a new browser context."""
    shown = {url: stops.VISITOR[0].shown, other: "h1"}
    seconds: dict[str, list[float]] = {url: [], other: []}
    for _ in range(LOADS):
        for address, what in shown.items():
            page = browser.new_page(viewport={"width": 1400, "height": 1000})
            begun = time.perf_counter()
            page.goto(address)
            stops.there(page, what).wait_for()
            seconds[address].append(time.perf_counter() - begun)
            page.close()
    first, second = (seconds[address] for address in (url, other))
    usual, least = statistics.median(first), statistics.median(second)
    tell("first load of a server", f"{first[0]:.2f} s; empty app {second[0]:.2f} s")
    tell("start page", f"{usual / least:.2f} x empty app ({usual:.2f} s / {least:.2f} s)")


def tell(name: str, said: str) -> None:
    print(f"{name:26} {said}   [load {os.getloadavg()[0]:.1f}]", flush=True)


class Film:
    """One browser that goes from stop to stop."""

    def __init__(self, browser: Browser, url: str, folder: Path | None):
        self.url, self.folder = url, folder
        self.page = browser.new_page()
        self.faults: list[str] = []
        self.pictures = 0
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error" and GUESS not in message.location["url"]:
            self.faults.append(message.text)

    def turn(self, found: tuple[stops.Stop, ...]) -> None:
        for stop in found:
            stops.screen(self.page, 1400, "light")
            seconds = stop.go(self.page, self.url)
            self._picture(stop.name)
            tell(stop.name, f"{seconds:.2f} s{''.join(f'; error: {fault}' for fault in self.faults)}")
            self.faults.clear()
            self.page.wait_for_timeout(READING)

    def _picture(self, name: str) -> None:
        self.pictures += 1
        for width in stops.SHOTS if self.folder else ():
            for theme in THEMES:
                stops.screen(self.page, width, theme)
                self.page.wait_for_timeout(500)
                stops.settled(self.page)
                file = f"{width}-{theme}-{self.pictures:02}-{name.replace(',', '').replace(' ', '-')}.png"
                self.page.screenshot(path=self.folder / file)


if __name__ == "__main__":
    main()
