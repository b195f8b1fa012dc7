"""Two evaluations on one gold, compared by hand and as statsmodels and SciPy do it."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from core.errors import InputError
from core.evaluate import Settings, evaluate
from core.evaluate.comparison import compare_on_gold, compare_scores
from core.records import Assertion, GoldSet
from tests.evaluate import ward
from tests.evaluate.ward import AFFIRMED, NEGATED, A, B, C, D, E

YES = Assertion.AFFIRMED
GOLD = {"d1": {"a", "b"}, "d2": {"c"}, "d3": {"d"}, "d4": set(), "d5": {"a"}}
FIRST = {"d1": {"a", "x"}, "d2": {"y"}, "d3": {"d"}, "d4": {"z"}, "d5": {"b"}}
SECOND = {"d1": {"a", "b"}, "d2": {"c", "y"}, "d3": set(), "d4": {"z"}, "d5": {"a"}}
# F1 of the first: 1/2, 0, 1, 0, 0; of the second: 1, 2/3, 0, 0, 1


def statuses(sets):
    return {doc_id: dict.fromkeys(concepts, YES) for doc_id, concepts in sets.items()}


def scored(said, name, gold=GOLD, **options):
    held = GoldSet("file:gold@1", statuses(gold), frozenset(gold))
    return evaluate(held, statuses(said), Settings(bootstrap=200, **options), name=name)


@pytest.fixture(scope="module")
def found():
    return compare_scores(scored(FIRST, "first"), scored(SECOND, "second"))


def table(found, name):
    return next(t for t in found.result.tables if t.name == name)


def ids(items):
    return [(i.doc_id, i.id, i.outcome) for i in items]


def test_differences_are_second_minus_first(found):
    # macro F1 (1/2 + 1) / 5 = 3/10 and (1 + 2/3 + 1) / 5 = 8/15
    assert found.differences["macro_f1"].estimate.value == pytest.approx(8 / 15 - 0.3, abs=1e-9)
    # first: TP 2 (d1 a, d3 d), FP 4 (x, y, z, b), FN 3; second: TP 4 (a, b, c, a), FP 2 (y, z), FN 1
    assert found.differences["micro_precision"].estimate.value == pytest.approx(4 / 6 - 2 / 6, abs=1e-9)
    assert found.differences["micro_recall"].estimate.value == pytest.approx(4 / 5 - 2 / 5, abs=1e-9)
    rows = {row[0]: row for row in table(found, "differences").rows}
    assert rows["Macro F1"][1:3] == (pytest.approx(0.3), pytest.approx(8 / 15))
    assert found.documents == 5


def test_tests_are_two_sided(found):
    changes = [1 / 2, 2 / 3, -1, 0, 1]
    assert found.t_test.p == pytest.approx(stats.ttest_1samp(changes, 0).pvalue, abs=1e-9)
    assert found.wilcoxon.p == pytest.approx(stats.wilcoxon([c for c in changes if c]).pvalue, abs=1e-9)
    # only the first: d (d3 is missed by the second); only the second: b and not x in d1, c in d2, a and not
    # b in d5. p = 2 · P(X ≤ 1), X ~ Bin(6, 1/2): 2 · 7/64
    assert (found.mcnemar.first, found.mcnemar.second) == (1, 5)
    assert found.mcnemar.p == pytest.approx(2 * 7 / 64, abs=1e-9)
    assert found.mcnemar.p == pytest.approx(mcnemar([[3, 1], [5, 2]], exact=True).pvalue, abs=1e-9)
    assert [row[-1] for row in table(found, "tests").rows] == ["not shown"] * 4


def test_cells_open_who_is_right(found):
    opened = found.result.open
    items = table(found, "items")
    assert items.rows == [("B right", 1, 5), ("B wrong", 1, 2)]
    for i, row in enumerate(items.rows):
        for j in (1, 2):
            assert len(opened(items.key_at(i, j))) == row[j]
    assert ids(opened(items.key_at(0, 1))) == [("d1", "a", "tp")]
    assert ids(opened(items.key_at(0, 2))) == [
        ("d1", "b", "fn"),
        ("d1", "x", "fp"),
        ("d2", "c", "fn"),
        ("d5", "a", "fn"),
        ("d5", "b", "fp"),
    ]
    assert ids(opened(items.key_at(1, 1))) == [("d3", "d", "fn")]
    assert ids(opened(items.key_at(1, 2))) == [("d2", "y", "fp"), ("d4", "z", "fp")]
    assert {i.detail for i in opened(items.key_at(0, 2))} == {"only B right"}


def test_documents_open_by_who_is_better(found):
    documents = table(found, "documents")
    assert documents.rows == [("B has the higher F1", 3), ("A has the higher F1", 1), ("equal F1", 1)]
    assert [{i.doc_id for i in found.result.open(documents.key_at(row, 1))} for row in range(3)] == [
        {"d1", "d2", "d5"},
        {"d3"},
        {"d4"},
    ]


def test_every_key_opens_and_no_other(found):
    for t in found.result.tables:
        for row in t.opens:
            for key in row:
                assert key is None or isinstance(found.result.open(key), list)
    first = {i.outcome for i in found.result.open("a:micro_recall")}
    assert first == {"tp", "fn"}
    with pytest.raises(KeyError):
        found.result.open("a:kappa")


def test_a_run_against_itself_differs_by_nothing():
    same = compare_scores(scored(FIRST, "first"), scored(FIRST, "again"))
    assert {d.estimate.value for d in same.differences.values()} == {0.0}
    assert {d.p for d in same.differences.values()} == {1.0}
    assert (same.t_test.p, same.wilcoxon.p, same.mcnemar.p) == (None, None, None)
    reasons = [row[-1] for row in table(same, "tests").rows]
    assert reasons[0] == "not shown"
    assert all("agree" in r or "no item" in r for r in reasons[1:])


def test_without_resamples_there_is_no_interval_and_no_bootstrap_test():
    a, b = (scored(side, "x") for side in (FIRST, SECOND))
    settings = Settings(bootstrap=0)
    bare = [
        evaluate(GoldSet("file:gold@1", statuses(GOLD), frozenset(GOLD)), statuses(s), settings)
        for s in (FIRST, SECOND)
    ]
    found = compare_scores(*bare)
    assert found.differences["macro_f1"].p is None
    assert found.differences["macro_f1"].estimate.low is None
    assert table(found, "tests").rows[0][-1] == "No resamples were drawn."
    assert found.t_test == compare_scores(a, b).t_test


def test_documents_without_an_f1_are_named():
    # skipping documents with nothing on either side: d4 leaves one side only
    silent = FIRST | {"d4": set()}
    found = compare_scores(scored(silent, "first", vacuous="skip"), scored(SECOND, "second", vacuous="skip"))
    assert found.documents == 4
    assert "compared nowhere: 1" in found.result.notes[0]


def test_nothing_in_common_is_undefined_and_says_so():
    empty = scored({}, "x", gold={})
    found = compare_scores(empty, empty)
    assert found.documents == 0
    assert {d.estimate.value for d in found.differences.values()} == {None}
    assert {row[-1] for row in table(found, "tests").rows} == {
        "The gold standard holds no documents.",
        "No document is scored in both.",
        "There is no item that only one of the two gets right.",
    }


def test_only_what_was_scored_alike_is_compared():
    other = scored(SECOND, "second", assertions=(Assertion.AFFIRMED,))
    with pytest.raises(InputError, match="assertions differ"):
        compare_scores(scored(FIRST, "first"), other)


def test_every_family_of_both_has_paired_differences():
    a, b = (
        scored(s, n, families=("corpus", "assertions")) for s, n in ((FIRST, "first"), (SECOND, "second"))
    )
    found = compare_scores(a, b)
    # affirmed alone is in play, so the joint F1 is the micro F1: 4/11 and 8/11
    joint, p = found.families["assertions"]["joint_f1"]
    assert joint.value == pytest.approx(8 / 11 - 4 / 11, abs=1e-9)
    sides = [e.families["assertions"].resampled["joint_f1"] for e in (a, b)]
    assert [joint.low, joint.high] == pytest.approx(np.percentile(sides[1] - sides[0], [2.5, 97.5]), abs=1e-9)
    assert p == pytest.approx(found.differences["micro_f1"].p, abs=1e-9)
    t = table(found, "assertions_differences")
    row = [row[0] for row in t.rows].index("Joint F1")
    assert t.rows[row][1:3] == (pytest.approx(4 / 11), pytest.approx(8 / 11))
    assert found.result.open(t.key_at(row, 2)) == b.families["assertions"].open("joint_f1")
    assert found.to_json()["families"]["assertions"]["joint_f1"]["p"] == p


def test_a_value_that_needs_mentions_opens_nothing_where_there_are_none():
    both = ("corpus", "assertions")
    found = compare_scores(scored(FIRST, "first", families=both), scored(SECOND, "second", families=both))
    t = table(found, "assertions_differences")
    opened = {key: found.result.open(key) for row in t.opens for key in row if key}
    assert opened["a:assertions/joint_mention_f1"] == []
    assert opened["a:assertions/joint_f1"] != []


def test_other_documents_are_not_paired():
    fewer = {d: c for d, c in GOLD.items() if d != "d5"}
    both = ("corpus", "assertions")
    a, b = scored(FIRST, "first", families=both), scored(SECOND, "second", gold=fewer, families=both)
    joint, p = compare_scores(a, b).families["assertions"]["joint_f1"]
    assert joint.value is not None
    assert (joint.low, joint.high, p) == (None, None, None)


def test_families_counted_otherwise_are_not_compared():
    both = ("corpus", "assertions")
    with pytest.raises(InputError, match="options of families differ"):
        compare_scores(
            scored(FIRST, "first", families=both), scored(SECOND, "second", families=both, alike=0.9)
        )


def test_two_runs_of_a_workspace(workspace):
    ids = ward.fill(workspace)
    with workspace.write() as db:
        corpus, ontology = db.execute("SELECT corpus_id, ontology_id FROM runs").fetchone()
        said = {"d1": [(A, AFFIRMED), (B, AFFIRMED)], "d2": [(C, AFFIRMED), (D, NEGATED)]}
        ward.add_run(db, "lexicon-2", corpus, ontology, {ids[d]: drafts for d, drafts in said.items()})
    found = compare_on_gold(workspace, ward.RUN, "lexicon-2", ward.GOLD, Settings(bootstrap=100))
    # lexicon-1: A right, E spurious, B missed | C right, D spurious | | A right. lexicon-2: misses A in d4
    assert (found.mcnemar.first, found.mcnemar.second) == (1, 3)
    assert [(i.doc_id, i.id) for i in found.result.open("items:only_b")] == [("d1", B), ("d1", E), ("d2", D)]
    assert found.labels[B] == "Bruising"
    assert found.to_json()["mcnemar"]["p"] == pytest.approx(10 / 16)  # 2 · P(X ≤ 1), X ~ Bin(4, 1/2)
