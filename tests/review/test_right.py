"""How often the machine was right, as the end of a queue tells it, and how it was before the sitting."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from statsmodels.stats.proportion import proportion_confint

from core import review
from core.kinds.concept import answer_of
from core.records import Action, Assertion, NewDecision
from core.review import Filters
from core.review.walks.concept import index_of
from core.store import Workspace, decisions, proposals
from tests.review.clinic import furnish

HERE = Filters("ward")


def test_of_all_that_was_judged_and_before_the_sitting(workspace: Workspace) -> None:
    """Three items were answered yesterday: one accepted, one fixed, one unsure. The other three are answered
    today: two accepted, one rejected."""
    furnish(workspace)
    order = index_of(workspace).order(HERE, lambda concept: frozenset()).tolist()
    said = [Action.ACCEPT, Action.FIX, Action.UNSURE, Action.ACCEPT, Action.ACCEPT, Action.REJECT]
    yesterday = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    for n, (item, action) in enumerate(zip(order, said, strict=True)):
        proposed = answer_of(proposals.of_items(workspace, [item])[item][0])
        answer = {
            Action.ACCEPT: proposed,
            Action.FIX: replace(proposed, assertion=Assertion.UNCERTAIN),
        }.get(action)
        at = yesterday if n < 3 else None
        new = NewDecision(f"c{n}", "alpha", action, item_id=item, answer=answer, decided_at=at)
        assert decisions.append(workspace, [new])[0].refused is None
    signature = review.serve(workspace, {"desk": "d", "want": 3}, HERE, "alpha")["queue"]
    at_end = {"desk": "d", "queue": signature, "want": 3}
    told = review.serve(workspace, at_end, HERE, "alpha")["sitting"]["right"]
    for name, k, n in (("now", 3, 5), ("before", 1, 2)):
        assert (told[name]["value"], told[name]["n"]) == (k / n, n)
        found = told[name]["low"], told[name]["high"]
        assert found == pytest.approx(proportion_confint(k, n, method="wilson"), abs=1e-9)
