"""A real Touchstone server for browser tests: started, killed and restarted on one port."""

from __future__ import annotations

import contextlib
import itertools
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tests.browser.review import PATIENCE
from tests.browser.served import CAN_FORK, Forked
from tests.patience import SECONDS

expect.set_options(timeout=PATIENCE)

ROOT = Path(__file__).parents[2]
PORTS = range(20_000, 30_000)
"""Below what systems give to outgoing connections: a page that reconnects to a killed server must not get the
server's own port."""
OF_SERVERS = random.sample(PORTS, 100)
"""Each server takes the first that is free: the browser then keeps the scripts that the last one sent."""
FALLS_BACK = "WebAssembly"
"""Streamlit tries it for 64-bit numbers, and does them in JavaScript where that is not allowed."""


class AppServer:
    """`streamlit run app.py` on one workspace, forked where that can be (see `served`), else started afresh.
    `url` stays the same over restarts."""

    def __init__(self, workspace: Path, log: Path, environment: dict[str, str], fork: bool = CAN_FORK):
        self.workspace = workspace
        self._fork = fork
        self.log = log
        self.port = free_port(OF_SERVERS)
        self._environment = {**os.environ, "TOUCHSTONE_WORKSPACE": str(workspace), **environment}
        self._process: subprocess.Popen[bytes] | Forked | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start and wait until the server answers; its output is appended to `log`."""
        arguments = ["run", "app.py", f"--server.port={self.port}"]
        begin = Forked if self._fork else afresh
        self._process = begin(arguments, self._environment, self.log)
        deadline = time.monotonic() + SECONDS
        while not self._healthy():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"the app did not start:\n{self.log.read_text('utf-8')[-2000:]}")
            time.sleep(0.05)

    def _healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2) as answer:  # noqa: S310
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def freeze(self) -> None:
        """It hears nothing from now on and says nothing, as behind a dead network: the browser is not told,
        so no "connection error" covers the page, until `thaw`, `kill` or `restart`. Windows: killed."""
        if self._process is not None and os.name == "posix":
            os.killpg(self._process.pid, signal.SIGSTOP)
        else:
            self.kill()

    def thaw(self) -> None:
        """It goes on where it was frozen."""
        if self._process is not None and os.name == "posix":
            os.killpg(self._process.pid, signal.SIGCONT)
        else:
            self.start()

    def kill(self) -> None:
        """kill -9, children included: nothing gets a chance to save or say goodbye."""
        if self._process is None:
            return
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()  # before it leads a group, or where there is none
        self._process.wait()
        self._process = None

    def restart(self) -> None:
        self.kill()
        self.start()


def afresh(arguments: Sequence[str], environment: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    """`streamlit ARGUMENTS` as a user starts it; its output is appended to `log`."""
    with log.open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "streamlit", *arguments],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def free_port(among: Sequence[int] = ()) -> int:
    """The first free one of these ports, or any."""
    for port in among or random.sample(PORTS, 100):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise RuntimeError("none of 100 ports tried on 127.0.0.1 is free")


StartApp = Callable[..., AppServer]


@contextlib.contextmanager
def servers(folder: Path, fork: bool = CAN_FORK) -> Iterator[StartApp]:
    """Those of one test or file, with their logs in a folder; `fork` as `AppServer` takes it."""
    with contextlib.ExitStack() as cleanup:
        logs = (folder / f"app-{number}.log" for number in itertools.count(1))

        def start(workspace: Path, **environment: str) -> AppServer:
            server = AppServer(workspace, next(logs), environment, fork)
            cleanup.callback(server.kill)
            server.start()
            return server

        yield start


@pytest.fixture
def app_server(tmp_path: Path) -> Iterator[StartApp]:
    """`app_server(workspace.path, NAME=value...)` starts the app on that workspace, with these environment
    variables, and returns an `AppServer` (`url`, `kill()`, `freeze()`, `start()`, `restart()`, `log`). Call
    it as often as you like; every server is killed at the end of the test."""
    with servers(tmp_path) as start:
        yield start


@pytest.fixture(scope="module")
def module_app_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartApp]:
    """The same for a whole file of tests that share one server."""
    with servers(tmp_path_factory.mktemp("servers")) as start:
        yield start


@pytest.fixture(scope="session")
def shared_context(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[BrowserContext]:
    """Its first page stays empty and open: with the last page, the process would end that has read and
    compiled the scripts of the app."""
    context = browser.new_context(**browser_context_args)
    context.new_page()
    yield context
    context.close()


@contextlib.contextmanager
def hearing(context: BrowserContext, refused: list[str]) -> Iterator[None]:
    """What its pages try and their policy stops, as the browser tells it, goes to the list."""

    def hear(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text and FALLS_BACK not in message.text:
            refused.append(message.text)

    context.on("console", hear)
    yield
    context.remove_listener("console", hear)


@pytest.fixture
def refused() -> Iterator[list[str]]:
    """What pages of this test's `context` tried and their policy stopped. Whatever a test leaves there fails
    it: no page of the app meets its own policy."""
    told: list[str] = []
    yield told
    assert told == []


@pytest.fixture
def context(shared_context: BrowserContext, refused: list[str]) -> Iterator[BrowserContext]:
    """What the pages of a test share: as empty as a new browser, but for the scripts of the app, which it has
    read and compiled. Whoever needs a second browser makes it with `browser.new_context()`."""
    origins: set[str] = set()

    def note(page: Page) -> None:
        page.on("framenavigated", lambda frame: origins.add("/".join(frame.url.split("/")[:3])))

    shared_context.on("page", note)
    with hearing(shared_context, refused):
        yield shared_context
    shared_context.remove_listener("page", note)
    empty, *used = shared_context.pages
    for page in used:
        page.close()
    session = shared_context.new_cdp_session(empty)
    for origin in origins:
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    session.detach()
    shared_context.clear_cookies()


@pytest.fixture(scope="module")
def module_page(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    """A page for those tests of a file that go on where the one before left it: to load the app again costs
    more than most of them."""
    told: list[str] = []
    context = browser.new_context(**browser_context_args)
    with hearing(context, told):
        yield context.new_page()
    context.close()
    assert told == []
