"""A run of a workspace before and after review, worked out by hand (see ward.py)."""

import json

import pytest

from core.errors import InputError, NotFoundError
from core.evaluate import Settings, compare_runs, evaluate_run, scope
from core.store import corpora, decisions, ontologies, runs
from tests.evaluate import ward
from tests.evaluate.ward import AFFIRMED, GOLD, RUN, UNCERTAIN, A, B, C, D, E


@pytest.fixture
def ids(workspace):
    return ward.fill(workspace)


@pytest.fixture
def reviewed(workspace, ids):
    ward.review(workspace, ids)
    return workspace


def values(evaluation, average):
    return [evaluation.estimate(f"{average}_{m}").value for m in ("precision", "recall", "f1")]


def test_before_any_review(workspace, ids):
    found = evaluate_run(workspace, RUN, GOLD)
    assert (found.after, found.review, found.difference) == (None, None, None)
    assert values(found.before, "micro") == pytest.approx([3 / 5, 3 / 4, 2 / 3])
    assert values(found.before, "macro") == pytest.approx([3 / 4, 7 / 8, (1 / 2 + 2 / 3 + 1 + 1) / 4])
    assert values(found.before, "weighted") == pytest.approx([2.5 / 4, 3 / 4, (1 + 2 / 3 + 1) / 4])
    assert found.before.predictions == RUN
    assert found.before.gold == GOLD
    assert found.before.exhaustive is True
    assert found.before.scope == "hp@test"
    assert found.before.labels[E] == "=Eczema"
    assert found.before.families["corpus"].totals.vacuous == 1


def test_after_review_against_the_same_imported_gold(reviewed):
    found = evaluate_run(reviewed, RUN, GOLD)
    assert found.review == "reviewed@6:curator=alpha"
    assert not found.is_circular
    for average in ("micro", "macro", "weighted"):
        assert values(found.after, average) == [1.0, 1.0, 1.0]
    assert values(found.before, "micro") == pytest.approx([3 / 5, 3 / 4, 2 / 3])  # the raw run stays raw
    assert found.difference["corpus"]["micro_f1"].value == pytest.approx(1 / 3)
    assert found.difference["corpus"]["micro_f1"].low >= 0
    assert found.before.gold == found.after.gold


def test_against_the_reviewed_gold(reviewed):
    found = evaluate_run(reviewed, RUN, "reviewed@now:curator=alpha")
    assert found.before.gold == "reviewed@6:curator=alpha"
    d1, d2 = found.before.outcomes
    assert (d1.tp, d1.fp, d1.fn, d1.complete) == ((A,), (E,), (B,), True)
    assert (d2.tp, d2.fp, d2.fn, d2.undecided, d2.complete) == ((), (D,), (), (C,), False)
    assert values(found.before, "micro") == pytest.approx([1 / 3, 1 / 2, 1 / 2])
    assert [found.before.estimate(f"micro_{m}").n for m in ("precision", "recall")] == [2, 1]
    assert found.before.beside["excluded"] == 1
    assert found.before.beside["unscored_documents"] == 2
    assert found.is_circular
    assert values(found.after, "micro") == [1.0, 1.0, 1.0]
    assert found.after.estimate("micro_precision").n == 1


def test_an_earlier_decision_number_gives_the_review_as_it_was(reviewed):
    found = evaluate_run(reviewed, RUN, GOLD, review="reviewed@2:curator=alpha")
    assert found.review == "reviewed@2:curator=alpha"
    assert values(found.after, "micro") == pytest.approx([3 / 4, 3 / 4, 3 / 4])  # E is gone, B not yet there


def test_review_of_two_curators_is_the_adjudicated_one_unless_named(reviewed, ids):
    decisions.add_curator(reviewed, "beta", "Beta")
    ward.review(reviewed, ids, "beta")
    assert evaluate_run(reviewed, RUN, GOLD).review == "reviewed@12:adjudicated"
    named = evaluate_run(reviewed, RUN, GOLD, review="reviewed@now:curator=beta")
    assert named.review == "reviewed@12:curator=beta"


def test_only_concepts_below_a_root(workspace, ids):
    found = evaluate_run(workspace, RUN, GOLD, scope=scope(workspace, "hp", A)).before
    # A and B are left: d1 A right, B missed; d4 A right; the others hold nothing
    assert values(found, "micro") == pytest.approx([1.0, 2 / 3, 4 / 5])
    assert found.scope == f"{A} and below, hp@test"
    assert found.families["corpus"].totals.vacuous == 2
    by_old_id = scope(workspace, "hp", ward.OLD_A)
    assert by_old_id.name == f"{A} and below, hp@test"


def test_a_scope_needs_an_ontology_that_holds_its_root(workspace, ids):
    with pytest.raises(InputError, match="--ontology"):
        scope(workspace, None, A)
    with pytest.raises(InputError, match="holds no concept 'HP:404'"):
        scope(workspace, "hp", "HP:404")
    assert scope(workspace).keep is None


def test_settings_reach_both_sides(reviewed):
    found = evaluate_run(reviewed, RUN, GOLD, Settings.parse(assertions="affirmed", bootstrap=100))
    assert [o.fn for o in found.before.outcomes][1] == (C,)  # the run says uncertain
    assert found.before.settings == found.after.settings
    assert {values.shape for values in found.after.families["corpus"].resampled.values()} == {(100,)}


def test_families_on_top_of_an_earlier_evaluation_are_as_scored_anew(reviewed):
    earlier = evaluate_run(reviewed, RUN, GOLD)
    more = Settings(families=("corpus", "assertions"))
    again = evaluate_run(reviewed, RUN, GOLD, more, earlier=earlier)
    assert again.to_json() == evaluate_run(reviewed, RUN, GOLD, more).to_json()
    assert again.after.families["corpus"] is earlier.after.families["corpus"]


def test_an_earlier_evaluation_that_counted_otherwise_is_no_help(reviewed):
    earlier = evaluate_run(reviewed, RUN, GOLD)
    for other in (Settings(assertions=(AFFIRMED,)), Settings(vacuous="zero"), Settings(bootstrap=100)):
        found = evaluate_run(reviewed, RUN, GOLD, other, earlier=earlier)
        assert found.to_json() == evaluate_run(reviewed, RUN, GOLD, other).to_json()


def test_json_has_the_raw_evaluation_at_the_top_and_the_review_beside_it(reviewed):
    found = json.loads(json.dumps(evaluate_run(reviewed, RUN, GOLD).to_json(), allow_nan=False))
    micro_f1 = found["families"]["corpus"]["estimates"]["micro_f1"]["value"]
    assert micro_f1 == pytest.approx(2 / 3)
    assert found["after_review"]["families"]["corpus"]["estimates"]["micro_f1"]["value"] == 1.0
    assert found["difference"]["corpus"]["micro_f1"]["value"] == pytest.approx(1 - micro_f1)
    assert found["review"] == "reviewed@6:curator=alpha"


def test_unknown_names_are_refused(workspace, ids):
    with pytest.raises(NotFoundError, match="lexicon-1"):
        evaluate_run(workspace, "nope", GOLD)
    with pytest.raises(NotFoundError, match="imported:ward@1"):
        evaluate_run(workspace, RUN, "imported:ward@2")
    with pytest.raises(InputError, match="gold reference"):
        evaluate_run(workspace, RUN, "gold")


def test_two_runs_compared(workspace, ids):
    corpus = corpora.corpus(workspace, "ward").id
    ontology = ontologies.find_ontology(workspace, "hp").id
    with workspace.write() as db:
        said = {ids["d1"]: [(A, UNCERTAIN), (B, AFFIRMED)], ids["d4"]: [(A, AFFIRMED)]}
        ward.add_run(db, "other", corpus, ontology, said)
    found = compare_runs(workspace, RUN, "other")
    assert (found.both, found.only_a, found.only_b, found.documents) == (2, 3, 1, 4)
    assert found.pairwise_f1 == pytest.approx(2 * 2 / (5 + 3))
    assert found.same_status == 0.5
    back = compare_runs(workspace, "other", RUN)
    assert (back.only_a, back.only_b, back.pairwise_f1) == (1, 3, found.pairwise_f1)


def test_runs_of_different_corpora_are_not_compared(workspace, ids):
    with workspace.write() as db:
        other = corpora.create_corpus(db, "clinic")
        runs.begin_run(
            db,
            "elsewhere",
            kind="concepts",
            source="x",
            corpus_id=other,
            ontology_id=None,
            settings={},
            fingerprint="f",
        )
    with pytest.raises(InputError, match="clinic, ward"):
        compare_runs(workspace, RUN, "elsewhere")
