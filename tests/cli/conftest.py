"""Fixtures for tests of verbs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
import typer.main


@pytest.fixture(scope="session", autouse=True)
def commands_built_once() -> Iterator[None]:
    """Typer builds all commands anew for each call, which a user makes once in a process: 25 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        yield
