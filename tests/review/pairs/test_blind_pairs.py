"""Blind pairs of a frame: no more than the question is sent before the curator has answered it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from core.records import Action, ConflictType, Decision, PairAnswer
from core.review.frames import Wanted, open_frame
from core.review.views.blind import BLIND
from core.store import Workspace, decisions, repeats
from tests.review.pairs.library import Library, furnish
from tests.review.pairs.test_pair_desk import HERE, Tab, answer

ALL = Wanted("alpha", "pairs", blind=1.0)
BARE: dict[str, Any] = {"shown": [], "proposal": None, "blind": True}
ITEM = {"id", "sheet", "passage", "concept", "sides", "mine", "blind", "proposals", "table", "why"}
SECRETS = (
    *("contradiction", "Older inpatients", "Scripted for this test", "scripted-model", "repaired"),
    *("0.82", "0.74", "0.81", "direction", "negated", "differs", "population_cohort", "opposed"),
)
"""Words of labels, claims, scores and contexts."""


@pytest.fixture
def library(workspace: Workspace) -> Library:
    return furnish(workspace)


@pytest.fixture
def tab(workspace: Workspace, library: Library) -> Tab:
    """A curator whose four pairs are all blind."""
    open_frame(workspace, ALL)
    tab = Tab(workspace, "alpha", "one")
    tab.say(want=9)
    return tab


def last(workspace: Workspace) -> Decision:
    return list(decisions.decisions(workspace))[-1]


def test_a_sheet_holds_both_abstracts_and_where_the_claims_stand(
    workspace: Workspace, library: Library
) -> None:
    two_each = replace(HERE, answers=2)
    before = Tab(workspace, "beta", "before", two_each)
    shown = json.dumps(before.say(want=9))
    assert [word for word in SECRETS if word not in shown] == []
    open_frame(workspace, ALL)
    tab = Tab(workspace, "alpha", "one", two_each)
    told = json.dumps(tab.say(want=9))
    assert sorted(tab.held) == list(library.items)
    assert [word for word in SECRETS if word in told] == []
    for item in library.items:
        view, full = tab.views[item], before.views[item]
        assert view.keys() == ITEM
        assert (view["blind"], view["proposals"], view["table"], view["why"]) == (True, [], [], BLIND)
        for side in "ab":
            claim = full["sides"][side]["claim"]
            place = {name: claim[name] for name in ("start", "end")}
            assert view["sides"][side] == full["sides"][side] | {"claim": place}


@pytest.mark.parametrize(
    ("sent", "said", "stored"),
    [
        ("fix", {}, "accept"),  # of the type that is proposed
        ("accept", {}, "accept"),
        ("fix", {"conflict_type": "direct_contradiction", "axes": [], "confounder": None}, "fix"),
        ("accept", {"conflict_type": "direct_contradiction", "axes": [], "confounder": None}, "fix"),
        ("reject", None, "reject"),
        ("unsure", None, "unsure"),
    ],
)
def test_every_first_answer_is_blind_and_based_on_the_item(
    workspace: Workspace, library: Library, tab: Tab, sent: str, said: dict[str, Any] | None, stored: str
) -> None:
    item = library.items[1]
    given = None if said is None else answer(**said)
    reply = tab.say(tab.event(item, sent, **BARE | {"blind": False}, answer=given))  # claims nothing
    assert reply["refused"] == {}
    one = last(workspace)
    assert (one.action.value, one.blind, one.base) == (stored, True, f"item:{item}")
    if given:
        assert isinstance(one.answer, PairAnswer)
        assert one.answer.conflict_type == given["conflict_type"]


def test_the_machine_is_shown_afterwards_and_a_second_answer_is_an_ordinary_one(
    workspace: Workspace, library: Library, tab: Tab
) -> None:
    item = library.items[1]
    reply = tab.say(tab.event(item, "fix", **BARE, answer=answer()), current=item)
    held = tab.views[item]
    assert "blind" not in held
    assert [one["origin"] for one in held["proposals"]] == ["model", "heuristic"]
    assert held["table"]
    assert held["sides"]["a"]["claim"]["direction"] == "decreased"
    assert reply["history"][0]["label"] == "Contextual contradiction"
    first = last(workspace)
    tab.say(tab.event(item, "reject", **BARE))  # whatever the page claims
    again = last(workspace)
    assert (again.action, again.blind, again.base) == (Action.REJECT, False, f"decision:{first.number}")
    tab.say(tab.event(item, "accept"))
    assert (last(workspace).action, last(workspace).blind) == (Action.ACCEPT, False)


def test_nothing_is_accepted_unseen(workspace: Workspace, library: Library, tab: Tab) -> None:
    event = tab.event(library.items[0], "accept", **BARE)
    said = tab.say(event)["refused"][event["cid"]]
    assert said == "A blind check shows no proposal, so there is none to accept. Give an answer of your own."
    assert list(decisions.decisions(workspace)) == []


def test_a_note_is_no_answer_and_shows_nothing(workspace: Workspace, library: Library, tab: Tab) -> None:
    item = library.items[0]
    reply = tab.say(tab.event(item, "note", **BARE, note="Hard to read."), current=item)
    assert tab.views[item]["blind"]
    assert reply["history"][0]["label"] == "note"
    assert (last(workspace).blind, last(workspace).base) == (False, f"item:{item}")
    tab.say(tab.event(item, "unsure", **BARE))
    assert last(workspace).blind


def test_what_was_shown_is_not_stored_as_blind(workspace: Workspace, library: Library) -> None:
    first, second = library.items[:2]
    alpha, beta = Tab(workspace, "alpha", "one"), Tab(workspace, "beta", "two")
    alpha.say(want=2)
    alpha.say(alpha.event(first, "reject", **BARE))  # no frame
    one = last(workspace)
    assert (one.blind, one.base.split(":")[0]) == (False, "proposals")
    beta.say(want=1)
    [opened] = beta.held
    open_frame(workspace, ALL)
    beta.say(beta.event(opened, "accept", blind=True))  # its page was opened before the frame was
    assert (last(workspace).action, last(workspace).blind) == (Action.ACCEPT, False)
    alpha.say(alpha.event(second, "fix", answer=answer(), shown=[]))  # it names what it fixes
    assert not last(workspace).blind


def test_two_answers_of_one_message_are_blind_and_not(
    workspace: Workspace, library: Library, tab: Tab
) -> None:
    item = library.items[0]
    tab.say(tab.event(item, "reject", **BARE), tab.event(item, "unsure", **BARE))
    assert [one.blind for one in decisions.decisions(workspace)] == [True, False]


def test_an_answer_taken_back_was_given_by_this_curator_alone(
    workspace: Workspace, library: Library, tab: Tab
) -> None:
    item = library.items[0]
    tab.say(tab.event(item, "reject", **BARE))
    tab.say(tab.event(item, "undo", undoes=last(workspace).number), current=item)
    assert tab.views[item]["proposals"]
    beta = Tab(workspace, "beta", "two")
    beta.say(current=item)
    assert beta.views[item]["blind"]


def test_a_queue_by_type_leaves_blind_pairs_out(workspace: Workspace, library: Library) -> None:
    by = replace(HERE, conflict_type=ConflictType.CONTEXTUAL_CONTRADICTION)
    assert Tab(workspace, "beta", "one", by).say()["progress"]["total"] == 3
    open_frame(workspace, ALL)
    tab = Tab(workspace, "alpha", "two", by)
    assert tab.say()["progress"]["total"] == 0
    plain = Tab(workspace, "alpha", "three")
    assert plain.say(want=9)["progress"]["total"] == 4
    plain.say(plain.event(library.items[0], "unsure", **BARE))
    assert tab.say()["progress"]["total"] == 1  # it is not blind any more


def test_what_was_answered_blind_is_not_asked_again(workspace: Workspace, library: Library, tab: Tab) -> None:
    tab.say(*(tab.event(item, "reject", **BARE) for item in library.items))
    assert repeats.due(workspace, "alpha", library.items, 0) == []
    tab.say(tab.event(library.items[0], "fix", **BARE, answer=answer()))
    assert repeats.due(workspace, "alpha", library.items, 0) == [
        library.items[0]
    ]  # answered in the open since
