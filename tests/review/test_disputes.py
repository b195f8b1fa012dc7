"""Where curators differ, and what a ruling on it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import InputError
from core.records import Action, Assertion, Axis, Cause, ConceptClass, ConflictType, ItemKind
from core.review.disputes import Disputes, State, disputes, ruled
from core.store import Workspace, decisions, gold, open_workspace
from core.store.settled import settled
from tests.store import making, pairing
from tests.store.making import CONCEPTS, answer, say, span_of

SEIZURE, ATAXIA, FEVER, HEADACHE = CONCEPTS


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with open_workspace(tmp_path / "w.db") as workspace:
        yield workspace


def of_concepts(workspace: Workspace) -> Disputes:
    return disputes(workspace, "cases", ItemKind.CONCEPT)


def accept(workspace: Workspace, curator: str, item: int, concept: str, **fields: object) -> int:
    return say(workspace, curator, Action.ACCEPT, item, answer=answer(concept, **fields))  # type: ignore[arg-type]


def test_answers_that_say_the_same_are_one_whatever_their_evidence(workspace: Workspace) -> None:
    house = making.furnish(workspace, 1)
    text = making.TEXT.format(n=0)
    accept(workspace, "alpha", house.item(), SEIZURE, spans=(span_of(text, SEIZURE),))
    assert of_concepts(workspace).all == ()  # one curator alone
    accept(workspace, "beta", house.item(), SEIZURE)
    [found] = of_concepts(workspace).all
    assert (found.state, found.differing, found.agreement) == (State.AGREED, [], 1.0)
    assert of_concepts(workspace).open == []


def test_worst_first_by_share_then_by_field(workspace: Workspace) -> None:
    house = making.furnish(workspace, 1)
    seizure, ataxia, fever, headache = (house.item(concept=n) for n in range(4))
    for curator in ("alpha", "beta", "gamma"):
        accept(workspace, curator, ataxia, ATAXIA)
    accept(workspace, "alpha", seizure, SEIZURE)
    accept(workspace, "beta", seizure, SEIZURE)
    say(workspace, "gamma", Action.REJECT, seizure)  # 2 of 3
    accept(workspace, "alpha", fever, FEVER)
    accept(workspace, "beta", fever, FEVER, assertion=Assertion.NEGATED)  # 1 of 2, status
    accept(workspace, "alpha", headache, HEADACHE)
    accept(workspace, "beta", headache, HEADACHE, concept_class=ConceptClass.LOGICALLY_IMPLICIT)
    found = of_concepts(workspace)
    assert found.counts == {
        State.ACCEPTED: 0,
        State.REJECTED: 0,
        State.AGREED: 1,
        State.DISAGREE: 3,
        State.INCOMPLETE: 0,
    }
    # two say that it stands: of all four; the status differs in one of them, the class in one
    assert found.fields[-1] == "concept"
    assert set(found.fields[:3]) == {"present", "assertion", "class"}
    assert [(one.item, one.differing) for one in found.open] == [
        (fever, ["assertion"]),
        (headache, ["class"]),
        (seizure, ["present"]),
    ]
    assert [round(one.agreement, 3) for one in found.open] == [0.5, 0.5, 0.667]


def test_who_is_unsure_leaves_it_open_and_an_undo_counts(workspace: Workspace) -> None:
    house = making.furnish(workspace, 1)
    accept(workspace, "alpha", house.item(), SEIZURE)
    number = say(workspace, "beta", Action.UNSURE, house.item())
    [found] = of_concepts(workspace).open
    assert [voice.says is None for voice in found.voices] == [False, True]
    assert (found.differing, found.agreement) == ([], 0.5)
    say(workspace, "beta", Action.UNDO, undoes=number)
    assert of_concepts(workspace).counts[State.INCOMPLETE] == 1
    assert disputes(workspace, "cases", ItemKind.CONCEPT, number).counts[State.DISAGREE] == 1


def test_silence_in_a_closed_passage_says_that_it_is_not_there(workspace: Workspace) -> None:
    house = making.furnish(workspace, 1, concepts=(SEIZURE,))
    accept(workspace, "alpha", house.item(), SEIZURE)
    accept(workspace, "beta", house.item(), SEIZURE)
    say(workspace, "beta", Action.CLOSE, passage_id=house.passages[0])
    say(workspace, "alpha", Action.ADD, passage_id=house.passages[0], subject=FEVER, answer=answer(FEVER))
    [found] = of_concepts(workspace).open
    assert found.subject == FEVER
    assert [(voice.curator, voice.says and voice.says["present"]) for voice in found.voices] == [
        ("alpha", "yes"),
        ("beta", "no"),
    ]
    # the same as gold finds undecided
    assert gold.verdicts(workspace, "cases", "adjudicated").undecided == {("doc-0", FEVER)}


def test_a_fix_speaks_of_both_concepts_and_the_last_word_counts(workspace: Workspace) -> None:
    house = making.furnish(workspace, 1, concepts=(SEIZURE, ATAXIA))
    seizure, ataxia = house.item(), house.item(concept=1)
    accept(workspace, "alpha", ataxia, ATAXIA)
    say(workspace, "alpha", Action.REJECT, seizure)
    say(workspace, "beta", Action.FIX, seizure, answer=answer(ATAXIA))
    found = {one.item: one for one in of_concepts(workspace).all}
    assert found[ataxia].state is State.AGREED
    assert found[seizure].differing == ["present"]
    accept(workspace, "beta", seizure, SEIZURE)  # now it says nothing of the other one
    found = {one.item: one for one in of_concepts(workspace).all}
    assert found[ataxia].state is State.INCOMPLETE
    assert found[seizure].state is State.DISAGREE


def test_a_ruling_settles_it_with_its_cause_and_gold_follows(workspace: Workspace) -> None:
    house = making.furnish(workspace, 1, concepts=(SEIZURE, ATAXIA))
    seizure, ataxia = house.item(), house.item(concept=1)
    text = making.TEXT.format(n=0)
    accept(workspace, "alpha", seizure, SEIZURE, spans=(span_of(text, SEIZURE),))
    accept(workspace, "beta", seizure, SEIZURE, assertion=Assertion.UNCERTAIN)
    accept(workspace, "alpha", ataxia, ATAXIA)
    say(workspace, "beta", Action.REJECT, ataxia)
    assert gold.gold_set(workspace, "reviewed@now:adjudicated", "cases").documents == {}
    found = of_concepts(workspace)
    first = found.of(seizure)
    assert first is not None
    given = ruled(first, {"assertion": "affirmed"})
    assert given == answer(SEIZURE, spans=(span_of(text, SEIZURE),))
    say(
        workspace,
        "gamma",
        Action.ADJUDICATE,
        seizure,
        answer=given,
        cause=Cause.GUIDELINE_GAP,
        update_guideline=True,
        note="Say what counts as certain.",
    )
    second = found.of(ataxia)
    assert second is not None
    assert ruled(second, {"present": "no"}) is None
    number = say(workspace, "gamma", Action.ADJUDICATE, ataxia)
    assert [(one.item, one.state) for one in of_concepts(workspace).all] == [
        (seizure, State.ACCEPTED),
        (ataxia, State.REJECTED),
    ]
    [stored] = [d for d in decisions.standing(workspace) if d.item_id == seizure and d.curator == "gamma"]
    assert (stored.cause, stored.update_guideline) == (Cause.GUIDELINE_GAP, True)
    said = gold.gold_set(workspace, "reviewed@now:adjudicated", "cases")
    assert said.documents == {"doc-0": {SEIZURE: Assertion.AFFIRMED}}
    assert said.rejected == {"doc-0": frozenset({ATAXIA})}
    say(workspace, "gamma", Action.UNDO, undoes=number)
    assert [one.item for one in of_concepts(workspace).open] == [ataxia]


def test_a_ruling_for_another_concept_settles_that_one_too(workspace: Workspace) -> None:
    house = making.furnish(workspace, 1, concepts=(SEIZURE, ATAXIA))
    seizure, ataxia = house.item(), house.item(concept=1)
    accept(workspace, "alpha", seizure, SEIZURE)
    say(workspace, "beta", Action.FIX, seizure, answer=answer(ATAXIA))
    say(workspace, "alpha", Action.REJECT, ataxia)
    found = of_concepts(workspace)
    assert [(one.item, one.differing) for one in found.open] == [
        (seizure, ["concept"]),
        (ataxia, ["present"]),
    ]
    first = found.of(seizure)
    assert first is not None
    say(workspace, "gamma", Action.ADJUDICATE, seizure, answer=ruled(first, {"concept": ATAXIA}))
    assert [(one.item, one.state) for one in of_concepts(workspace).all] == [
        (seizure, State.REJECTED),
        (ataxia, State.ACCEPTED),
    ]


def test_nobody_rules_what_nobody_said(workspace: Workspace) -> None:
    house = making.furnish(workspace, 1)
    accept(workspace, "alpha", house.item(), SEIZURE)
    accept(workspace, "beta", house.item(), SEIZURE, assertion=Assertion.UNCERTAIN)
    found = of_concepts(workspace).of(house.item())
    assert found is not None
    with pytest.raises(InputError, match=r"No curator gave 'negated' as assertion.*affirmed, uncertain"):
        ruled(found, {"assertion": "negated"})
    with pytest.raises(InputError, match=r"No curator gave '' as assertion"):
        ruled(found, {})
    with pytest.raises(InputError, match="Say first whether it stands"):
        ruled(found, {"present": "no"})


def test_pairs_differ_in_fields_and_a_ruling_takes_one_of_each(workspace: Workspace) -> None:
    for name in making.CURATORS:
        decisions.add_curator(workspace, name, name.title())
    made = pairing.pair_up(workspace)
    pair = made.pairs[0]
    one = pairing.answer(pair)
    other = pairing.answer(
        pair,
        axes=(Axis.POPULATION_COHORT, Axis.GEOGRAPHY),
        confounder=Axis.POPULATION_COHORT,
        reconciliation="x",
    )
    say(workspace, "alpha", Action.FIX, pair.item_id, answer=one)
    say(workspace, "beta", Action.FIX, pair.item_id, answer=other)
    [found] = disputes(workspace, pairing.CORPUS, ItemKind.PAIR).open
    assert found.differing == ["axes", "confounder"]
    mixed = ruled(found, {"axes": "population_cohort, geography", "confounder": "geography"})
    assert (mixed.axes, mixed.confounder) == (other.axes, Axis.GEOGRAPHY)
    assert mixed.conflict_type is ConflictType.CONTEXTUAL_CONTRADICTION
    say(workspace, "gamma", Action.ADJUDICATE, pair.item_id, answer=mixed, cause=Cause.SUBJECTIVE)
    assert disputes(workspace, pairing.CORPUS, ItemKind.PAIR).counts[State.ACCEPTED] == 1
    settled_now = settled(workspace, pairing.CORPUS, ItemKind.PAIR, "adjudicated")
    assert settled_now.answers == {pair.pair_id: mixed}


def test_only_an_adjudication_has_a_cause(workspace: Workspace) -> None:
    house = making.furnish(workspace, 1)
    say(workspace, "alpha", Action.REJECT, house.item(), cause=Cause.EDGE_CASE, update_guideline=True)
    [stored] = decisions.standing(workspace)
    assert (stored.cause, stored.update_guideline) == (None, False)
