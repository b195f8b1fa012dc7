"""Three curators at a queue of which a share is answered twice: nothing on the desk shows which items."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from core.records import Action
from core.review import Filters, PairFilters
from core.review.walks.concept import index_of
from core.store import Workspace, decisions, open_workspace
from tests.review import clinic
from tests.review.clinic import SEIZURE, furnish
from tests.review.overlapping import drawn, judge, names
from tests.review.pairs import library
from tests.review.seat import Seat

CURATORS = ("alpha", "beta", "gamma")


def walk_through(workspace: Workspace, filters: Any) -> None:
    """Three curators side by side to the end: who answers what is counted, and what anybody was shown."""
    items = names(workspace, filters.kind)
    opinion = {
        "alpha": lambda item: "accept",
        "beta": lambda item: "reject" if item % 3 == 0 else "accept",
        "gamma": lambda item: "unsure" if item % 7 == 0 else "accept",
    }
    seats = [Seat(workspace, who, filters, opinion[who]) for who in CURATORS]
    while [seat for seat in seats if seat.work()]:
        pass
    by: defaultdict[int, list[str]] = defaultdict(list)
    for d in decisions.decisions(workspace):
        by[d.item_id].append(d.curator)
    assert set(by) == set(items)
    thrice = 0
    for item, unit in items.items():
        who = by[item]
        assert len(set(who)) == len(who), f"{unit} was answered twice by one curator: {who}"
        if not drawn(unit, filters.overlap):
            assert len(who) == 1, unit
            continue
        said = {opinion[one](item) for one in who[:2]} - {"unsure"}
        assert len(who) == (3 if len(said) == 2 else 2), unit
        thrice += len(who) == 3
    assert thrice, "nobody disagreed: nothing was tested"
    for seat in seats:
        told = json.dumps(seat.replies)
        assert not [who for who in CURATORS if who != seat.curator and f"Only {who}" in told]
        assert all(reply["shared"] == [] for reply in seat.replies)
        assert all(reply["progress"]["settled"] is None for reply in seat.replies)
        assert seat.replies[-1]["progress"]["done"] == len(items)


def test_three_curators_walk_200_concepts_a_fifth_of_them_twice(tmp_path: Path) -> None:
    clinic.many(tmp_path / "many.db", {"ward": 100})
    with open_workspace(tmp_path / "many.db") as workspace:
        decisions.add_curator(workspace, "gamma", "Gamma")
        assert sum(drawn(unit, 0.2) for unit in names(workspace, "concept").values()) in range(25, 56)
        walk_through(workspace, Filters("ward", overlap=0.2))


def test_three_curators_walk_pairs_a_half_of_them_twice(tmp_path: Path) -> None:
    library.many(tmp_path / "many.db", {"trials": 40})
    with open_workspace(tmp_path / "many.db") as workspace:
        decisions.add_curator(workspace, "gamma", "Gamma")
        walk_through(workspace, PairFilters("trials", overlap=0.5))


# --- nothing shows which ones -----------------------------------------------------------------------------


def told(path: Path, filters: Any, before: tuple[tuple[str, int, Action], ...] = ()) -> list[dict[str, Any]]:
    """What gamma is told while answering the first item of six, after others said this of those places."""
    with open_workspace(path) as workspace:
        furnish(workspace)
        decisions.add_curator(workspace, "gamma", "Gamma")
        order = index_of(workspace).order(Filters("ward"), lambda concept: frozenset())
        for who, place, action in before:
            judge(workspace, who, int(order[place]), action)
        seat = Seat(workspace, "gamma", filters, lambda item: "accept")
        seat.say(want=1)
        assert seat.held == [order[0]]
        seat.decide()
        return seat.replies


def test_an_item_of_the_overlap_looks_like_any_other(tmp_path: Path) -> None:
    """One seed draws the first item, the other does not; but for the name of the queue all is the same."""
    found = {}
    unit = f"ward/d1/{SEIZURE}"
    seeds = [str(n) for n in range(50)]
    inside = next(seed for seed in seeds if drawn(unit, 0.5, seed))
    outside = next(seed for seed in seeds if not drawn(unit, 0.5, seed))
    for seed in (inside, outside):
        replies = told(tmp_path / f"{seed}.db", Filters("ward", overlap=0.5, seed=seed))
        found[seed] = [{**reply, "queue": None} for reply in replies]
    assert found[inside] == found[outside]


def test_a_third_answer_is_asked_for_like_a_first(tmp_path: Path) -> None:
    """Others gave two answers before: on two other items, one on this, or both on this and differing."""
    first = (("alpha", 4, Action.REJECT), ("beta", 5, Action.REJECT))
    second = (("alpha", 0, Action.REJECT), ("beta", 5, Action.REJECT))
    third = (("alpha", 0, Action.REJECT), ("beta", 0, Action.ACCEPT))
    cases = enumerate((first, second, third))
    found = [told(tmp_path / f"{n}.db", Filters("ward", overlap=1.0), said) for n, said in cases]
    assert found[0] == found[1] == found[2]
