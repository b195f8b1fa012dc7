"""A workspace that is open to look at only: a desk shows its items, and no event writes anything."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest

from core.records import Action
from core.review import AdjudicationFilters, Filters, PairFilters, identity, keep, serve
from core.review.views import VIEWS
from core.store import Workspace, open_workspace
from core.store.connect import sqlite3
from core.store.curators import VISITOR, add_curator
from tests.evaluate import ward
from tests.kinds.contract import CASES, Case, Saying
from tests.review.pairs.library import furnish
from tests.store import making


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


# --- every event of every desk ----------------------------------------------------------------------------


def ruled() -> Case:
    """Two curators differ on a concept."""

    def build(workspace: Workspace) -> None:
        house = making.furnish(workspace, 1)
        answer = making.answer(making.CONCEPTS[0])
        making.say(workspace, "alpha", Action.ACCEPT, house.item(), answer=answer)
        making.say(workspace, "beta", Action.REJECT, house.item())

    def chosen(item: dict[str, Any]) -> dict[str, Any]:
        return {"chosen": {"present": "no"}, "heard": item["heard"]}

    ruling = Saying(Action.ADJUDICATE, chosen)
    return Case(build, AdjudicationFilters("cases"), "cases", ruling, ruling)


@pytest.fixture(params=VIEWS)
def case(request: pytest.FixtureRequest) -> Case:
    """One of each kind that has a desk."""
    return CASES[request.param]() if request.param in CASES else ruled()


def events(workspace: Workspace, case: Case, item: dict[str, Any], curator: str) -> list[dict[str, Any]]:
    """What the desk can send of an item, those first that are stored where something can be."""
    shown = [one["id"] for one in item.get("proposals", [])]
    about = {
        "kind": case.filters.kind,
        "workspace": identity(workspace),
        "curator": curator,
        "item": item["id"],
        "passage": item["passage"],
        "concept": item["concept"],
        "shown": shown,
        "proposal": shown[0] if shown else None,
        "note": "n",
    }
    valid = [{"action": one.action, **one.fields(item)} for one in (case.first, case.second)]
    whole = [{"action": action, "item": None, "concept": None} for action in (Action.CLOSE, Action.REOPEN)]
    bare = [{"action": action} for action in (*Action, "nonsense")]
    return [about | one | {"cid": uuid.uuid4().hex} for one in (*valid, *whole, *bare)]


def test_no_event_of_a_desk_stores_anything(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    with open_workspace(path) as workspace:
        case.build(workspace)
        add_curator(workspace, "gamma", "Gamma")
        serve(workspace, message(workspace), case.filters, "gamma")  # what the first look makes is there
    before = held(path)
    with open_workspace(path, create=False, read_only=True) as workspace:
        first = serve(workspace, message(workspace), case.filters, VISITOR)
        items = {one["id"]: one for sheet in first["passages"] for one in sheet["items"]}
        item = items[first["page"][0]]
        for curator in (VISITOR, "gamma"):
            for event in events(workspace, case, item, curator):
                reply = serve(workspace, message(workspace, event), case.filters, curator)
                assert event["cid"] not in reply["acks"]
                assert reply["problem"] or event["cid"] in reply["refused"], event
                keep(workspace, message(workspace, event), curator)
    assert held(path) == before
    with open_workspace(path) as workspace:  # the same is stored where something can be
        event = events(workspace, case, item, "gamma")[0]
        reply = serve(workspace, message(workspace, event), case.filters, "gamma")
        assert event["cid"] in reply["acks"], reply["refused"]


def test_sqlite_itself_refuses(path: Path) -> None:
    with (
        open_workspace(path, create=False, read_only=True) as workspace,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        workspace.db.execute("DELETE FROM decisions")
