"""Fixtures for all tests: a workspace, the corpora beside the checkout, and a Chromium."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests import costs, repeats

if TYPE_CHECKING:
    from core.store import Workspace

# Before any library counts the cores: tests run side by side, and threads that wait for a busy core cost more
# than they bring.
os.environ.setdefault("OMP_NUM_THREADS", "1")

IN_MEMORY = Path("/dev/shm")  # noqa: S108
"""Linux keeps in memory what is written here."""


def _has_room(gigabytes: int = 4) -> bool:
    """Whether files of so many gigabytes fit into memory, and leave as much again free."""
    try:
        said = Path("/proc/meminfo").read_text().partition("MemAvailable:")[2].split()
        return min(shutil.disk_usage(IN_MEMORY).free, int(said[0]) * 1024 // 2) >= gigabytes * 2**30
    except (OSError, LookupError, ValueError):
        return False


if "TMPDIR" not in os.environ and _has_room():  # a tenth of the time of tests that write many small files
    os.environ["TMPDIR"] = str(IN_MEMORY)
    tempfile.tempdir = None  # it was asked for before

ROOT = Path(__file__).parents[1]
CHROMIUM_NAMES = (
    "chromium-headless-shell",  # the same engine without windows: a quarter less work
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
)
MAC_CHROME = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
LONG = {"test_axe.py": 40_000, "test_server_gone.py": 15_000, "test_runs_page.py": 13_000}
"""Files whose tests take long for their size -> the size of a file that takes as long."""
FORKING = {f"test_{name}.py" for name in ("workspace", "before", "processes", "turn", "mark")}
"""Files of `tests/store` that fork some hundred times. They run first, while their process is small: with
what PyTorch and other tests leave there, a fork takes 30 ms in place of 5."""
QUIET = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
)
"""Chromium's own calls to the network are off, so that any request a test sees is the page's."""
ONE_PROCESS = "--renderer-process-limit=1"
"""For each browser context: all its pages share what the first has compiled."""
BRIEF = "--js-flags=--no-script-streaming --no-maglev --no-opt --single-threaded-gc --min-semi-space-size=64"
"""A page lives for seconds here. To compile aside what the process has compiled, to optimise it, and to
collect garbage aside and often, is a seventh of the work of a desk's page, and none of it pays back."""


def pytest_addoption(parser: pytest.Parser) -> None:
    told = "repeat kills, power cuts, random inputs and sittings as often as ever: for the night"
    given = bool(os.environ.get(repeats.VARIABLE))
    parser.addoption("--nightly", action="store_true", default=given, help=told)
    told = "tell the processor seconds of the dearest files and tests: so many of each"
    parser.addoption("--cpu", type=int, nargs="?", const=60, metavar="ROWS", help=told)


def pytest_xdist_auto_num_workers() -> int:
    """Two for each core: a test that waits for a server, a disk or a browser leaves its core to another."""
    return 2 * (os.cpu_count() or 1)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("nightly"):
        os.environ[repeats.VARIABLE] = "1"
    if rows := config.getoption("cpu"):
        config.pluginmanager.register(costs.Costs(rows))


@contextlib.contextmanager
def _after_the_first() -> Iterator[None]:
    """One worker goes first, all others together once it is done (not on Windows)."""
    with Path(__file__).open("rb") as file:
        if os.name == "posix":
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                fcntl.flock(file, fcntl.LOCK_SH)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """In a fresh checkout the first worker compiles the tests and all that they import: 20 processor seconds,
    where the others then take 6 each to read it."""
    worker = hasattr(session.config, "workerinput") and not sys.dont_write_bytecode
    with _after_the_first() if worker else contextlib.nullcontext():
        return (yield)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The corpora to measure on: `../shared/data` beside the checkout, or `TOUCHSTONE_SHARED_DATA`."""
    folder = Path(os.environ.get("TOUCHSTONE_SHARED_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"there are no corpora in {folder}; set TOUCHSTONE_SHARED_DATA to their folder")
    return folder


@pytest.fixture
def workspace_path(tmp_path: Path) -> Path:
    """Where a workspace may be made; nothing is there yet. The `workspace` fixture opens this very file."""
    return tmp_path / "workspace.db"


@pytest.fixture
def workspace(workspace_path: Path) -> Iterator[Workspace]:
    """A fresh, empty, open workspace."""
    from tests.workspaces import new_workspace

    with new_workspace(workspace_path) as opened:
        yield opened


def system_chromium() -> str | None:
    """A Chromium or Chrome of this machine; `TOUCHSTONE_CHROMIUM` names one that is somewhere else."""
    named = os.environ.get("TOUCHSTONE_CHROMIUM")
    if named or MAC_CHROME.exists():
        return named or str(MAC_CHROME)
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


def playwright_chromium() -> bool:
    """Whether `playwright install chromium` was run here."""
    caches = {"darwin": "Library/Caches", "win32": "AppData/Local"}
    home = Path.home() / caches.get(sys.platform, ".cache") / "ms-playwright"
    return any(Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or home).glob("chromium*-*"))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """How pytest-playwright starts the browser: the system's, quiet, and as root without its sandbox."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    arguments = [*QUIET, ONE_PROCESS, BRIEF, *(["--no-sandbox"] if root else [])]
    chosen = {"executable_path": system_chromium()} if system_chromium() else {}
    return {**browser_type_launch_args, **chosen, "args": arguments}


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was collected stays to the end: no collector of garbage need look through it again and again."""
    gc.collect()
    gc.freeze()


def _length(item: pytest.Item) -> int:
    """How long the tests of a file take: by its size, unless it is known."""
    return LONG.get(item.path.name) or item.path.stat().st_size


def _forks(item: pytest.Item) -> bool:
    return item.path.name in FORKING and item.path.parent.name == "store"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Who forks often runs first. What is in `browser/` drives a browser, and is skipped where there is none.
    It runs last: Playwright keeps an event loop going in the main thread, in which nothing else could start
    one. Workers get files in this order, so it holds in each of them. A click that meets a redraw of
    Streamlit's is lost now and then. So such a test gets a second go, unless it says otherwise; the summary
    tells."""
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "browser"):
            item.add_marker("browser")
            if not item.get_closest_marker("flaky"):
                item.add_marker(pytest.mark.flaky(reruns=1))
    driven = [item for item in items if item.get_closest_marker("browser")]
    driven.sort(key=_length, reverse=True)  # the longest file first: no worker ends alone
    others = [item for item in items if not item.get_closest_marker("browser")]
    items[:] = sorted(others, key=lambda item: not _forks(item)) + driven
    if driven and not (system_chromium() or playwright_chromium()):
        reason = "no Chromium here: install one, or run `python -m playwright install chromium`"
        for item in driven:
            item.add_marker(pytest.mark.skip(reason=reason))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Why a test needed its second go: a fault that shows only now and then must not be forgotten."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.write_sep("_", f"first go of {report.nodeid}")
        terminalreporter.write_line(str(report.longreprtext))
