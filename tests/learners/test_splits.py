"""Training sets that leave concepts unseen: the promises, the core against scipy, and what is refused."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from core.errors import InputError
from core.learners.splits import Labelled, split_unseen

CONCEPTS = [f"X:{number:03}" for number in range(60)]


def passages(count: int, seed: int, prefix: str, most: int = 5) -> list[Labelled]:
    draw = random.Random(seed)
    weights = [1 / (rank + 1) for rank in range(len(CONCEPTS))]
    return [
        Labelled(
            f"{prefix}{number:04}",
            f"{prefix} text {number}",
            frozenset(draw.choices(CONCEPTS, weights, k=draw.randint(0, most))),
        )
        for number in range(count)
    ]


GOLD, POOL = passages(60, 1, "g"), passages(1500, 2, "p", most=3)


@pytest.fixture(scope="module")
def split():
    return split_unseen(GOLD, POOL, ontology=[*CONCEPTS, "X:999"])


def concepts(ids, of=POOL):
    wanted = set(ids)
    return frozenset().union(*(p.concepts for p in of if p.id in wanted))


def test_gold_is_parted_and_the_unseen_are_in_no_training_passage(split) -> None:
    assert (len(split.dev), len(split.test)) == (12, 48)
    assert {*split.dev, *split.test} == {p.id for p in GOLD}
    wanted = concepts(split.test, GOLD)
    assert len(split.unseen) >= 0.30 * len(wanted)
    for seed in (0, 1, 2):
        everything = split.training(seed, split.sizes[-1])
        assert wanted - concepts(everything) == split.unseen
        assert len(everything) == len(POOL) - split.dropped
    dropped = [p for p in POOL if p.id not in set(split.training(0, split.sizes[-1]))]
    assert all(p.concepts & set(split.chosen) for p in dropped)
    assert set(split.chosen) <= split.unseen


def test_sizes_double_up_to_the_pool_and_hold_each_other(split) -> None:
    whole = split.sizes[-1]
    assert split.sizes == (*(size for size in (200, 400, 800) if size < whole), whole)
    assert split.training(0, 200) == split.training(0, 400)[:200]
    assert split.training(0, 200)[:100] == split.training(1, 200)[:100] == split.core
    assert split.training(0, 200)[100:] != split.training(1, 200)[100:]


def test_the_rows_of_the_table(split) -> None:
    wanted = concepts(split.test, GOLD)
    for row in split.rows:
        held = concepts(split.training(row.seed, row.passages))
        assert (row.concepts, row.test_concepts) == (len(held), len(wanted))
        assert row.unseen == len(wanted - held)
        assert row.seen == 1 - len(wanted - held) / len(wanted)
        assert row.coverage == len(held) / 61
    assert [row.seed for row in split.rows if row.passages == split.sizes[-1]] == [0]


def test_the_same_input_in_any_order_gives_the_same_split(split) -> None:
    shuffled = random.Random(5).sample(POOL, len(POOL))
    again = split_unseen(GOLD[::-1], shuffled, ontology=[*CONCEPTS, "X:999"])
    assert again == split


def test_the_core_is_the_greedy_one_by_the_divergence_of_scipy() -> None:
    gold, pool = passages(30, 3, "g"), passages(260, 4, "p")
    found = split_unseen(gold, pool, share=0)
    dev = np.array([sum(c in p.concepts for p in gold if p.id in found.dev) for c in CONCEPTS], float)
    rows = {p.id: np.array([c in p.concepts for c in CONCEPTS], float) for p in pool if p.concepts}
    counts = np.zeros(len(CONCEPTS))
    for chosen in found.core:
        scores = {one: jensenshannon(counts + row, dev, base=2) ** 2 for one, row in sorted(rows.items())}
        least = min(scores.values())
        assert chosen == next(one for one, score in scores.items() if score < least + 1e-9)
        counts += rows.pop(chosen)
    assert found.divergence == pytest.approx(jensenshannon(counts, dev, base=2) ** 2)


def test_passages_without_concepts_come_last_in_the_core() -> None:
    pool = [Labelled(f"p{n:03}", f"t{n}", frozenset(CONCEPTS[:1] if n >= 240 else ())) for n in range(250)]
    core = split_unseen(GOLD, pool, share=0).core
    assert core[:10] == tuple(f"p{n:03}" for n in range(240, 250))
    assert core[10:] == tuple(f"p{n:03}" for n in range(90))


def test_texts_of_the_gold_are_dropped_from_the_pool() -> None:
    copies = [Labelled("q1", "G  TEXT 3", frozenset()), Labelled("q2", "g text 4", frozenset())]
    found = split_unseen(GOLD, [*POOL, *copies])
    assert found.duplicates == 2
    assert not {"q1", "q2"} & set(found.training(0, found.sizes[-1]))


def test_the_cheapest_way_drops_fewer_passages() -> None:
    gold = passages(60, 1, "g")
    pool = [
        p._replace(concepts=p.concepts or frozenset(CONCEPTS[:1])) for p in passages(3000, 7, "p", most=9)
    ]
    random_, cheap = (split_unseen(gold, pool, share=0.4, cheapest=how) for how in (False, True))
    assert cheap.dropped < random_.dropped


def test_a_share_that_leaves_too_few_passages_is_refused_with_the_largest_possible() -> None:
    with pytest.raises(InputError, match=r"largest share that is possible: \d+%"):
        split_unseen(GOLD, [p._replace(concepts=p.concepts or {CONCEPTS[0]}) for p in POOL], share=1.0)
    with pytest.raises(InputError, match="no share at all"):
        split_unseen(GOLD, POOL[:150])


def test_gold_must_be_enough_and_ids_must_differ() -> None:
    with pytest.raises(InputError, match="too few for a dev set"):
        split_unseen(GOLD[:3], POOL)
    with pytest.raises(InputError, match="holds the passage 'p0000' twice"):
        split_unseen(GOLD, [*POOL, POOL[0]])
