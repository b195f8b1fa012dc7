"""U-RC and U-CS: metric-definitions 1.2 to 1.6, by hand and by property."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.index.tree import LabelTree, lcp
from core.metrics.bootstrap import draws
from core.metrics.documents import compare
from core.metrics.unseen import baseline, random_baseline, score
from tests.metrics.is_a import parents_of

EXACT = 1e-9
TREE = LabelTree({"a": (0, 0), "b": (0, 1, 0), "c": (0, 1, 1), "d": (0, 2), "e": (1, 0), "f": (1, 1)})
# T = 6; below 0: 4 (a, b, c, d), below 0.1: 2 (b, c), below 1: 2 (e, f), below a leaf: 1


def values(found):
    return {name: e.value for name, e in found.estimates.items()}


def about(value):
    return pytest.approx(value, abs=EXACT)


@pytest.mark.parametrize(
    ("predicted", "closeness", "size"),
    [
        (set(), 0.0, 6),  # nothing predicted: the pair stays, all T concepts are left
        ({"e"}, 0.0, 6),  # nothing shared
        ({"a"}, 1 / 3, 4),
        ({"c"}, 2 / 3, 2),
        ({"b"}, 1.0, 1),  # an exact hit
        ({"e", "a", "c"}, 2 / 3, 2),  # the nearest counts
        ({"a", "d"}, 1 / 3, 4),  # a tie needs no rule (R1)
        ({"z"}, 0.0, 6),  # a concept without an index is ignored
        ({(0, 1)}, 2 / 3, 2),  # a raw index that is no leaf
        ({(0, 1, 7, 7)}, 2 / 3, 2),  # or leads out of the tree
        ({(0, 1, 0, 4)}, 1.0, 1),  # or goes on beyond the leaf
        ({()}, 0.0, 6),  # the empty raw index
    ],
)
def test_one_gold_concept_by_hand(predicted, closeness, size):
    found = score({"p": {"b"}}, {"p": predicted}, frozenset(), TREE)
    assert values(found)["u_rc"] == about(closeness)
    assert values(found)["u_cs"] == about(size)


def test_a_corpus_by_hand():
    # p1: b by c: 2/3, 2 left;  p1: e by nothing: 0, 6 left;  p2: b exactly: 1, 1 left;  p3: d, nothing: 0, 6
    gold = {"p1": {"b", "e", "a"}, "p2": {"b"}, "p3": {"d"}}
    found = score(gold, {"p1": {"c", "a"}, "p2": {"b", "f"}}, {"a", "f", "c"}, TREE)
    assert values(found) == {
        "u_rc": about((2 / 3 + 0 + 1 + 0) / 4),
        "u_cs": about(4 / (1 / 2 + 1 / 6 + 1 + 1 / 6)),
        "unseen_recall": about(1 / 4),
        "exact_precision": about(2 / 4),  # a and b of a, c, b, f
        "exact_recall": about(2 / 5),
        "exact_f1": about(4 / 9),
    }
    # a concept that is gold in two passages counts twice; that the nearest prediction is seen does not matter
    assert [(u.doc_id, u.concept, u.nearest) for u in found.units] == [
        ("p1", "b", "c"),
        ("p1", "e", None),
        ("p2", "b", "b"),
        ("p3", "d", None),
    ]
    assert found.estimates["u_rc"].n == 3


def test_ancestors_of_seen_concepts_are_not_seen():
    # seeing the leaf b says nothing about a concept above it in the ontology: only the ids themselves count
    assert score({"p": {"d"}}, {}, {"b"}, TREE).estimates["u_rc"].value == 0.0


def test_no_unseen_gold_is_undefined():
    found = score({"p": {"a"}, "q": set()}, {"p": {"b"}}, {"a"}, TREE)
    assert [found.estimates[name].value for name in ("u_rc", "u_cs", "unseen_recall")] == [None] * 3
    assert [found.estimates[name].n for name in ("u_rc", "u_cs")] == [0, 0]
    assert found.estimates["u_rc"].reason == "No gold concept with an index is unseen."
    assert found.estimates["exact_precision"].value == 0.0


def test_concepts_without_an_index_are_dropped_or_ignored_and_listed():
    found = score({"p": {"b", "z"}}, {"p": {"y", "c"}}, frozenset(), TREE)
    assert values(found)["u_rc"] == about(2 / 3)
    assert found.unindexed_gold == (("p", "z"),)
    assert found.unindexed_predicted == (("p", "y"),)


def test_only_unseen_gold_without_an_index_is_listed():
    assert score({"p": {"z"}}, {}, {"z"}, TREE).unindexed_gold == ()


def test_gold_without_any_index_is_undefined():
    assert score({"p": {"z"}}, {"p": {"a"}}, frozenset(), TREE).estimates["u_cs"].value is None


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        ({}, {}, None),  # N0
        ({"p": set()}, {}, 1.0),  # V1
        ({"p": set()}, {"p": {"a"}}, 0.0),  # Z0
        ({"p": {"a"}}, {}, 0.0),
        ({"p": {"a"}}, {"p": {(0, 0)}}, 1.0),  # a raw index that is the concept's own is the concept
        ({"p": {"a"}}, {"p": {(0, 0), "a"}}, 1.0),  # and no second prediction
    ],
)
def test_exact_match(gold, predicted, expected):
    found = values(score(gold, predicted, frozenset(), TREE))
    assert [found[f"exact_{m}"] for m in ("precision", "recall", "f1")] == [expected] * 3


def test_baselines_by_hand():
    units = score({"p": {"b", "e"}, "q": {"b"}}, {}, frozenset(), TREE).units
    parents = {"b": ["a", "c", "z"], "e": ["z"]}  # of b: 1/3 and 2/3, sizes 4 and 2; e has none with an index
    found = baseline([u.concept for u in units], TREE, lambda c: parents.get(c, ()), "parent")
    assert found.closeness.value == about(1 / 2)
    assert found.size.value == about(1 / ((1 / 4 + 1 / 2) / 2))
    assert found.closeness.n == found.size.n == 2
    none = baseline([u.concept for u in units], TREE, lambda c: ["z", c], "parent")
    assert none.closeness.value is None
    assert none.closeness.reason == "No unseen gold concept has an indexed parent."


def test_a_concept_is_no_baseline_answer_to_itself():
    assert baseline(["b"], TREE, lambda c: [c, "c"], "sibling").closeness.value == about(2 / 3)


def test_the_random_baseline_is_the_mean_over_all_other_concepts():
    units = score({"p": {"b", "e"}, "q": {"e"}}, {}, frozenset(), TREE).units
    near, inverse = [], []
    for unit in units:
        own = TREE.indices[unit.concept]
        lengths = [lcp(own, index) for c, index in TREE.indices.items() if c != unit.concept]
        near.append(sum(lengths) / 5 / len(own))
        inverse.append(sum(1 / TREE.below[own[:k]] for k in lengths) / 5)
    found = random_baseline([u.concept for u in units], TREE)
    assert found.closeness.value == about(sum(near) / 3)
    assert found.size.value == about(3 / sum(inverse))


def test_a_tree_of_one_concept_has_no_random_baseline():
    tree = LabelTree({"a": (0,)})
    assert random_baseline(["a"], tree).size.value is None


# --- properties ---------------------------------------------------------------------------------------------

ids = st.frozensets(st.sampled_from("abcdefz"), max_size=4)
corpora = st.dictionaries(st.sampled_from("pqrs"), ids, min_size=1)
quick = settings(max_examples=80, deadline=None)


@quick
@given(corpora, corpora, ids)
def test_range_exact_match_and_input_order(gold, predicted, seen):
    found = score(gold, predicted, seen, TREE)
    again = score(dict(reversed(gold.items())), dict(reversed(predicted.items())), seen, TREE)
    assert again == found
    value = values(found)
    if found.units:
        assert 0 <= value["u_rc"] <= 1
        assert 1 - EXACT <= value["u_cs"] <= 6 + EXACT
        assert value["unseen_recall"] <= value["u_rc"] + EXACT
    outcomes = compare(gold, {d: predicted.get(d, frozenset()) for d in gold})
    tp, fp, fn = (sum(len(getattr(o, kind)) for o in outcomes) for kind in ("tp", "fp", "fn"))
    if tp:
        assert value["exact_precision"] == about(tp / (tp + fp))
        assert value["exact_recall"] == about(tp / (tp + fn))


@quick
@given(corpora)
def test_a_perfect_prediction_is_closest(gold):
    found = score(gold, gold, frozenset(), TREE)
    if found.units:
        assert (values(found)["u_rc"], values(found)["u_cs"]) == (about(1), about(1))


@quick
@given(corpora, corpora, st.sampled_from("abcdef"))
def test_another_prediction_never_makes_it_worse(gold, predicted, more):
    before = values(score(gold, predicted, frozenset(), TREE))
    richer = {d: predicted.get(d, frozenset()) | {more} for d in gold}
    after = values(score(gold, richer, frozenset(), TREE))
    if before["u_rc"] is not None:
        assert after["u_rc"] >= before["u_rc"] - EXACT
        assert after["u_cs"] <= before["u_cs"] + EXACT


def test_intervals_are_those_of_a_loop_over_the_same_resamples():
    random = np.random.default_rng(3)
    concepts = list(TREE.indices)
    gold = {f"p{i:02d}": frozenset(random.choice(concepts, 2)) for i in range(15)}
    said = {f"p{i:02d}": frozenset(random.choice(concepts, 2)) for i in range(15)}
    seen = {"a", "d"}
    lists = np.concatenate(list(draws(15, 100, 2)))
    found = score(gold, said, seen, TREE, index_lists=lists).estimates["u_cs"]
    sizes = []
    for resample in lists:
        inverse = [
            1 / unit.size
            for i in resample
            for unit in score({"p": gold[f"p{i:02d}"]}, {"p": said[f"p{i:02d}"]}, seen, TREE).units
        ]
        if inverse:
            sizes.append(len(inverse) / sum(inverse))
    low, high = np.percentile(sizes, [2.5, 97.5])
    assert (found.low, found.high) == (about(low), about(high))
    assert score(gold, said, seen, TREE, index_lists=draws(15, 100, 2)).estimates["u_cs"] == found


@pytest.mark.shared_data
def test_on_the_released_trees_an_exact_answer_is_closest_and_a_parent_is_where_described(shared_data):
    from core.evaluate.inputs.training import read_tree

    tree = read_tree(shared_data / "hi_ald/hpa_id_osi.json.gz")
    gold = {c: {c} for c in sorted(tree.indices)[::10]}
    assert values(score(gold, gold, frozenset(), tree))["u_rc"] == about(1)
    assert values(score(gold, gold, frozenset(), tree))["u_cs"] == about(1)
    units = score({c: {c} for c in tree.indices}, {}, frozenset(), tree).units
    parents = parents_of(shared_data / "ontology/hp-2017-04-13.obo.gz")
    always_a_parent = baseline([u.concept for u in units], tree, lambda c: parents.get(c, ()), "parent")
    assert (
        round(always_a_parent.closeness.value, 4) == 0.6759
    )  # the tree's ontology agreement, by another way
    assert 0.03 < random_baseline([u.concept for u in units], tree).closeness.value < 0.08
