"""Fixtures for tests of pages: a workspace that the app opens."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.store import open_workspace
from tests.evaluate import ward
from tests.workspaces import new_workspace


@pytest.fixture
def opened(workspace_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the app looks for its workspace; an empty one."""
    monkeypatch.setenv("TOUCHSTONE_WORKSPACE", str(workspace_path))
    new_workspace(workspace_path).close()
    return workspace_path


@pytest.fixture
def filled(opened: Path) -> tuple[Path, dict[str, int]]:
    """The ward's workspace, and the ids of its passages."""
    with open_workspace(opened) as workspace:
        return opened, ward.fill(workspace)


@pytest.fixture
def reviewed(filled: tuple[Path, dict[str, int]]) -> Path:
    """The ward, reviewed by one curator."""
    path, ids = filled
    with open_workspace(path) as workspace:
        ward.review(workspace, ids)
    return path
