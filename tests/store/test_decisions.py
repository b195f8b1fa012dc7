"""What becomes of a decision: repeats, changes of mind, undo, notes, closing, refusals."""

from __future__ import annotations

import dataclasses

import pytest

from core.errors import InputError, NotFoundError
from core.records import Action, Assertion, ConceptClass, NewDecision, Span
from core.store import Workspace, corpora, decisions
from core.store.decisions import append, current
from tests.store.making import CONCEPTS, Furniture, answer, furnish, new, say, span_of

SEIZURE, ATAXIA, FEVER, HEADACHE = CONCEPTS


@pytest.fixture
def house(workspace: Workspace) -> Furniture:
    return furnish(workspace)


def held(workspace: Workspace, item: int, curator: str = "alpha") -> tuple[str, int] | None:
    """(action, number) that holds for a curator on an item."""
    row = current(workspace.db, item, curator)
    return (row["action"], row["number"]) if row else None


def log(workspace: Workspace) -> list[tuple[int, str, str]]:
    return [(d.number, d.action.value, d.base) for d in decisions.decisions(workspace)]


def acknowledged(workspace: Workspace, client_ids: list[str]) -> set[str]:
    """Which of these client ids the database holds."""
    held = {row[0] for row in workspace.db.execute("SELECT client_id FROM acknowledgements")}
    return held & set(client_ids)


def refusal(workspace: Workspace, decision: NewDecision) -> str:
    """Why a decision was refused; it must have left nothing behind."""
    before = workspace.db.execute("SELECT count(*) FROM items").fetchone()[0], log(workspace)
    outcome = append(workspace, [decision])[0]
    assert outcome.number is None
    assert outcome.refused is not None
    assert acknowledged(workspace, [decision.client_id]) == set()
    assert (workspace.db.execute("SELECT count(*) FROM items").fetchone()[0], log(workspace)) == before
    return outcome.refused


# --- base and repeats -------------------------------------------------------------------------------------


def test_first_answer_is_based_on_the_proposals_shown(workspace: Workspace, house: Furniture) -> None:
    item = house.item()
    shown = house.proposals[item]
    say(workspace, "alpha", Action.ACCEPT, item, shown=(shown,), answer=answer())
    assert log(workspace) == [(1, "accept", f"proposals:{shown}")]


def test_blind_answer_is_based_on_the_item_even_where_proposals_are_sent(
    workspace: Workspace, house: Furniture
) -> None:
    item = house.item()
    say(workspace, "alpha", Action.REJECT, item, shown=(house.proposals[item],), blind=True)
    [stored] = decisions.decisions(workspace)
    assert (stored.base, stored.blind) == (f"item:{item}", True)


def test_added_concept_makes_its_item_and_is_based_on_it(workspace: Workspace, house: Furniture) -> None:
    number = say(
        workspace,
        "alpha",
        Action.ADD,
        passage_id=house.passages[0],
        subject="HP:0000252",
        answer=answer("HP:0000252"),
    )
    [stored] = decisions.decisions(workspace)
    assert (stored.number, stored.subject, stored.passage_id) == (number, "HP:0000252", house.passages[0])
    assert stored.base == f"item:{stored.item_id}"


def test_same_client_id_again_is_acknowledged_and_stored_once(workspace: Workspace, house: Furniture) -> None:
    decision = new("alpha", Action.REJECT, house.item())
    first, again = append(workspace, [decision]) + append(workspace, [decision])
    assert (first.number, first.repeat) == (1, False)
    assert (again.number, again.repeat) == (1, True)
    assert len(log(workspace)) == 1


def test_same_client_id_for_another_decision_is_refused_not_swallowed(
    workspace: Workspace, house: Furniture
) -> None:
    say(workspace, "alpha", Action.REJECT, house.item(0), client_id="one")
    for other in (
        new("alpha", Action.REJECT, house.item(1), client_id="one"),
        new("beta", Action.REJECT, house.item(0), client_id="one"),
        new("alpha", Action.UNSURE, house.item(0), client_id="one"),
        new("alpha", Action.REJECT, house.item(0), client_id="one", note="but"),
    ):
        outcome = append(workspace, [other])[0]
        assert outcome.refused is not None
        assert "another decision" in outcome.refused
    assert len(log(workspace)) == 1


def test_identical_answer_is_a_repeat_and_a_different_one_goes_on_top(
    workspace: Workspace, house: Furniture
) -> None:
    item = house.item()
    shown = (house.proposals[item],)
    given = answer()
    other = dataclasses.replace(given, assertion=Assertion.NEGATED)
    outcomes = append(
        workspace,
        [
            new("alpha", Action.ACCEPT, item, shown=shown, answer=given, client_id="first"),
            new("alpha", Action.ACCEPT, item, shown=shown, answer=given, client_id="same"),
            new("alpha", Action.ACCEPT, item, shown=shown, answer=other, client_id="different"),
        ],
    )
    assert [(o.number, o.repeat, o.refused) for o in outcomes] == [
        (1, False, None),
        (1, True, None),
        (2, False, None),
    ]
    assert log(workspace) == [(1, "accept", f"proposals:{shown[0]}"), (2, "accept", "decision:1")]
    assert acknowledged(workspace, ["first", "same", "different", "never"]) == {
        "first",
        "same",
        "different",
    }


def test_late_decision_of_another_tab_is_stored_on_top(workspace: Workspace, house: Furniture) -> None:
    item = house.item()
    shown = (house.proposals[item],)
    say(workspace, "alpha", Action.ACCEPT, item, shown=shown, answer=answer())
    say(workspace, "alpha", Action.REJECT, item, shown=shown)
    say(workspace, "alpha", Action.ACCEPT, item, shown=shown, answer=answer())
    assert [base for _, _, base in log(workspace)] == [f"proposals:{shown[0]}", "decision:1", "decision:2"]
    assert held(workspace, item) == ("accept", 3)


def test_second_curator_is_never_refused(workspace: Workspace, house: Furniture) -> None:
    item = house.item()
    shown = (house.proposals[item],)
    say(workspace, "alpha", Action.ACCEPT, item, shown=shown, answer=answer())
    say(workspace, "beta", Action.ACCEPT, item, shown=shown, answer=answer())
    say(workspace, "gamma", Action.REJECT, item, shown=shown)
    assert [held(workspace, item, who) for who in ("alpha", "beta", "gamma")] == [
        ("accept", 1),
        ("accept", 2),
        ("reject", 3),
    ]


# --- undo -------------------------------------------------------------------------------------------------


def test_undo_cancels_the_one_decision_it_names(workspace: Workspace, house: Furniture) -> None:
    item = house.item()
    first = say(workspace, "alpha", Action.ACCEPT, item, answer=answer())
    second = say(workspace, "alpha", Action.REJECT, item)
    say(workspace, "alpha", Action.UNDO, undoes=first)
    assert held(workspace, item) == ("reject", second)
    say(workspace, "alpha", Action.UNDO, undoes=second)
    assert held(workspace, item) is None


def test_undo_of_the_newest_brings_the_one_before_back(workspace: Workspace, house: Furniture) -> None:
    item = house.item()
    first = say(workspace, "alpha", Action.ACCEPT, item, answer=answer())
    second = say(workspace, "alpha", Action.UNSURE, item)
    say(workspace, "alpha", Action.UNDO, undoes=second)
    assert held(workspace, item) == ("accept", first)


def test_undo_reaches_no_other_item_and_no_other_curator(workspace: Workspace, house: Furniture) -> None:
    mine = say(workspace, "alpha", Action.REJECT, house.item(0))
    say(workspace, "alpha", Action.REJECT, house.item(1))
    say(workspace, "beta", Action.REJECT, house.item(0))
    say(workspace, "alpha", Action.UNDO, undoes=mine)
    assert held(workspace, house.item(0)) is None
    assert held(workspace, house.item(1)) == ("reject", 2)
    assert held(workspace, house.item(0), "beta") == ("reject", 3)


def test_undo_of_anothers_decision_of_an_undo_and_of_nothing_is_refused(
    workspace: Workspace, house: Furniture
) -> None:
    theirs = say(workspace, "beta", Action.REJECT, house.item())
    mine = say(workspace, "alpha", Action.REJECT, house.item())
    undo = say(workspace, "alpha", Action.UNDO, undoes=mine)
    assert "Only the curator" in refusal(workspace, new("alpha", Action.UNDO, undoes=theirs))
    assert "not undone" in refusal(workspace, new("alpha", Action.UNDO, undoes=undo))
    assert "no such decision" in refusal(workspace, new("alpha", Action.UNDO, undoes=999))
    assert "no such decision" in refusal(workspace, new("alpha", Action.UNDO))


def test_second_undo_of_the_same_decision_is_a_repeat(workspace: Workspace, house: Furniture) -> None:
    mine = say(workspace, "alpha", Action.REJECT, house.item())
    first, second = append(
        workspace, [new("alpha", Action.UNDO, undoes=mine), new("alpha", Action.UNDO, undoes=mine)]
    )
    assert (first.number, first.repeat, second.number, second.repeat) == (2, False, 2, True)


def test_same_answer_after_an_undo_is_news_and_is_stored(workspace: Workspace, house: Furniture) -> None:
    item = house.item()
    first = say(workspace, "alpha", Action.REJECT, item)
    say(workspace, "alpha", Action.UNDO, undoes=first)
    redone = append(workspace, [new("alpha", Action.REJECT, item)])[0]
    assert (redone.number, redone.repeat) == (3, False)
    assert log(workspace)[-1] == (3, "reject", "decision:2")
    assert held(workspace, item) == ("reject", 3)


def test_same_answer_after_another_one_is_stored(workspace: Workspace, house: Furniture) -> None:
    for action in (Action.REJECT, Action.UNSURE, Action.REJECT):
        say(workspace, "alpha", action, house.item())
    assert [action for _, action, _ in log(workspace)] == ["reject", "unsure", "reject"]


# --- notes, unsure, closing -------------------------------------------------------------------------------


def test_note_changes_no_state_and_is_kept_in_order(workspace: Workspace, house: Furniture) -> None:
    item = house.item()
    accepted = say(workspace, "alpha", Action.ACCEPT, item, answer=answer())
    say(workspace, "alpha", Action.NOTE, item, note="mild, see page 3")
    assert held(workspace, item) == ("accept", accepted)
    assert [d.note for d in decisions.decisions(workspace) if d.item_id == item] == [None, "mild, see page 3"]
    assert "empty" in refusal(workspace, new("alpha", Action.NOTE, item))


def test_answer_after_a_note_is_based_on_the_note(workspace: Workspace, house: Furniture) -> None:
    item = house.item()
    say(workspace, "alpha", Action.NOTE, item, note="hm")
    say(workspace, "alpha", Action.REJECT, item, shown=(house.proposals[item],))
    assert [base for _, _, base in log(workspace)] == [f"item:{item}", "decision:1"]


def test_unsure_is_a_judgement_without_an_answer(workspace: Workspace, house: Furniture) -> None:
    item = house.item()
    say(workspace, "alpha", Action.ACCEPT, item, answer=answer())
    number = say(workspace, "alpha", Action.UNSURE, item)
    assert held(workspace, item) == ("unsure", number)


def test_close_reopen_and_close_again(workspace: Workspace, house: Furniture) -> None:
    passage = house.passages[0]
    numbers = [
        say(workspace, "alpha", action, passage_id=passage)
        for action in (Action.CLOSE, Action.REOPEN, Action.CLOSE)
    ]
    assert numbers == [1, 2, 3]
    item = decisions.decisions(workspace).__next__().item_id
    state = current(workspace.db, item, "alpha", (Action.CLOSE, Action.REOPEN))
    assert state is not None
    assert (state["action"], state["number"]) == ("close", 3)
    again = append(workspace, [new("alpha", Action.CLOSE, passage_id=passage)])[0]
    assert (again.number, again.repeat) == (3, True)


def test_closing_is_for_passages_and_judging_for_concepts(workspace: Workspace, house: Furniture) -> None:
    assert "does not apply to a concept" in refusal(workspace, new("alpha", Action.CLOSE, house.item()))
    for action in (Action.REJECT, Action.UNSURE, Action.ADJUDICATE):
        assert "does not apply to a passage" in refusal(
            workspace, new("alpha", action, passage_id=house.passages[0])
        )


# --- answers ----------------------------------------------------------------------------------------------


def test_answer_is_stored_in_full(workspace: Workspace, house: Furniture) -> None:
    text = corpora.passage(workspace, house.passages[0]).text
    given = answer(
        SEIZURE, Assertion.UNCERTAIN, ConceptClass.PRAGMATICALLY_IMPLICIT, (span_of(text, SEIZURE),)
    )
    item = house.item()
    say(
        workspace,
        "alpha",
        Action.ACCEPT,
        item,
        answer=given,
        milliseconds=1234,
        guideline_revision="g-7",
        note="x",
    )
    [stored] = decisions.decisions(workspace)
    assert stored.answer == given
    assert (stored.milliseconds, stored.guideline_revision, stored.note) == (1234, "g-7", "x")
    assert given.spans[0].start == text.index("seizure")  # code points: the emoji before it counts once


def test_span_that_does_not_match_the_text_is_refused(workspace: Workspace, house: Furniture) -> None:
    text = corpora.passage(workspace, house.passages[0]).text
    right = span_of(text, SEIZURE)
    wrong = [
        dataclasses.replace(
            right, start=right.start + 1, end=right.end + 1
        ),  # UTF-16 offsets behind the emoji
        dataclasses.replace(right, quote="Seizure"),
        Span(right.start, right.start, ""),
        Span(-7, 0, ""),
        Span(len(text) - 1, len(text) + 1, "."),
    ]
    for span in wrong:
        for action in (Action.ACCEPT, Action.ADJUDICATE):
            sent = new("alpha", action, house.item(), answer=answer(spans=(right, span)))
            assert "does not stand at" in refusal(workspace, sent)


def test_only_fix_gives_another_concept_than_the_items(workspace: Workspace, house: Furniture) -> None:
    item = house.item()
    assert "use fix" in refusal(workspace, new("alpha", Action.ACCEPT, item, answer=answer(ATAXIA)))
    say(workspace, "alpha", Action.FIX, item, answer=answer(ATAXIA))
    [stored] = decisions.decisions(workspace)
    assert (stored.subject, stored.answer and stored.answer.concept) == (SEIZURE, ATAXIA)


def test_positive_decision_needs_an_answer(workspace: Workspace, house: Furniture) -> None:
    for action in (Action.ACCEPT, Action.FIX, Action.ADD):
        assert "needs the answer" in refusal(workspace, new("alpha", action, house.item()))


# --- refusals ---------------------------------------------------------------------------------------------


def test_no_decision_without_a_curator(workspace: Workspace, house: Furniture) -> None:
    assert "Choose a curator" in refusal(workspace, new("nobody", Action.REJECT, house.item()))


def test_unknown_item_passage_and_foreign_proposals_are_refused(
    workspace: Workspace, house: Furniture
) -> None:
    assert "no item" in refusal(workspace, new("alpha", Action.REJECT, 10**6))
    assert "no passage" in refusal(
        workspace, new("alpha", Action.ADD, passage_id=10**6, subject=FEVER, answer=answer(FEVER))
    )
    foreign = house.proposals[house.item(1)]
    assert "another item" in refusal(workspace, new("alpha", Action.REJECT, house.item(0), shown=(foreign,)))


def test_refused_addition_leaves_no_item_behind(workspace: Workspace, house: Furniture) -> None:
    bad = answer("HP:0000252", spans=(Span(0, 4, "nope"),))
    refusal(
        workspace, new("alpha", Action.ADD, passage_id=house.passages[0], subject="HP:0000252", answer=bad)
    )
    refusal(workspace, new("alpha", Action.ADD, passage_id=house.passages[0], subject="", answer=answer("")))


def test_what_no_table_takes_is_refused_alone_and_holds_up_nothing(
    workspace: Workspace, house: Furniture
) -> None:
    item = house.item
    outcomes = append(
        workspace,
        [
            new("alpha", Action.REJECT, item(0), client_id="before"),
            new("alpha", Action.REJECT, item(1), note="\ud800", client_id="lone surrogate"),
            new("alpha", Action.REJECT, 2**70, client_id="huge"),
            new("alpha", Action.REJECT, item(1), client_id=""),
            new("alpha", Action.REJECT, item(2), client_id="after"),
        ],
    )
    assert [o.refused is None for o in outcomes] == [True, False, False, False, True]
    assert acknowledged(workspace, ["before", "after", "huge", ""]) == {"before", "after"}


@pytest.mark.parametrize(("sent", "stored"), [(0, 0), (77, 77), (-5, None), (2**60, None), (12.6, 13)])
def test_bad_stopwatch_costs_no_decision(
    workspace: Workspace, house: Furniture, sent: float, stored: int | None
) -> None:
    say(workspace, "alpha", Action.REJECT, house.item(), milliseconds=sent)
    assert next(decisions.decisions(workspace)).milliseconds == stored


# --- reading and curators ---------------------------------------------------------------------------------


def test_history_lists_what_still_holds_or_held_newest_first(workspace: Workspace, house: Furniture) -> None:
    first = say(workspace, "alpha", Action.REJECT, house.item(0))
    gone = say(workspace, "alpha", Action.REJECT, house.item(1))
    say(workspace, "beta", Action.REJECT, house.item(1))
    say(workspace, "alpha", Action.UNDO, undoes=gone)
    last = say(workspace, "alpha", Action.UNSURE, house.item(2))
    assert [d.number for d in decisions.history(workspace, "alpha")] == [last, first]
    assert [d.number for d in decisions.history(workspace, "alpha", limit=1)] == [last]


def test_curator_is_registered_once_and_a_login_belongs_to_one(workspace: Workspace) -> None:
    alpha = decisions.add_curator(workspace, " alpha ", "Alpha", "login-1")
    assert (
        decisions.add_curator(workspace, "alpha", "Another")
        == alpha
        == decisions.find_curator(workspace, "alpha")
    )
    with pytest.raises(InputError, match="belongs to curator 'Alpha'"):
        decisions.add_curator(workspace, "delta", "Delta", "login-1")
    with pytest.raises(InputError, match="needs an id and a name"):
        decisions.add_curator(workspace, " ", "Delta")
    with pytest.raises(NotFoundError, match="Known: alpha"):
        decisions.find_curator(workspace, "delta")


def test_clock_that_jumps_leaves_the_order_alone(
    workspace: Workspace, house: Furniture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ["2026-05-02T00:00:00", "2026-05-01T00:00:00", "2026-05-03T00:00:00", "1999-01-01T00:00:00"]
    item = house.item()
    for moment, action in zip(
        clock, (Action.REJECT, Action.UNSURE, Action.REJECT, Action.UNSURE), strict=True
    ):
        monkeypatch.setattr(decisions, "now", lambda moment=moment: moment)
        say(workspace, "alpha", action, item)
    stored = list(decisions.decisions(workspace))
    assert [d.decided_at for d in stored] == clock
    assert [d.number for d in stored] == [1, 2, 3, 4]
    assert held(workspace, item) == ("unsure", 4)
    assert [d.number for d in decisions.history(workspace, "alpha")] == [4, 3, 2, 1]
