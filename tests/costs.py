"""What tests cost: `pytest --cpu` tells the processor seconds of each file and of the dearest tests."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def _running(pid: int) -> float:
    """Of a process that runs, and of all that it started."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / TICKS + _started(pid)
    except OSError:  # it ended meanwhile
        return 0.0


def _started(pid: int) -> float:
    total = 0.0
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            total += sum(map(_running, map(int, children.read_text().split())))
        except OSError:  # a thread that ended meanwhile
            continue
    return total


def spent() -> float:
    """Processor seconds of this process, of its children that ended, and, on Linux, of those that run:
    servers and browsers."""
    return sum(os.times()[:4]) + _started(os.getpid())


class Costs:
    """Adds to each report what its phase took, and tells the dearest at the end.

    Args:
        rows: of each of the two tables.
    """

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self._before = 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[None]:
        report = yield
        now = spent()
        report.cpu = max(0.0, now - self._before)  # type: ignore[attr-defined]  # nobody waited for some
        self._before = now
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self) -> None:
        self._before = self._before or spent()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        files, tests, counts = Counter[str](), Counter[str](), Counter[str]()
        for report in (one for some in terminalreporter.stats.values() for one in some):
            if isinstance(report, pytest.TestReport):
                file = report.nodeid.partition("::")[0]
                cpu = getattr(report, "cpu", 0.0)
                files[file] += cpu
                tests[f"{report.nodeid} ({report.when})"] += cpu
                counts[file] += report.when == "call"
        terminalreporter.write_sep("_", f"{files.total():.0f} processor seconds, without collecting")
        for file, cpu in files.most_common(self._rows):
            terminalreporter.write_line(f"{cpu:8.1f} s {counts[file]:5} tests  {file}")
        for test, cpu in tests.most_common(self._rows):
            terminalreporter.write_line(f"{cpu:8.1f} s  {test}")
