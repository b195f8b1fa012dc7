"""What a workspace comes to in one sentence: nothing known, some of it checked, drawn labels, all of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from statsmodels.stats.proportion import proportion_confint

from core.evaluate.headline import headline
from core.records import Action, Answer, Assertion, ConceptClass, ConflictType, Document, NewDecision
from core.review.frames import Wanted, next_units, open_frame
from core.store import Workspace, corpora, decisions, open_workspace
from core.store.frame_answers import checked
from core.store.runs import find_run, finish_run
from tests.evaluate import ward
from tests.review.clinic import CATARACT, SEIZURE, add_run, draft, furnish, item, items_of_run, many
from tests.store.pairing import RUN as PAIRS
from tests.store.pairing import Paired, pair_up
from tests.store.pairing import answer as pair_answer

CAVEAT = "were not drawn at random"


def decide(workspace: Workspace, items: list[int], right: int, curator: str = "alpha") -> None:
    """Accept so many of these items, by their own proposals, and reject the others."""
    news = []
    for place, one in enumerate(items):
        (subject,) = workspace.db.execute("SELECT subject FROM items WHERE id = ?", (one,)).fetchone()
        said = Answer(subject, subject, Assertion.AFFIRMED, ConceptClass.EXPLICIT)
        action, answer = (Action.ACCEPT, said) if place < right else (Action.REJECT, None)
        news.append(NewDecision(f"{curator}-{one}", curator, action, item_id=one, answer=answer))
    assert all(done.number for done in decisions.append(workspace, news))


@pytest.fixture
def hundred(tmp_path: Path) -> Path:
    """100 labels on 50 passages."""
    many(tmp_path / "many.db", {"ward": 50})
    return tmp_path / "many.db"


def test_an_empty_workspace_has_none(workspace: Workspace) -> None:
    assert headline(workspace) is None


def test_nothing_is_claimed_where_nothing_is_checked(workspace: Workspace) -> None:
    ward.fill(workspace)
    found = headline(workspace)
    assert found is not None
    assert found.sentence() == "5 machine labels on 4 passages. Nobody has checked any yet."
    assert found.squares() == (0, 0, 100)


def test_what_nobody_drew_gets_counts_and_no_interval(workspace: Workspace) -> None:
    """By the table of the ward: one right; E and the negated D wrong; C unsure; one unseen."""
    ward.review(workspace, ward.fill(workspace))
    found = headline(workspace)
    assert found is not None
    assert found.sentence() == (
        "5 machine labels on 4 passages. 4 checked by people: 1 is right, 2 wrong, 1 unsure."
    )
    assert found.bounds() is None
    assert CAVEAT in found.rests_on()
    assert found.squares() == (20, 40, 40)


def test_drawn_labels_tell_of_all_with_an_interval(hundred: Path) -> None:
    with open_workspace(hundred) as workspace:
        open_frame(workspace, Wanted("run-ward", "pilot"))
        decide(workspace, [unit.item_id or 0 for unit in next_units(workspace, "pilot", 10)], right=7)
        found = headline(workspace)
    assert found is not None
    counted = 10 / (1 - 10 / 100)  # of a finite set
    low, high = proportion_confint(0.7 * counted, counted, method="wilson")
    least, most = round(100 * low), round(100 * high)
    assert found.sentence() == (
        "100 machine labels on 50 passages. 10 checked by people;"
        f" about 70 of 100 are right ({least} to {most})."
    )
    assert found.squares() == (least, 100 - most, most - least)
    assert CAVEAT not in found.rests_on()
    assert "From 10 labels that were drawn at random from 100" in found.rests_on()


def test_where_all_is_checked_the_share_is_exact(hundred: Path) -> None:
    with open_workspace(hundred) as workspace:
        decide(workspace, list(items_of_run(workspace, "run-ward")), right=81)
        found = headline(workspace)
    assert found is not None
    assert found.sentence() == (
        "100 machine labels on 50 passages. All checked by people: 81 of 100 are right."
    )
    assert found.squares() == (81, 19, 0)


def test_few_of_many_have_a_square_each(hundred: Path) -> None:
    with open_workspace(hundred) as workspace:
        decide(workspace, list(items_of_run(workspace, "run-ward"))[:2], right=1)
        found = headline(workspace)
    assert found is not None
    assert found.squares() == (1, 1, 98)


def test_a_label_that_says_absent_is_right_where_it_is_absent(workspace: Workspace) -> None:
    at = furnish(workspace)
    absent = item(workspace, at["d1"], CATARACT)
    for number, (status, right) in enumerate(
        [(Assertion.NEGATED, True), (Assertion.AFFIRMED, False), (Assertion.NEGATED, True)], 1
    ):
        said = Answer(CATARACT, CATARACT, status, ConceptClass.EXPLICIT)
        new = NewDecision(f"c{number}", "alpha", Action.FIX, item_id=absent, answer=said)
        assert decisions.append(workspace, [new])[0].number == number
        assert checked(workspace, find_run(workspace, "alpha"), number) == {absent: right}


def test_the_first_of_two_curators_counts_until_it_is_settled(workspace: Workspace) -> None:
    at = furnish(workspace)
    one = item(workspace, at["d1"], SEIZURE)
    decide(workspace, [one], right=0, curator="beta")
    decide(workspace, [one], right=1, curator="alpha")
    assert checked(workspace, find_run(workspace, "alpha"), 2) == {one: False}


def test_what_people_looked_at_is_spoken_of_before_what_is_newer(workspace: Workspace) -> None:
    at = furnish(workspace)
    add_run(workspace, {at["d3"]: [draft(CATARACT)]}, "newer")
    found = headline(workspace)
    assert found is not None
    assert found.run == "alpha"  # proposes most
    decide(workspace, [item(workspace, at["d3"], CATARACT)], right=1)
    found = headline(workspace)
    assert found is not None
    assert (found.run, found.sentence()) == (
        "newer",
        "1 machine label on 3 passages. All checked by people: 100 of 100 are right.",
    )


def test_texts_that_somebody_tried_are_not_what_a_workspace_is_about(workspace: Workspace) -> None:
    at = furnish(workspace)
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "tried", domain=corpora.OWN_TEXTS)
        ((passage, _),) = list(corpora.insert_passages(db, corpus, [Document("text", "Seizure.")]))
    add_run(workspace, {passage: [draft(SEIZURE, "Seizure.", "Seizure")]}, "own", corpus="tried")
    decide(workspace, [item(workspace, passage, SEIZURE)], right=1)
    found = headline(workspace)
    assert found is not None
    assert (found.run, found.checked) == ("alpha", 0)
    assert at


def test_claim_pairs_speak_where_there_is_nothing_else(workspace: Workspace) -> None:
    paired = pair_up(workspace)
    assert headline(workspace) is None  # its run is not finished
    with workspace.write() as db:
        finish_run(db, PAIRS)
    found = headline(workspace)
    assert found is not None
    assert found.sentence() == "2 machine labels on 2 claim pairs. Nobody has checked any yet."
    decide_pair(workspace, paired)
    found = headline(workspace)
    assert found is not None
    assert found.sentence() == "2 machine labels on 2 claim pairs. 1 checked by people: 1 is right."


def decide_pair(workspace: Workspace, paired: Paired) -> None:
    """Accept the second pair as its rule labels it."""
    pair = paired.pairs[1]
    decisions.add_curator(workspace, "alpha", "Alpha")
    said = pair_answer(pair, conflict_type=ConflictType.NO_CONFLICT, axes=(), confounder=None)
    new = NewDecision("p", "alpha", Action.ACCEPT, item_id=pair.item_id, answer=said)
    (done,) = decisions.append(workspace, [new])
    assert done.number, done.refused
