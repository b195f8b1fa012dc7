"""A name that a curator rejected often is muted from the desk: what leaves the queue, and what comes back."""

from __future__ import annotations

from typing import Any

import pytest

from core import review
from core.review.frames import Wanted, open_frame
from core.review.muted import Muted
from core.store import Workspace, learned
from tests.review.clinic import SEIZURE, item
from tests.review.seat import Seat
from tests.review.test_alike import House

WARD = review.Filters("ward")
SPELLS = {f"{n} spells in a day.": [(SEIZURE, "spells")] for n in ("Two", "Three", "Four", "Five", "Six")}
SAID = SPELLS | {"A fit came.": [(SEIZURE, "fit")], "A Spell, then a fit.": [(SEIZURE, "Spell")]}


@pytest.fixture
def house(workspace: Workspace) -> House:
    return House(workspace, SAID)


def rejecting(house: House, count: int) -> tuple[Seat, dict[str, Any]]:
    """Alpha rejects the first proposals of the queue."""
    seat = Seat(house.workspace, "alpha", WARD, lambda _: "reject")
    seat.say(want=20)
    for _ in range(count):
        seat.decide()
    return seat, seat.replies[-1]


def mute(house: House, cid: str, muted: bool = True, **fields: Any) -> dict[str, Any]:
    said = {"set": "learned", "concept": SEIZURE, "words": "spell", "curator": "alpha"} | fields
    return {"kind": "mute", "cid": cid, "workspace": review.identity(house.workspace), "muted": muted, **said}


def test_it_is_asked_after_the_third_rejection(house: House) -> None:
    assert rejecting(house, 2)[1]["muted"]["offer"] is None
    seat, reply = rejecting(house, 1)
    # d0 to d2 are rejected; "Spell" of d6 is the same word, "fit" of d5 is another
    assert reply["muted"]["offer"] == {
        "set": "learned",
        "concept": SEIZURE,
        "label": "Seizure",
        "words": "spell",
        "rejected": 3,
        "pending": 3,
    }
    assert seat.replies[-1]["progress"]["total"] == 7


def test_a_name_that_was_kept_once_is_not_offered(house: House) -> None:
    seat = Seat(house.workspace, "alpha", WARD, lambda one: "accept" if one == house.item(0) else "reject")
    seat.say(want=20)
    for _ in range(4):
        seat.decide()
    assert seat.replies[-1]["muted"]["offer"] is None


def test_muted_proposals_leave_the_queue_and_come_back(house: House) -> None:
    seat, _ = rejecting(house, 3)
    reply = seat.say(mute(house, "m1"))
    assert reply["acks"]["m1"] == [0, 0]
    assert reply["progress"]["total"] == 4, "three answered ones and the fit"
    assert reply["muted"]["offer"] is None
    held = learned.mutes(house.workspace, "learned")
    assert [(one.concept, one.words, one.muted, one.curator) for one in held] == [
        (SEIZURE, "spell", True, "alpha")
    ]
    fresh = Seat(house.workspace, "beta", WARD, lambda _: "reject")
    assert fresh.say(want=20)["progress"]["total"] == 1, "a mute is about the name, whoever reviews"
    seen = {"desk": "b", "queue": reply["queue"], "have": list(house.at.values())}
    told = review.serve(house.workspace, seen, WARD, "alpha")
    assert sorted(told["muted"]["silent"]) == [house.item(3), house.item(4), house.item(6)]

    seat.held = [house.item(5)]  # as the page leaves out what is muted
    seat.decide()
    ended = seat.say(want=20)
    assert (ended["page"], ended["silenced"]) == ([], 3), "the end of the queue tells what it left out"

    reply = seat.say(mute(house, "m2", muted=False))
    assert (reply["progress"]["total"], reply["silenced"]) == (7, 0)
    seat.say(mute(house, "m1"), mute(house, "m2", muted=False))
    assert seat.say(mute(house, "m1"))["progress"]["total"] == 7, "a message that comes again changes nothing"


def test_what_is_listed_or_asked_blind_stays(house: House) -> None:
    seat, _ = rejecting(house, 3)
    run = house.workspace.db.execute("SELECT id FROM runs").fetchone()[0]
    open_frame(house.workspace, Wanted(run, "all", blind=1.0))
    before = seat.say()["progress"]["total"]  # with decoys
    assert seat.say(mute(house, "m1"))["progress"]["total"] == before, "a frame loses no blind unit"
    one = item(house.workspace, house.at["d3"], SEIZURE)
    listed = review.Filters("ward", listed=review.Listed("These", (one,)))
    assert Seat(house.workspace, "alpha", listed, lambda _: "reject").say(want=5)["page"] == [one]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"curator": "beta"}, "decided by 'beta'"),
        ({"workspace": "elsewhere"}, "another workspace"),
        ({"set": "../x"}, "cannot name a learned set"),
        ({"words": ""}, "unreadable"),
        ({"words": None}, "unreadable"),
    ],
)
def test_a_mute_that_cannot_stand_is_refused(house: House, fields: dict[str, Any], message: str) -> None:
    raw = {"desk": "a", "events": [mute(house, "bad") | fields]}
    reply = review.serve(house.workspace, raw, WARD, "alpha")
    assert message in reply["refused"]["bad"]
    assert learned.mutes(house.workspace) == []


def test_what_is_muted_is_read_once(house: House) -> None:
    kept = Muted()
    kept.refresh(house.workspace)
    assert not len(kept.items)
    with house.workspace.write() as db:
        learned.mute(db, "learned", "fit", concept=SEIZURE)
        learned.mute(db, "other", "spell", concept=None)  # of any concept: runs alone go by it
    kept.refresh(house.workspace)
    before = kept.items
    kept.refresh(house.workspace)
    assert kept.items is before
    assert kept.items.tolist() == [house.item(5)]
