"""The ablation end to end on the demonstration corpus: every row a run, offline, scored against its gold."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from scipy import stats

from core.cli.ablation import run_ablation
from core.concepts.ablation import rows
from core.errors import InputError, NotFoundError
from core.evaluate import score_ablation
from core.exchange import add_corpus, add_ontology
from core.pipeline import ConceptsSettings
from core.pipeline.ablation import ablate
from core.store import corpora, guidelines, open_workspace, proposals, runs

DEMO = Path(__file__).parents[2] / "data" / "demo"
SETTINGS = ConceptsSettings(corpus="demo", ontology="hpo-demo", profile="hpa", offline=True)
COUNTED = ("affirmed", "uncertain")


def fill(workspace):
    add_ontology(workspace, str(DEMO / "hpo-demo.obo"), name="hpo-demo")
    add_corpus(workspace, DEMO / "passages.json", name="demo")


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    with open_workspace(tmp_path_factory.mktemp("ablation") / "demo.db") as workspace:
        fill(workspace)
        yield workspace


@pytest.fixture(scope="module")
def made(filled):
    return ablate(filled, SETTINGS)


@pytest.fixture(scope="module")
def scored(filled, made):
    return score_ablation(filled, made.rows, "imported:demo@1", worked=made.worked)


@pytest.fixture(scope="module")
def gold():
    documents = json.loads((DEMO / "passages.json").read_text("utf-8"))["documents"]
    return {
        d["doc_id"]: {a["concept_id"] for a in d["annotations"] if a["assertion_status"] in COUNTED}
        for d in documents
    }


def said(workspace, run):
    """doc_id -> concepts, read row by row."""
    found = {doc_id: set() for doc_id in corpora.passage_ids(workspace, "demo")}
    names = {passage: doc_id for doc_id, passage in corpora.passage_ids(workspace, "demo").items()}
    for proposal in proposals.of_run(workspace, run):
        if proposal.assertion in COUNTED:
            found[names[proposal.passage_id]].add(proposal.concept)
    return found


def f1(right, found):
    return 2 * len(right & found) / (len(right) + len(found)) if right or found else 1.0


def test_every_row_is_a_run_that_is_done(filled, made):
    assert [row for row, _ in made.rows] == list(rows(guideline=False))
    assert made.unfinished is None
    for row, run in made.rows:
        found = runs.find_run(filled, run)
        assert (found.status, found.settings["stages"]) == ("done", list(row.stages))
        assert found.settings["direct"] == row.direct


def test_scores_are_those_of_plain_sets(filled, scored, gold):
    for line in scored.lines:
        labels = said(filled, line.run)
        documents = {o.doc_id for o in line.evaluation.outcomes}
        assert documents == gold.keys() or line.passages == "retained"
        tp = sum(len(gold[d] & labels[d]) for d in documents)
        p, r = tp / sum(len(labels[d]) for d in documents), tp / sum(len(gold[d]) for d in documents)
        values = [e.value for e in line.estimates().values()]
        assert values == pytest.approx([p, r, 2 * p * r / (p + r)])


def test_the_paired_test_is_scipy_s_over_the_same_passages(filled, scored, gold):
    first = said(filled, scored.lines[0].run)
    line = next(line for line in scored.lines if line.row.key == "generate-classify")
    labels = said(filled, line.run)
    expected = stats.ttest_rel(
        [f1(gold[d], labels[d]) for d in gold], [f1(gold[d], first[d]) for d in gold], alternative="greater"
    )
    assert line.against_first.t_test.p == pytest.approx(expected.pvalue)
    assert line.against_first.documents == len(gold)


def test_selection_after_the_first_stage_has_no_test(scored):
    line = next(line for line in scored.lines if line.row.key == "generate-select")
    assert line.passages == "retained"
    assert not line.against_first.t_test.is_applicable


def test_stages_have_their_time_and_no_price(scored):
    assert [cost.stage for cost in scored.costs] == ["generate", "classify", "relabel", "select"]
    assert all(cost.seconds > 0 and cost.calls is None and cost.price is None for cost in scored.costs)
    assert {cost.passages for cost in scored.costs} == {40}


def test_done_rows_are_not_run_again(filled, made):
    before = {run: runs.find_run(filled, run).digest for _, run in made.rows}
    again = ablate(filled, SETTINGS)
    assert (again.rows, again.worked) == (made.rows, {})
    assert {run: runs.find_run(filled, run).digest for _, run in again.rows} == before


def test_other_inputs_are_refused_with_the_difference(filled, made):
    with pytest.raises(InputError, match="threshold was"):
        ablate(filled, replace(SETTINGS, threshold=0.99))


def test_a_stopped_ablation_goes_on_where_it_was(workspace, filled, made):
    fill(workspace)
    seen = []

    def stop(row, done, total):
        seen.append(row)
        if row == made.rows[2][0].name:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ablate(workspace, SETTINGS, progress=stop)
    assert len(set(seen)) == 3
    again = ablate(workspace, SETTINGS)
    assert [run for _, run in again.rows] == [run for _, run in made.rows]
    for _, run in made.rows:
        assert runs.predictions(workspace, run) == runs.predictions(filled, run)


def test_the_tables_are_printed(filled, made, capsys):
    run_ablation(filled, SETTINGS)
    printed = capsys.readouterr().out
    for words in (
        "generate → classify → relabel → select",
        "retained",
        "not applicable",
        "not measured here",
    ):
        assert words in printed


def test_one_json_object(filled, made, capsys):
    run_ablation(filled, SETTINGS, as_json=True, bootstrap=100)
    found = json.loads(capsys.readouterr().out)
    assert (found["complete"], found["gold"], len(found["lines"])) == (True, "imported:demo@1", 9)


def test_without_gold_nothing_is_run(workspace):
    add_ontology(workspace, str(DEMO / "hpo-demo.obo"), name="hpo-demo")
    add_corpus(workspace, DEMO / "abstracts.json", name="demo")
    with pytest.raises(InputError, match="--gold"):
        run_ablation(workspace, SETTINGS)
    assert runs.list_runs(workspace) == []


def test_gold_that_is_not_there_stops_it_before_the_first_row(workspace):
    fill(workspace)
    with pytest.raises(NotFoundError, match="imported:demo@1"):
        run_ablation(workspace, SETTINGS, gold="imported:other@1")
    assert runs.list_runs(workspace) == []


def test_a_stored_guideline_adds_its_rows(workspace):
    fill(workspace)
    with workspace.write() as db:
        guidelines.add_guideline(db, "hpa", "Drop what is only suspected.", origin="person")
    made = ablate(workspace, SETTINGS)
    assert [row for row, _ in made.rows] == list(rows(guideline=True))
