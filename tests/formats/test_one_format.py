"""A document format is one file and one row: with these it is read, told by its extension, listed in help."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.formats import FORMATS, listed

ROOT = Path(__file__).parents[2]
FILE = '''"""Plain lines: an id, a tab, a text."""

from collections.abc import Iterator
from typing import Any

from core.formats.rows import Notes, Raw, RowError
from core.formats.source import Source


def read(source: Source, notes: Notes) -> tuple[Any, Iterator[Raw | RowError]]:
    """Documents without labels."""
    found = (text.split("\\t", 1) for _, text in source.lines())
    return {}, (Raw({"doc_id": name, "text": text}, None) for name, text in found)
'''
ROW = '    "plain": Format(plain.read, None, (".plain",), "tab-separated lines"),\n'
IMPORTS = "    paper003,\n"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with such a format."""
    folder = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "core", folder / "core", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "data").symlink_to(ROOT / "data")
    (folder / "core/formats/plain.py").write_text(FILE, "utf-8")
    registry = folder / "core/formats/__init__.py"
    text = registry.read_text("utf-8")
    for before, after in (
        (IMPORTS, f"{IMPORTS}    plain,\n"),
        ('    "pubmed": Format', f'{ROW}    "pubmed": Format'),
    ):
        assert text.count(before) == 1
        text = text.replace(before, after)
    registry.write_text(text, "utf-8")
    return folder


def touchstone(copy: Path, *words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "core.cli", *map(str, words)],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy), "COLUMNS": "200", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )


def test_it_is_read_by_its_extension(copy: Path, tmp_path: Path) -> None:
    file, workspace = tmp_path / "notes.plain", tmp_path / "w.db"
    file.write_text("d1\tNo fever.\nd2\tSeizures at night.\n", "utf-8")
    done = touchstone(copy, "--workspace", workspace, "corpus", "add", file, "--name", "notes", "--json")
    assert done.returncode == 0, done.stderr
    shown = touchstone(copy, "--workspace", workspace, "corpus", "list", "--json")
    assert [(row["name"], row["passages"]) for row in json.loads(shown.stdout)["corpora"]] == [("notes", 2)]


def test_help_lists_it_where_it_can_be_read_and_not_where_it_would_be_written(copy: Path) -> None:
    assert "plain (tab-separated lines)" in " ".join(
        touchstone(copy, "corpus", "add", "--help").stdout.split()
    )
    assert "plain" not in touchstone(copy, "export", "--help").stdout


def test_formats_are_listed_in_a_sentence() -> None:
    told = (
        "json, jsonl, csv, pubtator, paper003, pubmed (XML), medline (nbib), europepmc (JSON), "
        "bioc (XML or JSON), phenopackets (JSON), phentrieve (JSON or CSV), fasthpocr or hi-ald (JSON)"
    )
    assert listed(FORMATS) == told
