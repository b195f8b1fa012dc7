"""A random share of a queue answered by two curators, and by a third where these differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.records import Action, Assertion, ConceptClass, NewDecision
from core.review import Filters, PairFilters
from core.review.walks.concept import index_of
from core.review.walks.walk import Progress
from core.store import Workspace, decisions, open_workspace
from core.store import overlap as store
from core.store.overlap import Judged
from tests.review import clinic
from tests.review.clinic import FOCAL, HYPOTONIA, SEIZURE, add_run, draft, furnish
from tests.review.overlapping import drawn, judge, names

# --- who is asked -----------------------------------------------------------------------------------------

WHOLE = Filters("ward", overlap=1.0)


@pytest.fixture
def items(workspace: Workspace) -> list[int]:
    """Six concepts in the order of their queue."""
    furnish(workspace)
    decisions.add_curator(workspace, "gamma", "Gamma")
    return index_of(workspace).order(Filters("ward"), lambda concept: frozenset()).tolist()


def asked(workspace: Workspace, curator: str, filters: Filters = WHOLE) -> list[int]:
    index = index_of(workspace)
    order = index.order(filters, lambda concept: frozenset())
    needs = index.needs(workspace, filters)
    return [item for item, _ in index.open_items(order, filters, curator, None, None, needs)]


def progress(workspace: Workspace, curator: str, filters: Filters = WHOLE) -> Progress:
    index = index_of(workspace)
    order = index.order(filters, lambda concept: frozenset())
    return index.progress(order, filters, curator, index.needs(workspace, filters))


def test_a_third_is_asked_where_two_disagree_until_they_agree(workspace: Workspace, items: list[int]) -> None:
    judge(workspace, "alpha", items[0], Action.ACCEPT)
    assert items[0] in asked(workspace, "beta")
    assert items[0] in asked(workspace, "gamma")
    rejected = judge(workspace, "beta", items[0], Action.REJECT)
    assert items[0] in asked(workspace, "gamma")
    assert items[0] not in asked(workspace, "alpha")
    assert progress(workspace, "gamma") == Progress(done=0, total=6, mine=0, settled=0, unsure=0)
    judge(workspace, "beta", items[0], Action.ACCEPT)  # a change of mind
    assert items[0] not in asked(workspace, "gamma")
    assert progress(workspace, "gamma") == Progress(done=1, total=6, mine=0, settled=1, unsure=0)
    judge(workspace, "beta", items[0], Action.REJECT)
    assert items[0] in asked(workspace, "gamma")
    extra = judge(workspace, "gamma", items[0], Action.ACCEPT)
    assert progress(workspace, "gamma") == Progress(done=1, total=6, mine=1, settled=1, unsure=0)
    decisions.append(workspace, [NewDecision("back", "gamma", Action.UNDO, undoes=extra)])
    assert items[0] in asked(workspace, "gamma")
    assert rejected


def test_undo_takes_a_disagreement_away(workspace: Workspace, items: list[int]) -> None:
    judge(workspace, "alpha", items[0], Action.ACCEPT)
    number = judge(workspace, "beta", items[0], Action.REJECT)
    assert progress(workspace, "alpha").settled == 0
    decisions.append(workspace, [NewDecision("back", "beta", Action.UNDO, undoes=number)])
    assert items[0] in asked(workspace, "beta")  # it lacks a second answer, not a third
    judge(workspace, "gamma", items[0], Action.ACCEPT)
    assert progress(workspace, "alpha").settled == 1
    assert items[0] not in asked(workspace, "beta")


@pytest.mark.parametrize(
    ("second", "changes", "third"),
    [
        (Action.ACCEPT, {}, False),
        (Action.REJECT, {}, True),
        (Action.UNSURE, {}, False),
        (Action.FIX, {"assertion": Assertion.NEGATED}, True),
        (Action.FIX, {"concept": FOCAL, "label": "Focal-onset seizure"}, True),
        (Action.FIX, {"concept_class": ConceptClass.LOGICALLY_IMPLICIT}, False),  # says the same of the text
        (Action.FIX, {"concept_class": ConceptClass.NOT_RELEVANT}, True),
        (Action.FIX, {"spans": ()}, False),
    ],
)
def test_what_counts_as_disagreement(
    workspace: Workspace, items: list[int], second: Action, changes: dict[str, Any], third: bool
) -> None:
    judge(workspace, "alpha", items[0], Action.ACCEPT)
    judge(workspace, "beta", items[0], second, **changes)
    assert (items[0] in asked(workspace, "gamma")) is third


def test_two_who_reject_agree(workspace: Workspace, items: list[int]) -> None:
    for curator in ("alpha", "beta"):
        judge(workspace, curator, items[0], Action.REJECT)
    assert items[0] not in asked(workspace, "gamma")


def test_who_was_unsure_may_disagree_later(workspace: Workspace, items: list[int]) -> None:
    judge(workspace, "alpha", items[0], Action.ACCEPT)
    judge(workspace, "beta", items[0], Action.UNSURE)
    assert items[0] not in asked(workspace, "gamma")
    judge(workspace, "beta", items[0], Action.REJECT)
    assert items[0] in asked(workspace, "gamma")


def test_two_curators_each_are_the_least_that_an_overlap_leaves(
    workspace: Workspace, items: list[int]
) -> None:
    judge(workspace, "alpha", items[0], Action.ACCEPT)
    judge(workspace, "beta", items[0], Action.REJECT)
    assert items[0] not in asked(workspace, "gamma", Filters("ward", answers=2))
    half = Filters("ward", answers=2, overlap=0.5)
    inside = [drawn(names(workspace, "concept")[item], 0.5) for item in items]
    assert 0 < sum(inside) < 6
    needs = index_of(workspace).needs(workspace, half)
    assert [int(needs[item]) for item in items] == [3 if inside[0] else 2, 2, 2, 2, 2, 2]


# --- the draw ---------------------------------------------------------------------------------------------


def test_a_larger_share_holds_the_smaller_one_whoever_looks(tmp_path: Path) -> None:
    clinic.many(tmp_path / "many.db", {"ward": 100})
    with open_workspace(tmp_path / "many.db") as workspace:
        units = names(workspace, "concept")
        index, held = index_of(workspace), set[int]()
        for share in (0.05, 0.1, 0.2, 0.5, 1.0):
            needs = index.needs(workspace, Filters("ward", overlap=share))
            found = {item for item in units if needs[item] == 2}
            assert found == {item for item, unit in units.items() if drawn(unit, share)}
            assert held < found
            held = found
        assert held == set(units)
        other = index.needs(workspace, Filters("ward", overlap=0.2, seed="another"))
        assert {item for item in units if other[item] == 2} == {
            item for item, unit in units.items() if drawn(unit, 0.2, "another")
        }


def test_what_a_new_run_proposes_is_drawn_too(workspace: Workspace, items: list[int]) -> None:
    share = Filters("ward", overlap=0.5)
    index_of(workspace).needs(workspace, share)
    passages = {row[1]: row[0] for row in workspace.db.execute("SELECT id, doc_id FROM passages")}
    add_run(workspace, {passages["d3"]: [draft(FOCAL), draft(SEIZURE), draft(HYPOTONIA)]}, "later")
    needs = index_of(workspace).needs(workspace, share)
    for item, unit in names(workspace, "concept").items():
        assert needs[item] == 1 + drawn(unit, 0.5), unit


def test_only_answers_that_changed_are_compared(
    workspace: Workspace, items: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[list[int]] = []
    plain = store.judged

    def judged(on: Workspace, some: list[int]) -> dict[int, list[Judged]]:
        read.append(some)
        return plain(on, some)

    monkeypatch.setattr(store, "judged", judged)
    for item in items[:3]:
        judge(workspace, "alpha", item, Action.ACCEPT)
    asked(workspace, "gamma")
    assert read == []  # nobody answered a second time yet
    judge(workspace, "beta", items[1], Action.REJECT)
    asked(workspace, "gamma")
    asked(workspace, "beta")
    judge(workspace, "beta", items[2], Action.REJECT)
    judge(workspace, "beta", items[4], Action.REJECT)
    asked(workspace, "gamma")
    assert read == [[items[1]], [items[2]]]


def test_a_queue_without_overlap_draws_and_compares_nothing(
    workspace: Workspace, items: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("read for nothing")

    monkeypatch.setattr(store, "judged", never)
    monkeypatch.setattr(store, "units", never)
    for curator in ("alpha", "beta"):
        judge(workspace, curator, items[0], Action.REJECT)
    assert asked(workspace, "gamma", Filters("ward", answers=2)) == items[1:]


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(
        InputError, match=f"between 0 and 1, not at {share}. For a tenth of the items give 0.1"
    ):
        Filters("ward", overlap=share)


@pytest.mark.parametrize("seed", ["", "x" * 101])
def test_a_seed_that_is_none_is_refused(seed: str) -> None:
    with pytest.raises(InputError, match="text of 1 to 100 characters"):
        PairFilters("trials", overlap=0.1, seed=seed)
