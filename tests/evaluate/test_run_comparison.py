"""Two runs side by side: what changed, agreement over candidates, and two versions of a prompt."""

import json

import pytest
from sklearn.metrics import cohen_kappa_score

from core.errors import InputError, NotFoundError
from core.evaluate import compare_prompts, compare_runs, prompt_versions, review_items
from core.records import ConceptClass, Draft, StageRecord
from core.store import corpora, ontologies, proposals, runs
from tests.evaluate import ward
from tests.evaluate.ward import AFFIRMED, RUN, UNCERTAIN, A, B, C, D, E

EXPLICIT, IMPLICIT = ConceptClass.EXPLICIT, ConceptClass.PRAGMATICALLY_IMPLICIT
OTHER = "other"


@pytest.fixture
def ids(workspace):
    return ward.fill(workspace)


def add(workspace, ids, said, records=(), *, run=OTHER, settings=None, corpus="ward"):
    """`said`: (doc_id, concept, assertion, class)."""
    with workspace.write() as db:
        runs.begin_run(
            db,
            run,
            kind="concepts",
            source="stages",
            corpus_id=corpora.corpus(workspace, corpus).id,
            ontology_id=ontologies.find_ontology(workspace, "hp").id,
            settings=settings or {},
            fingerprint="f",
        )
        for doc_id, concept, assertion, of_class in said:
            draft = Draft(concept, ward.LABELS.get(concept, concept), assertion, of_class, 0.9, "why")
            proposals.add(db, run, [(ids[doc_id], [draft])])
        runs.add_stage_records(db, run, records)
        runs.finish_run(db, run)


@pytest.fixture
def compared(workspace, ids):
    """RUN says d1: A, E; d2: C (uncertain), D; d4: A. The other one:"""
    add(
        workspace,
        ids,
        [
            ("d1", A, UNCERTAIN, EXPLICIT),
            ("d1", B, AFFIRMED, EXPLICIT),
            ("d2", C, UNCERTAIN, EXPLICIT),
            ("d2", D, AFFIRMED, IMPLICIT),
        ],
        [
            StageRecord("generate", ids["d1"], A, "candidate"),
            StageRecord("generate", ids["d1"], C, "candidate"),
            StageRecord("classify", ids["d1"], C, "dropped"),
            StageRecord("generate", ids["d4"], A, "candidate"),
            StageRecord("classify", ids["d4"], A, "dropped"),
        ],
        settings={"threshold": 0.6, "options": {"threads": 1}},
    )
    return compare_runs(workspace, RUN, OTHER)


def test_disagreements_come_first_by_kind_and_document(compared):
    assert [(i.change, i.doc_id, i.concept) for i in compared.items] == [
        ("only_a", "d1", E),
        ("only_a", "d4", A),
        ("only_b", "d1", B),
        ("assertion", "d1", A),
        ("class", "d2", D),
        ("same", "d2", C),
    ]
    assert len([i for i in compared.items if i.change != "same"]) == 5


def test_counts_of_what_changed(compared):
    assert (compared.both, compared.only_a, compared.only_b) == (3, 2, 1)
    assert (compared.assertion_changed, compared.class_changed) == (1, 1)
    assert compared.same_status == pytest.approx(2 / 3)
    assert compared.pairwise_f1 == pytest.approx(2 * 3 / (5 + 4))


def test_each_side_says_what_it_said(compared):
    by_key = {(i.doc_id, i.concept): i for i in compared.items}
    one = by_key["d1", A]
    assert (one.assertion_a, one.assertion_b, one.label) == (AFFIRMED, UNCERTAIN, "Anaemia")
    assert (by_key["d1", E].assertion_b, by_key["d1", E].class_b) == (None, None)
    assert (by_key["d2", D].class_a, by_key["d2", D].class_b) == (EXPLICIT, IMPLICIT)


def test_every_item_opens_in_review(workspace, compared):
    places = [(item.doc_id, item.concept) for item in compared.items]
    assert [item.item for item in compared.items] == review_items(workspace, RUN, places)


def test_kappa_is_over_what_either_run_thought_of(compared):
    # the six items above, and C on d1, which the other run took up and dropped again
    ours = ["affirmed", "affirmed", "absent", "affirmed", "affirmed", "uncertain", "absent"]
    theirs = ["absent", "absent", "affirmed", "uncertain", "affirmed", "uncertain", "absent"]
    assert compared.agreement.n == 7
    assert compared.agreement.observed == pytest.approx(3 / 7)
    assert compared.agreement.kappa == pytest.approx(cohen_kappa_score(ours, theirs))
    assert "candidate" in compared.universe


def test_passages_a_run_failed_on_are_not_rated(workspace, ids):
    add(
        workspace,
        ids,
        [("d1", A, AFFIRMED, EXPLICIT), ("d4", A, AFFIRMED, EXPLICIT)],
        [StageRecord("classify", ids["d2"], None, "failed", payload={"kind": "unreadable"})],
    )
    found = compare_runs(workspace, RUN, OTHER)
    assert (found.agreement.n, found.agreement.missing) == (3, 2)
    assert found.only_a == 3  # silence is silence in the plain counts


def test_differing_settings_are_named(compared):
    assert compared.differing_settings == {"source": ("lexicon", "stages"), "threshold": (None, 0.6)}


def test_figures_are_plain(compared):
    figures = json.loads(json.dumps(compared.to_json()))
    assert "items" not in figures
    assert (figures["kappa"], figures["items_rated"]) == (compared.agreement.kappa, 7)


def test_alternative_ids_are_one_concept(workspace, ids):
    add(workspace, ids, [("d4", ward.OLD_A, AFFIRMED, EXPLICIT)])
    found = compare_runs(workspace, RUN, OTHER)
    assert [i.change for i in found.items if i.doc_id == "d4"] == ["same"]


def test_a_run_with_itself_agrees(workspace, ids):
    found = compare_runs(workspace, RUN, RUN)
    assert {i.change for i in found.items} <= {"same"}
    assert found.differing_settings == {}
    assert (found.agreement.observed, found.agreement.kappa, found.pairwise_f1) == (1, 1, 1)


# --- two versions of a prompt -------------------------------------------------------------------------------

OLD, NEW = "classify@000000000001", "classify@000000000002"


def add_asked(workspace, ids, run, prompt, doc_id="d1"):
    with workspace.write() as db:
        call = db.execute(
            "INSERT INTO calls (key, stage, prompt, model, endpoint, request, answer, raw, seconds, attempts,"
            " transport, asked_at) VALUES (?, 'classify', ?, 'scripted', 'http://127.0.0.1', '{}', '{}',"
            " '{}', 0.1, 1, 'live', '2026-01-01')",
            ((run + prompt).encode().hex().ljust(64, "0")[:64], prompt),
        ).lastrowid
    record = StageRecord("classify", ids[doc_id], A, "kept", call_id=call)
    add(workspace, ids, [(doc_id, A, AFFIRMED, EXPLICIT)], [record], run=run)


def test_prompt_versions_are_compared_by_the_runs_that_used_them(workspace, ids, monkeypatch):
    monkeypatch.setattr(runs, "now", lambda: "2999-01-01T00:00:00.000+00:00")  # all three in one moment
    for run, prompt in (("one", OLD), ("two", NEW), ("three", NEW)):
        add_asked(workspace, ids, run, prompt)
    assert prompt_versions(workspace) == [OLD, NEW]
    found = compare_prompts(workspace, OLD, NEW)
    assert [run.id for run in runs.list_runs(workspace)][-3:] == ["one", "two", "three"]
    assert (found.a, found.b) == ("one", "three")
    assert found.differing_settings["prompts_used"] == ([OLD], [NEW])


def test_an_unknown_prompt_names_the_known_ones(workspace, ids):
    add_asked(workspace, ids, "one", OLD)
    with pytest.raises(NotFoundError, match=OLD):
        compare_prompts(workspace, OLD, "classify@ffffffffffff")


def test_one_run_is_not_compared_with_itself(workspace, ids):
    add_asked(workspace, ids, "one", OLD)
    with pytest.raises(InputError, match="No corpus was labelled with both"):
        compare_prompts(workspace, OLD, OLD)
