"""What differs between two records: values by their path, but for what is allowed to differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

HEX = r"\b[0-9a-f]{%d}\b"
ALLOWED = (
    ("time", "", r"(?!2001-)\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)?"),
    ("uuid", "", r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
    ("digest of a run, which covers its times", "^built/.*/digest$", HEX % 64),
    ("digest of a backup, which holds its time", "^verify/backup/out/sha256$", HEX % 64),
    ("size of a backup", "^verify/backup/out/bytes$", r"\d+"),
    ("link, or what holds one, which covers the form of the rows", "^built/", HEX % 64),
    ("row of a proposal", r"^pages/.*/proposals/\d+/id$", r"\d+"),
    ("seconds that a stage took", "^built/.*/seconds(/|$)", ".*"),
    ("session of a run", "^built/runs/.*/out/session/", ".*"),
    ("id of a download", "^pages/.*/deferredFileId$", HEX % 32),
    ("session of a page, or restore nonce", "^pages/.*/json/", HEX % 32),
    ("folder of the workspace", "^pages/.*/side/", r"tmp(\\?\w){8}"),  # `_` is escaped on a page
    ("id of a widget, which covers its file's folder", "^pages/.*id$", r"\$\$ID-[0-9a-f]{32}"),
)
"""(name, where, pattern) of what may differ: inside values whose path matches `where`. The times that were
written by hand are all of 2001, and may not."""

ABSENT = "(absent)"


class Difference(NamedTuple):
    path: str
    """Names and places from the part on, such as `verify/verify/out/problems/0`."""
    before: Any
    after: Any


def differences(before: Any, after: Any, path: str = "") -> Iterator[Difference]:
    """Every value that is not the same on both sides, in the order of `before`."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys((*before, *after)):
            yield from differences(before.get(name, ABSENT), after.get(name, ABSENT), f"{path}/{name}")
    elif isinstance(before, list) and isinstance(after, list):
        for place in range(max(len(before), len(after))):
            sides = (side[place] if place < len(side) else ABSENT for side in (before, after))
            yield from differences(*sides, f"{path}/{place}")
    elif not same(before, after, path.removeprefix("/")):
        yield Difference(path.removeprefix("/"), before, after)


def same(before: Any, after: Any, path: str) -> bool:
    if type(before) is not type(after) or before == after:
        return type(before) is type(after)
    return masked(str(before), path) == masked(str(after), path)


def masked(text: str, path: str) -> str:
    """A value with a name in the place of everything that is allowed to differ."""
    for name, where, pattern in ALLOWED:
        if re.search(where, path):
            text = re.sub(pattern, f"<{name}>", text)
    return text


def count(record: Any) -> int:
    """How many values a record holds."""
    if isinstance(record, dict):
        return sum(map(count, record.values()))
    return sum(map(count, record)) if isinstance(record, list) else 1
