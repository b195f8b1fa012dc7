"""Files made from bytes, and what a reader says about them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.formats import DocumentSet, Reading, RowError, read_documents
from core.records import Document

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """`write(name, content)` makes a file and gives its path."""

    def make(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    return make


class Read:
    """Everything one file yields."""

    def __init__(self, path: Path, format: str | None = None, reading: Reading | None = None):
        self.set: DocumentSet = read_documents(path, format, reading)
        rows = list(self.set)
        self.documents = [row for row in rows if isinstance(row, Document)]
        self.errors = [row for row in rows if isinstance(row, RowError)]
        self.notes = self.set.notes


@pytest.fixture
def read() -> type[Read]:
    return Read
