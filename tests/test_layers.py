"""The import contracts of pyproject.toml: each is broken here on purpose, to show that one would notice."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINT = "from importlinter.cli import lint_imports_command as run; run()"
KEPT = {
    "core/__init__.py": "",
    "core/records.py": "",
    "core/errors.py": "",
    "core/kinds/__init__.py": "from core import records",
    "core/store/__init__.py": "from core import kinds, records",
    "core/store/connect.py": "import sqlite3\nimport sqlite_utils",
    "core/metrics/__init__.py": "",
    "core/ontology/__init__.py": "",
    "core/ontology/load.py": "import pronto",
    "core/concepts/__init__.py": "from core import metrics, ontology",
    "core/exchange.py": "",
    "core/review.py": "from core import store, concepts",
    "core/cli/__init__.py": "from core import review, store",
    "pages/widgets/state.py": "from core.store import open_workspace",
    "pages/review/labels.py": "from core import review\nfrom pages.widgets import state",
}


def lint(folder: Path, files: dict[str, str]) -> subprocess.CompletedProcess[str]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    shutil.copy(ROOT / "pyproject.toml", folder)
    command = [sys.executable, "-c", LINT, "--no-cache", "--no-logo"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_a_house_in_order_keeps_every_contract(tmp_path: Path) -> None:
    done = lint(tmp_path, KEPT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("core/records.py", "from core import store"),
        ("core/ontology/load.py", "from core import concepts"),
        ("core/text.py", "from core import ontology"),
        ("core/kinds/__init__.py", "from core import store"),
        ("core/review.py", "from core import exchange"),
        ("core/novelty.py", ""),  # a module without a place among the layers
        ("core/concepts/__init__.py", "from core import store"),
        ("core/metrics/__init__.py", "from core.store import connect"),
        ("core/concepts/__init__.py", "import streamlit"),
        ("core/review.py", "from pages.widgets import state"),
        ("pages/review/labels.py", "from core import metrics"),
        ("pages/review/labels.py", "from core.store import open_workspace"),
        ("pages/review/labels.py", "import sqlite3"),
        ("core/review.py", "import sqlite_utils"),
        ("core/concepts/__init__.py", "import pronto"),
        ("core/concepts/__init__.py", "import sentence_transformers"),
        ("core/concepts/__init__.py", "import faiss"),
        ("core/concepts/__init__.py", "import openai"),
        ("core/cli/__init__.py", "import plotly.express"),
    ],
)
def test_a_contract_bites(file: str, line: str, tmp_path: Path) -> None:
    done = lint(tmp_path, KEPT | {file: line})
    assert done.returncode == 1
    assert "BROKEN" in done.stdout, done.stdout + done.stderr
