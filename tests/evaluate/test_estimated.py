"""A whole run from few decisions, by hand: a volunteer, a gap, an undo, an unsure answer, two curators."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from core.cli import cli
from core.errors import InputError, NotFoundError
from core.evaluate.estimated import estimated, estimated_run
from core.records import Action, Answer, Assertion, ConceptClass, NewDecision
from core.review.frames import Wanted, next_units, open_frame
from core.store import Workspace, decisions, frames, open_workspace
from core.store.chain import verify
from core.store.gold import gold_set
from tests.review.clinic import CATARACT, FOCAL, HYPOTONIA, SEIZURE, furnish, item, many


@pytest.fixture
def places(workspace: Workspace) -> dict[str, int]:
    return furnish(workspace)


def say(workspace: Workspace, curator: str, action: Action, on: int, **more: object) -> int:
    """The number of a decision made so."""
    log = len(list(decisions.decisions(workspace)))
    new = NewDecision(f"{curator}-{log}", curator, action, item_id=on, **more)  # type: ignore[arg-type]
    (done,) = decisions.append(workspace, [new])
    assert done.refused is None
    assert done.number is not None
    return done.number


def answer(concept: str, assertion: Assertion = Assertion.AFFIRMED) -> Answer:
    return Answer(concept, concept, assertion, ConceptClass.EXPLICIT)


def queue(workspace: Workspace) -> list[int]:
    return [unit.item_id or unit.passage_id for unit in frames.units(workspace, "pilot")]


def test_a_frame_holds_all_in_scope_in_the_order_of_their_hashes(
    workspace: Workspace, places: dict[str, int]
) -> None:
    frame = open_frame(workspace, Wanted("alpha", "pilot", seed="7"))
    units = list(frames.units(workspace, "pilot"))
    expected = [
        f"ward/{doc}/{concept}"
        for doc, concept in (
            *(("d1", SEIZURE), ("d1", HYPOTONIA), ("d2", SEIZURE)),
            *(("d2", HYPOTONIA), ("d3", CATARACT)),
        )
    ]
    expected.sort(key=lambda unit: hashlib.sha256(f"7|{unit}".encode()).hexdigest())
    assert [unit.id for unit in units] == expected  # the negated cataract of d1 is out
    assert [unit.position for unit in units] == [1, 2, 3, 4, 5]
    assert (frame.size, frame.run, frame.scope) == (5, "alpha", {"assertions": ["affirmed", "uncertain"]})
    assert {unit.id: unit.f for unit in units}[f"ward/d2/{HYPOTONIA}"] == 0.3
    assert [unit.id for unit in next_units(workspace, "pilot", 2)] == expected[:2]


def test_the_same_seed_draws_the_same_and_another_one_otherwise(
    workspace: Workspace, places: dict[str, int]
) -> None:
    for name, seed in (("one", "7"), ("two", "7"), ("three", "8")):
        open_frame(workspace, Wanted("alpha", name, seed=seed))
    one, two, three = ([x.id for x in frames.units(workspace, name)] for name in ("one", "two", "three"))
    assert one == two
    assert one != three
    assert sorted(one) == sorted(three)


def test_volunteer_gap_undo_unsure_and_two_curators(workspace: Workspace, places: dict[str, int]) -> None:
    open_frame(workspace, Wanted("alpha", "pilot"))
    first, second, third, fourth, _ = queue(workspace)
    concept = {unit.item_id: unit.id.split("/")[-1] for unit in frames.units(workspace, "pilot")}
    assert estimated(workspace, "pilot").headline.reason == "No drawn item is decided."

    say(workspace, "alpha", Action.ACCEPT, fourth, answer=answer(concept[fourth]))  # nobody drew it yet
    volunteer = estimated(workspace, "pilot")
    assert (volunteer.counted, volunteer.waiting, volunteer.headline.value) == (0, 1, None)

    say(workspace, "alpha", Action.ACCEPT, first, answer=answer(concept[first]))
    say(workspace, "beta", Action.REJECT, first)  # the first answer counts
    accepted = say(workspace, "alpha", Action.ACCEPT, second, answer=answer(concept[second]))
    say(workspace, "alpha", Action.UNSURE, third)
    found = estimated(workspace, "pilot")
    assert (found.counted, found.waiting) == (4, 0)  # the volunteer was reached
    assert (found.headline.value, found.headline.n, found.headline.unsure) == (1.0, 3, 1)
    assert (found.headline.if_wrong, found.headline.if_right) == (0.75, 1.0)

    decisions.append(workspace, [NewDecision("u", "alpha", Action.UNDO, undoes=accepted)])
    gap = estimated(workspace, "pilot")
    assert (gap.counted, gap.waiting, gap.headline.n) == (1, 2, 1)
    assert gap.gap == next_units(workspace, "pilot", 1)[0].id
    assert "2 wait for" in " ".join(gap.notes())

    say(workspace, "alpha", Action.FIX, second, answer=answer(FOCAL))
    fixed = estimated(workspace, "pilot")
    assert fixed.headline.value == pytest.approx(2 / 3)  # a fix to another concept is wrong for this item
    assert estimated(workspace, "pilot", found.number).to_json() == found.to_json()  # pinned for ever
    assert estimated_run(workspace, "alpha", found.reference) == found


def test_an_adjudication_replaces_answers_where_the_frame_says_so(
    workspace: Workspace, places: dict[str, int]
) -> None:
    open_frame(workspace, Wanted("alpha", "pilot"))
    open_frame(workspace, Wanted("alpha", "ruled", counts="adjudicated"))
    (unit,) = next_units(workspace, "pilot", 1)
    assert unit.item_id is not None
    concept = unit.id.split("/")[-1]
    say(workspace, "alpha", Action.REJECT, unit.item_id)
    say(workspace, "beta", Action.ADJUDICATE, unit.item_id, answer=answer(concept))
    assert estimated(workspace, "pilot").headline.value == 0.0
    assert estimated(workspace, "ruled").headline.value == 1.0


def test_a_fix_that_denies_the_concept_is_wrong_and_one_of_its_class_is_right(
    workspace: Workspace, places: dict[str, int]
) -> None:
    open_frame(workspace, Wanted("alpha", "pilot"))
    first, second, *_ = queue(workspace)
    concepts = {unit.item_id: unit.id.split("/")[-1] for unit in frames.units(workspace, "pilot")}
    say(workspace, "alpha", Action.FIX, first, answer=answer(concepts[first], Assertion.NEGATED))
    implied = Answer(concepts[second], "x", Assertion.UNCERTAIN, ConceptClass.LOGICALLY_IMPLICIT)
    say(workspace, "alpha", Action.FIX, second, answer=implied)
    assert estimated(workspace, "pilot").headline.value == 0.5


def test_passages_count_once_closed_with_all_answered_by_the_same_person(
    workspace: Workspace, places: dict[str, int]
) -> None:
    open_frame(workspace, Wanted("alpha", "pilot", unit="passage"))
    assert [unit.id for unit in frames.units(workspace, "pilot")] == sorted(
        ("ward/d1", "ward/d2", "ward/d3"), key=lambda x: hashlib.sha256(f"13|{x}".encode()).hexdigest()
    )
    for doc, concept in (("d1", SEIZURE), ("d1", HYPOTONIA), ("d2", SEIZURE), ("d3", CATARACT)):
        on = item(workspace, places[doc], concept)
        say(workspace, "alpha", Action.ACCEPT, on, answer=answer(concept))
    close = [
        NewDecision(f"c-{doc}", "alpha", Action.CLOSE, passage_id=places[doc]) for doc in ("d1", "d2", "d3")
    ]
    assert all(done.number for done in decisions.append(workspace, close))
    counted = {unit.id for unit in next_units(workspace, "pilot")}
    assert counted == {"ward/d2"}  # its hypotonia is not answered
    say(workspace, "alpha", Action.REJECT, item(workspace, places["d2"], HYPOTONIA))
    found = estimated(workspace, "pilot").headline
    assert (found.value, found.n, found.of, found.method) == (0.8, 3, 3, "census")


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (Wanted("alpha", "a b"), "cannot name"),
        (Wanted("alpha", "x", unit="page"), "Choose one of: item, passage"),
        (Wanted("alpha", "x", policy="size"), "Choose one of: random, active"),
        (Wanted("alpha", "x", blind=1.5), "between 0 and 1"),
        (Wanted("alpha", "x", assertions=()), "Name at least one"),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    workspace: Workspace, places: dict[str, int], wanted: Wanted, says: str
) -> None:
    with pytest.raises(InputError, match=says):
        open_frame(workspace, wanted)
    assert frames.list_frames(workspace) == []


def test_a_name_is_taken_once_and_unknown_ones_are_told(workspace: Workspace, places: dict[str, int]) -> None:
    open_frame(workspace, Wanted("alpha", "pilot"))
    with pytest.raises(InputError, match="exists already"):
        open_frame(workspace, Wanted("alpha", "pilot", seed="2"))
    with pytest.raises(NotFoundError, match="pilot"):
        estimated(workspace, "other")
    with pytest.raises(NotFoundError):
        estimated(workspace, "pilot", 99)


def test_what_needs_labels_refuses_an_estimate_by_name(workspace: Workspace, places: dict[str, int]) -> None:
    with pytest.raises(InputError, match="holds figures of a whole run, and no labels"):
        gold_set(workspace, "estimated@now:pilot", "ward")


def test_a_frame_cannot_be_altered_unseen(workspace: Workspace, places: dict[str, int]) -> None:
    open_frame(workspace, Wanted("alpha", "pilot"))
    assert verify(workspace).problems == ()
    with workspace.write() as db:
        db.execute("DROP TRIGGER frame_units_no_update")
        db.execute("UPDATE frame_units SET q = 2 WHERE position = 3")
    assert "Frame pilot was altered: its units do not fit its sha256." in verify(workspace).problems


def test_by_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "ward.db"
    many(path, {"cases": 20})

    def run(*words: str) -> dict[str, object]:
        done = CliRunner().invoke(cli, ["--workspace", str(path), *words, "--json"])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)  # type: ignore[no-any-return]

    made = run("budget", "open", "--run", "run-cases", "--name", "pilot", "--seed", "5", "--blind", "0.5")
    assert (made["size"], made["blind"], made["seed"]) == (40, 0.5, "5")
    units = run("budget", "next", "pilot", "--limit", "3")["units"]
    assert isinstance(units, list)
    assert {"id", "position", "u", "q", "blind"} <= units[0].keys()
    with open_workspace(path) as workspace:
        for unit, action in zip(units, (Action.REJECT, Action.ACCEPT, Action.REJECT), strict=True):
            said = answer(unit["id"].split("/")[-1]) if action is Action.ACCEPT else None
            say(workspace, "alpha", action, unit["item_id"], answer=said)
    shown = run("budget", "show", "pilot")
    figures = {"value", "low", "high", "n", "of", "lambda", "V", "method", "reason"}
    assert figures <= shown["metrics"]["precision"].keys()  # type: ignore[index]
    assert shown["metrics"]["precision"]["value"] == pytest.approx(1 / 3)  # type: ignore[index]
    assert run("budget", "show", "pilot", "--at", "1")["metrics"]["precision"]["value"] == 0.0  # type: ignore[index]
    assert run("evaluate", "run-cases", "--gold", "estimated@now:pilot") == shown
    assert shown["reference"] == "estimated@3:pilot"
    refused = CliRunner().invoke(
        cli, ["--workspace", str(path), "evaluate", "run-cases", "--gold", "estimated@x"]
    )
    assert isinstance(refused.exception, InputError)
