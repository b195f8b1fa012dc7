"""A page is one file and one row: with these it is in the menu, in its section, within the frame."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.test_house import pages_are_in_the_table, parsed

ROOT = Path(__file__).parents[2]
FILE = '''"""How many runs there are."""

from __future__ import annotations

import streamlit as st

from pages.widgets import state

st.title("Tally")
with state.workspace() as workspace:
    st.metric("Runs", len(state.all_runs(workspace)))
'''
ASKED = """
import json
from streamlit.testing.v1 import AppTest

page = AppTest.from_file("app.py", default_timeout=60).run().switch_page("pages/reports/tally.py").run()
print(json.dumps({
    "failed": [one.message for one in page.exception],
    "title": [one.value for one in page.title],
    "metric": [(one.label, one.value) for one in page.metric],
    "frame": any("Workspace:" in one.value for one in page.sidebar.caption),
}))
"""


def test_a_page_is_a_file_and_a_row(opened: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    for folder in ("core", "pages"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "data").symlink_to(ROOT / "data")
    (copy / "pages/reports/tally.py").write_text(FILE, "utf-8")
    text, row = (ROOT / "app.py").read_text("utf-8"), '        ("pages/reports/runs.py", "Runs"),\n'
    assert text.count(row) == 1
    (copy / "app.py").write_text(text, "utf-8")
    assert pages_are_in_the_table(copy) == ["pages/reports/tally.py"]  # a file without a row is found
    (copy / "app.py").write_text(
        text.replace(row, f'{row}        ("pages/reports/tally.py", "Tally"),\n'), "utf-8"
    )
    parsed.cache_clear()
    assert pages_are_in_the_table(copy) == []
    done = subprocess.run(
        [sys.executable, "-c", ASKED],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told = {"failed": [], "title": ["Tally"], "metric": [["Runs", "0"]], "frame": True}
    assert json.loads(done.stdout.splitlines()[-1]) == told
