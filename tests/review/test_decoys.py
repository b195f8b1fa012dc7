"""Among the blind units of a frame concepts are asked about that nobody proposed: nothing tells which."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.records import Action, Assertion
from core.review import Filters
from core.review.events import identity
from core.review.frames import Wanted, open_frame
from core.review.views.blind import BLIND
from core.review.views.passages import DECOY
from core.store import Workspace, decisions, gold, ontologies, queue
from core.store.blind import decoys
from core.store.chain import verify
from tests.review.clinic import (
    FOCAL,
    GENERAL,
    HYPOTONIA,
    NAMES,
    PARENTS,
    add_corpus,
    add_run,
    draft,
    furnish,
    ontology,
)
from tests.review.seat import Seat

HERE = Filters("ward")
ALL = Wanted("alpha", "pilot", blind=1.0, assertions=tuple(Assertion))


@pytest.fixture
def at(workspace: Workspace) -> dict[str, int]:
    return furnish(workspace)


def subjects(workspace: Workspace, passage: int) -> dict[int, str]:
    return {row.id: row.subject for row in queue.items_of_passages(workspace, [passage])}


def above(concept: str) -> set[str]:
    """By the parents that the clinic gives its concepts."""
    return {concept} | (above(PARENTS[concept]) if concept in PARENTS else set())


def test_each_blind_unit_has_one_that_nobody_proposed_and_nothing_implies(
    workspace: Workspace, at: dict[str, int]
) -> None:
    before = {passage: set(subjects(workspace, passage).values()) for passage in at.values()}
    open_frame(workspace, ALL)
    found = decoys(workspace, "ward")
    assert found
    assert len({one.beside for one in found}) == len(found), "one each"
    for one in found:
        [passage] = [p for p in at.values() if one.item_id in subjects(workspace, p)]
        assert one.beside in subjects(workspace, passage), "in the passage of its unit"
        implied = {name for concept in before[passage] for name in above(concept)}
        assert one.concept in NAMES.keys() - implied
    assert verify(workspace).problems == ()


def test_a_sibling_comes_first(workspace: Workspace) -> None:
    """Of focal seizures: generalised ones."""
    ontologies.add_ontology(workspace, ontology())
    ids = add_corpus(workspace, {"d1": "A focal seizure.", "d2": "Nothing."})
    add_run(workspace, {ids["d1"]: [draft(FOCAL, "A focal seizure.", "focal seizure")]})
    open_frame(workspace, ALL)
    [one] = decoys(workspace, "ward")
    assert one.concept == GENERAL


def test_what_something_proposed_implies_is_not_asked(workspace: Workspace) -> None:
    """The one sibling of hypotonia is the seizure, which the focal one implies."""
    text = "A focal seizure with hypotonia."
    ontologies.add_ontology(workspace, ontology())
    ids = add_corpus(workspace, {"d1": text})
    add_run(
        workspace, {ids["d1"]: [draft(FOCAL, text, "focal seizure"), draft(HYPOTONIA, text, "hypotonia")]}
    )
    open_frame(workspace, ALL)
    assert [one.concept for one in decoys(workspace, "ward")] == [GENERAL]


def test_on_the_desk_they_look_the_same(workspace: Workspace, at: dict[str, int]) -> None:
    open_frame(workspace, ALL)
    made = {one.item_id for one in decoys(workspace, "ward")}
    seat = Seat(workspace, "beta", HERE, lambda one: "reject")
    reply = seat.say(want=60)
    assert made < set(seat.held)
    assert reply["progress"]["total"] == len(seat.held) == 6 + len(made)
    [shape] = {tuple(sorted(seat.views[one])) for one in seat.held}
    assert "blind" in shape
    for one in seat.held:
        view = seat.views[one]
        assert (view["blind"], view["proposals"], view["narrower"], view["why"]) == (True, [], [], BLIND)
        assert view["label"] == NAMES[view["concept"]], "by the ontology, however a run spells it"


def test_they_are_asked_beside_their_unit_and_leave_all_else_as_it_was(
    workspace: Workspace, at: dict[str, int]
) -> None:
    open_frame(workspace, replace(ALL, name="alone", decoys=False))
    plain = Seat(workspace, "beta", HERE, lambda one: "unsure")
    plain.say(want=60)
    order = list(plain.held)
    open_frame(workspace, ALL)
    seat = Seat(workspace, "beta", HERE, lambda one: "unsure")
    seat.say(want=60)
    placed = {one.item_id: one.beside for one in decoys(workspace, "ward")}
    assert [one for one in seat.held if one not in placed] == order
    for one, unit in placed.items():
        assert abs(seat.held.index(one) - seat.held.index(unit)) == 1


def test_an_answer_to_one_is_blind_and_says_what_holds(workspace: Workspace, at: dict[str, int]) -> None:
    open_frame(workspace, ALL)
    first, second, *_ = decoys(workspace, "ward")
    seat = Seat(workspace, "beta", HERE, lambda one: "reject")
    seat.say(want=60)
    view = seat.views[second.item_id]
    answer = {"concept": second.concept, "class": "explicit", "assertion": "affirmed", "spans": []}

    def event(one: int, action: str, **more: Any) -> dict[str, Any]:
        return {
            "cid": f"beta-{one}",
            "kind": "concept",
            "workspace": identity(workspace),
            "curator": "beta",
            "action": action,
            "item": one,
            "passage": seat.views[one]["passage"],
            "concept": seat.views[one]["concept"],
            "blind": True,
            "ms": 1,
            **more,
        }

    seat.held = []
    seat.say(event(first.item_id, "reject"), event(second.item_id, "accept", answer=answer))
    no, yes = decisions.decisions(workspace)
    assert (no.blind, yes.blind, yes.action) == (True, True, Action.ACCEPT)
    assert yes.answer is not None
    assert view["label"] == NAMES[second.concept]
    found = gold.gold_set(workspace, "reviewed@now:curator=beta", "ward")
    assert {c for held in found.documents.values() for c in held} == {second.concept}
    assert {c for held in found.rejected.values() for c in held} == {first.concept}
    again = Seat(workspace, "beta", Filters("ward"), lambda one: "reject")
    again.say(want=60)
    told = again.views[first.item_id]
    assert (told["why"], told["decoy"], "blind" in told) == (DECOY, True, False)


def test_figures_of_the_run_and_of_the_frame_know_nothing_of_them(
    workspace: Workspace, at: dict[str, int]
) -> None:
    frame = open_frame(workspace, ALL)
    bare = open_frame(workspace, replace(ALL, name="bare", decoys=False))
    assert frame.size == bare.size == 6
    seat = Seat(workspace, "beta", HERE, lambda one: "reject")
    while seat.work():
        pass
    right = seat.replies[-1]["sitting"]["right"]["now"]
    assert (right["value"], right["n"]) == (0.0, 6)


def test_what_a_run_proposes_later_is_no_decoy_any_more(workspace: Workspace, at: dict[str, int]) -> None:
    open_frame(workspace, ALL)
    one, *others = decoys(workspace, "ward")
    [passage] = [p for p in at.values() if one.item_id in subjects(workspace, p)]
    text = workspace.db.execute(
        "SELECT t.body FROM passages p JOIN texts t ON t.id = p.text_id WHERE p.id = ?", (passage,)
    ).fetchone()[0]
    add_run(workspace, {passage: [draft(one.concept, text, text.split()[0])]}, "later")
    assert [two.item_id for two in decoys(workspace, "ward")] == [two.item_id for two in others]
    seat = Seat(workspace, "beta", HERE, lambda one: "reject")
    seat.say(want=60)
    assert seat.held.count(one.item_id) == 1
