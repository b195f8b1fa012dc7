"""Fixtures for tests of pages: a workspace that the app opens."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner

from core.store import open_workspace
from tests.evaluate import ward
from tests.workspaces import new_workspace


@pytest.fixture(scope="session", autouse=True)
def scanned_once() -> Iterator[None]:
    """Every `AppTest` begins as a server does, with the metadata of all installed packages: 150 ms, three
    quarters of what an opened page takes. They stay the same, so one reading serves them all."""
    with pytest.MonkeyPatch.context() as patch:
        scan = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield


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
