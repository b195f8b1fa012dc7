"""Every metric introduces itself, once, and the registry knows every number that is computed."""

import pytest

from core.metrics import FAMILIES, METRICS, corpus


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_says_what_it_is(name):
    metric = METRICS[name]
    for field in metric._fields:
        assert getattr(metric, field).strip(), f"{name}: {field} is empty"
    assert metric.question.endswith("?")
    assert metric.direction in ("higher", "lower", "none")
    assert metric.range.startswith("[")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_says_what_it_counts(family):
    assert FAMILIES[family].title
    assert FAMILIES[family].item
    assert FAMILIES[family].metrics


def test_every_corpus_number_is_registered():
    computed = set(corpus.score(()).estimates) | {"std"}
    assert computed == set(FAMILIES["corpus"].metrics)
    assert corpus.HEADLINE in computed
