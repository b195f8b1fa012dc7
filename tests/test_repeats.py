"""The usual run tries a sample, `--nightly` everything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.repeats import VARIABLE, times


def test_the_night_repeats_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert times(5, 100) == 5
    monkeypatch.setenv(VARIABLE, "1")
    assert times(5, 100) == 100


def test_counts_are_those_of_the_option(request: pytest.FixtureRequest) -> None:
    assert times(0, 1) == request.config.getoption("nightly")


def test_workers_know_the_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    asked = f"{__file__}::{test_counts_are_those_of_the_option.__name__}"
    command = [sys.executable, "-m", "pytest", "-q", "-n", "1", "--nightly", asked]
    done = subprocess.run(command, cwd=Path(__file__).parents[1], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
