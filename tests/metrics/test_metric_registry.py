"""Every metric introduces itself, once, and the registry knows every number that is computed."""

import pytest

from core.errors import InputError
from core.evaluate import Settings
from core.metrics import BESIDE, FAMILIES, METRICS, corpus


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
