"""What is drawn for a second answer, and who says what."""

from __future__ import annotations

import pytest

from core.kinds.concept import answer_of
from core.records import Action, NewDecision
from core.store import Workspace, decisions, overlap, proposals
from core.store.overlap import Judged
from tests.review import clinic
from tests.review.clinic import CATARACT, HYPOTONIA, SEIZURE
from tests.review.pairs import library


def test_a_concept_is_named_by_corpus_document_and_concept(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    clinic.furnish(workspace)
    monkeypatch.setattr(overlap, "CHUNK", 4)
    first, second = overlap.units(workspace, "concept", 0)
    assert [unit for _, unit in first] == [
        f"ward/d1/{SEIZURE}",
        f"ward/d1/{CATARACT}",
        f"ward/d1/{HYPOTONIA}",
        f"ward/d2/{SEIZURE}",
    ]
    assert [unit for _, unit in second] == [f"ward/d2/{HYPOTONIA}", f"ward/d3/{CATARACT}"]
    assert list(overlap.units(workspace, "concept", first[-1][0])) == [second]
    assert list(overlap.units(workspace, "pair", 0)) == []


def test_a_pair_is_named_by_its_id(workspace: Workspace) -> None:
    items = library.furnish(workspace).items
    subjects = dict(workspace.db.execute("SELECT id, subject FROM items WHERE kind = 'pair'").fetchall())
    assert list(overlap.units(workspace, "pair", 0)) == [[(item, subjects[item]) for item in sorted(items)]]


def test_of_each_curator_the_judgement_that_holds(workspace: Workspace) -> None:
    at = clinic.furnish(workspace)
    here, there = clinic.item(workspace, at["d1"], SEIZURE), clinic.item(workspace, at["d3"], CATARACT)
    answer = answer_of(proposals.of_items(workspace, [here])[here][0])

    def say(cid: str, curator: str, action: Action, **more: object) -> int:
        new = NewDecision(cid, curator, action, **{"item_id": here, **more})  # type: ignore[arg-type]
        (outcome,) = decisions.append(workspace, [new])
        assert outcome.number is not None, outcome.refused
        return outcome.number

    say("a1", "alpha", Action.REJECT)
    say("a2", "alpha", Action.ACCEPT, answer=answer)
    say("a3", "alpha", Action.NOTE, note="Sure.")
    say("b1", "beta", Action.UNSURE)
    taken_back = say("b2", "beta", Action.REJECT)
    accept, unsure = Judged(Action.ACCEPT, answer.to_json()), Judged(Action.UNSURE, None)
    assert sorted(overlap.judged(workspace, [here])[here]) == [accept, Judged(Action.REJECT, None)]
    say("b3", "beta", Action.UNDO, item_id=None, undoes=taken_back)
    say("b4", "beta", Action.REJECT, item_id=there)
    assert sorted(overlap.judged(workspace, [here])[here]) == [accept, unsure]
    assert overlap.judged(workspace, []) == {}
