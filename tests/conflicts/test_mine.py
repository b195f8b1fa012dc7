"""Stage 4: pairs and scores, against plain loops over all pairs and against figures worked out by hand."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.conflicts.identity import claim_id, pair_id
from core.conflicts.mine import PAPER, Mining, Weights, neighbours, run
from core.conflicts.mine.disagreement import POLARITY, disagreement
from core.conflicts.mine.neighbours import nearest
from core.conflicts.mine.score import TYPE_FIT, TYPE_ORDER, Scorer
from core.errors import InputError
from core.records import Axis, Claim, ClaimType, Cue, Direction

Vectors = NDArray[np.float32]


def claim(article: str, start: int = 0, **fields: Any) -> Claim:
    text = f"claim of {article} at {start}"
    return Claim(
        claim_id=claim_id(article, text, 0, len(text)),
        article_uid=article,
        domain="trials",
        start=start,
        end=start + 10,
        text=text,
        sentence_start=start,
        sentence_end=start + 10,
        claim_type=fields.pop("claim_type", ClaimType.EFFICACY),
        confidence=0.5,
        **fields,
    )


def cues(*values: tuple[Axis, str]) -> tuple[Cue, ...]:
    return tuple(Cue(axis, 0, 1, "x", value) for axis, value in values)


def unit(rows: Any) -> Vectors:
    made = np.asarray(rows, dtype=np.float64)
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


# --- disagreement -----------------------------------------------------------------------------------------

UP, DOWN, SAME = Direction.INCREASED, Direction.DECREASED, Direction.UNCHANGED
NOT_UP = {"direction": UP, "negated": True}


@pytest.mark.parametrize(
    ("a", "b", "expected", "signals"),
    [
        ({"direction": UP}, {"direction": UP}, 0.0, ()),
        ({}, {}, 0.0, ()),
        ({"direction": UP}, {"direction": DOWN}, 0.8, ("direction: increased / decreased",)),
        ({"direction": DOWN}, {"direction": SAME}, 0.6, ("direction: decreased / unchanged",)),
        (NOT_UP, {"direction": UP}, 0.6, ("direction: not increased / increased",)),
        ({"direction": UP, "negated": True}, {"direction": SAME, "negated": True}, 0.0, ()),
        ({"direction": SAME, "negated": True}, {"direction": SAME}, 0.0, ()),
        ({"negated": True}, {}, 0.5, ("negation: denied / affirmed",)),
        ({"direction": UP}, {"negated": True}, 0.5, ("negation: affirmed / denied",)),
        ({"direction": SAME}, {"negated": True}, 0.0, ()),
        ({"direction": SAME}, {}, 0.5, ("negation: denied / affirmed",)),
        (
            {"slots": {"intervention": "the drug", "outcome": "survival"}},
            {"slots": {"intervention": "drugs", "outcome": "pain"}},
            0.3,
            ("entities: same intervention, other outcome",),
        ),
        (  # outcomes share one stem of three, populations one of two: the larger distance counts
            {"slots": {"intervention": "drug", "outcome": "overall survival", "population": "women"}},
            {"slots": {"intervention": "drug", "outcome": "early survival", "population": "women, men"}},
            1 - (1 - 0.3 * 2 / 3),
            ("entities: same intervention, other outcome and population",),
        ),
        ({"slots": {"intervention": "drug", "outcome": "x"}}, {"slots": {"intervention": "drug"}}, 0.0, ()),
        ({"slots": {"intervention": "drug", "outcome": "x"}}, {"slots": {"outcome": "y"}}, 0.0, ()),
        (
            {"direction": UP, "slots": {"outcome": "pain"}},
            {"direction": DOWN, "slots": {"outcome": "body temperature"}},
            0.4,
            ("direction: increased / decreased",),
        ),
        (
            {"negated": True, "slots": {"outcome": "pain"}},
            {"slots": {"outcome": "the pain at rest"}},
            0.5,
            ("negation: denied / affirmed",),
        ),
        (
            {"cues": cues((Axis.GEOGRAPHY, "place: Japan"))},
            {"cues": cues((Axis.GEOGRAPHY, "place: Peru"), (Axis.STUDY_DESIGN, "blinding: none"))},
            0.15,
            ("cues: geography",),
        ),
        (
            {"cues": cues((Axis.GEOGRAPHY, "place: Japan"), (Axis.CLINICAL_SETTING, "care: intensive"))},
            {"cues": cues((Axis.GEOGRAPHY, "place: Peru"), (Axis.CLINICAL_SETTING, "care: home"))},
            0.3,
            ("cues: geography, clinical_setting",),
        ),
        (
            {"cues": cues((Axis.GEOGRAPHY, "place: Japan"), (Axis.GEOGRAPHY, "place: Peru"))},
            {"cues": cues((Axis.GEOGRAPHY, "place: Peru"), (Axis.GEOGRAPHY, "abroad"))},
            0.0,
            (),
        ),
        (
            {"direction": UP, "cues": cues((Axis.GEOGRAPHY, "place: Japan"))},
            {"direction": DOWN, "cues": cues((Axis.GEOGRAPHY, "place: Peru"))},
            1 - 0.2 * 0.85,
            ("direction: increased / decreased", "cues: geography"),
        ),
    ],
)  # fmt: skip
def test_what_a_disagreement_rests_on(
    a: dict[str, Any], b: dict[str, Any], expected: float, signals: tuple[str, ...]
) -> None:
    one, other = claim("a", **a), claim("b", **b)
    assert disagreement(one, other) == (pytest.approx(expected, abs=1e-12), signals)
    assert disagreement(other, one)[0] == pytest.approx(expected, abs=1e-12)


def test_tables_are_symmetric() -> None:
    assert np.array_equal(np.array(TYPE_FIT), np.array(TYPE_FIT).T)
    assert np.array(TYPE_FIT).shape == (8, 8)
    assert np.array_equal(np.diag(TYPE_FIT), np.ones(8))
    assert np.array_equal(np.array(POLARITY), np.array(POLARITY).T)


# --- scores -----------------------------------------------------------------------------------------------

SLOTS = st.fixed_dictionaries(
    {
        "intervention": st.sampled_from([None, "drug", "drug and placebo", "surgery"]),
        "outcome": st.sampled_from([None, "survival", "overall survival", "pain"]),
        "population": st.sampled_from([None, "women", "women with gout"]),
    }
)
CUES = st.lists(
    st.builds(
        Cue,
        st.sampled_from([Axis.GEOGRAPHY, Axis.STUDY_DESIGN, Axis.DISEASE_SUBTYPE]),
        st.just(0),
        st.just(1),
        st.just("x"),
        st.sampled_from(["place: Japan", "place: Peru", "dose: 1", "dose: 2", "odd"]),
    ),
    max_size=4,
).map(tuple)
FIELDS = st.fixed_dictionaries(
    {
        "claim_type": st.sampled_from(list(ClaimType)),
        "direction": st.sampled_from(list(Direction)),
        "negated": st.booleans(),
        "entities": st.sets(st.sampled_from("pqrst")).map(lambda held: tuple(sorted(held))),
        "slots": SLOTS,
        "cues": CUES,
        "year": st.none() | st.integers(1990, 2020),
    }
)


def score_by_hand(a: Claim, b: Claim, sim: float) -> tuple[float, ...]:
    """metric-definitions 10.1, pair by pair."""
    every = set(a.entities) | set(b.entities)
    ent = len(set(a.entities) & set(b.entities)) / len(every) if every else 0.0
    fit = TYPE_FIT[TYPE_ORDER.index(a.claim_type)][TYPE_ORDER.index(b.claim_type)]
    year = min(0.10, 0.01 * abs(a.year - b.year)) if a.year is not None and b.year is not None else 0.0
    sim, dis = min(1.0, max(0.0, sim)), disagreement(a, b)[0]
    return sim, dis, ent, fit, year, 0.35 * sim + 0.35 * dis + 0.15 * ent + 0.10 * fit - year


@settings(deadline=None)
@given(st.lists(FIELDS, min_size=2, max_size=8), st.floats(-0.2, 1.1))
def test_many_scores_at_once_are_those_of_each_pair(fields: list[dict[str, Any]], sim: float) -> None:
    claims = [claim(str(number), **held) for number, held in enumerate(fields)]
    places = np.array(list(combinations(range(len(claims)), 2)))
    scorer = Scorer(claims, Weights(), year_step=0.01, year_most=0.10)
    parts = scorer.scores(places[:, 0], places[:, 1], np.full(len(places), sim))
    for at, (i, j) in enumerate(places.tolist()):
        found = parts.at(at)
        made = (found.sim, found.dis, found.ent, found.type, found.year, found.combined)
        assert made == pytest.approx(score_by_hand(claims[i], claims[j], sim), abs=1e-12)


def test_a_score_worked_out_by_hand() -> None:
    """sim 0.8; increased / decreased: dis 0.8; one of three entities; efficacy and causal: 0.8; 4 years."""
    a = claim("a", direction=UP, entities=("p", "q"), year=2010)
    b = claim("b", direction=DOWN, entities=("q", "r"), year=2014, claim_type=ClaimType.CAUSAL)
    vectors = np.array([[1, 0], [0.8, 0.6]], dtype=np.float32)
    (pair,) = run([b, a], vectors[::-1]).pairs
    assert (pair.a, pair.b) == (a, b)
    assert pair.pair_id == pair_id(a, b)
    assert pair.scores.combined == pytest.approx(0.28 + 0.28 + 0.05 + 0.08 - 0.04, abs=1e-7)
    assert pair.scores.year == pytest.approx(0.04)
    assert pair.signals == ("direction: increased / decreased",)


@pytest.mark.parametrize(("sim", "stays"), [(0.40, True), (0.40 - 1e-6, False)])
def test_the_least_similarity_is_inclusive(sim: float, stays: bool) -> None:
    """dis 0.8 makes 0.28: the score is high enough in both cases."""
    claims = [claim("a", direction=UP), claim("b", direction=DOWN)]
    vectors = np.array([[1, 0], [sim, (1 - sim**2) ** 0.5]])
    rounded = vectors.astype(np.float32)
    rounded[1, 0] = np.nextafter(np.float32(sim), np.float32(1)) if stays else np.float32(sim)
    assert bool(run(claims, rounded, Mining(**PAPER)).pairs) is stays


@pytest.mark.parametrize(("least", "stays"), [(0.45, True), (0.45 + 5e-10, True), (0.45 + 5e-9, False)])
def test_the_least_score_is_inclusive(least: float, stays: bool) -> None:
    """Equal vectors and types, nothing else: 0.35 + 0.10."""
    claims = [claim("a"), claim("b")]
    vectors = np.array([[1, 0], [1, 0]], dtype=np.float32)
    assert bool(run(claims, vectors, Mining(**{**PAPER, "least_score": least})).pairs) is stays


# --- neighbours -------------------------------------------------------------------------------------------


def nearest_by_hand(
    vectors: Vectors, groups: list[int], k: int, least: float
) -> dict[tuple[int, int], float]:
    """All products in float64, sorted."""
    exact = [[float(np.sum(a.astype(np.float64) * b)) for b in vectors] for a in vectors]
    found = {}
    for i in range(len(vectors)):
        others = [j for j in range(len(vectors)) if groups[j] != groups[i]]
        for j in sorted(others, key=lambda j: (-exact[i][j], j))[:k]:
            if exact[i][j] >= least:
                found[min(i, j), max(i, j)] = exact[i][j]
    return found


@pytest.mark.parametrize("tile", [(3, 2), (8, 4), (16, 16)])
@settings(deadline=None, max_examples=150)
@given(
    rows=st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3).filter(any), max_size=40),
    sizes=st.lists(st.integers(1, 5), min_size=40, max_size=40),
    k=st.integers(1, 6),
    seed=st.integers(0, 9),
)
def test_neighbours_are_those_of_a_full_sort(
    tile: tuple[int, int], rows: list[list[int]], sizes: list[int], k: int, seed: int
) -> None:
    """Few directions, so that equal products abound, and tiles much smaller than the matrix."""
    groups = np.repeat(np.arange(40, dtype=np.int32), sizes)[: len(rows)]
    vectors = unit(rows) if rows else np.zeros((0, 3), dtype=np.float32)
    order = np.array(random.Random(seed).sample(range(len(rows)), len(rows)), dtype=np.intp)
    shuffled = np.empty_like(vectors)
    shuffled[order] = vectors
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "TILE", tile[0])
        patch.setattr(neighbours, "STRIP", tile[1])
        patch.setattr(neighbours, "SPARE", 2)
        patch.setattr(neighbours, "CHUNK", 7)
        near = nearest(shuffled, order, groups, k, 0.4)
    made = dict(
        zip(zip(near.first.tolist(), near.second.tolist(), strict=True), near.sim.tolist(), strict=True)
    )
    assert made == nearest_by_hand(vectors, groups.tolist(), k, 0.4)
    assert list(made) == sorted(made)


def test_first_bars_keep_none_of_the_nearest_out() -> None:
    """Enough rows for a bar from groups of rows (4 for each of 3 + 12 candidates), some of them alike."""
    rows = np.random.default_rng(3).normal(size=(200, 8)).astype(np.float32)
    rows[150:] = rows[:50]
    vectors = unit(rows)
    near = nearest(vectors, np.arange(200), np.arange(200, dtype=np.int32), 3, 0.4)
    made = set(zip(near.first.tolist(), near.second.tolist(), strict=True))
    assert made == set(nearest_by_hand(vectors, list(range(200)), 3, 0.4))


def test_a_sentence_that_many_articles_share() -> None:
    """100 equal rows: each has the first 5 others as its nearest, not whichever come up."""
    vectors = unit([[1, 2, 3]] * 100)
    near = nearest(vectors, np.arange(100), np.arange(100, dtype=np.int32), 5, 0.4)
    made = set(zip(near.first.tolist(), near.second.tolist(), strict=True))
    assert made == {(i, j) for j in range(100) for i in range(min(j, 5))} | {(i, 5) for i in range(5)}


def test_its_own_article_uses_up_none_of_a_claims_neighbours() -> None:
    """30 equal claims of one article, and one of another article that is only like them."""
    claims = [claim("a", start) for start in range(30)] + [claim("b")]
    vectors = unit([[1, 0]] * 30 + [[1, 0.5]])
    mined = run(claims, vectors, Mining(neighbours=3, by_words=0))
    assert mined.counts["neighbours"] == 30
    assert {(pair.a.article_uid, pair.b.article_uid) for pair in mined.pairs} == {("a", "b")}


# --- the stage --------------------------------------------------------------------------------------------


def domain(seed: int, size: int = 60, dimensions: int = 5) -> tuple[list[Claim], Vectors]:
    rng = random.Random(seed)
    claims = [
        claim(
            f"article {rng.randrange(size // 2)}",
            start,
            claim_type=rng.choice(list(ClaimType)),
            direction=rng.choice(list(Direction)),
            negated=rng.random() < 0.2,
            entities=tuple(sorted(rng.sample("pqrstu", rng.randrange(4)))),
            year=rng.choice([None, 2000, 2003, 2020]),
        )
        for start in range(size)
    ]
    rows = [[rng.gauss(0, 1) for _ in range(dimensions)] for _ in claims]
    for _ in range(size // 5):  # equal ones, so that scores tie
        rows[rng.randrange(size)] = rows[rng.randrange(size)]
    return claims, unit(rows)


@pytest.mark.parametrize("seed", range(8))
def test_a_domain_against_plain_loops(seed: int) -> None:
    claims, vectors = domain(seed)
    mining = Mining(**{**PAPER, "neighbours": 4, "cap": 25, "per_article": 3})
    mined = run(claims, vectors, mining)

    order = sorted(range(len(claims)), key=lambda place: claims[place].key())
    ordered, rows = [claims[place] for place in order], vectors[order]
    groups = [sorted({c.article_uid for c in claims}).index(c.article_uid) for c in ordered]
    near = nearest_by_hand(rows, groups, 4, 0.4 - 1e-9)
    scored = [
        (ordered[i], ordered[j], score_by_hand(ordered[i], ordered[j], sim)) for (i, j), sim in near.items()
    ]
    good = [row for row in scored if row[2][-1] >= 0.25 - 1e-9]
    used: Counter[str] = Counter()
    expected = []
    for a, b, parts in sorted(good, key=lambda row: (-round(row[2][-1], 12), pair_id(row[0], row[1]))):
        if len(expected) < 25 and used[a.article_uid] < 3 and used[b.article_uid] < 3:
            used.update((a.article_uid, b.article_uid))
            expected.append((a, b, parts[-1]))

    assert [(p.a, p.b, p.scores.combined) for p in mined.pairs] == [
        (a, b, pytest.approx(score, abs=1e-9)) for a, b, score in expected
    ]
    counts = mined.counts
    assert (counts["claims"], counts["articles"]) == (60, len(set(groups)))
    assert (counts["neighbours"], counts["scored"]) == (len(near), len(good))
    assert counts["scored"] == counts["pairs"] + counts["over_article"] + counts["over_cap"]


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_claims_changes_nothing(seed: int) -> None:
    claims, vectors = domain(seed, 300, 24)
    titles = [f"title {claim.article_uid}" for claim in claims]
    for mining in (Mining(neighbours=6, cap=80), Mining(**{**PAPER, "cap": 80})):
        expected = run(claims, vectors, mining, titles=titles)
        for shuffle in range(3):
            order = random.Random(shuffle).sample(range(300), 300)
            mixed = [[held[place] for place in order] for held in (claims, titles)]
            assert run(mixed[0], vectors[order], mining, titles=mixed[1]) == expected  # type: ignore[arg-type]


def test_the_number_of_threads_changes_nothing() -> None:
    """The last places of float32 products may differ; what is drawn from them may not."""
    script = (
        "import hashlib; from tests.conflicts.test_mine import Mining, domain, run;"
        "print(hashlib.sha256(repr(run(*domain(5, 2500, 48), Mining(neighbours=6))).encode()).hexdigest())"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(told) == 1


def test_small_domains() -> None:
    nothing = np.zeros((0, 0), dtype=np.float32)
    assert run([], nothing).pairs == []
    assert run([claim("a")], unit([[1, 0]])).pairs == []
    assert run([claim("a"), claim("a", 20)], unit([[1, 0], [1, 0]])).pairs == []


def test_progress_ends_at_the_last_claim() -> None:
    claims, vectors = domain(1)
    told: list[tuple[int, int]] = []
    run(claims, vectors, progress=lambda done, size: told.append((done, size)))
    assert told[-1] == (60, 60)


@pytest.mark.parametrize(
    "wrong", [{"neighbours": 0}, {"cap": 0}, {"per_article": -1}, {"least_sim": 40}, {"least_score": -2.0}]
)
def test_settings_that_cannot_be_used(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="Give"):
        Mining(**wrong)


def test_a_vector_for_each_claim() -> None:
    with pytest.raises(InputError, match="1 claims and 2 vectors"):
        run([claim("a")], unit([[1, 0], [0, 1]]))
