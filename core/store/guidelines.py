"""Summaries of annotation guidelines, by task profile: a version is never changed, an edit is a new one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Literal, NamedTuple

from core.errors import InputError, NotFoundError
from core.store.connect import sqlite3
from core.store.workspace import Workspace, now

Origin = Literal["model", "person", "profile"]


class Guideline(NamedTuple):
    """One version of what the guideline stage goes by."""

    profile: str
    version: int
    """From 1, without gaps."""
    summary: str
    origin: Origin
    """Who wrote it: a model from a guideline file, a person, or the profile's own text."""
    source_sha256: str | None
    """Of the guideline file it sums up."""
    call_ids: tuple[int, ...]
    """The stored calls that made it."""
    curator_id: str | None
    created_at: str

    @property
    def reference(self) -> str:
        """`PROFILE@VERSION`, the way runs name it."""
        return f"{self.profile}@{self.version}"


class InForce(NamedTuple):
    """The text that a profile's guideline stage, and its curators, go by."""

    text: str
    reference: str
    """`PROFILE@VERSION` of a stored summary, or `profile` for the profile's own text."""

    @property
    def revision(self) -> str | None:
        """First 12 hex digits of the text's sha256; None where the text is blank: no guideline."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12] if self.text.strip() else None


def add_guideline(
    db: sqlite3.Connection,
    profile: str,
    summary: str,
    *,
    origin: Origin,
    source_sha256: str | None = None,
    call_ids: Sequence[int] = (),
    curator_id: str | None = None,
) -> int:
    """Store the next version; returns its number. A text equal to the latest version's is no new version.

    Raises:
        InputError: the text is blank.
    """
    if not summary.strip():
        raise InputError(f"The guideline for {profile!r} is blank. Write at least one rule.")
    last = db.execute(
        "SELECT version, summary FROM guidelines WHERE profile = ? ORDER BY version DESC LIMIT 1", (profile,)
    ).fetchone()
    if last is not None and last[1] == summary:
        return int(last[0])
    version = int(last[0]) + 1 if last else 1
    db.execute(
        "INSERT INTO guidelines (profile, version, summary, origin, source_sha256, call_ids, curator_id,"
        " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (profile, version, summary, origin, source_sha256, json.dumps(list(call_ids)), curator_id, now()),
    )
    return version


_GUIDELINE = (
    "SELECT profile, version, summary, origin, source_sha256, call_ids, curator_id, created_at"
    " FROM guidelines"
)


def _guideline(row: sqlite3.Row) -> Guideline:
    return Guideline(*row)._replace(call_ids=tuple(json.loads(row["call_ids"])))


def latest(workspace: Workspace, profile: str) -> Guideline | None:
    """The version in force; None where none was stored, and the profile's own text holds."""
    row = workspace.db.execute(
        f"{_GUIDELINE} WHERE profile = ? ORDER BY version DESC LIMIT 1", (profile,)
    ).fetchone()
    return _guideline(row) if row else None


def in_force(workspace: Workspace, profile: str, own: str) -> InForce:
    """The latest stored summary of a profile, else the profile's own text.

    Args:
        own: that text.
    """
    stored = latest(workspace, profile)
    return InForce(stored.summary, stored.reference) if stored else InForce(own, "profile")


def guideline(workspace: Workspace, profile: str, version: int) -> Guideline:
    """One version; raises NotFoundError."""
    row = workspace.db.execute(
        f"{_GUIDELINE} WHERE profile = ? AND version = ?", (profile, version)
    ).fetchone()
    if row is None:
        raise NotFoundError("guideline", f"{profile}@{version}")
    return _guideline(row)


def history(workspace: Workspace, profile: str) -> list[Guideline]:
    """All versions, oldest first."""
    rows = workspace.db.execute(f"{_GUIDELINE} WHERE profile = ? ORDER BY version", (profile,))
    return [_guideline(row) for row in rows]
