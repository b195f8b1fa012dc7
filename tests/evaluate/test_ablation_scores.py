"""The ablation table, by hand: four passages, a first row, a better one, and one that selects passages."""

import json

import pytest
from scipy import stats

from core.concepts.ablation import Row, rows
from core.errors import InputError
from core.evaluate import Settings, ablation_tables, score_ablation
from core.evaluate.tables.ablation import PUBLISHED, p_value, percent
from core.evaluate.worth import worth
from core.metrics import Estimate
from core.metrics.documents import Outcome
from core.records import StageRecord
from core.store import corpora, ontologies, runs
from tests.evaluate import ward
from tests.evaluate.ward import AFFIRMED, GOLD, A, C, D, E

CLASSIFY, SELECT = Row(("generate", "classify")), Row(("generate", "select"))
FIRST = Row(("generate",))
THREE = [(FIRST, "g"), (CLASSIFY, "c"), (SELECT, "s")]


@pytest.fixture
def ids(workspace):
    return ward.fill(workspace)


@pytest.fixture
def add(workspace, ids):
    def add(run, said, records=(), settings=None):
        drafts = {ids[d]: [(c, AFFIRMED) for c in concepts] for d, concepts in said.items()}
        with workspace.write() as db:
            ward.add_run(
                db,
                run,
                corpora.corpus(workspace, "ward").id,
                ontologies.find_ontology(workspace, "hp").id,
                drafts,
            )
            runs.add_stage_records(db, run, records)

    return add


@pytest.fixture
def three(workspace, ids, add):
    """Gold: d1 A, B; d2 C; d3 nothing; d4 A."""
    add("g", {"d1": [A, E], "d2": [C, D], "d4": [E]})  # F1 1/2, 2/3, 1, 0
    add("c", {"d1": [A], "d2": [C]})  # F1 2/3, 1, 1, 0
    rated = [
        StageRecord("select", ids[d], None, "rated", payload={"quality": "good", "retained": d != "d4"})
        for d in ids
    ]
    add("s", {"d1": [A, E], "d2": [C, D]}, rated)


@pytest.fixture
def ablation(workspace, three):
    return score_ablation(workspace, THREE, GOLD)


def values(line):
    return [e.value for e in line.estimates().values()]


def test_every_row_has_its_lines(ablation):
    found = [
        (line.row.name, line.passages, line.evaluation.families["corpus"].totals.documents)
        for line in ablation.lines
    ]
    assert found == [
        ("generate", "all", 4),
        ("generate → classify", "all", 4),
        ("generate → select", "retained", 3),
        ("generate → select", "all", 4),
    ]


def test_micro_values(ablation):
    first, classify, retained, everything = ablation.lines
    assert values(first) == pytest.approx([2 / 5, 2 / 4, 4 / 9])
    assert values(classify) == pytest.approx([1, 2 / 4, 4 / 6])
    assert values(retained) == pytest.approx([2 / 4, 2 / 3, 4 / 7])
    assert values(everything) == pytest.approx([2 / 4, 2 / 4, 4 / 8])


def test_rows_are_tested_against_the_first(ablation):
    tested = ablation.lines[1].against_first
    expected = stats.ttest_rel([2 / 3, 1, 1, 0], [1 / 2, 2 / 3, 1, 0], alternative="greater")
    assert tested.t_test.p == pytest.approx(expected.pvalue)
    assert (tested.documents, tested.t_test.differing) == (4, 2)
    assert tested.wilcoxon.p == pytest.approx(1 / 4)
    assert tested.difference["micro_f1"].value == pytest.approx(4 / 6 - 4 / 9)
    assert ablation.lines[0].against_first is None


def test_selection_alone_is_not_applicable_over_what_it_retains(ablation):
    retained, everything = ablation.lines[2:]
    assert retained.against_first.documents == 3
    assert retained.against_first.t_test.p is None
    assert p_value(retained.against_first.t_test) == "not applicable"
    assert retained.against_first.difference["micro_f1"].value == 0
    assert everything.against_first is None


def test_a_stage_that_changes_nothing_is_named(workspace, three):
    found = score_ablation(workspace, [(FIRST, "g"), (CLASSIFY, "g")], GOLD)
    said = "The stage classify after generate changes nothing on this corpus."
    assert said in found.notes
    assert said not in score_ablation(workspace, [(FIRST, "g"), (CLASSIFY, "c")], GOLD).notes


def test_a_stage_is_worth_what_f1_is_with_it_less_without_it(ablation, workspace, three):
    """By hand from the micro F1 above: classify 4/6 - 4/9; select 4/7 on what it keeps, 4/9 on all."""
    classify, select = ablation.worth
    assert (classify.stage, classify.after, classify.gain.n) == ("classify", "generate", 4)
    assert classify.gain.value == pytest.approx(4 / 6 - 4 / 9)
    assert select.gain.value == pytest.approx(4 / 7 - 4 / 9)
    assert classify.gain.low <= classify.gain.value <= classify.gain.high
    assert classify.changes
    (none,) = score_ablation(workspace, [(FIRST, "g"), (CLASSIFY, "g")], GOLD).worth
    assert (none.gain.value, none.gain.low, none.gain.high, none.changes) == (0, 0, 0, False)


def test_the_interval_of_a_stage_is_paired(ablation):
    """Without d4, which neither finds anything in, no resample can lose: the stage only takes errors away."""
    assert ablation.worth[0].gain.low >= 0


def test_the_longest_row_tells_what_a_stage_is_worth(workspace, three):
    relabel = Row(("generate", "classify", "relabel"))
    found = score_ablation(
        workspace, [(FIRST, "g"), (Row(("generate", "relabel")), "g"), (CLASSIFY, "g"), (relabel, "c")], GOLD
    )
    assert [(one.stage, one.after) for one in found.worth] == [
        ("relabel", "generate → classify"),
        ("classify", "generate"),
    ]


def test_failed_passages_are_empty_predictions_and_said(workspace, ids, add, three):
    add("f", {"d1": [A]}, [StageRecord("classify", ids["d2"], None, "failed", payload={"kind": "x"})])
    found = score_ablation(workspace, [(FIRST, "g"), (CLASSIFY, "f")], GOLD)
    assert [line.failed for line in found.lines] == [0, 1]
    assert any("no usable answer" in note for note in found.notes)


def test_a_passage_done_after_a_failure_has_not_failed(workspace, ids, add, three):
    records = [StageRecord("classify", ids["d2"], None, verdict) for verdict in ("failed", "done")]
    add("f", {"d1": [A]}, records)
    assert score_ablation(workspace, [(FIRST, "f")], GOLD).lines[0].failed == 0


def test_what_was_not_rated_is_not_retained(workspace, ids, add, three):
    rated = StageRecord("select", ids["d1"], None, "rated", payload={"quality": "good", "retained": True})
    failed = StageRecord("select", ids["d2"], None, "failed", payload={"kind": "x"})
    add("f", {"d1": [A]}, [rated, failed])
    found = score_ablation(workspace, [(FIRST, "g"), (SELECT, "f")], GOLD)
    assert [o.doc_id for o in found.lines[1].evaluation.outcomes] == ["d1"]


def test_a_root_scores_what_is_below_it_on_both_sides(workspace, three):
    found = score_ablation(workspace, [(FIRST, "g")], GOLD, root=A)  # A and B: d1 TP 1 FN 1, d4 FN 1
    assert values(found.lines[0]) == pytest.approx([1, 1 / 3, 1 / 2])
    assert A in found.scope


def test_runs_that_do_not_belong_together_are_refused(workspace, three):
    with pytest.raises(InputError, match="one corpus"):
        score_ablation(workspace, [], GOLD)


# --- cost ---------------------------------------------------------------------------------------------------


@pytest.fixture
def asked(workspace, ids, three):
    """Run c paid two calls of classify on d1 (one failed) and one on d2; run s used the last of them, too."""
    with workspace.write() as db:
        for i, (doc, failure, price) in enumerate(
            (("d1", "refused", 0.001), ("d1", None, 0.002), ("d2", None, 0.003))
        ):
            call = db.execute(
                "INSERT INTO calls (key, run_id, stage, passage_id, prompt, model, endpoint, request, answer,"
                " raw, failure, seconds, price, attempts, transport, asked_at) VALUES (?, 'c', 'classify', ?,"
                " 'classify@0', 'scripted', 'http://127.0.0.1', '{}', '{}', '{}', ?, 2.0, ?, 1, 'live',"
                " '2026-01-01')",
                (f"{i:064}", ids[doc], failure, price),
            ).lastrowid
            runs.add_stage_records(db, "c", [StageRecord("classify", ids[doc], A, "kept", call_id=call)])
        runs.add_stage_records(db, "s", [StageRecord("classify", ids["d2"], A, "kept", call_id=call)])


def test_cost_of_a_stage_per_passage(workspace, asked):
    found = score_ablation(workspace, THREE, GOLD, worked={"g": (4, {"generate": 8.0})})
    costs = {cost.stage: cost for cost in found.costs}
    assert costs["classify"][2:] == (2, 3 / 2, pytest.approx(6 / 2), pytest.approx(0.006 / 2))
    assert costs["generate"][2:] == (4, None, 2.0, None)
    assert costs["select"][2:] == (0, None, None, None)
    assert found.paid == pytest.approx(0.006)


def test_answers_taken_over_count_for_whoever_uses_them(workspace, asked):
    found = score_ablation(workspace, [(FIRST, "g"), (CLASSIFY, "s")], GOLD)
    assert found.costs[1][2:] == (1, 1, 2, pytest.approx(0.003))
    assert found.paid == 0


# --- what is shown ------------------------------------------------------------------------------------------


def test_tables_print_percent_and_reasons(ablation):
    worth, scores, tests, costs, published, notes = ablation_tables(ablation)
    assert worth.rows[0][:3] == ("classify", "generate", 4)
    assert worth.rows[0][3].startswith("+22.2 [")
    assert [row[:3] for row in scores.rows][2:] == [
        ("generate → select", "retained", 3),
        ("generate → select", "all", 4),
    ]
    assert scores.rows[1][3].startswith("100.0 [")
    assert [row[5] for row in tests.rows][1] == "not applicable"
    assert tests.rows[0][4] == "+12.5"
    assert len(costs.rows) == 3
    assert "not measured here" in published.title
    assert any("Small test set" in row[0] for row in notes.rows)


def test_published_values_can_be_left_out(ablation):
    assert not any("published" in table.title for table in ablation_tables(ablation, published=False))


def test_published_f1_follows_from_published_p_and_r():
    for _, lines in PUBLISHED.values():
        for _, p, r, f1 in lines:
            assert 2 * p * r / (p + r) == pytest.approx(f1, abs=0.11)


def test_intervals_stand_beside_the_percent():
    assert percent(Estimate(4 / 9, 4, low=0.25, high=0.5)) == "44.4 [25.0, 50.0]"
    assert percent(Estimate(0.05, 4, low=-0.1, high=0.2), "+") == "+5.0 [-10.0, +20.0]"
    assert percent(Estimate(0.5, 4)) == "50.0"
    assert percent(Estimate(None, 0, reason="nothing")) is None


def test_json_is_plain(ablation):
    found = json.loads(json.dumps(ablation.to_json(), allow_nan=False))
    assert found["lines"][0]["against_first"] is None
    assert found["lines"][2]["against_first"]["t_test"]["reason"].startswith("Not applicable")
    assert found["gold"] == GOLD


# --- rows ---------------------------------------------------------------------------------------------------


def test_rows_without_a_guideline():
    assert [row.key for row in rows(guideline=False)] == [
        "generate",
        "generate-classify",
        "generate-relabel",
        "generate-select",
        "generate-classify-relabel",
        "generate-classify-relabel-select",
        "generate-direct",
    ]


def test_rows_of_the_paper_are_there():
    for guideline, (_, published) in zip((False, True), PUBLISHED.values(), strict=True):
        assert {name for name, *_ in published} <= {row.name for row in rows(guideline=guideline)}


def test_where_nothing_can_be_found_the_worth_of_a_stage_is_blank():
    empty = Outcome("d1", (), (), ())
    lines = [(row, "all", [empty]) for row in (FIRST, CLASSIFY)]
    (classify,) = worth(lines, Settings(bootstrap=100))
    assert (classify.gain.value, classify.gain.low, classify.changes) == (None, None, False)
    assert classify.gain.reason
