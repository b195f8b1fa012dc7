"""What everybody has judged since a moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from core.records import Action, NewDecision
from core.store import Workspace, decisions
from core.store.queue import pace, unanswered
from core.store.sitting import Activity, activity
from tests.evaluate import ward
from tests.review.clinic import items_of_run


def test_judgements_that_hold_count_and_the_people_who_gave_them(workspace: Workspace) -> None:
    ids = ward.fill(workspace)
    before = datetime.now(UTC) - timedelta(seconds=5)
    assert activity(workspace, before) == Activity(0, 0)
    ward.review(workspace, ids)  # five judgements and a closing
    ward.second_review(workspace, ids)  # four and a closing
    assert activity(workspace, before) == Activity(9, 2)
    undo = NewDecision("u", "beta", Action.UNDO, undoes=7)
    assert decisions.append(workspace, [undo])[0].number
    assert activity(workspace, before) == Activity(8, 2)
    assert activity(workspace, datetime.now(UTC) + timedelta(seconds=5)) == Activity(0, 0)


def test_what_nobody_has_judged_comes_in_order_as_many_as_asked_for(workspace: Workspace) -> None:
    ids = ward.fill(workspace)
    run = items_of_run(workspace, ward.RUN)
    assert unanswered(workspace, ward.RUN, 3) == sorted(run)[:3]
    ward.review(workspace, ids)
    assert len(unanswered(workspace, ward.RUN, 9)) == 1  # A in d4
    undo = NewDecision("u", "alpha", Action.UNDO, undoes=1)
    assert decisions.append(workspace, [undo])[0].number
    assert len(unanswered(workspace, ward.RUN, 9)) == 2


def test_everybodys_pace_where_no_curator_is_named(workspace: Workspace) -> None:
    ward.fill(workspace)
    for curator in ("alpha", "beta"):
        decisions.add_curator(workspace, curator, curator.title())
    first, second, *_ = items_of_run(workspace, ward.RUN)
    for number, (curator, one) in enumerate((("alpha", first), ("beta", second)), 1):
        new = NewDecision(curator, curator, Action.REJECT, item_id=one, milliseconds=1000 * number)
        assert decisions.append(workspace, [new])[0].number == number
    assert pace(workspace, None) == [2000, 1000]
    assert pace(workspace, "alpha") == [1000]
