"""Whoever looks around learns nothing that their desk keeps from them."""

from __future__ import annotations

import pytest

from core.records import Action, Annotation, Answer, Assertion, ConceptClass, NewDecision, Span
from core.review.explore import Asked, Sheet, look, occurrences, sheet
from core.review.frames import Wanted, open_frame
from core.store import Workspace, corpora, decisions
from core.store.blind import decoys
from tests.review.clinic import CATARACT, EYE, FOCAL, HYPOTONIA, SEIZURE, furnish, item

BLIND = Wanted("alpha", "pilot", blind=1.0, assertions=tuple(Assertion))
LISTED = Wanted("alpha", "notes", unit="passage", blind=1.0)


@pytest.fixture
def at(workspace: Workspace) -> dict[str, int]:
    """The clinic; gold says the same of cataract in d1."""
    at = furnish(workspace)
    with workspace.write() as db:
        of = corpora.corpus(workspace, "ward").id
        said = [(at["d1"], Annotation(CATARACT, "Cataract", Assertion.NEGATED, Span(44, 52, "cataract")))]
        corpora.add_annotation_set(db, "ward", "1", of, said, exhaustive=True, sha256="1" * 64)
    return at


def decide(
    workspace: Workspace, curator: str, action: Action, passage: int, concept: str, answer: str = ""
) -> None:
    given = Answer(answer, "Answer", Assertion.AFFIRMED, ConceptClass.EXPLICIT) if answer else None
    cid = f"{curator}-{passage}-{concept}-{action}"
    if action is Action.ADD:
        new = NewDecision(cid, curator, action, passage_id=passage, subject=concept, answer=given)
    else:
        known = item(workspace, passage, concept)
        new = NewDecision(cid, curator, action, item_id=known, answer=given)
    assert decisions.append(workspace, [new])[0].refused is None


def said(found: Sheet, concept: str) -> list[tuple[str, str]]:
    """(layer, what it says) of a concept."""
    return [(label.layer, label.said) for row in found.rows if row.concept == concept for label in row.labels]


def test_runs_gold_and_own_answers_are_shown(workspace: Workspace, at: dict[str, int]) -> None:
    decide(workspace, "alpha", Action.REJECT, at["d1"], CATARACT)
    found = sheet(workspace, at["d1"], "alpha")
    assert said(found, CATARACT) == [
        ("run:alpha", "proposed"),
        ("gold:ward@1", "in gold"),
        ("curator:alpha", "rejected"),
    ]
    assert [row.name for row in found.rows] == ["Seizure", "Cataract", "Hypotonia"], "as in the text"
    assert [label.spans for label in found.rows[1].labels] == [((44, 52),), ((44, 52),), ()]
    assert (found.blind, found.withheld, found.unlisted) == (0, 0, False)


def test_anothers_answer_is_shown_once_one_has_answered(workspace: Workspace, at: dict[str, int]) -> None:
    decide(workspace, "beta", Action.FIX, at["d1"], SEIZURE, FOCAL)
    for curator in ("alpha", None):
        found = sheet(workspace, at["d1"], curator)
        assert (said(found, SEIZURE), said(found, FOCAL)) == ([("run:alpha", "proposed")], [])
        assert found.withheld == 1
        held = occurrences(workspace, [SEIZURE], curator)
        assert ([one.name for one in held.counts], held.withheld) == (["alpha"], 1)
    decide(workspace, "alpha", Action.UNSURE, at["d1"], SEIZURE)
    found = sheet(workspace, at["d1"], "alpha")
    assert ("curator:beta", "fixed to Answer") in said(found, SEIZURE)
    assert said(found, FOCAL) == [("curator:beta", "fixed from Seizure")]
    assert found.withheld == 0
    held = occurrences(workspace, [SEIZURE], "alpha")
    assert [(one.name, one.number) for one in held.counts] == [("alpha", 2), ("fix", 1), ("unsure", 1)]


def test_what_another_added_is_not_there_yet(workspace: Workspace, at: dict[str, int]) -> None:
    decide(workspace, "beta", Action.ADD, at["d3"], EYE, EYE)
    found = sheet(workspace, at["d3"], "alpha")
    assert EYE not in {row.concept for row in found.rows}
    assert found.withheld == 0, "even its number would tell"
    held = occurrences(workspace, [EYE], "alpha")
    assert (held.counts, held.withheld) == ((), 0)
    assert said(sheet(workspace, at["d3"], "beta"), EYE) == [("curator:beta", "added")]


def test_an_answer_taken_back_hides_others_again(workspace: Workspace, at: dict[str, int]) -> None:
    decide(workspace, "beta", Action.REJECT, at["d1"], SEIZURE)
    decide(workspace, "alpha", Action.REJECT, at["d1"], SEIZURE)
    undo = NewDecision("undo", "alpha", Action.UNDO, undoes=2)
    assert decisions.append(workspace, [undo])[0].number == 3
    assert said(sheet(workspace, at["d1"], "alpha"), SEIZURE) == [("run:alpha", "proposed")]


def test_a_blind_item_is_hidden_and_decoys_count_like_it(workspace: Workspace, at: dict[str, int]) -> None:
    open_frame(workspace, BLIND)
    asked = decoys(workspace, "ward")
    assert asked
    for curator in ("alpha", "beta", None):
        for name, proposed in (("d1", 3), ("d2", 2), ("d3", 1)):
            found = sheet(workspace, at[name], curator)
            beside = sum(passage_of(workspace, one.item_id) == at[name] for one in asked)
            assert found.rows == (), "gold neither"
            assert found.blind == proposed + beside
        held = occurrences(workspace, [CATARACT], curator)
        assert held.counts == ()
        assert held.blind == 2 + sum(one.concept == CATARACT for one in asked)
    decide(workspace, "alpha", Action.REJECT, at["d1"], CATARACT)
    found = sheet(workspace, at["d1"], "alpha")
    assert [layer for layer, _ in said(found, CATARACT)] == ["run:alpha", "gold:ward@1", "curator:alpha"]


def passage_of(workspace: Workspace, item_id: int) -> int:
    return int(workspace.db.execute("SELECT passage_id FROM items WHERE id = ?", (item_id,)).fetchone()[0])


def test_an_unlisted_passage_shows_text_and_own_additions(workspace: Workspace, at: dict[str, int]) -> None:
    decide(workspace, "beta", Action.ADD, at["d1"], EYE, EYE)
    decide(workspace, "beta", Action.REJECT, at["d1"], SEIZURE)
    open_frame(workspace, LISTED)
    decide(workspace, "alpha", Action.ADD, at["d1"], HYPOTONIA, HYPOTONIA)
    found = sheet(workspace, at["d1"], "alpha")
    assert found.unlisted
    assert [row.concept for row in found.rows] == [HYPOTONIA]
    assert said(found, HYPOTONIA) == [("curator:alpha", "added")]
    assert (found.blind, found.withheld) == (0, 0), "a number would tell how much is said"
    held = occurrences(workspace, [CATARACT], "alpha")
    assert (held.counts, held.blind, held.withheld) == ((), 0, 0)


def test_filters_pass_over_what_is_to_be_answered_blind(workspace: Workspace, at: dict[str, int]) -> None:
    def ids(curator: str | None, **filters: object) -> list[int]:
        rows = look(workspace, Asked(**filters), curator, first=0, most=9).rows  # type: ignore[arg-type]
        return [row.id for row in rows]

    assert ids("alpha", run="alpha") == sorted(at.values())
    assert ids("alpha", gold=True) == [at["d1"]]
    open_frame(workspace, LISTED)
    for filters in ({"run": "alpha"}, {"gold": True}, {"unanswered": True}):
        assert ids("alpha", **filters) == []
        assert ids(None, **filters) == []
    assert ids("alpha") == sorted(at.values())


def test_where_nothing_can_be_answered_a_visitor_sees_all(workspace: Workspace, at: dict[str, int]) -> None:
    decide(workspace, "beta", Action.REJECT, at["d1"], SEIZURE)
    open_frame(workspace, LISTED)
    workspace.read_only = True
    found = sheet(workspace, at["d1"], None)
    assert said(found, SEIZURE) == [("run:alpha", "proposed"), ("curator:beta", "rejected")]
    assert not found.unlisted
    assert look(workspace, Asked(run="alpha"), None, first=0, most=9).total == 3
    assert sheet(workspace, at["d1"], "alpha").unlisted, "who has a name may answer elsewhere"
