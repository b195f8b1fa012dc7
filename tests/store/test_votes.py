"""What every curator says at once is the gold of each of them (core.store.gold), status by status."""

import pytest

from core.errors import NotFoundError
from core.records import Action, NewDecision
from core.store import decisions
from core.store.gold import gold_set
from core.store.votes import ABSENT, UNSURE, votes
from tests.evaluate import ward
from tests.evaluate.ward import A, B, C, D, E


@pytest.fixture
def ids(workspace):
    ids = ward.fill(workspace)
    ward.review(workspace, ids)
    ward.second_review(workspace, ids)
    return ids


def test_by_hand(workspace, ids):
    found = votes(workspace, "ward")
    assert found["alpha"].said == {
        "d1": {A: "affirmed", B: "affirmed", E: ABSENT},
        "d2": {C: UNSURE, D: "negated"},
    }
    assert list(found["alpha"].closed) == ["d1"]
    assert found["beta"].said["d2"] == {C: ABSENT, D: "affirmed"}


@pytest.mark.parametrize("number", [None, 2, 6, 8])
def test_the_same_as_the_gold_of_one(workspace, ids, number):
    for curator, mine in votes(workspace, "ward", number).items():
        gold = gold_set(workspace, f"reviewed@{number or 'now'}:curator={curator}", "ward")
        said = {(d, c): label for d, held in mine.said.items() for c, label in held.items()}
        present = {(d, c): str(s) for d, held in gold.documents.items() for c, s in held.items()}
        assert {k: x for k, x in said.items() if x not in (ABSENT, UNSURE)} == present
        absent = {(d, c) for d, held in gold.rejected.items() for c in held}
        assert {k for k, x in said.items() if x == ABSENT} == absent
        assert sum(x == UNSURE for x in said.values()) == gold.excluded
        assert mine.closed.keys() == gold.recall_documents
        left = {(d, c) for d, held in mine.unasked.items() for c in held}
        unsure = {(d, c) for (d, c), x in said.items() if x == UNSURE and d in mine.closed}
        assert left | unsure == {(d, c) for d, held in gold.unsettled.items() for c in held}


def test_what_is_undone_was_never_said(workspace, ids):
    said = {d.number: d for d in decisions.decisions(workspace, curator="alpha")}
    last = max(n for n, d in said.items() if d.action is Action.CLOSE)
    before, head = votes(workspace, "ward"), decisions.chain_head(workspace)[0]
    undo = NewDecision("undo-1", "alpha", Action.UNDO, item_id=said[last].item_id, undoes=last)
    assert decisions.append(workspace, [undo])[0].refused is None
    assert votes(workspace, "ward")["alpha"].closed == {}
    assert votes(workspace, "ward", head) == before


def test_no_such_decision(workspace, ids):
    with pytest.raises(NotFoundError, match="99"):
        votes(workspace, "ward", 99)
