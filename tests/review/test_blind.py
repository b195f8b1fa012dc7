"""Blind units of a frame: nothing that a machine said is sent before the curator has answered."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from core.records import Action, Assertion, ConceptClass, Decision
from core.review.frames import Wanted, open_frame
from core.review.views.blind import BLIND
from core.review.walks.concept import Filters
from core.store import Workspace, decisions
from tests.review.clinic import FOCAL, SEIZURE, furnish, item
from tests.review.test_desk import HERE, Tab

SAID = {"concept": SEIZURE, "class": "explicit", "assertion": "affirmed", "spans": []}
LARGE = (
    *("i", "items", "p", "proposals", "e", "evidence", "d", "decisions", "n", "frame_units", "s"),
    "passages",
)
"""Tables that grow with a workspace, and what queries call them."""
ALL = Wanted("alpha", "pilot", blind=1.0, assertions=tuple(Assertion), decoys=False)


@pytest.fixture
def at(workspace: Workspace) -> dict[str, int]:
    return furnish(workspace)


def sheet_item(reply: dict[str, Any], wanted: int) -> dict[str, Any]:
    return next(one for sheet in reply["passages"] for one in sheet["items"] if one["id"] == wanted)


def last(workspace: Workspace) -> Decision:
    return list(decisions.decisions(workspace))[-1]


def test_a_sheet_holds_nothing_that_a_machine_said_of_a_blind_unit(
    workspace: Workspace, at: dict[str, int]
) -> None:
    wanted = item(workspace, at["d1"], SEIZURE)
    shown = sheet_item(Tab(workspace, "beta", "before").say(current=wanted), wanted)
    assert shown["proposals"]
    assert "blind" not in shown
    open_frame(workspace, ALL)
    reply = Tab(workspace, "alpha", "t1").say(current=wanted, want=9)
    assert len(reply["page"]) == 6
    for one in (one for sheet in reply["passages"] for one in sheet["items"]):
        assert (one["blind"], one["proposals"], one["narrower"], one["why"]) == (True, [], [], BLIND)
    told = json.dumps(reply)
    for secret in ("its name stands there", "confidence", "reader", "negated", "uncertain"):
        assert secret not in told
    assert sheet_item(reply, wanted)["label"] == "Seizure"


def test_the_answer_is_blind_once_and_the_machine_is_shown_afterwards(
    workspace: Workspace, at: dict[str, int]
) -> None:
    open_frame(workspace, ALL)
    wanted = item(workspace, at["d1"], SEIZURE)
    tab = Tab(workspace, "alpha", "t1")
    tab.say(tab.event(wanted, "note", shown=[], proposal=None, note="hard to read"), current=wanted)
    bare = {"shown": [], "proposal": None, "blind": True}
    reply = tab.say(tab.event(wanted, "accept", **bare, answer=SAID), current=wanted)
    assert reply["refused"] == {}
    one = last(workspace)
    assert (one.action, one.blind) == (Action.ACCEPT, True)
    assert one.answer is not None
    held = sheet_item(reply, wanted)
    assert held["proposals"]
    assert "blind" not in held
    tab.say(tab.event(wanted, "reject", **bare), current=wanted)  # whatever the page claims
    assert (last(workspace).action, last(workspace).blind) == (Action.REJECT, False)
    assert last(workspace).base == f"decision:{one.number}"


@pytest.mark.parametrize("action", ["accept", "fix", "reject", "unsure"])
def test_every_first_answer_is_based_on_the_item(
    workspace: Workspace, at: dict[str, int], action: str
) -> None:
    open_frame(workspace, ALL)
    wanted = item(workspace, at["d1"], SEIZURE)
    tab = Tab(workspace, "alpha", "t1")
    said = SAID | {"concept": FOCAL} if action == "fix" else SAID
    answer = {"answer": said} if action in ("accept", "fix") else {}
    reply = tab.say(tab.event(wanted, action, shown=[], proposal=None, **answer))  # claims nothing
    assert reply["refused"] == {}
    one = last(workspace)
    assert (one.action.value, one.blind, one.base) == (action, True, f"item:{wanted}")


def test_what_was_shown_is_not_stored_as_blind(workspace: Workspace, at: dict[str, int]) -> None:
    wanted = item(workspace, at["d1"], SEIZURE)
    alpha, beta = Tab(workspace, "alpha", "t1"), Tab(workspace, "beta", "t2")
    alpha.say(alpha.event(wanted, "reject", shown=[], proposal=None, blind=True))  # no frame
    first = last(workspace)
    assert (first.blind, first.base.split(":")[0]) == (False, "proposals")
    open_frame(workspace, ALL)
    beta.say(beta.event(wanted, "accept", blind=True))  # its page was opened before the frame was
    assert (last(workspace).blind, last(workspace).base) == (False, first.base)


def test_an_accepted_answer_that_no_run_proposes_is_a_fix_where_it_was_shown(
    workspace: Workspace, at: dict[str, int]
) -> None:
    wanted = item(workspace, at["d1"], SEIZURE)
    tab = Tab(workspace, "alpha", "t1")
    said = SAID | {"class": "pragmatically_implicit"}
    tab.say(tab.event(wanted, "accept", shown=[], proposal=None, blind=True, answer=said))
    assert (last(workspace).action, last(workspace).blind) == (Action.FIX, False)


def test_two_answers_of_one_message_are_blind_and_not(workspace: Workspace, at: dict[str, int]) -> None:
    open_frame(workspace, ALL)
    wanted = item(workspace, at["d1"], SEIZURE)
    tab = Tab(workspace, "alpha", "t1")
    bare = {"shown": [], "proposal": None, "blind": True}
    tab.say(tab.event(wanted, "reject", **bare), tab.event(wanted, "unsure", **bare))
    assert [one.blind for one in decisions.decisions(workspace)] == [True, False]


def test_an_answer_taken_back_was_given(workspace: Workspace, at: dict[str, int]) -> None:
    open_frame(workspace, ALL)
    wanted = item(workspace, at["d1"], SEIZURE)
    tab = Tab(workspace, "alpha", "t1")
    tab.say(tab.event(wanted, "reject", shown=[], proposal=None))
    number = last(workspace).number
    reply = tab.say(tab.event(wanted, "undo", undoes=number), current=wanted)
    assert sheet_item(reply, wanted)["proposals"]
    beta = Tab(workspace, "beta", "t2").say(current=wanted)
    assert sheet_item(beta, wanted)["blind"]  # each curator gives an answer of their own


def test_a_queue_by_what_machines_say_leaves_blind_units_out(
    workspace: Workspace, at: dict[str, int]
) -> None:
    by = replace(HERE, assertion=Assertion.NEGATED)
    assert len(Tab(workspace, "beta", "t1", by).say(want=9)["page"]) == 1
    open_frame(workspace, ALL)
    for filters in (by, replace(HERE, concept_class=ConceptClass.EXPLICIT)):
        assert Tab(workspace, "alpha", "t2", filters).say(want=9)["page"] == []
    assert len(Tab(workspace, "alpha", "t3", Filters("ward", run="alpha")).say(want=9)["page"]) == 5


def scanned(workspace: Workspace, act: Callable[[], object]) -> set[tuple[str, str]]:
    """Scans of large tables in SQLite's own plans of what is asked meanwhile, each with its query."""
    seen: list[str] = []
    workspace.db.set_trace_callback(seen.append)
    act()
    workspace.db.set_trace_callback(None)
    asked = [sql for sql in seen if sql.startswith("SELECT") and not sql.endswith("LIMIT 1")]
    assert len(asked) >= 20
    plans = {(row[3], sql) for sql in asked for row in workspace.db.execute(f"EXPLAIN QUERY PLAN {sql}")}
    return {found for found in plans if found[0].split()[:2] in [["SCAN", name] for name in LARGE]}


def test_no_message_reads_a_whole_table(workspace: Workspace, at: dict[str, int]) -> None:
    """SQLite's own plans of what a desk asks for with every message, where there are frames of items and of
    passages."""
    open_frame(workspace, ALL)
    open_frame(workspace, replace(ALL, name="passages", unit="passage", blind=0.0))
    tab = Tab(workspace, "alpha", "t1")
    tab.say(want=9)

    def act() -> None:
        tab.say(tab.event(tab.held[0], "reject"), current=tab.held[1], want=9)
        tab.say(current=tab.held[1], want=9)

    assert scanned(workspace, act) == set()
