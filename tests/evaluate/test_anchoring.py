"""Shown less blind: by hand, and from the answers of a frame."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import pytest
from statsmodels.stats.weightstats import CompareMeans

from core.evaluate.anchoring import ALIKE, NONE_BLIND, NONE_SHOWN, TOO_FEW, anchoring, of_passages
from core.evaluate.estimated import estimated
from core.records import Action, Assertion, NewDecision
from core.review.frames import Wanted, open_frame
from core.store import Workspace, decisions, frames, open_workspace
from core.store.frame_answers import missing_blind
from tests.evaluate.test_estimated import answer, say
from tests.evaluate.test_estimated_passages import accept, add, close
from tests.review.clinic import CATARACT, EYE, FOCAL, GENERAL, HYPOTONIA, SEIZURE, furnish, item, many


def test_the_example_of_the_source() -> None:
    found = anchoring([True] * 90 + [False] * 10 + [None] * 5, [True] * 32 + [False] * 8)
    assert found.value == pytest.approx(0.10)
    assert (found.low, found.high) == pytest.approx((-0.021, 0.254), abs=1e-3)
    assert (found.shown, found.blind, found.reason) == (100, 40, None)


def test_few_answers_have_no_interval_and_none_no_value() -> None:
    few = anchoring([True] * 50, [True] * 6 + [False] * 3)
    assert (few.value, few.low, few.high, few.reason) == (pytest.approx(1 / 3), None, None, TOO_FEW)
    assert anchoring([True], []).reason == anchoring([True], [None]).reason == NONE_BLIND
    assert anchoring([], [True]).reason == anchoring([], []).reason == NONE_SHOWN
    assert anchoring([], [True]).value is None


def test_the_counted_prefix_of_a_frame(tmp_path: Path) -> None:
    many(tmp_path / "w.db", {"ward": 20})
    with open_workspace(tmp_path / "w.db") as workspace:
        open_frame(workspace, Wanted("run-ward", "pilot", blind=0.5))
        units = list(frames.units(workspace, "pilot"))[:30]
        blind = [unit for unit in units if unit.blind]
        shown = [unit for unit in units if not unit.blind]
        wrong = {unit.item_id for unit in (*blind[:4], *shown[:2])}
        for unit in units:
            concept = unit.id.split("/")[-1]
            how = (
                (Action.REJECT, {}) if unit.item_id in wrong else (Action.ACCEPT, {"answer": answer(concept)})
            )
            say(workspace, "alpha", how[0], unit.item_id or 0, blind=unit.blind, **how[1])
        expected = (len(shown) - 2) / len(shown) - (len(blind) - 4) / len(blind)
        found = estimated(workspace, "pilot")
        assert found.anchoring.value == pytest.approx(expected)
        assert (found.anchoring.shown, found.anchoring.blind) == (len(shown), len(blind))
        assert found.to_json()["metrics"]["anchoring"] == found.anchoring.to_json()
        # a second answer, with all on the screen, is none of either
        concept = blind[0].id.split("/")[-1]
        say(workspace, "alpha", Action.ACCEPT, blind[0].item_id or 0, answer=answer(concept))
        again = estimated(workspace, "pilot")
        assert again.anchoring == found.anchoring
        assert (again.answered_blind, again.blind) == (len(blind), len(blind))
        assert again.headline.value == pytest.approx((30 - 5) / 30)
        (table,) = again.tables()
        assert [row[0] for row in table.rows] == ["Precision", "Anchoring: shown less blind"]


def test_missing_of_passages_by_hand() -> None:
    """Means 1.5 and 0.5; squares about them 2.5 and 2.5 of ten each, so variances 5/18 and Welch's degrees of
    freedom 18, whose t is 2.10092204024: half-width t * sqrt(2 * 5/18 / 10)."""
    shown, blind = [0, 1] * 5, [1, 2] * 5
    found = of_passages(shown, blind)
    half = 2.10092204024104 * sqrt(2 * (5 / 18) / 10)
    assert found.value == pytest.approx(1.0, abs=1e-9)
    assert (found.low, found.high) == pytest.approx((1.0 - half, 1.0 + half), abs=1e-9)
    assert (found.shown, found.blind, found.reason) == (10, 10, None)


def test_missing_of_passages_as_the_library_has_it() -> None:
    shown, blind = [0, 0, 1, 0, 2, 0, 0, 1, 0, 3, 0, 1], [1, 0, 2, 4, 1, 0, 3, 1, 2, 1, 0]
    found = of_passages(shown, blind)
    expected = CompareMeans.from_data(blind, shown).tconfint_diff(usevar="unequal")
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)
    assert found.value == pytest.approx(15 / 11 - 8 / 12, abs=1e-9)


def test_few_passages_have_no_interval_and_none_no_value() -> None:
    few = of_passages([0, 1] * 9, [3] * 9)
    assert (few.value, few.low, few.high, few.reason) == (2.5, None, None, TOO_FEW)
    assert of_passages([1], []).reason == NONE_BLIND
    assert of_passages([], [1]).reason == of_passages([], []).reason == NONE_SHOWN
    assert of_passages([], [1]).value is None
    alike = of_passages([1] * 10, [2] * 10)
    assert (alike.value, alike.low, alike.reason) == (1.0, None, ALIKE)


def test_the_lists_of_a_frame_of_passages(workspace: Workspace) -> None:
    """d1 is listed blind as a focal seizure, a seizure (proposed) and an absent cataract, and closed with a
    further one: one missing, then two. d2 is closed as it is shown, with an uncertain cataract: one. d3 is
    listed with what is taken back, and not closed."""
    at = furnish(workspace)
    d1, d2, d3 = at.values()
    open_frame(workspace, Wanted("alpha", "pilot", unit="passage"))
    add(workspace, d1, SEIZURE)
    add(workspace, d1, FOCAL)
    add(workspace, d1, EYE, Assertion.NEGATED)
    back = add(workspace, d3, FOCAL)
    decisions.append(workspace, [NewDecision("u", "alpha", Action.UNDO, undoes=back)])
    for passage in (d1, d3):
        end = NewDecision(f"end-{passage}", "alpha", Action.REOPEN, passage_id=passage, blind=True)
        decisions.append(workspace, [end])
    add(workspace, d1, GENERAL)
    accept(workspace, d1, HYPOTONIA)
    accept(workspace, d2, SEIZURE)
    say(workspace, "alpha", Action.REJECT, item(workspace, d2, HYPOTONIA))
    add(workspace, d2, CATARACT, Assertion.UNCERTAIN)
    accept(workspace, d3, CATARACT)
    pilot = frames.find_frame(workspace, "pilot")
    assert missing_blind(workspace, pilot, 99) == {d1: 1, d3: 0}
    before = estimated(workspace, "pilot")
    assert (before.counted, before.answered_blind, before.anchoring.reason) == (0, 0, NONE_SHOWN)
    close(workspace, d1, d2, d3)
    found = estimated(workspace, "pilot")
    assert (found.counted, found.answered_blind, found.anchoring.shown, found.anchoring.blind) == (3, 2, 1, 2)
    assert (found.anchoring.value, found.anchoring.reason) == (0.5 - 1, TOO_FEW)
    assert found.figures["recall"].value == pytest.approx(4 / 7)  # what is missing at the end counts there
    assert found.to_json()["metrics"]["anchoring"] == found.anchoring.to_json()
    assert found.to_json()["blind"]["answered"] == 2
    assert [row[0] for row in found.tables()[0].rows][3:] == ["Anchoring: missing, blind less shown"]
    eyes = open_frame(workspace, Wanted("alpha", "eyes", unit="passage", root=EYE))
    assert missing_blind(workspace, eyes, 99) == {d1: 0, d3: 0}


def test_of_two_lists_the_first_counts_until_its_end_is_taken_back(workspace: Workspace) -> None:
    d1 = furnish(workspace)["d1"]
    frame = open_frame(workspace, Wanted("alpha", "pilot", unit="passage"))
    ends = []
    for by, concepts in (("alpha", (FOCAL, GENERAL)), ("beta", (FOCAL,))):
        for concept in concepts:
            add(workspace, d1, concept, by=by)
        end = NewDecision(f"end-{by}", by, Action.REOPEN, passage_id=d1, blind=True)
        ends.append(decisions.append(workspace, [end])[0].number)
    assert missing_blind(workspace, frame, 99) == {d1: 2}
    assert missing_blind(workspace, frame, 2) == {}
    decisions.append(workspace, [NewDecision("u", "alpha", Action.UNDO, undoes=ends[0])])
    assert missing_blind(workspace, frame, 99) == {d1: 1}
    assert missing_blind(workspace, frame, 5) == {d1: 2}


def test_a_list_is_what_stood_when_it_ended(workspace: Workspace) -> None:
    """Whatever was taken back since. A passage that was only closed and reopened was not listed."""
    d1, d2, _ = furnish(workspace).values()
    frame = open_frame(workspace, Wanted("alpha", "pilot", unit="passage"))
    number = add(workspace, d1, FOCAL)
    close(workspace, d2)
    ends = [("e1", d1, True), ("e2", d2, False)]
    for name, passage, blind in ends:
        end = NewDecision(name, "alpha", Action.REOPEN, passage_id=passage, blind=blind)
        decisions.append(workspace, [end])
    decisions.append(workspace, [NewDecision("u", "alpha", Action.UNDO, undoes=number)])
    assert missing_blind(workspace, frame, 99) == {d1: 1}
