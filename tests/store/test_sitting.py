"""A sitting: decisions of one curator with no long rest between them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from core.records import Action, NewDecision
from core.store import Workspace, decisions
from core.store.sitting import sitting
from tests.review.clinic import CATARACT, HYPOTONIA, SEIZURE, furnish, item

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def say(
    workspace: Workspace, on: int, minutes: float, action: Action = Action.REJECT, **more: object
) -> None:
    at = (NOON + timedelta(minutes=minutes)).isoformat()
    new = NewDecision(f"c{minutes}", "alpha", action, item_id=on, decided_at=at, **more)  # type: ignore[arg-type]
    (done,) = decisions.append(workspace, [new])
    assert done.refused is None


def test_it_begins_behind_a_rest_and_ends_with_one(workspace: Workspace) -> None:
    on = item(workspace, furnish(workspace)["d1"], SEIZURE)
    assert sitting(workspace, "alpha", NOON) is None
    say(workspace, on, -60)
    say(workspace, on, 0, Action.UNSURE, milliseconds=90_000)
    say(workspace, on, 10, Action.NOTE, note="hm")
    say(workspace, on, 35)
    found = sitting(workspace, "alpha", NOON + timedelta(minutes=60))
    assert found is not None
    assert (found.answers, found.minutes) == (2, 36.5)  # the note is no answer; 90 s went by before the first
    assert found.stand == {"reject": 1}  # what was unsure is answered by now
    assert sitting(workspace, "alpha", NOON + timedelta(minutes=66)) is None
    assert sitting(workspace, "beta", NOON + timedelta(minutes=60)) is None


def test_what_holds_is_told_by_action(workspace: Workspace) -> None:
    at = furnish(workspace)
    first, second, third = (item(workspace, at["d1"], one) for one in (SEIZURE, CATARACT, HYPOTONIA))
    say(workspace, first, -60)  # in an earlier sitting
    say(workspace, second, 0)
    say(workspace, third, 1)
    say(workspace, third, 2, Action.UNDO, undoes=3)
    say(workspace, first, 3, Action.UNSURE)
    found = sitting(workspace, "alpha", NOON + timedelta(minutes=5))
    assert found is not None
    assert (found.answers, found.stand) == (3, {"reject": 1, "unsure": 1})


def test_moments_of_another_form_end_it(workspace: Workspace) -> None:
    on = item(workspace, furnish(workspace)["d1"], SEIZURE)
    decisions.append(
        workspace, [NewDecision("odd", "alpha", Action.REJECT, item_id=on, decided_at="May, noon")]
    )
    assert sitting(workspace, "alpha", NOON) is None
    say(workspace, on, 0, Action.UNSURE)
    found = sitting(workspace, "alpha", NOON)
    assert found is not None
    assert (found.answers, found.minutes) == (1, 0.0)
