"""Counts and trails of a run of claim pairs that was written by hand (tests/store/pairing.py)."""

from __future__ import annotations

import pytest

from core.errors import NotFoundError
from core.records import Origin, StageRecord, Tier
from core.store import Workspace, pair_tally, pair_trail, runs
from core.store.pair_trail import Narrowed
from tests.store.pairing import RUN, Paired, pair_up

KIND = {"kind": "invalid"}


@pytest.fixture
def paired(workspace: Workspace) -> Paired:
    return pair_up(workspace)


def test_a_pair_fails_until_the_model_labels_it(workspace: Workspace, paired: Paired) -> None:
    first, second = paired.pairs
    with workspace.write() as db:
        failed = [
            StageRecord("annotate", p.a.passage_id, p.pair_id, "failed", "no reply", None, KIND)
            for p in (first, second)
        ]
        runs.add_stage_records(db, RUN, failed)
    found = pair_tally.failed_pairs(workspace, RUN)
    assert list(found) == [second.id], "the first has the model's label"
    assert (found[second.id].kind, found[second.id].tier) == ("invalid", "full")
    assert pair_tally.unasked(workspace, RUN, tuple(Tier), ()) == 1
    assert pair_tally.unasked(workspace, RUN, tuple(Tier), found) == 0
    assert pair_tally.unasked(workspace, RUN, (Tier.PILOT,), ()) == 0
    rows = pair_trail.pair_rows(workspace, RUN, Narrowed(failed=True))
    assert [(row.item_id, row.failed) for row in rows] == [(second.item_id, "invalid")]
    assert pair_trail.count_pairs(workspace, RUN, Narrowed(failed=True)) == 1


def test_lists_narrow_by_the_silver_label(workspace: Workspace, paired: Paired) -> None:
    every = pair_trail.pair_rows(workspace, RUN, Narrowed())
    assert [row.item_id for row in every] == [pair.item_id for pair in paired.pairs]
    for row in every:
        silver = row.model or row.heuristic
        of_type = pair_trail.pair_rows(workspace, RUN, Narrowed(conflict_type=silver))
        assert row.item_id in [one.item_id for one in of_type]
    assert pair_trail.count_pairs(workspace, RUN, Narrowed(domain="nowhere")) == 0
    assert len(pair_trail.pair_rows(workspace, RUN, Narrowed(), limit=1, offset=1)) == 1
    in_order = [row.item_id for row in every]
    assert pair_trail.pair_items(workspace, RUN, Narrowed(), len(every)) == in_order
    assert pair_trail.pair_items(workspace, RUN, Narrowed(), 1) == in_order[:1]


def test_the_trail_of_a_pair_holds_both_labels(workspace: Workspace, paired: Paired) -> None:
    first = paired.pairs[0]
    found = pair_trail.pair_trail(workspace, RUN, first.item_id)
    assert found.pair == first
    assert [one.label.origin for one in found.labels] == [Origin.MODEL, Origin.HEURISTIC]
    assert found.task.a.text[first.a.start : first.a.end] == first.a.text
    for item in (0, 10_000):
        with pytest.raises(NotFoundError):
            pair_trail.pair_trail(workspace, RUN, item)


def test_the_funnel_counts_by_domain(workspace: Workspace, paired: Paired) -> None:
    found = pair_tally.pair_tally(workspace, RUN)
    assert sum(found.pairs.values()) == len(paired.pairs)
    assert found.pairs == {"pilot": 1, "full": 1}
    assert sum(found.claims.values()) == 4
    by_model = found.labels(Origin.MODEL)
    assert sum(by_model.values()) == 1
    assert sum(found.agreement.values()) == 1, "one pair has both labels"
