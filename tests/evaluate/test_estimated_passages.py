"""Recall and F1 of a whole run from closed passages, by hand: what is missing, and below which concept."""

from __future__ import annotations

import pytest

from core.evaluate.estimated import estimated
from core.metrics.whole_set import NONE_CLOSED
from core.records import Action, Assertion, NewDecision
from core.review.frames import Wanted, open_frame
from core.store import Workspace, decisions, ontologies
from tests.evaluate.test_estimated import answer, say
from tests.review.clinic import (
    CATARACT,
    EYE,
    FOCAL,
    GENERAL,
    HYPOTONIA,
    NERVOUS,
    SEIZURE,
    add_run,
    draft,
    furnish,
    item,
)


@pytest.fixture
def places(workspace: Workspace) -> dict[str, int]:
    return furnish(workspace)


def accept(workspace: Workspace, passage: int, concept: str, curator: str = "alpha") -> None:
    say(workspace, curator, Action.ACCEPT, item(workspace, passage, concept), answer=answer(concept))


def add(
    workspace: Workspace,
    passage: int,
    concept: str,
    status: Assertion = Assertion.AFFIRMED,
    by: str = "alpha",
) -> int:
    """The number of a decision that adds what nobody proposed."""
    new = NewDecision(
        f"add-{by}-{passage}-{concept}-{status}",
        by,
        Action.ADD,
        passage_id=passage,
        subject=concept,
        answer=answer(concept, status),
    )
    (done,) = decisions.append(workspace, [new])
    assert done.number is not None, done
    return done.number


def close(workspace: Workspace, *passages: int, by: str = "alpha") -> None:
    new = [NewDecision(f"close-{by}-{p}", by, Action.CLOSE, passage_id=p) for p in passages]
    assert all(done.number for done in decisions.append(workspace, new))


def read(workspace: Workspace, places: dict[str, int]) -> None:
    """alpha closes all three. d1: the seizure is put right to a focal one, hypotonia accepted, the cataract
    accepted as absent. d2: the seizure accepted, hypotonia rejected; an uncertain cataract, an absent one in
    d3 and a generalised seizure in d1 are added."""
    d1, d2, d3 = (places[doc] for doc in ("d1", "d2", "d3"))
    say(workspace, "alpha", Action.FIX, item(workspace, d1, SEIZURE), answer=answer(FOCAL))
    accept(workspace, d1, HYPOTONIA)
    absent = answer(CATARACT, Assertion.NEGATED)
    say(workspace, "alpha", Action.ACCEPT, item(workspace, d1, CATARACT), answer=absent)
    accept(workspace, d2, SEIZURE)
    say(workspace, "alpha", Action.REJECT, item(workspace, d2, HYPOTONIA))
    accept(workspace, d3, CATARACT)
    add(workspace, d1, GENERAL)
    add(workspace, d2, CATARACT, Assertion.UNCERTAIN)
    add(workspace, d3, SEIZURE, Assertion.NEGATED)
    close(workspace, d1, d2, d3)


def values(workspace: Workspace, name: str) -> dict[str, float | None]:
    return {name: found.value for name, found in estimated(workspace, name).figures.items()}


def test_what_a_person_names_and_the_run_does_not_is_missing(
    workspace: Workspace, places: dict[str, int]
) -> None:
    """Right: hypotonia of d1, the seizure of d2, the cataract of d3: 3 of 5. Missing: both seizures of d1
    and the cataract of d2: 3. What is absent is neither."""
    open_frame(workspace, Wanted("alpha", "notes", unit="passage"))
    nothing = estimated(workspace, "notes")
    assert all((one.value, one.reason) == (None, NONE_CLOSED) for one in nothing.figures.values())
    read(workspace, places)
    assert values(workspace, "notes") == pytest.approx({"precision": 3 / 5, "recall": 3 / 6, "f1": 6 / 11})
    told = estimated(workspace, "notes").to_json()["metrics"]
    assert list(told) == ["precision", "recall", "f1", "anchoring"]
    assert (told["recall"]["n"], told["recall"]["of"], told["recall"]["method"]) == (3, 3, "census")
    (table,) = estimated(workspace, "notes").tables()
    assert [(row[0], row[2]) for row in table.rows] == [
        *((name, "3 of 3 passages") for name in ("Precision", "Recall", "F1")),
        ("Anchoring: missing, blind less shown", "3 shown, 0 blind"),
    ]


def test_below_a_root_only_what_lies_there_counts(workspace: Workspace, places: dict[str, int]) -> None:
    """Nervous system: right hypotonia of d1 and the seizure of d2, of 4; missing both seizures of d1. Eye:
    right the cataract of d3, of 1; missing that of d2."""
    open_frame(workspace, Wanted("alpha", "nerves", unit="passage", root=NERVOUS))
    open_frame(workspace, Wanted("alpha", "eyes", unit="passage", root=EYE))
    read(workspace, places)
    assert values(workspace, "nerves") == pytest.approx({"precision": 2 / 4, "recall": 2 / 4, "f1": 4 / 8})
    assert values(workspace, "eyes") == pytest.approx({"precision": 1.0, "recall": 1 / 2, "f1": 2 / 3})


def test_below_a_root_what_lies_elsewhere_may_stay_undecided(
    workspace: Workspace, places: dict[str, int]
) -> None:
    open_frame(workspace, Wanted("alpha", "eyes", unit="passage", root=EYE))
    close(workspace, *places.values())
    assert estimated(workspace, "eyes").counted + estimated(workspace, "eyes").waiting == 2  # not d3
    accept(workspace, places["d3"], CATARACT)
    assert values(workspace, "eyes") == {"precision": 1.0, "recall": 1.0, "f1": 1.0}


def test_a_concept_under_an_id_of_old_is_the_same_one(workspace: Workspace, places: dict[str, int]) -> None:
    known = ontologies.list_ontologies(workspace)[-1].id
    with workspace.write() as db:
        db.execute("INSERT INTO alt_ids VALUES (?, 'HP:0000001', ?)", (known, CATARACT))
    add_run(workspace, {places["d3"]: [draft("HP:0000001")]}, "old")
    open_frame(workspace, Wanted("old", "notes", unit="passage", root=EYE))
    say(
        workspace,
        "alpha",
        Action.ACCEPT,
        item(workspace, places["d3"], "HP:0000001"),
        answer=answer("HP:0000001"),
    )
    accept(workspace, places["d3"], CATARACT)  # another run proposes it under the id of now
    close(workspace, *places.values())
    assert values(workspace, "notes") == {"precision": 1.0, "recall": 1.0, "f1": 1.0}


def test_only_who_closed_it_says_what_is_missing_and_a_ruling_goes_before(
    workspace: Workspace, places: dict[str, int]
) -> None:
    open_frame(workspace, Wanted("alpha", "notes", unit="passage"))
    open_frame(workspace, Wanted("alpha", "ruled", unit="passage", counts="adjudicated"))
    read(workspace, places)
    add(workspace, places["d3"], FOCAL, by="beta")  # beta has not closed it
    assert values(workspace, "notes")["recall"] == 3 / 6
    ruled = item(workspace, places["d2"], CATARACT)
    say(workspace, "beta", Action.ADJUDICATE, ruled)  # there is none
    assert values(workspace, "notes")["recall"] == 3 / 6
    assert values(workspace, "ruled") == pytest.approx({"precision": 3 / 5, "recall": 3 / 5, "f1": 6 / 10})


def test_an_addition_that_is_taken_back_is_not_missing(workspace: Workspace, places: dict[str, int]) -> None:
    open_frame(workspace, Wanted("alpha", "notes", unit="passage"))
    read(workspace, places)
    before = estimated(workspace, "notes")
    number = add(workspace, places["d3"], HYPOTONIA)
    assert values(workspace, "notes")["recall"] == pytest.approx(3 / 7)
    decisions.append(workspace, [NewDecision("u", "alpha", Action.UNDO, undoes=number)])
    assert values(workspace, "notes")["recall"] == 3 / 6
    assert estimated(workspace, "notes", before.number) == before
