"""A share of a queue is asked about twice, and nothing shows which items these are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core import review
from core.errors import InputError
from core.exchange.decisions import add_decisions
from core.exchange.export import export
from core.records import Action, NewDecision
from core.review import Filters, PairFilters
from core.store import Workspace, decisions, gold, open_workspace, repeats
from tests.review import clinic
from tests.review.overlapping import drawn, names
from tests.review.pairs import library
from tests.review.seat import Seat

APART = 10


@pytest.fixture
def ward(tmp_path: Path) -> Any:
    """60 concepts on 30 passages."""
    clinic.many(tmp_path / "many.db", {"ward": 30})
    with open_workspace(tmp_path / "many.db") as opened:
        yield opened


def work(workspace: Workspace, filters: Any, curator: str = "alpha", **verdicts: str) -> Seat:
    """A curator answers until nothing is left: what comes again as `again` says, the rest as `first` does."""
    first = set(names(workspace, filters.kind))

    def verdict(item: int) -> str:
        return verdicts.get("first", "accept") if item in first else verdicts.get("again", "accept")

    seat = Seat(workspace, curator, filters, verdict)
    while seat.work():
        pass
    return seat


def asked_twice(workspace: Workspace, seat: Seat) -> dict[int, int]:
    """Item -> how many other answers lie between the two."""
    first_of = repeats.originals(workspace.db, seat.answered)
    return {
        first: seat.answered.index(item) - seat.answered.index(first) - 1 for item, first in first_of.items()
    }


def check_share(workspace: Workspace, filters: Any) -> None:
    units = names(workspace, filters.kind)
    seat = work(workspace, filters)
    found = asked_twice(workspace, seat)
    assert len(found) > 3, "nothing was asked again: nothing was tested"
    assert min(found.values()) >= APART
    assert len(seat.answered) == len(set(seat.answered)) == len(units) + len(found)
    in_share = {item for item, unit in units.items() if drawn(unit, filters.repeats, use="repeat")}
    assert set(found) <= in_share
    late = {item for item in in_share if seat.answered.index(item) >= len(units) - APART - len(in_share)}
    assert in_share - set(found) <= late, "only what was answered too near the end is not asked again"


def test_a_share_of_concepts_is_asked_again_after_enough_others(ward: Workspace) -> None:
    check_share(ward, Filters("ward", repeats=0.2, apart=APART))


def test_a_share_of_pairs_is_asked_again_after_enough_others(tmp_path: Path) -> None:
    library.many(tmp_path / "many.db", {"trials": 40})
    with open_workspace(tmp_path / "many.db") as workspace:
        check_share(workspace, PairFilters("trials", repeats=0.3, apart=APART))


def test_what_comes_again_looks_like_what_comes_first(ward: Workspace) -> None:
    seat = work(ward, Filters("ward", repeats=0.2, apart=APART))
    again = repeats.originals(ward.db, seat.answered)
    [shape] = {tuple(sorted(seat.views[item].keys() - {"sheet"})) for item in seat.answered}
    assert "mine" in shape
    for item, first in again.items():
        same = ("label", "concept", "passage", "proposals", "why", "path", "definition", "doubted")
        assert {k: seat.views[item][k] for k in same} == {k: seat.views[first][k] for k in same}
    for reply in seat.replies:
        for sheet in reply["passages"]:
            if sheet["id"] < 0:
                [asked] = [one for one in sheet["items"] if one["id"] in again]
                assert again[asked["id"]] not in {one["id"] for one in sheet["items"]}
                assert f"alpha-{again[asked['id']]}" not in json.dumps(sheet), "the first answer is told"


def test_the_second_answer_counts_nowhere_else(ward: Workspace) -> None:
    filters = Filters("ward", repeats=0.2, apart=APART)
    work(ward, filters, first="accept", again="reject")
    told = [d for d in decisions.decisions(ward) if d.kind == "concept_repeat"]
    assert told
    assert {d.action for d in told} == {Action.REJECT}
    found = gold.gold_set(ward, "reviewed@now:curator=alpha", "ward")
    assert sum(map(len, found.documents.values())) == 60
    assert found.rejected == {}


def test_what_was_said_both_times_is_told(ward: Workspace) -> None:
    work(ward, Filters("ward", repeats=0.2, apart=APART), first="accept", again="reject")
    found = list(repeats.twice(ward, "ward", "concept"))
    assert found
    assert {(one.first[0], one.second[0]) for one in found} == {(Action.ACCEPT, Action.REJECT)}
    assert all(one.first[1] and one.first[1]["concept"] == one.subject for one in found)
    changed, undone = found[:2]
    decisions.append(ward, [NewDecision("later", "alpha", Action.REJECT, item_id=changed.item)])
    assert list(repeats.twice(ward, "ward", "concept")) == found, "what stood when it was asked again counts"
    decisions.append(ward, [NewDecision("back", "alpha", Action.UNDO, undoes=undone.number)])
    assert undone not in list(repeats.twice(ward, "ward", "concept"))
    assert repeats.due(ward, "alpha", [undone.item], APART) == [undone.item], "it may be asked again"


def test_who_was_unsure_or_answered_blind_is_not_asked_again(ward: Workspace) -> None:
    items = list(names(ward, "concept"))
    unsure, blind, plain = items[:3]
    said = [
        NewDecision("u", "alpha", Action.UNSURE, item_id=unsure),
        NewDecision("b", "alpha", Action.REJECT, item_id=blind, blind=True),
        NewDecision("p", "alpha", Action.REJECT, item_id=plain),
    ]
    said += [NewDecision(f"r{i}", "alpha", Action.REJECT, item_id=i) for i in items[3 : 3 + APART]]
    decisions.append(ward, said[:-1])
    assert repeats.due(ward, "alpha", items, APART) == [], "one answer too few lies between"
    decisions.append(ward, said[-1:])
    assert repeats.due(ward, "alpha", items, APART) == [plain]
    assert repeats.due(ward, "beta", items, APART) == []


def test_each_curator_is_asked_by_themselves(ward: Workspace) -> None:
    filters = Filters("ward", repeats=0.2, apart=APART, answers=2)
    alpha, beta = (work(ward, filters, who) for who in ("alpha", "beta"))
    assert set(asked_twice(ward, alpha)) == set(asked_twice(ward, beta))
    cids = [cid for seat in (alpha, beta) for reply in seat.replies for cid in reply["shared"]]
    again = repeats.originals(ward.db, alpha.answered)
    assert not [cid for cid in cids if int(cid.partition("-")[2]) in again]
    assert {one.curator for one in repeats.twice(ward, "ward", "concept")} == {"alpha", "beta"}


def test_a_link_to_what_is_asked_again_leads_only_its_curator_there(ward: Workspace) -> None:
    filters = Filters("ward", repeats=0.2, apart=APART)
    seat = work(ward, filters)
    item = next(iter(repeats.originals(ward.db, seat.answered)))
    for curator, unknown in (("alpha", None), ("beta", item)):
        visitor = Seat(ward, curator, filters, lambda one: "accept")
        sent = {"desk": f"{curator} again", "current": item, "want": 3, "beat": True}
        reply = review.serve(ward, sent, filters, visitor.curator)
        assert reply["unknown"] == unknown
        held = {one["id"] for sheet in reply["passages"] for one in sheet["items"]}
        assert (item in held) is (unknown is None)


def test_a_decision_log_brings_what_was_asked_again(ward: Workspace, tmp_path: Path) -> None:
    work(ward, Filters("ward", repeats=0.2, apart=APART), again="reject")
    log = tmp_path / "log.jsonl"
    export(ward, "decisions", log)
    clinic.many(tmp_path / "other.db", {"ward": 30})
    with open_workspace(tmp_path / "other.db") as other:
        add_decisions(other, log)
        assert [one._replace(item=0, passage=0) for one in repeats.twice(other, "ward", "concept")] == [
            one._replace(item=0, passage=0) for one in repeats.twice(ward, "ward", "concept")
        ]


def test_what_cannot_be_drawn_with_is_refused() -> None:
    with pytest.raises(InputError, match="is asked about twice lies between 0 and 1"):
        Filters("ward", repeats=1.5)
    with pytest.raises(InputError, match="at least 10 others, not 3"):
        PairFilters("abstracts", repeats=0.1, apart=3)
