"""Guideline summaries: numbered versions by profile, none changed."""

from __future__ import annotations

import pytest

from core.errors import InputError, NotFoundError
from core.store import Workspace, guidelines
from tests.store.making import furnish


def add(workspace: Workspace, profile: str, text: str, origin: guidelines.Origin = "person") -> int:
    with workspace.write() as db:
        return guidelines.add_guideline(db, profile, text, origin=origin, curator_id=None)


def test_versions_are_numbered_by_profile_and_the_last_is_in_force(workspace: Workspace) -> None:
    assert guidelines.latest(workspace, "hpa") is None
    assert [add(workspace, "hpa", t) for t in ("one", "two")] == [1, 2]
    assert add(workspace, "go_bp", "other", "profile") == 1
    last = guidelines.latest(workspace, "hpa")
    assert last is not None
    assert (last.reference, last.summary, last.origin) == ("hpa@2", "two", "person")
    assert [g.summary for g in guidelines.history(workspace, "hpa")] == ["one", "two"]
    assert guidelines.guideline(workspace, "hpa", 1).summary == "one"
    with pytest.raises(NotFoundError, match="hpa@3"):
        guidelines.guideline(workspace, "hpa", 3)


def test_the_same_text_again_is_no_new_version_but_going_back_is(workspace: Workspace) -> None:
    assert [add(workspace, "hpa", t) for t in ("one", "one", "two", "one")] == [1, 1, 2, 3]


def test_where_a_summary_came_from_is_kept(workspace: Workspace) -> None:
    furnish(workspace)
    with workspace.write() as db:
        guidelines.add_guideline(
            db, "hpa", "rules", origin="model", source_sha256="d" * 64, call_ids=[3, 1], curator_id="alpha"
        )
    found = guidelines.latest(workspace, "hpa")
    assert found is not None
    assert (found.source_sha256, found.call_ids, found.curator_id) == ("d" * 64, (3, 1), "alpha")


def test_a_blank_text_is_refused(workspace: Workspace) -> None:
    with pytest.raises(InputError, match="blank"):
        add(workspace, "hpa", "  \n")
