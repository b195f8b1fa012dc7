"""Every metric introduces itself, once, and the registry knows every number that is computed."""

import pytest

from core.errors import InputError
from core.evaluate import Settings
from core.metrics import (
    BESIDE,
    FAMILIES,
    METRICS,
    assertions,
    bounds,
    conflict_types,
    corpus,
    divergence_axes,
    relaxed,
    thresholds,
)
from core.metrics.documents import BEHIND


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_says_what_it_is(name):
    metric = METRICS[name]
    for field, said in metric.to_json().items():
        assert said.strip(), f"{name}: {field} is empty"
    assert metric.question.endswith("?")
    assert metric.direction in ("higher", "lower", "none")
    assert metric.range.startswith("[")


@pytest.mark.parametrize("family", [*FAMILIES.values(), *BESIDE.values()], ids=[*FAMILIES, *BESIDE])
def test_every_family_says_what_it_counts(family):
    assert family.title
    assert family.item
    assert family.metrics


def test_only_what_scores_against_gold_can_be_chosen():
    assert FAMILIES.keys().isdisjoint(BESIDE)
    with pytest.raises(InputError, match="agreement"):
        Settings(families=("agreement",))


def test_every_corpus_number_is_registered():
    computed = set(corpus.score(()).estimates) | {"std"}
    assert computed == set(FAMILIES["corpus"].metrics)
    assert corpus.HEADLINE in computed


@pytest.mark.parametrize(
    ("family", "computed"),
    [
        (corpus.FAMILY, corpus.VALUES),
        (relaxed.FAMILY, relaxed.RATIOS),
        (bounds.FAMILY, bounds.VALUES),
        (assertions.FAMILY, assertions.VALUES),
        (conflict_types.FAMILY, conflict_types.NAMES),
        (divergence_axes.FAMILY, divergence_axes.score([], []).estimates),
        (thresholds.FAMILY, ("precision:0.5", "recall:0.5", "f1:0.5", "mean_f1", "seed_literal_area")),
    ],
    ids=lambda found: getattr(found, "title", None),
)
def test_the_rows_that_hold_a_formula_are_the_values_that_are_computed(family, computed):
    assert {name.partition(":")[0] for name in computed} == set(family.computed)
    for name, row in family.computed.items():
        assert any(value.startswith(f"{name}:") for value in computed) == bool(row.per), name
        assert row.opens in BEHIND, name
