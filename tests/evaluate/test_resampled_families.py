"""Values of every family in each resample: what paired differences are made of."""

import random

import numpy as np
import pytest

from core.evaluate import Scope, Settings, evaluate
from core.evaluate.families.inputs import Known, Mention
from core.index.tree import LabelTree
from core.metrics.mem_syn_con import Training
from core.ontology.lineage import Lineage
from core.records import Assertion, GoldSet

WITHIN = ("assertions", "spans", "relaxed", "bounds", "thresholds", "auprc", "mem_syn_con", "names", "unseen")
"""Families whose intervals are over documents."""
CONCEPTS = [f"HP:{i}" for i in range(12)]
IS_A = [(c, CONCEPTS[i // 2]) for i, c in enumerate(CONCEPTS) if i]
SIZE, RESAMPLES = 25, 120


def side(seed):
    """Mentions of random documents, the same words wherever the same concept stands."""
    chance = random.Random(seed)
    return {
        f"d{d:02}": [
            Mention(4 * i, 4 * i + 3, c, chance.choice([*Assertion][:2]), f"{c} x")
            for i, c in enumerate(CONCEPTS)
            if chance.random() < 0.2
        ]
        for d in range(SIZE)
    }


@pytest.fixture(scope="module")
def scored():
    """Two systems on one gold."""
    gold = side(1)

    def one(seed):
        said = side(seed)
        chance = random.Random(seed)
        known = Known(
            gold_mentions=lambda: gold,
            predicted_mentions=lambda: said,
            confidences=lambda: {d: {m.concept: chance.random() for m in ms} for d, ms in said.items()},
            lineage=lambda: Lineage(set(CONCEPTS), IS_A),
            training=Training.of(["hp 1 x", "hp 2 x"], CONCEPTS[:5]),
            tree=LabelTree({c: (i % 3, i) for i, c in enumerate(CONCEPTS)}, "tree"),
        )
        statuses, right = (
            {d: {m.concept: m.assertion for m in ms} for d, ms in mentions.items()}
            for mentions in (said, gold)
        )
        settings = Settings.parse(families="all", bootstrap=RESAMPLES, seed=3)
        gold_set = GoldSet("imported:x@1", right, frozenset(right))
        return evaluate(gold_set, statuses, settings, Scope(), known=known)

    return one(2).families, one(3).families


def test_the_families_with_intervals_over_documents(scored):
    assert {name for name, found in scored[0].items() if found.resampled} == {"corpus", *WITHIN}


@pytest.mark.parametrize("family", WITHIN)
def test_intervals_are_percentiles_of_the_resampled_values(scored, family):
    # the percentiles by numpy (linear, its default), not by the code that made the interval
    found = scored[0][family]
    assert not found.absent
    assert {n for n, e in found.estimates.items() if e.low is not None} == {
        n for n, v in found.resampled.items() if not np.isnan(v).all()
    }
    for name, values in found.resampled.items():
        estimate = found.estimates[name]
        assert values.shape == (RESAMPLES,)
        assert estimate.dropped == np.isnan(values).sum()
        if estimate.low is not None:
            expected = np.nanpercentile(values, [2.5, 97.5])
            assert (estimate.low, estimate.high) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("family", WITHIN)
def test_both_systems_are_drawn_alike(scored, family):
    # what counts the gold alone must agree in every resample; ratios differ where the systems do
    one, two = (side[family] for side in scored)
    assert one.resampled.keys() == two.resampled.keys()
    for name in one.resampled.keys() & {"share:MEM", "share:CON", "share:unseen", "regular_share"}:
        assert one.resampled[name] == pytest.approx(two.resampled[name], nan_ok=True)
    assert any((one.resampled[n] != two.resampled[n]).any() for n in one.resampled)
