"""A workspace that is open to look at only: a desk shows its items, and no event writes anything."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from core.review import Filters, PairFilters, identity, serve
from core.store import Workspace, open_workspace
from core.store.connect import sqlite3
from core.store.curators import VISITOR
from tests.evaluate import ward
from tests.review.pairs.library import furnish


@pytest.fixture
def path(tmp_path: Path) -> Path:
    at = tmp_path / "w.db"
    with open_workspace(at) as workspace:
        ward.review(workspace, ward.fill(workspace))
        furnish(workspace)
    return at


def message(workspace: Workspace, *events: dict, **more: object) -> dict:
    return {"t": 1, "desk": "d", "want": 5, "former": ["before"], "beat": True, "events": list(events)} | more


def held(path: Path) -> list[tuple]:
    """Every row of every table but those of search indexes."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]
    return [tuple(row) for name in names for row in db.execute(f"SELECT '{name}', * FROM \"{name}\"")]


@pytest.mark.parametrize("filters", [Filters(corpus="ward"), PairFilters(corpus="trials")])
def test_a_desk_goes_through_its_items_without_holding_any(path: Path, filters: Filters) -> None:
    before = held(path)
    with open_workspace(path, create=False, read_only=True) as workspace:
        first = serve(workspace, message(workspace), filters, VISITOR)
        assert first["problem"] is None
        assert first["page"]
        assert {item["id"] for sheet in first["passages"] for item in sheet["items"]} >= set(first["page"])
        more = message(workspace, queue=first["queue"], held=first["page"][:1], after=first["page"][0], t=2)
        assert serve(workspace, more, filters, VISITOR)["page"] == first["page"][1:6]
    assert held(path) == before


ACTIONS = ("accept", "fix", "reject", "add", "unsure", "note", "close", "reopen", "undo", "adjudicate")


@pytest.mark.parametrize("action", [*ACTIONS, "classify_error", "nonsense"])
def test_no_event_stores_anything(path: Path, action: str) -> None:
    before = held(path)
    with open_workspace(path, create=False, read_only=True) as workspace:
        filters = Filters(corpus="ward")
        item = serve(workspace, message(workspace), filters, VISITOR)["page"][0]
        for curator in (VISITOR, "alpha"):
            event = {
                "cid": uuid.uuid4().hex,
                "workspace": identity(workspace),
                "curator": curator,
                "kind": "concept",
                "item": item,
                "passage": 1,
                "concept": ward.A,
                "action": action,
                "shown": [],
                "note": "n",
            }
            reply = serve(workspace, message(workspace, event), filters, curator)
            assert event["cid"] not in reply["acks"]
            assert reply["problem"] or event["cid"] in reply["refused"]
    assert held(path) == before


def test_sqlite_itself_refuses(path: Path) -> None:
    with (
        open_workspace(path, create=False, read_only=True) as workspace,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        workspace.db.execute("DELETE FROM decisions")
