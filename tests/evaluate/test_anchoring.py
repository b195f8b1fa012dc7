"""Shown less blind: by hand, and from the answers of a frame."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.evaluate.anchoring import NONE_BLIND, NONE_SHOWN, OF_PASSAGES, TOO_FEW, anchoring
from core.evaluate.estimated import estimated
from core.records import Action
from core.review.frames import Wanted, open_frame
from core.store import Workspace, frames, open_workspace
from tests.evaluate.test_estimated import answer, say
from tests.review.clinic import furnish, many


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


def test_a_frame_of_passages_tells_none(workspace: Workspace) -> None:
    furnish(workspace)
    open_frame(workspace, Wanted("alpha", "pilot", unit="passage"))
    found = estimated(workspace, "pilot")
    assert (found.anchoring.value, found.anchoring.reason) == (None, OF_PASSAGES)
    assert [row[0] for row in found.tables()[0].rows] == ["Precision", "Recall", "F1"]
