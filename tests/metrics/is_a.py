"""is_a parents of an OBO file, read by hand: independent of the loader, and quick."""

from __future__ import annotations

import gzip
from pathlib import Path


def parents_of(path: Path) -> dict[str, list[str]]:
    """Term -> its is_a parents."""
    found: dict[str, list[str]] = {}
    term = ""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, _, rest = line.rstrip("\n").partition(": ")
            if word == "id":
                term = rest
            elif word == "is_a":
                found.setdefault(term, []).append(rest.partition(" ")[0])
    return found
