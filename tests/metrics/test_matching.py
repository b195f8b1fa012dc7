"""Optimal one-to-one matching against a search through all matchings (metric-definitions 0.4)."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from core.metrics.matching import EXACT, OTHER, SEMANTIC, match


def every_matching(candidates):
    """All matchings, as lists of candidates, by taking or leaving one candidate after the other."""
    if not candidates:
        yield []
        return
    first, *rest = candidates
    yield from every_matching(rest)
    left = [c for c in rest if c[0] != first[0] and c[1] != first[1]]
    for matching in every_matching(left):
        yield [first, *matching]


def worth(matching):
    """What 0.4 compares: total credit, then exact pairs, then semantic pairs."""
    return (
        round(sum(c[2] for c in matching), 9),
        sum(c[3] == EXACT for c in matching),
        sum(c[3] == SEMANTIC for c in matching),
    )


def chosen(candidates):
    """The candidates that `match` pairs, each side at most once."""
    kinds = {(p, g): (p, g, credit, kind) for p, g, credit, kind in candidates}
    found = [kinds[pair] for pair in match(candidates)]
    assert len({p for p, *_ in found}) == len({c[1] for c in found}) == len(found)
    return found


def test_no_candidates_no_pairs():
    assert match([]) == []


def test_total_credit_decides_so_an_exact_pair_may_give_way():
    # 0.9 + 0.9 = 1.8 beats 1.0 + 0 (section 6.1); a greedy pass takes the exact pair and stops at 1.0
    assert match([(0, 0, 1.0, EXACT), (0, 1, 0.9, SEMANTIC), (1, 0, 0.9, SEMANTIC)]) == [(0, 1), (1, 0)]


def test_a_pair_without_credit_is_never_matched():
    assert match([(0, 0, 0.0, OTHER), (1, 1, -0.5, OTHER), (2, 2, float("nan"), OTHER)]) == []
    assert match([(0, 0, 0.5, OTHER), (1, 1, 0.0, OTHER)]) == [(0, 0)]


def test_of_equal_totals_most_exact_pairs():
    # 1.0 + 0.5 = 0.75 + 0.75 = 1.5
    square = [(0, 0, 1.0, EXACT), (1, 1, 0.5, OTHER), (0, 1, 0.75, SEMANTIC), (1, 0, 0.75, SEMANTIC)]
    assert match(square) == [(0, 0), (1, 1)]


def test_of_equal_totals_and_equally_many_exact_pairs_most_semantic_ones():
    # 0.8 + 0.5 = 0.65 + 0.65: one semantic pair against two, no exact one on either side
    square = [(0, 0, 0.8, SEMANTIC), (1, 1, 0.5, OTHER), (0, 1, 0.65, SEMANTIC), (1, 0, 0.65, SEMANTIC)]
    assert match(square) == [(0, 1), (1, 0)]


def test_one_exact_pair_outweighs_any_number_of_semantic_ones():
    # 1.0 + 0.5 + 0.5 = 2.0 with one exact pair; 0.6 + 0.7 + 0.7 = 2.0 with three semantic ones
    straight = [(0, 0, 1.0, EXACT), (1, 1, 0.5, OTHER), (2, 2, 0.5, OTHER)]
    shifted = [(0, 1, 0.6, SEMANTIC), (1, 2, 0.7, SEMANTIC), (2, 0, 0.7, SEMANTIC)]
    assert match([*shifted, *straight]) == [(0, 0), (1, 1), (2, 2)]


def test_no_number_of_better_kinds_outweighs_credit():
    # one per million more credit wins over an exact pair
    assert match([(0, 0, 0.9, EXACT), (0, 1, 0.900001, OTHER)]) == [(0, 1)]


def test_of_a_pair_given_twice_the_better_counts():
    assert match([(0, 0, 0.9, OTHER), (0, 0, 0.2, OTHER), (0, 1, 0.5, OTHER)]) == [(0, 0)]


def test_an_array_does_as_well_as_tuples():
    candidates = [(0, 0, 1.0, EXACT), (0, 1, 0.9, SEMANTIC), (1, 0, 0.9, SEMANTIC)]
    assert match(np.array(candidates)) == match(candidates)


CREDITS = (0.5, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0)


@pytest.mark.parametrize("seed", range(300))
def test_equals_a_search_through_all_matchings(seed):
    generator = random.Random(seed)
    pairs = [(p, g) for p in range(4) for g in range(4) if generator.random() < 0.45][:9]
    candidates = []
    for p, g in pairs:
        credit = generator.choice((*CREDITS, generator.random() + 1e-6))
        kind = EXACT if credit == 1.0 else OTHER if credit == 0.5 else generator.choice((SEMANTIC, OTHER))
        candidates.append((p, g, credit, kind))
    best = max((worth(m) for m in every_matching(candidates)), default=(0, 0, 0))
    assert worth(chosen(candidates)) == pytest.approx(best, abs=1e-9)


def test_a_corpus_numbered_through_is_matched_as_its_documents_are():
    generator = random.Random(5)
    apart, together = [], []
    for document in range(60):
        shift = 10 * document
        candidates = [
            (p + shift, g + shift, generator.choice(CREDITS), OTHER)
            for p in range(5)
            for g in range(5)
            if generator.random() < 0.4
        ]
        apart += match(candidates)
        together += candidates
    assert match(together) == apart


CANDIDATES = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from(CREDITS), st.integers(0, 2)),
    unique_by=lambda c: c[:2],
    max_size=30,
)


@settings(max_examples=60, deadline=None)
@given(CANDIDATES, st.randoms(use_true_random=False))
def test_neither_order_nor_numbers_matter(candidates, generator):
    shuffled = generator.sample(candidates, len(candidates))
    assert match(shuffled) == match(candidates)
    names = generator.sample(range(1000), 8)
    renamed = [(names[p], names[g], *rest) for p, g, *rest in candidates]
    assert worth(chosen(renamed)) == pytest.approx(worth(chosen(candidates)), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(CANDIDATES)
def test_either_side_may_be_called_gold(candidates):
    turned = [(g, p, *rest) for p, g, *rest in candidates]
    assert worth(chosen(turned)) == pytest.approx(worth(chosen(candidates)), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(CANDIDATES)
def test_full_credit_everywhere_makes_the_largest_matching(candidates):
    full = [(p, g, 1.0, OTHER) for p, g, *_ in candidates]
    links = np.zeros(
        (1 + max((p for p, *_ in full), default=0), 1 + max((g for _, g, *_ in full), default=0))
    )
    for p, g, *_ in full:
        links[p, g] = 1
    partners = maximum_bipartite_matching(csr_array(links), perm_type="column")
    assert len(match(full)) == np.count_nonzero(partners >= 0)


def test_large_parts_agree_with_the_assignment_of_the_whole_matrix():
    from scipy.optimize import linear_sum_assignment

    generator = np.random.default_rng(3)
    worths = np.where(generator.random((60, 50)) < 0.2, generator.random((60, 50)), 0)
    rows, columns = np.nonzero(worths)
    candidates = [(p, g, worths[p, g], OTHER) for p, g in zip(rows.tolist(), columns.tolist(), strict=True)]
    total = sum(worths[pair] for pair in match(candidates))
    assert total == pytest.approx(worths[linear_sum_assignment(worths, maximize=True)].sum(), abs=1e-9)
