"""Label trees: the validity rules and statistics of metric-definitions 1.1, by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.index.tree import LabelTree, lcp, moved, shape
from core.metrics.label_tree import ontology_agreement
from tests.metrics.is_a import parents_of

EXACT = 1e-9
#        root
#       /    \
#      0      1        internal: root, 0, 0.1
#    / | \   leaf e
#   a  |  d
#      1
#     / \
#    b   c
GOOD = {"a": (0, 0), "b": (0, 1, 0), "c": (0, 1, 1), "d": (0, 2), "e": (1,)}


@pytest.mark.parametrize(
    ("a", "b", "length"),
    [
        ((0, 1, 2), (0, 1, 3), 2),
        ((0, 1), (0, 1, 3), 2),
        ((0, 1), (0, 1), 2),
        ((1,), (0,), 0),
        ((), (0, 1), 0),
        ((10,), (1, 0), 0),  # numbers are compared, not digits
    ],
)
def test_longest_common_prefix(a, b, length):
    assert lcp(a, b) == lcp(b, a) == length


def test_statistics_of_a_valid_tree():
    found = shape(LabelTree(GOOD))
    assert found.to_json() == {
        "concepts": 5,
        "depth": {"min": 1, "mean": pytest.approx((2 + 3 + 3 + 2 + 1) / 5, abs=EXACT), "max": 3},
        "internal_nodes": 3,
        "most_children": 3,
        "over_limit": 0,
        "single_child": 0,
        "gaps": 0,
        "unique": True,
        "every_concept_a_leaf": True,
        "valid": True,
    }


@pytest.mark.parametrize(
    ("change", "rule", "broken"),
    [
        ({"f": (1,)}, "shared", ("e", "f")),  # rule 1: two concepts share an index
        ({"f": (1, 0), "g": (1, 1)}, "inner", ("e",)),  # rule 2: an index is a proper prefix of another
        ({"f": ()}, "inner", ("f",)),  # the root is no leaf: L is at least 1
        ({f"f{i}": (1 + i,) for i in range(1, 10)}, "over_limit", ((),)),  # rule 3: 0 ... 10 below the root
        ({"f": (2, 0)}, "single_child", ((2,),)),  # rule 4: a chain
        ({"f": (3,)}, "gaps", ((),)),  # rule 5: 0, 1, 3
        ({"f": (0, 1, 3)}, "gaps", ((0, 1),)),
    ],
)
def test_each_rule_names_what_breaks_it(change, rule, broken):
    found = shape(LabelTree(GOOD | change))
    assert getattr(found, rule) == broken
    assert not found.valid
    others = {"shared", "inner", "over_limit", "single_child", "gaps"} - {rule}
    assert {getattr(found, other) for other in others} == {()}


def test_ten_children_are_allowed_the_root_included():
    assert shape(LabelTree({str(i): (i,) for i in range(10)})).valid


def test_the_root_of_one_concept_may_have_one_child_and_nothing_else_may():
    assert shape(LabelTree({"a": (0,)})).valid
    assert shape(LabelTree({"a": (0, 0)})).single_child == ((0,),)
    assert shape(LabelTree({"a": (0, 0), "b": (0, 1)})).single_child == ((),)


def test_a_tree_of_nothing_has_no_depth():
    found = shape(LabelTree({}))
    assert (found.concepts, found.depth_mean, found.internal_nodes, found.most_children) == (0, None, 0, 0)


def test_two_builds_are_compared():
    assert moved(LabelTree(GOOD), LabelTree(dict(reversed(GOOD.items())))) == ()
    assert moved(LabelTree(GOOD), LabelTree(GOOD | {"e": (2,), "f": (3,)})) == ("e", "f")


def test_ontology_agreement_by_hand():
    # b has the parents a (lcp 1 of 3) and c (lcp 2 of 3): mean 1/2.  d has a (1 of 2).  e has b (0 of 1).
    # c's parent has no index, a has none: neither is counted.
    parents = {"b": ["a", "c"], "c": ["z"], "d": ["a"], "e": ["b", "z"]}
    found = ontology_agreement(LabelTree(GOOD), lambda c: parents.get(c, ()))
    assert found.estimate.value == pytest.approx((1 / 2 + 1 / 2 + 0) / 3, abs=EXACT)
    assert found.estimate.n == 3
    assert found.concepts == {
        "b": pytest.approx(1 / 2, abs=EXACT),
        "d": pytest.approx(1 / 2, abs=EXACT),
        "e": pytest.approx(0, abs=EXACT),
    }


def test_a_parent_named_twice_counts_once():
    found = ontology_agreement(LabelTree(GOOD), lambda c: ["a", "a", "c"] if c == "b" else ())
    assert found.estimate.value == pytest.approx((1 / 3 + 2 / 3) / 2, abs=EXACT)


def test_without_an_indexed_parent_agreement_is_undefined():
    found = ontology_agreement(LabelTree(GOOD), lambda c: ["z"])
    assert found.estimate.value is None
    assert found.estimate.reason == "No indexed concept has an indexed is_a parent."


def test_how_many_concepts_are_below_a_prefix():
    below = LabelTree(GOOD).below
    assert [below[p] for p in ((), (0,), (0, 1), (0, 1, 0), (7,))] == [5, 4, 2, 1, 0]


indices = st.dictionaries(
    st.sampled_from("abcdefgh"), st.lists(st.integers(0, 3), min_size=1, max_size=4).map(tuple), min_size=1
)


@settings(max_examples=80, deadline=None)
@given(indices)
def test_agreement_stays_below_its_ceiling_and_ignores_order(given_indices):
    tree = LabelTree(given_indices)
    if not shape(tree).unique or not shape(tree).every_concept_a_leaf:
        return
    found = ontology_agreement(tree, lambda c: [p for p in given_indices if p != c])
    for concept, value in found.concepts.items():
        assert 0 <= value <= 1 - 1 / len(given_indices[concept]) + EXACT
    other = LabelTree(dict(reversed(given_indices.items())))
    assert shape(other) == shape(tree)
    assert (
        ontology_agreement(other, lambda c: [p for p in given_indices if p != c]).concepts == found.concepts
    )


@pytest.mark.shared_data
@pytest.mark.parametrize(
    ("kind", "depths", "internal", "gaps", "agreement"),
    [
        ("osi", (3, 5.447, 8), 5364, 125, 0.6759),
        ("ssi", (3, 5.181, 6), 5798, 0, 0.4630),
        ("ossi", (2, 5.184, 6), 5712, 0, 0.5721),
    ],
)
def test_the_released_trees_are_as_described(shared_data, kind, depths, internal, gaps, agreement):
    """Figures of the released HPA indices, with relations of HPO 2017-04-13."""
    from core.evaluate.inputs.training import read_tree

    tree = read_tree(shared_data / f"hi_ald/hpa_id_{kind}.json.gz")
    found = shape(tree)
    assert (found.concepts, found.internal_nodes, found.most_children) == (18354, internal, 10)
    assert (found.depth_min, round(found.depth_mean, 3), found.depth_max) == depths
    assert (found.unique, found.every_concept_a_leaf, len(found.gaps)) == (True, True, gaps)
    assert (found.over_limit, found.single_child) == ((), ())
    parents = parents_of(shared_data / "ontology/hp-2017-04-13.obo.gz")
    agreed = ontology_agreement(tree, lambda c: parents.get(c, ())).estimate
    assert (round(agreed.value, 4), agreed.n) == (agreement, 11689)
