"""What evaluations of one run share: readings, and a pause of the garbage collector."""

import gc

import pytest

from core.evaluate import ReviewedEvaluation, Settings, evaluate_run, matching, scope
from core.evaluate.garbage import paused
from core.evaluate.readings import Readings
from core.metrics.documents import compare
from core.store import open_workspace, runs
from core.store.gold import corrected
from tests.evaluate import ward

FAMILIES = "attribution,assertions,spans,auprc,gold_quality"


def shown(result):
    """Everything that can be seen of both sides."""
    return [
        (side.families["corpus"].estimates, side.beside, side.to_json()["families"], side.outcomes)
        for side in (result.before, result.after)
    ]


def test_later_evaluations_read_nothing_twice_and_find_the_same(workspace):
    ids = ward.fill(workspace)
    ward.review(workspace, ids)
    settings = Settings.parse(families=FAMILIES, bootstrap=100)
    alone = evaluate_run(workspace, ward.RUN, ward.GOLD, settings)
    readings = Readings()
    with open_workspace(workspace.path, create=False) as first:
        earlier = evaluate_run(first, ward.RUN, ward.GOLD, readings=readings)
    # the first workspace is closed by now: what it did not read is read from the second
    shared = evaluate_run(workspace, ward.RUN, ward.GOLD, settings, earlier=earlier, readings=readings)
    assert shown(shared) == shown(alone)
    with workspace.write() as db:
        db.execute("DROP TABLE evidence")  # nobody can read a place any more
    again = evaluate_run(workspace, ward.RUN, ward.GOLD, settings, earlier=earlier, readings=readings)
    assert shown(again) == shown(alone)


@pytest.mark.parametrize("root", [None, ward.A])
def test_after_a_decision_only_what_it_changed_is_matched_anew(workspace, monkeypatch, root):
    ids, readings = ward.fill(workspace), Readings()
    chosen = scope(workspace, "hp", root)
    past = evaluate_run(workspace, ward.RUN, ward.GOLD, scope=chosen, readings=readings)
    ward.review(workspace, ids)  # decides on d1 and d2
    alone = evaluate_run(workspace, ward.RUN, ward.GOLD, scope=chosen)
    matched = []

    def counting(gold, predicted, **known):
        matched.append(sorted(predicted))
        return compare(gold, predicted, **known)

    monkeypatch.setattr(matching, "compare", counting)
    then = readings.at_next_revision()
    earlier = ReviewedEvaluation(past.before)
    found = evaluate_run(workspace, ward.RUN, ward.GOLD, None, chosen, earlier=earlier, readings=then)
    assert matched == [["d1", "d2"]]
    assert shown(found) == shown(alone)
    assert [side.notes for side in found.sides] == [side.notes for side in alone.sides]
    assert found.to_json() == alone.to_json()


def test_readings_of_another_scope_are_kept_apart(workspace):
    ids = ward.fill(workspace)
    ward.review(workspace, ids)
    settings, readings = Settings.parse(families=FAMILIES, bootstrap=100), Readings()
    for root in (None, ward.A, ward.D):
        chosen = scope(workspace, "hp", root)
        shared = evaluate_run(workspace, ward.RUN, ward.GOLD, settings, chosen, readings=readings)
        assert shown(shared) == shown(evaluate_run(workspace, ward.RUN, ward.GOLD, settings, chosen))


def test_documents_that_review_left_as_they_were_are_the_same_object(workspace):
    ids = ward.fill(workspace)
    ward.review(workspace, ids)  # decides on d1 and d2
    raw = runs.predictions(workspace, ward.RUN)
    found = corrected(workspace, ward.RUN, "curator=alpha", raw=raw)
    assert found == corrected(workspace, ward.RUN, "curator=alpha")
    assert [d for d in sorted(raw) if found[d] is raw[d]] == ["d3", "d4"]
    assert raw == runs.predictions(workspace, ward.RUN)


def test_the_collector_pauses_until_the_last_has_left_and_is_as_it_was():
    @paused()
    def fails():
        with paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
        return 1 / 0

    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError):
        fails()
    assert gc.isenabled()
    gc.disable()
    try:
        with paused(), paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
