"""Blind units that are passages: their curator lists the concepts before anything of a machine is sent."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from core.records import Action, Assertion, ConceptClass
from core.review import identity
from core.review.confidence import Band
from core.review.frames import Wanted, open_frame
from core.review.views.passages import ADDED, EMPTY, LIST
from core.review.walks.concept import Filters, Order, index_of
from core.review.walks.walk import Listed
from core.store import Workspace, decisions, queue
from core.store.blind import blind_among, unlisted_among, wholes
from core.store.chain import verify
from tests.review.clinic import (
    CATARACT,
    EYE,
    FOCAL,
    HYPOTONIA,
    SEIZURE,
    add_corpus,
    add_run,
    draft,
    furnish,
    item,
)
from tests.review.test_desk import HERE, Tab

NOTES = Wanted("alpha", "notes", unit="passage", blind=1.0)
ITEMS = (("d3", CATARACT), ("d1", CATARACT), ("d1", SEIZURE))
SECRETS = (
    "its name stands there",
    "confidence",
    "reader",
    "Seizure",
    "Cataract",
    SEIZURE,
    HYPOTONIA,
)


@pytest.fixture
def at(workspace: Workspace) -> dict[str, int]:
    at = furnish(workspace)
    open_frame(workspace, NOTES)
    return at


class Reader(Tab):
    """A tab that speaks of passages."""

    def of_passage(self, passage: int, action: str, **fields: Any) -> dict[str, Any]:
        self.events += 1
        return {
            "cid": f"{self.name}-{self.events}",
            "workspace": identity(self.workspace),
            "curator": self.curator,
            "action": action,
            "passage": passage,
            "blind": True,
            **fields,
        }

    def add(self, passage: int, concept: str, **fields: Any) -> dict[str, Any]:
        answer = {"concept": concept, "class": "explicit", "assertion": "affirmed", "spans": []}
        return self.of_passage(passage, "add", concept=concept, answer=answer, **fields)


def whole(workspace: Workspace, passage: int) -> int:
    return wholes(workspace, [passage])[passage]


def unlisted_of(workspace: Workspace, curator: str, corpus: str) -> set[int]:
    return index_of(workspace).unseen.unlisted(workspace, curator, corpus)


def log(workspace: Workspace) -> list[tuple[str, bool, str]]:
    return [(d.action.value, d.blind, d.base.split(":")[0]) for d in decisions.decisions(workspace)]


def test_an_unlisted_passage_is_sent_as_a_whole_with_nothing_of_a_machine(
    workspace: Workspace, at: dict[str, int]
) -> None:
    reply = Reader(workspace, "alpha", "t1").say(want=9)
    assert reply["page"] == [whole(workspace, passage) for passage in at.values()]
    assert reply["progress"]["total"] == 3, "not how many items there are"
    for sheet in reply["passages"]:
        [one] = sheet["items"]
        assert (sheet["unlisted"], one["whole"], one["why"], one["concept"]) == (True, True, LIST, None)
    told = json.dumps(reply)
    assert not [secret for secret in SECRETS if secret in told]


@pytest.mark.parametrize("asked", [SEIZURE, CATARACT])
def test_whoever_asks_for_one_of_its_items_gets_it_as_a_whole(
    workspace: Workspace, at: dict[str, int], asked: str
) -> None:
    wanted, stand = item(workspace, at["d1"], asked), whole(workspace, at["d1"])
    reply = Reader(workspace, "alpha", "t1").say(current=wanted)
    assert (reply["instead"], reply["unknown"], reply["page"]) == ([wanted, [stand]], None, [stand])
    assert not [secret for secret in SECRETS if secret in json.dumps(reply)]


def test_a_list_of_items_holds_them_as_wholes(workspace: Workspace, at: dict[str, int]) -> None:
    """Also in a workspace where nobody has walked a queue yet."""
    some = tuple(item(workspace, at[doc], concept) for doc, concept in ITEMS)
    listed = replace(HERE, listed=Listed("some", some))
    tab = Reader(workspace, "alpha", "t2", listed)
    reply = tab.say(want=9)
    stand = [whole(workspace, at[doc]) for doc in ("d3", "d1")]
    assert (reply["listed"]["ids"], reply["page"]) == (stand, stand)
    reply = tab.say(tab.of_passage(at["d1"], "reopen"), current=stand[1])
    assert reply["instead"] == [stand[1], [item(workspace, at["d1"], one) for one in (CATARACT, SEIZURE)]]


def test_a_workspace_that_is_only_read_shows_none_of_it(workspace: Workspace, at: dict[str, int]) -> None:
    workspace.read_only = True
    wanted = item(workspace, at["d1"], SEIZURE)
    reply = Reader(workspace, "alpha", "t1").say(current=wanted)
    assert (reply["unknown"], reply["page"], reply["passages"]) == (wanted, [], [])


def test_the_list_is_blind_and_its_end_shows_what_is_proposed(
    workspace: Workspace, at: dict[str, int]
) -> None:
    d1, stand = at["d1"], whole(workspace, at["d1"])
    tab = Reader(workspace, "alpha", "t1")
    tab.say(want=9)
    reply = tab.say(tab.add(d1, SEIZURE), tab.add(d1, FOCAL), current=stand)
    [sheet] = reply["passages"]
    parts = ("proposals", "narrower", "why", "inside")
    told = {one["concept"]: tuple(map(one.get, parts)) for one in sheet["items"]}
    del told[None]
    assert told == {SEIZURE: ([], [], ADDED, None), FOCAL: ([], [], ADDED, None)}
    assert (reply["instead"], reply["progress"]["total"], reply["progress"]["mine"]) == (None, 3, 0)
    reply = tab.say(tab.of_passage(d1, "reopen"), current=stand)
    open_now = [item(workspace, d1, concept) for concept in (CATARACT, HYPOTONIA)]
    assert reply["instead"] == [stand, open_now]
    held = {row[0] for row in workspace.db.execute("SELECT item_id FROM leases")}
    assert held >= set(open_now), "theirs from now on"
    [sheet] = reply["passages"]
    shown = {one["concept"]: one for one in sheet["items"]}
    assert (sheet["unlisted"], sheet["closed"]) == (False, False)
    assert shown.keys() == {SEIZURE, FOCAL, CATARACT, HYPOTONIA}
    assert [len(shown[c]["proposals"]) for c in (SEIZURE, FOCAL)] == [1, 0]
    assert shown[SEIZURE]["mine"][0]["action"] == "add"
    tab.say(tab.event(open_now[0], "reject"), tab.event(open_now[1], "accept"))
    tab.say(tab.of_passage(d1, "close", blind=False))
    assert log(workspace) == [
        ("add", True, "item"),
        ("add", True, "item"),
        ("reopen", True, "item"),
        ("reject", False, "proposals"),
        ("accept", False, "proposals"),
        ("close", False, "decision"),
    ]
    assert verify(workspace).problems == ()


def test_nothing_tells_which_of_the_listed_are_proposed(workspace: Workspace, at: dict[str, int]) -> None:
    """Neither their order, for an item that is proposed is older, nor that somebody else has answered it."""
    d1, stand = at["d1"], whole(workspace, at["d1"])
    other = Reader(workspace, "beta", "t0")
    other.say(other.event(item(workspace, d1, SEIZURE), "accept"))
    tab = Reader(workspace, "alpha", "t1")
    reply = tab.say(tab.add(d1, FOCAL), tab.add(d1, SEIZURE), current=stand)
    assert reply["shared"] == []
    assert [one["concept"] for one in reply["passages"][0]["items"]] == [FOCAL, SEIZURE, None]
    shapes = {tuple(sorted(one)) for one in reply["passages"][0]["items"] if one["concept"]}
    assert len(shapes) == 1


def test_whoever_has_seen_proposals_is_asked_for_no_list(workspace: Workspace, at: dict[str, int]) -> None:
    d1, d2, d3 = at.values()
    assert unlisted_of(workspace, "alpha", "ward") == {d1, d2, d3}
    assert unlisted_of(workspace, "alpha", "other") == set()
    tab = Reader(workspace, "alpha", "t1")
    tab.say(tab.event(item(workspace, d1, SEIZURE), "unsure"))  # its page was opened before the frame was
    assert unlisted_among(workspace, "alpha", [d1, d2]) == {d2}
    tab.say(tab.of_passage(d2, "close", blind=False), tab.of_passage(d2, "reopen", blind=False))
    tab.say(tab.add(d3, FOCAL, blind=False))
    assert unlisted_of(workspace, "alpha", "ward") == {d3}, "an addition is no answer to what is proposed"
    assert unlisted_of(workspace, "beta", "ward") == {d1, d2, d3}
    assert [d.blind for d in decisions.decisions(workspace)] == [False] * 4


def test_what_is_blind_is_told_by_the_frame(workspace: Workspace, at: dict[str, int]) -> None:
    """Two additions around the end of the list in one message; one more end; a closing that claims it."""
    d1, d2 = at["d1"], at["d2"]
    tab = Reader(workspace, "alpha", "t1")
    events = [
        tab.add(d1, FOCAL),
        tab.of_passage(d1, "reopen"),
        tab.add(d1, EYE),
        tab.of_passage(d1, "reopen"),
    ]
    reply = tab.say(*events, tab.of_passage(d2, "close"))
    assert reply["refused"] == {}
    assert len(reply["acks"]) == 5
    assert [(d.action, d.blind) for d in decisions.decisions(workspace)] == [
        (Action.ADD, True),
        (Action.REOPEN, True),
        (Action.ADD, False),
        (Action.CLOSE, False),
    ]


def test_a_list_that_is_taken_back_was_given(workspace: Workspace, at: dict[str, int]) -> None:
    d1 = at["d1"]
    tab = Reader(workspace, "alpha", "t1")
    tab.say(tab.of_passage(d1, "reopen"))
    reply = tab.say(tab.of_passage(d1, "undo", undoes=1, blind=False), current=whole(workspace, d1))
    assert len(reply["passages"][0]["items"]) == 3
    assert not reply["passages"][0]["closed"]


def test_a_queue_by_what_machines_say_leaves_them_out(workspace: Workspace, at: dict[str, int]) -> None:
    narrowed: list[dict[str, Any]] = [
        {"assertion": Assertion.AFFIRMED},
        {"concept_class": ConceptClass.EXPLICIT},
        {"band": Band.HIGH},
        {"branch": EYE},
    ]
    tab = Reader(workspace, "alpha", "t0")
    tab.say(tab.add(at["d1"], CATARACT))
    for filters in narrowed:
        by = replace(HERE, **filters)
        reply = Reader(workspace, "alpha", "t1", by).say(want=9)
        assert (reply["page"], reply["progress"]["total"]) == ([], 0), filters
    tab.say(tab.of_passage(at["d3"], "reopen"))
    reply = Reader(workspace, "alpha", "t1", replace(HERE, branch=EYE)).say(want=9)
    assert reply["page"] == [item(workspace, at["d3"], CATARACT)]
    for filters in ({"run": "alpha"}, {"passage": at["d2"]}, {"overlap": 1.0}):
        reply = Reader(workspace, "alpha", "t1", replace(HERE, **filters)).say(want=9)
        assert whole(workspace, at["d2"]) in reply["page"], filters


@pytest.mark.parametrize("order", list(Order))
def test_its_place_says_nothing_of_what_is_proposed(
    workspace: Workspace, at: dict[str, int], order: Order
) -> None:
    """It stands behind the items of earlier passages, one where nothing is proposed among them."""
    tab = Reader(workspace, "alpha", "t0")
    tab.say(tab.of_passage(at["d1"], "reopen"))
    found = Reader(workspace, "alpha", "t1", replace(HERE, order=order)).say(want=9)["page"]
    assert found[-2:] == [whole(workspace, at[doc]) for doc in ("d2", "d3")]


def test_a_passage_without_proposals_is_asked_about_and_can_be_closed(workspace: Workspace) -> None:
    furnish(workspace)
    at = add_corpus(workspace, {"e1": "Nothing.", "e2": "Nothing but cataract."}, "empty")
    add_run(
        workspace, {at["e2"]: [draft(CATARACT, "Nothing but cataract.", "cataract")]}, "one", corpus="empty"
    )
    open_frame(workspace, replace(NOTES, run="one", name="blind"))
    tab = Reader(workspace, "alpha", "t1", Filters("empty"))
    stand = whole(workspace, at["e1"])
    assert stand in tab.say(want=9)["page"]
    reply = tab.say(tab.of_passage(at["e1"], "reopen"), current=stand)
    [sheet] = reply["passages"]
    assert [(one["id"], one["why"]) for one in sheet["items"]] == [(stand, EMPTY)]
    assert (sheet["unlisted"], reply["instead"], reply["unknown"]) == (False, None, None)
    assert tab.say(tab.of_passage(at["e1"], "close", blind=False))["refused"] == {}


def test_a_passage_that_others_have_closed_asks_for_no_list(workspace: Workspace, at: dict[str, int]) -> None:
    tab = Reader(workspace, "alpha", "t1")
    tab.say(tab.of_passage(at["d1"], "close", blind=False))
    alone = Reader(workspace, "beta", "t2").say(want=9)["page"]
    assert alone == [whole(workspace, at[doc]) for doc in ("d2", "d3")]
    both = Reader(workspace, "beta", "t3", replace(HERE, answers=2)).say(want=9)
    assert whole(workspace, at["d1"]) in [*both["page"], *alone]
    assert both["progress"]["total"] == 3


def test_all_of_its_items_are_blind_for_whoever_asks(workspace: Workspace, at: dict[str, int]) -> None:
    held = [row.id for row in queue.items_of_passages(workspace, [at["d1"]])]
    assert blind_among(workspace, "alpha", held) == set(held)
    filters = Tab(workspace, "alpha", "t1")
    reply = filters.say(look={"id": "1", "kind": "alike", "text": str(held[0])})
    assert reply["look"]["rows"] == []
    reply = filters.say(want=1)
    jumped = filters.say(look={"id": "2", "kind": "document", "corpus": reply["queue"], "text": "d1"})
    [row] = jumped["look"]["rows"]
    assert row["item"] == whole(workspace, at["d1"])
