"""The queue of claim pairs: order, filters, who differs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.records import Axis, ConflictType, Origin, Tier
from core.review.walks.pair import PairFilters, PairOrder, index_of
from core.store import Workspace
from tests.review.pairs.library import IN_DENMARK as A
from tests.review.pairs.library import IN_VIETNAM as B
from tests.review.pairs.library import Draft, Library, contextual, direct, furnish, shelve

HERE = PairFilters("trials")


def order(workspace: Workspace, filters: PairFilters) -> list[int]:
    return index_of(workspace).order(filters).tolist()


@pytest.fixture
def shelf(workspace: Workspace) -> Library:
    """Eight pairs whose queue order is not that of their ids."""
    ungrounded = direct(A, B, evidence=(contextual("", "").evidence[0],))
    drafts = [
        Draft(A + "0", B, (contextual(A, B),), Tier.FULL, 0.9),
        Draft(A + "1", B, (contextual(A, B), direct(A, B)), Tier.PILOT, 0.3),
        Draft(A + "2", B, (contextual(A, B, confidence=None),), Tier.PILOT, 0.6),
        Draft(A + "3", B, (ungrounded,), Tier.FULL, 0.4, "oncology"),
        Draft(A + "4", B, (direct(A, B, confidence=0.2),), Tier.DEVELOPMENT, 0.5, "oncology"),
        Draft(A + "5", B, (contextual(A, B, repaired=True), direct(A, B)), Tier.FULL, 0.5),
        Draft(A + "6", B, (contextual(A, B), contextual(A, B, Origin.HEURISTIC)), Tier.FULL, 0.95),
        Draft(
            *(A + "7", B),
            (contextual(A, B), contextual(A, B, Origin.HEURISTIC, confounder=Axis.GEOGRAPHY)),
            *(Tier.FULL, 0.1),
        ),
    ]
    return shelve(workspace, drafts)


def places(shelf: Library, ids: list[int]) -> list[int]:
    return [shelf.items.index(item) for item in ids]


def test_flagged_pairs_come_first_then_tier_by_tier_by_score(workspace: Workspace, shelf: Library) -> None:
    assert places(shelf, order(workspace, HERE)) == [5, 3, 2, 1, 4, 6, 0, 7]


def test_the_least_confident_first(workspace: Workspace, shelf: Library) -> None:
    """Flagged: 0.41 and 0.82. Then none stated, 0.2, and five of 0.82 by tier and score."""
    found = places(shelf, order(workspace, replace(HERE, order=PairOrder.CONFIDENCE)))
    assert found == [3, 5, 2, 4, 1, 6, 0, 7]


def test_where_annotators_differ_first(workspace: Workspace, shelf: Library) -> None:
    """Types differ in 5 (flagged) and 1, the confounder in 7."""
    found = places(shelf, order(workspace, replace(HERE, order=PairOrder.DISAGREEMENT)))
    assert found == [5, 3, 1, 7, 2, 4, 6, 0]


def test_the_likeliest_conflict_first_and_by_tier_or_score_where_asked(workspace: Workspace) -> None:
    """Repaired first; then by likelihood; pairs that bear none behind, tier by tier and by score."""
    told = contextual(A, B)
    shelf = shelve(
        workspace,
        [
            Draft(A + "0", B + "0", (told,), Tier.FULL, 0.9, likelihood=0.1),
            Draft(A + "1", B + "1", (told,), Tier.PILOT, 0.3, likelihood=0.3),
            Draft(A + "2", B + "2", (told,), Tier.FULL, 0.2, likelihood=0.8),
            Draft(A + "3", B + "3", (told,), Tier.FULL, 0.95),
            Draft(A + "4", B + "4", (told,), Tier.PILOT, 0.1),
            Draft(A + "5", B + "5", (replace(told, repaired=True),), Tier.FULL, 0.5, likelihood=0.0),
        ],
    )
    expected = {
        PairOrder.LIKELIHOOD: [5, 2, 1, 0, 4, 3],
        PairOrder.TIER: [5, 1, 4, 2, 0, 3],
        PairOrder.SCORE: [5, 3, 0, 1, 2, 4],
    }
    for chosen, places_ in expected.items():
        assert places(shelf, order(workspace, replace(HERE, order=chosen))) == places_


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"tier": Tier.PILOT}, [2, 1]),
        ({"domain": "oncology"}, [3, 4]),
        ({"domain": "nowhere"}, []),
        ({"origin": Origin.HEURISTIC}, [3, 4]),  # where no model has spoken
        ({"conflict_type": ConflictType.DIRECT_CONTRADICTION}, [3, 4]),  # the silver label's type
        ({"conflict_type": ConflictType.CONTEXTUAL_CONTRADICTION, "tier": Tier.FULL}, [5, 6, 0, 7]),
        ({"run": "alpha", "tier": Tier.DEVELOPMENT}, [4]),
        ({"run": "another"}, []),
        ({"corpus": "another"}, []),
    ],
)
def test_filters(
    workspace: Workspace, shelf: Library, filters: dict[str, object], expected: list[int]
) -> None:
    assert places(shelf, order(workspace, replace(HERE, **filters))) == expected  # type: ignore[arg-type]


def test_what_is_labelled_later_takes_its_place(workspace: Workspace) -> None:
    first = furnish(workspace)
    assert order(workspace, HERE) == list(first.items)
    assert index_of(workspace).domains("trials") == ["infectious_disease"]
    second = shelve(
        workspace, [Draft(A, B, (contextual(A, B),), Tier.PILOT, 0.7, "genomics")], corpus="more", run="beta"
    )
    assert order(workspace, HERE) == list(first.items)
    assert order(workspace, PairFilters("more")) == list(second.items)
    assert index_of(workspace).domains("more") == ["genomics"]


def test_nothing_labelled_is_an_empty_queue(workspace: Workspace) -> None:
    for chosen in PairOrder:
        assert order(workspace, replace(HERE, order=chosen)) == []
