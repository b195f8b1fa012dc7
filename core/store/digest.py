"""sha256 of stored rows: what makes a later change show."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def canonical(value: Any) -> bytes:
    """JSON with one spelling: sorted keys, no spaces, UTF-8."""
    return _ENCODER.encode(value).encode()


def of_file(path: Path) -> str:
    """sha256, hex, of a file as it is."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest_of(*parts: Iterable[Any]) -> str:
    """sha256, hex, over all rows of all parts in order. JSON arrays delimit themselves."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(b"[")
        for row in part:
            digest.update(canonical(list(row)))
        digest.update(b"]")
    return digest.hexdigest()
