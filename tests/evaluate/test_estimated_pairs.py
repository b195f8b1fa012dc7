"""How often the conflict type of a run's claim pairs is right, by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import InputError
from core.evaluate.anchoring import NONE_BLIND
from core.evaluate.estimated import estimated, estimated_run
from core.metrics.whole_set import NO_HELP
from core.records import Action, Axis, ConflictType, NewDecision, PairAnswer
from core.review.frames import Wanted, next_units, open_frame
from core.store import Workspace, decisions, frames, open_workspace
from tests.evaluate.test_estimated import say
from tests.review.pairs import library

CONTEXTUAL, DIRECT = ConflictType.CONTEXTUAL_CONTRADICTION, ConflictType.DIRECT_CONTRADICTION


def kept(pair: str, of: ConflictType = CONTEXTUAL, **fields: object) -> PairAnswer:
    return replace(PairAnswer(pair, True, of), **fields)  # type: ignore[arg-type]


@pytest.fixture
def shelf(workspace: Workspace) -> library.Library:
    """Three pairs labelled contextual, the second also direct by rules; a fourth direct, by rules alone."""
    return library.furnish(workspace)


def test_an_answer_that_keeps_the_type_is_right_and_any_other_is_wrong(
    workspace: Workspace, shelf: library.Library
) -> None:
    open_frame(workspace, Wanted("alpha", "pairs"))
    nothing = estimated(workspace, "pairs").figures["accuracy"]
    assert (nothing.value, nothing.reason, nothing.of) == (None, "No drawn item is decided.", 4)
    ids = {unit.item_id: unit.id for unit in frames.units(workspace, "pairs")}
    first, second, third, fourth = shelf.items
    say(workspace, "alpha", Action.ACCEPT, first, answer=kept(ids[first]))
    # the label of the rules, which stands beside the model's and names another type
    say(workspace, "alpha", Action.ACCEPT, second, answer=kept(ids[second], DIRECT))
    # what else is fixed leaves the type as it is
    fixed = kept(ids[third], axes=(Axis.GEOGRAPHY,), confounder=Axis.GEOGRAPHY, comparable=False)
    say(workspace, "alpha", Action.FIX, third, answer=fixed)
    say(workspace, "alpha", Action.REJECT, fourth)
    found = estimated(workspace, "pairs")
    assert list(found.figures) == ["accuracy"]
    one = found.figures["accuracy"]
    assert (one.value, one.low, one.high, one.n, one.of, one.method) == (0.5, 0.5, 0.5, 4, 4, "census")
    (table,) = found.tables()
    (name, shown, decided, unsure, waiting), beside = table.rows
    assert (name, shown.value, decided, unsure, waiting) == ("Accuracy", 0.5, "4 of 4 pairs", 0, 0)
    assert beside[:1] + beside[2:] == ("Anchoring: shown less blind", "4 shown, 0 blind", 0, 0)
    assert beside[1].reason == NONE_BLIND
    assert table.help == {"estimate": "whole_set.accuracy"}


def test_what_was_answered_blind_is_set_beside_what_was_shown(workspace: Workspace) -> None:
    """Two of those shown change the type, and eight of the blind ones; whatever they are stored as, types
    count."""
    a, b = library.IN_DENMARK, library.IN_VIETNAM
    library.shelve(workspace, [library.Draft(f"{a} {n}.", b, (library.contextual(a, b),)) for n in range(40)])
    decisions.add_curator(workspace, "alpha", "Alpha")
    open_frame(workspace, Wanted("alpha", "pairs", blind=0.5))
    seen = {True: 0, False: 0}
    for unit in frames.units(workspace, "pairs"):
        seen[unit.blind] += 1
        of = DIRECT if seen[unit.blind] <= (8 if unit.blind else 2) else CONTEXTUAL
        action = Action.FIX if unit.blind else Action.ACCEPT
        say(workspace, "alpha", action, unit.item_id or 0, answer=kept(unit.id, of), blind=unit.blind)
    again = next(unit for unit in frames.units(workspace, "pairs") if unit.blind)
    say(workspace, "alpha", Action.ACCEPT, again.item_id or 0, answer=kept(again.id))  # leans on the first
    found = estimated(workspace, "pairs")
    shown, blind = seen[False], seen[True]
    assert found.anchoring.value == pytest.approx((shown - 2) / shown - (blind - 8) / blind)
    assert found.anchoring.low is not None
    assert (found.anchoring.shown, found.anchoring.blind, found.answered_blind) == (shown, blind, blind)
    assert found.figures["accuracy"].value == pytest.approx(31 / 40)
    assert found.to_json()["metrics"]["anchoring"] == found.anchoring.to_json()
    (table,) = found.tables()
    assert [row[0] for row in table.rows] == ["Accuracy", "Anchoring: shown less blind"]


def test_no_conflict_is_another_type_and_an_empty_ruling_says_that_none_is_right(
    workspace: Workspace, shelf: library.Library
) -> None:
    open_frame(workspace, Wanted("alpha", "pairs"))
    open_frame(workspace, Wanted("alpha", "ruled", counts="adjudicated"))
    ids = {unit.item_id: unit.id for unit in frames.units(workspace, "pairs")}
    for at, unit in enumerate(frames.units(workspace, "pairs")):
        of = DIRECT if unit.item_id == shelf.items[3] else CONTEXTUAL
        given = ConflictType.NO_CONFLICT if at == 0 else of
        action = Action.FIX if at == 0 else Action.ACCEPT
        say(workspace, "alpha", action, unit.item_id or 0, answer=kept(unit.id, given))
    assert estimated(workspace, "pairs").figures["accuracy"].value == 0.75
    ruled = shelf.items[0]
    say(workspace, "beta", Action.ADJUDICATE, ruled, answer=kept(ids[ruled], DIRECT))
    other = shelf.items[1]
    say(workspace, "beta", Action.ADJUDICATE, other)
    wrong = {next(frames.units(workspace, "pairs")).item_id, ruled, other}
    assert estimated(workspace, "ruled").figures["accuracy"].value == 1 - len(wrong) / 4
    assert estimated(workspace, "pairs").figures["accuracy"].value == 0.75


def test_a_gap_a_volunteer_an_undo_and_an_unsure_answer(workspace: Workspace, shelf: library.Library) -> None:
    open_frame(workspace, Wanted("alpha", "pairs"))
    first, second, third, _ = [unit.item_id or 0 for unit in frames.units(workspace, "pairs")]
    ids = {unit.item_id: unit.id for unit in frames.units(workspace, "pairs")}
    of = {item: DIRECT if item == shelf.items[3] else CONTEXTUAL for item in ids}
    say(workspace, "alpha", Action.ACCEPT, third, answer=kept(ids[third], of[third]))
    volunteer = estimated(workspace, "pairs")
    assert (volunteer.counted, volunteer.waiting, volunteer.figures["accuracy"].value) == (0, 1, None)
    assert volunteer.gap == ids[first] == next_units(workspace, "pairs", 1)[0].id
    accepted = say(workspace, "alpha", Action.ACCEPT, first, answer=kept(ids[first], of[first]))
    say(workspace, "alpha", Action.UNSURE, second)
    found = estimated(workspace, "pairs")
    one = found.figures["accuracy"]
    assert (one.value, one.n, one.unsure, found.counted) == (1.0, 2, 1, 3)
    assert (one.if_wrong, one.if_right) == (pytest.approx(2 / 3), 1.0)
    decisions.append(workspace, [NewDecision("u", "alpha", Action.UNDO, undoes=accepted)])
    undone = estimated(workspace, "pairs")
    assert (undone.counted, undone.waiting) == (0, 2)
    assert estimated_run(workspace, "alpha", found.reference) == found
    library.shelve(workspace, [], corpus="other", run="beta")
    with pytest.raises(InputError, match="was drawn from run 'alpha', so it says nothing about 'beta'"):
        estimated_run(workspace, "beta", found.reference)


def decide(workspace: Workspace, units: Iterable[frames.Unit], wrong: frozenset[int]) -> None:
    for at, unit in enumerate(units):
        said = kept(unit.id, DIRECT if at in wrong else CONTEXTUAL)
        action = Action.FIX if at in wrong else Action.ACCEPT
        say(workspace, "alpha", action, unit.item_id or 0, answer=said)


def test_a_constant_confidence_does_not_help_and_few_decisions_have_wilsons_interval(tmp_path: Path) -> None:
    """4 of 90 with one wrong: Wilson with n' = 4 / (1 - 4 / 90). Then 40 with 8 wrong, all 0.82 sure."""
    with open_workspace(tmp_path / "w.db") as workspace:
        a, b = library.IN_DENMARK, library.IN_VIETNAM
        made = [library.Draft(f"{a} {n}.", b, (library.contextual(a, b),)) for n in range(90)]
        library.shelve(workspace, made)
        decisions.add_curator(workspace, "alpha", "Alpha")
        open_frame(workspace, Wanted("alpha", "pairs"))
        units = list(frames.units(workspace, "pairs"))
        decide(workspace, units[:4], frozenset({1}))
        few = estimated(workspace, "pairs")
        one = few.figures["accuracy"]
        n, z = 4 / (1 - 4 / 90), 1.959963984540054
        centre = (0.75 + z**2 / (2 * n)) / (1 + z**2 / n)
        half = z / (1 + z**2 / n) * (0.75 * 0.25 / n + z**2 / (4 * n**2)) ** 0.5
        assert (one.value, one.method, one.n, one.of) == (0.75, "wilson", 4, 90)
        assert (one.low, one.high) == pytest.approx((centre - half, centre + half), abs=1e-9)
        decide(workspace, units[4:40], frozenset(range(7)))
        found = estimated(workspace, "pairs")
        one = found.figures["accuracy"]
        assert (one.value, one.slope, one.method, one.reason) == (0.8, 0.0, "decisions", NO_HELP)
        assert NO_HELP in found.notes()
        assert not any("small" in note for note in found.notes())
        told = found.to_json()
        assert told["metrics"].keys() == {"accuracy", "anchoring"}
        assert told["metrics"]["anchoring"]["reason"] == NONE_BLIND
        assert (told["scope"], told["unit"], told["size"]) == ({"kind": "pair"}, "item", 90)


def test_a_small_frame_asks_to_decide_all_of_it(workspace: Workspace, shelf: library.Library) -> None:
    open_frame(workspace, Wanted("alpha", "pairs"))
    said = "The frame is small: decide all 4 pairs, and the value is exact."
    assert said in estimated(workspace, "pairs").notes()
    for unit in frames.units(workspace, "pairs"):
        say(workspace, "alpha", Action.REJECT, unit.item_id or 0)
    census = estimated(workspace, "pairs")
    assert said not in census.notes()
    assert census.figures["accuracy"].value == 0.0
