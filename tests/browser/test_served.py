"""Servers of browser tests begin whatever ran before them in the same process."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from core.store import open_workspace
from tests.browser.conftest import StartApp


def test_a_server_begins_where_another_test_left_a_main_module_of_its_own(
    app_server: StartApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Streamlit's AppTest does."""
    script = tmp_path / "script.py"
    script.write_text("raise SystemExit('this is no module to begin with')")
    main = types.ModuleType("__main__")
    main.__file__ = str(script)
    monkeypatch.setitem(sys.modules, "__main__", main)
    path = tmp_path / "w.db"
    open_workspace(path).close()
    assert app_server(path).is_running
