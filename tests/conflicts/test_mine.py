"""Stage 4: pairs and scores, against plain loops over all pairs and against figures worked out by hand."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.conflicts.identity import claim_id, pair_id
from core.conflicts.mine import PAPER, Mining, Weights, mine, neighbours, run
from core.conflicts.mine.disagreement import POLARITY, SAME_INTERVENTION, denies, words
from core.conflicts.mine.disagreement import signals as words_of
from core.conflicts.mine.neighbours import nearest
from core.conflicts.mine.score import TYPE_FIT, TYPE_ORDER, Scorer
from core.errors import InputError
from core.records import Axis, CandidatePair, Claim, ClaimType, Cue, Direction

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
    for sides in ((a, b), (b, a)):
        claims = [claim(str(at), **side) for at, side in enumerate(sides)]
        scorer = Scorer(claims, Weights(), year_step=0.01, year_most=0.1)
        found = scorer.scores(np.array([0]), np.array([1]), np.ones(1))
        assert found.dis[0] == pytest.approx(expected, abs=1e-12)
        if sides == (a, b):
            assert words_of(int(found.signals[0])) == signals


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


def disagreement(a: Claim, b: Claim) -> float:
    """The formula of `mine.disagreement` for one pair, set by set."""

    def distance(slot: str) -> float | None:
        one, two = words(a, slot), words(b, slot)
        return 1 - len(one & two) / len(one | two) if one and two else None

    def kinds(one: Claim) -> dict[tuple[Axis, str], set[str]]:
        found: dict[tuple[Axis, str], set[str]] = {}
        for cue in one.cues:
            if ": " in cue.value:
                kind, value = cue.value.split(": ")
                found.setdefault((cue.axis, kind), set()).add(value)
        return found

    ways = [SAME if c.negated and c.direction in (UP, DOWN) else c.direction for c in (a, b)]
    told = Direction.UNCLEAR not in ways
    p = 0.0 if not told or ways[0] is ways[1] else 0.75 if SAME in ways else 1.0
    n = float(not told and denies(a) != denies(b))
    given = distance("intervention")
    apart = [distance(slot) or 0.0 for slot in ("outcome", "population")]
    e = max(apart) if given is not None and 1 - given >= SAME_INTERVENTION else 0.0
    t = 0.5 if distance("outcome") == 1 else 1.0
    one, two = kinds(a), kinds(b)
    c = min(1.0, len({key[0] for key in one.keys() & two.keys() if not one[key] & two[key]}) / 2)
    return 1 - (1 - 0.8 * p * t) * (1 - 0.5 * n * t) * (1 - 0.3 * e) * (1 - 0.3 * c)


def score_by_hand(a: Claim, b: Claim, sim: float) -> tuple[float, ...]:
    """metric-definitions 10.1, pair by pair."""
    every = set(a.entities) | set(b.entities)
    ent = len(set(a.entities) & set(b.entities)) / len(every) if every else 0.0
    fit = TYPE_FIT[TYPE_ORDER.index(a.claim_type)][TYPE_ORDER.index(b.claim_type)]
    year = min(0.10, 0.01 * abs(a.year - b.year)) if a.year is not None and b.year is not None else 0.0
    sim, dis = min(1.0, max(0.0, sim)), disagreement(a, b)
    return sim, dis, ent, fit, year, 0.35 * sim + 0.35 * dis + 0.15 * ent + 0.10 * fit - year


@settings(deadline=None)
@given(st.lists(FIELDS, min_size=2, max_size=8), st.floats(-0.2, 1.1))
def test_many_scores_at_once_are_those_of_each_pair(fields: list[dict[str, Any]], sim: float) -> None:
    claims = [claim(str(number), **held) for number, held in enumerate(fields)]
    places = np.array(list(combinations(range(len(claims)), 2)))
    scorer = Scorer(claims, Weights(), year_step=0.01, year_most=0.10)
    parts = scorer.scores(places[:, 0], places[:, 1], np.full(len(places), sim))
    for at, (i, j) in enumerate(places.tolist()):
        made = tuple(float(part[at]) for part in parts[:-1])
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


def by_formula(a: Claim, b: Claim, sim: float, mass: float) -> float:
    """14 s + 4 w + 2 o + 2.4 d - 2 n + 0.5 - 18 as a probability; no text of these claims says no, none has a
    title or an intervention."""
    reading = [SAME if c.negated and c.direction in (UP, DOWN) else c.direction for c in (a, b)]
    opposed = Direction.UNCLEAR not in reading and reading[0] is not reading[1]
    denies = [c.negated or c.direction is SAME for c in (a, b)]
    odds = 14 * max(0.0, min(1.0, sim)) + 4 * (1 - math.exp(-mass / 8)) + 2 * opposed - 17.5
    against = 2.4 * 0.5 if denies[0] != denies[1] else 0 if opposed else -2
    return 1 / (1 + math.exp(-(odds + against)))


@pytest.mark.parametrize("seed", range(3))
def test_by_default_pairs_come_by_likelihood_whatever_their_score(seed: int) -> None:
    """The only words, "claim" and "article", are in all 60 claims. Each weighs
    -log(60 / 1000)."""
    claims, vectors = domain(seed)
    mined = run(claims, vectors, Mining(neighbours=4))
    found = [pair.likelihood.value for pair in mined.pairs if pair.likelihood]
    assert len(found) == len(mined.pairs) == mined.counts["scored"]
    assert found == sorted(found, reverse=True)
    for pair in mined.pairs:
        assert pair.likelihood is not None
        assert pair.likelihood.value == pytest.approx(
            by_formula(pair.a, pair.b, pair.scores.sim, -2 * math.log(0.06)), abs=2e-6
        )
        assert dict(pair.likelihood.parts)["similarity"] == pytest.approx(pair.scores.sim, abs=1e-6)


@pytest.mark.parametrize(
    ("given", "titles", "alike"),
    [
        (
            ("zinc", "oral zinc"),
            (None, None),
            (1 + 1 / 2) / 2,
        ),  # each word is in one claim of 1,000 or in none
        (("zinc", "yoga"), (None, None), 0),
        (("zinc", None), (None, None), 0),
        ((None, None), (None, None), 1 / 2),
        ((None, None), ("Effect of zinc on pneumonia", "Zinc for severe pneumonia"), 1),
        ((None, None), ("Effect of zinc on pneumonia", "Yoga for severe pneumonia"), 0),
        (("zinc", None), (None, "Zinc for severe pneumonia"), 1),
        (("zinc", "yoga"), ("Zinc or yoga for pneumonia", None), (1 / 2 + 1) / 2),
    ],
)
def test_pairs_whose_studies_tried_the_same_come_first(
    given: tuple[str | None, ...], titles: tuple[str | None, ...], alike: float
) -> None:
    """No text has a word of it, so that all words weigh the same."""
    two = [claim(name, slots={"intervention": one}) for name, one in zip(("01", "02"), given, strict=True)]
    (pair,) = run(two, np.ones((2, 1), dtype=np.float32), titles=titles).pairs
    assert pair.likelihood
    assert dict(pair.likelihood.parts)["tried alike"] == pytest.approx(alike, abs=1e-6)


def test_the_same_sentence_twice_comes_behind_a_denial_of_it() -> None:
    """Of three like claims, two say the same, and one denies it."""
    three = [claim("01", direction=UP), claim("02", direction=UP), claim("03", direction=UP, negated=True)]
    likely = {
        (pair.a.article_uid, pair.b.article_uid): pair.likelihood
        for pair in run(three, np.ones((3, 1), dtype=np.float32)).pairs
    }
    told = {name: dict(one.parts)["nothing opposed"] for name, one in likely.items() if one}
    assert told == {("01", "02"): 1, ("01", "03"): 0, ("02", "03"): 0}
    assert likely["01", "02"].value < 0.05 < likely["01", "03"].value  # type: ignore[union-attr]


def test_claims_that_share_rare_words_are_paired_however_unlike_they_are() -> None:
    """Of 40 claims at right angles two name the same drug, one of them in its title alone."""
    names = [f"{a}{b}ol" for a in ("bar", "cet", "dum", "fin") for b in "aeiouklmno"]
    claims = [replace(claim(f"{n:02}"), text=f"{name} fell") for n, name in enumerate(names)]
    claims[3] = replace(claims[3], text="zetavir shortened fever")
    titles = [f"report {n}" for n in range(40)]
    titles[30] = "Zetavir in influenza"
    vectors = np.eye(40, dtype=np.float32)
    mined = run(claims, vectors, Mining(neighbours=1), titles=titles)
    assert ("03", "30") in {(pair.a.article_uid, pair.b.article_uid) for pair in mined.pairs}
    assert not run(claims, vectors, Mining(**PAPER), titles=titles).pairs


def test_an_article_may_be_in_any_number_of_pairs_unless_there_is_a_limit() -> None:
    claims = [claim(f"{n:02}", direction=UP if n else DOWN) for n in range(8)]
    vectors = np.ones((8, 1), dtype=np.float32)
    used = Counter(uid for p in run(claims, vectors).pairs for uid in (p.a.article_uid, p.b.article_uid))
    assert used["00"] == 7
    limited = run(claims, vectors, Mining(per_article=2)).pairs
    assert max(Counter(uid for p in limited for uid in (p.a.article_uid, p.b.article_uid)).values()) == 2


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_claims_changes_nothing(seed: int) -> None:
    claims, vectors = domain(seed, 300, 24)
    titles = [f"title {claim.article_uid}" for claim in claims]
    for mining in (Mining(neighbours=6, cap=80), Mining(**{**PAPER, "cap": 80})):
        expected = run(claims, vectors, mining, titles=titles)
        for shuffle in range(3):
            order = random.Random(shuffle).sample(range(300), 300)
            mixed = [[held[place] for place in order] for held in (claims, titles)]
            again = run(mixed[0], vectors[order], mining, titles=mixed[1])  # type: ignore[arg-type]
            assert (again.pairs[:], again.counts) == (expected.pairs[:], expected.counts)


def test_the_number_of_threads_changes_nothing() -> None:
    """The last places of float32 products may differ; what is drawn from them may not."""
    script = (
        "import hashlib; from tests.conflicts.test_mine import Mining, domain, run;"
        "found = run(*domain(5, 2500, 48), Mining(neighbours=6)).pairs[:];"
        "print(hashlib.sha256(repr(found).encode()).hexdigest())"
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


@pytest.mark.parametrize("cap", [7, 30, 90])
def test_a_domain_keeps_the_pairs_that_it_would_keep_of_all_at_once(cap: int) -> None:
    """Candidates that come some at a time, many of them equal; records are the same each time."""
    claims, vectors = domain(3, 200, 12)
    mining = Mining(neighbours=6, cap=cap)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mine, "ROWS", 9)
        some = run(claims, vectors, mining)
        patch.setattr(mine, "ROWS", 1_000)
        whole = run(claims, vectors, mining)
    assert len(some.pairs) == cap == some.counts["scored"] - some.counts["over_cap"]
    assert (some.pairs[:], some.counts) == (whole.pairs[:], whole.counts)
    assert list(some.pairs) == [some.pairs[at] for at in range(cap)] == some.pairs[:]
    assert some.pairs.signals() == [pair.signals for pair in some.pairs]
    kept = {pair.pair_id for pair in some.pairs}
    every = list(run(claims, vectors, Mining(neighbours=6)).pairs)
    left = [worth(pair) for pair in every if pair.pair_id not in kept]
    assert min(worth(pair) for pair in every if pair.pair_id in kept) >= max(left) - 1e-4


def worth(pair: CandidatePair) -> float:
    """Log odds in which the findings count half (`likelihood`)."""
    assert pair.likelihood
    parts = dict(pair.likelihood.parts)
    halved = parts["opposed findings"] + 1.2 * parts["one side denies"]
    return 14 * parts["similarity"] + 4 * parts["shared words"] + halved


def test_small_domains() -> None:
    nothing = np.zeros((0, 0), dtype=np.float32)
    assert run([], nothing).pairs[:] == []
    assert run([claim("a")], unit([[1, 0]])).pairs[:] == []
    assert run([claim("a"), claim("a", 20)], unit([[1, 0], [1, 0]])).pairs[:] == []


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
