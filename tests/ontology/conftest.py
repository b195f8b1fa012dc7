"""Ways to write a file and to read it without starting a process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.ontology import extract

CAP = 64 << 20


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write text (as UTF-8) or bytes to a file of the test's own."""

    def writer(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    return writer


@pytest.fixture
def read(write: Callable[[str, str | bytes], Path]) -> Callable[..., dict[str, Any]]:
    """Read content as the child process does, in this process: concepts by id, findings as (line, kind)."""

    def reader(
        content: str | bytes | dict[str, Any], name: str = "given.obo", cap: int = CAP
    ) -> dict[str, Any]:
        text = json.dumps(content) if isinstance(content, dict) else content
        answer = extract.read(write(name, text), CAP, cap, lambda _step: None)
        answer["by_id"] = {row[0]: row for row in answer["concepts"]}
        answer["noted"] = [(line, kind) for line, kind, _ in answer["findings"]]
        return answer

    return reader
