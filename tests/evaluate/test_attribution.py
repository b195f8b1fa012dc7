"""Errors by stage of a run in a workspace: by hand, and on the demonstration corpus with real parts."""

import numpy as np
import pytest

from core.evaluate import Settings, evaluate, evaluate_run
from core.evaluate.families.inputs import Known, Mention
from core.evaluate.inputs.stages import Stages, Step, read_stages
from core.exchange import add_corpus, add_ontology
from core.pipeline import ConceptsSettings, run_concepts
from core.records import Assertion, GoldSet, StageRecord
from core.store import open_workspace, runs
from tests.concepts.scripted import index
from tests.evaluate import ward
from tests.pipeline.test_ablation import DEMO

YES, NO = Assertion.AFFIRMED, Assertion.NEGATED
CHOSEN = Settings(families=("corpus", "attribution"), bootstrap=100)


def cells(result, name):
    table = next(t for t in result.tables if t.name == name)
    return {row[0] if name != "causes" else row[:2]: row for row in table.rows}


def check_every_cell(result):
    """Each count opens as many items; every key and every estimate opens."""
    for table in result.tables:
        for row, keys in zip(table.rows, table.opens, strict=True):
            for cell, key in zip(row, keys, strict=True):
                if key is not None:
                    items = result.open(key)
                    assert items == sorted(items, key=lambda i: i.doc_id)
                    assert not isinstance(cell, int) or len(items) == cell, (table.name, key)
    for name in result.estimates:
        result.open(name)
    with pytest.raises(KeyError):
        result.open("nothing:of:this")


# --- by hand ------------------------------------------------------------------------------------------------

TEXT = "He fits. He fits again. No rash."
"""Sentences at 0, 9, 24."""


@pytest.fixture(scope="module")
def small():
    """One document. Gold: a in both first sentences, b denied (so it does not count), c nowhere proposed.
    Proposed: a once, b affirmed, e once. c came up and was dropped; e was brought in by relabel; the a of the
    list is affirmed as gold has it.
    """
    gold = GoldSet("imported:g@1", {"d": {"a": YES, "b": NO, "c": YES}}, frozenset(["d"]))
    steps = {
        "a": [Step("generate", "candidate", None, YES)],
        "b": [Step("generate", "candidate", None, NO), Step("relabel", "kept", None, YES)],
        "c": [Step("generate", "candidate"), Step("relabel", "dropped", "said of another")],
        "e": [Step("relabel", "added", None, YES, "rash")],
    }
    gold_mentions = [Mention(3, 7, "a", YES), Mention(12, 16, "a", YES), Mention(27, 31, "b", NO)]
    mentions = [Mention(3, 7, "a", YES), Mention(27, 31, "e", YES), Mention(None, None, "b", YES)]
    known = Known(
        gold_mentions=lambda: {"d": gold_mentions},
        predicted_mentions=lambda: {"d": mentions},
        texts=lambda: {"d": TEXT},
        stages=lambda: Stages(("generate", "relabel"), {"d": steps}),
    )
    made = evaluate(gold, {"d": {"a": YES, "b": YES, "e": YES}}, CHOSEN, known=known)
    return made.families["attribution"]


def test_each_error_stands_at_its_stage(small):
    """FN: c. FP: b (a wrong status since relabel) and e (brought in by it)."""
    assert [row[:3] for row in cells(small, "stages").values()] == [("generate", 0, 0), ("relabel", 1, 2)]
    assert set(cells(small, "causes").values()) == {
        ("relabel", "status wrong", 0, 1),
        ("relabel", "dropped", 1, 0),
        ("relabel", "brought in", 0, 1),
        ("all", "", 1, 2),
    }
    (missed,) = small.open("fn")
    assert (missed.id, missed.detail) == ("c", "relabel: dropped. said of another")
    check_every_cell(small)


def test_what_is_left_after_each_stage(small):
    """Statuses ignored: after generate a b c of 3; after relabel a b are right and e is wrong."""
    left = cells(small, "funnel")
    assert left["generate"][1:3] == (3, 0)
    assert left["relabel"][1:3] == (2, 1)
    assert left["relabel"][3].value == pytest.approx(2 / 3, abs=1e-9)
    assert left["relabel"][4].value == pytest.approx(2 / 3, abs=1e-9)


def test_figures_of_the_components(small):
    """Gold that counts: a, c. Pairs of gold: a in sentences 1 and 2 (c has no place; b does not count).
    Pairs proposed: a in 1, e in 3 (b has no place). Right: one. Per sentence R 1/2, P 1/2; document P 1/3.
    Both sides hold a and b with any status, equal in a. All three gold concepts came up.
    """
    found = {name: value.value for name, value in small.estimates.items() if ":" not in name}
    assert found == pytest.approx(
        {
            "candidate_recall": 1,
            "sentence_recall": 1 / 2,
            "sentence_precision": 1 / 2,
            "merging_loss": 1 / 2 - 1 / 3,
            "assertion_accuracy": 1 / 2,
        },
        abs=1e-9,
    )
    items = [(i.id, i.outcome, i.detail) for i in small.open("merging_loss")]
    assert items == [("a", "tp", "sentence 1"), ("a", "fn", "sentence 2"), ("e", "fp", "sentence 3")]
    assert [i.outcome for i in small.open("assertion_accuracy")] == ["equal", "confused"]


def test_undefined_figures_say_why():
    gold = GoldSet("imported:g@1", {"d": {}}, frozenset(["d"]))
    known = Known(stages=lambda: Stages(("generate",), {}))
    found = evaluate(gold, {"d": {}}, CHOSEN, known=known).families["attribution"]
    for name in ("candidate_recall", "sentence_recall", "merging_loss", "assertion_accuracy"):
        assert found.estimates[name].value is None
        assert found.estimates[name].reason
    assert found.estimates["share_of_misses:generate"].value is None
    check_every_cell(found)


def test_without_stage_records_the_family_says_what_to_give():
    gold = GoldSet("file:g@1", {"d": {"a": YES}}, frozenset(["d"]))
    assert "run concepts" in evaluate(gold, {"d": {}}, CHOSEN).families["attribution"].absent


# --- stored records -----------------------------------------------------------------------------------------


def fill(workspace):
    ids = ward.fill(workspace)
    with workspace.write() as db:
        runs.add_stage_records(
            db,
            ward.RUN,
            [
                StageRecord("generate", ids["d1"], ward.OLD_A, "candidate", payload={"name": "anaemia"}),
                StageRecord("generate", ids["d1"], ward.B, "candidate", payload={"assertion": "affirmed"}),
                StageRecord("generate", ids["d1"], ward.E, "candidate", payload={}),
                StageRecord("classify", ids["d1"], ward.B, "dropped", "too vague"),
                StageRecord("classify", ids["d1"], None, "done"),
                StageRecord("generate", ids["d2"], None, "unmatched", "far", payload={"nearest": ward.C}),
                StageRecord("classify", ids["d2"], None, "rated", payload={"retained": False}),
                StageRecord("classify", ids["d2"], None, "done"),
                StageRecord("generate", ids["d3"], None, "failed", "no JSON"),
                StageRecord("generate", ids["d4"], None, "failed", "no JSON"),
                StageRecord("classify", ids["d4"], None, "done"),
            ],
        )
    return ids


def test_records_are_read_with_current_ids(workspace):
    fill(workspace)
    found = read_stages(workspace, ward.RUN)
    assert found.order == ("generate", "classify")
    assert found.steps["d1"][ward.A] == (Step("generate", "candidate", None, YES, "anaemia"),), (
        "by the id it bears now, and with the proposal's status where no stage read one"
    )
    assert found.steps["d1"][ward.B][1] == Step("classify", "dropped", "too vague")
    assert found.failed == {"d3": "generate"}, "d4 came through later"
    assert found.discarded == {"d2": "classify"}
    assert found.near["d2"][ward.C].reason == "far"
    assert found.confirmed is None


def test_people_confirm_what_the_gold_lacks(workspace):
    ids = ward.fill(workspace)
    ward.review(workspace, ids)
    with workspace.write() as db:
        runs.add_stage_records(db, ward.RUN, [StageRecord("lexicon", p, None, "done") for p in ids.values()])
    found = read_stages(workspace, ward.RUN, review="reviewed@now:curator=alpha")
    assert found.confirmed == {"d1": {ward.A: YES, ward.B: YES}, "d2": {ward.D: NO}}


def test_an_annotator_in_one_pass_has_one_stage(workspace):
    ids = ward.fill(workspace)
    with workspace.write() as db:
        runs.add_stage_records(db, ward.RUN, [StageRecord("lexicon", p, None, "done") for p in ids.values()])
    found = evaluate_run(workspace, ward.RUN, ward.GOLD, CHOSEN).before.families["attribution"]
    assert [row[:3] for row in cells(found, "stages").values()] == [("lexicon", 1, 2)]


def test_labels_of_another_tool_have_no_stages(workspace):
    ward.fill(workspace)
    assert read_stages(workspace, ward.RUN) is None


# --- the demonstration corpus -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo_runs(tmp_path_factory):
    """Offline runs of the profile's stages over the demonstration corpus, with the real encoder."""
    with open_workspace(tmp_path_factory.mktemp("stages") / "demo.db") as workspace:
        add_ontology(workspace, str(DEMO / "hpo-demo.obo"), name="hpo-demo")
        add_corpus(workspace, DEMO / "passages.json", name="demo")
        common = {"corpus": "demo", "ontology": "hpo-demo", "profile": "hpa", "offline": True}
        run_concepts(workspace, ConceptsSettings(run="plain", **common), matcher=index())
        for oracle in ("sentences", "candidates", "assertions"):
            told = ConceptsSettings(run=oracle, oracle=oracle, gold="imported:demo@1", **common)
            run_concepts(workspace, told, matcher=index())
        yield workspace


@pytest.fixture(scope="module")
def demo(demo_runs):
    return {
        run: evaluate_run(demo_runs, run, "imported:demo@1", CHOSEN).before
        for run in ("plain", "sentences", "candidates", "assertions")
    }


@pytest.mark.parametrize("run", ["plain", "sentences", "candidates", "assertions"])
def test_on_the_demo_corpus_the_stages_add_up_to_the_errors(demo, run):
    totals, found = demo[run].families["corpus"].totals, demo[run].families["attribution"]
    rows = list(cells(found, "stages").values())
    assert sum(row[1] for row in rows) == totals.fn == len(found.open("fn"))
    assert sum(row[2] for row in rows) == totals.fp == len(found.open("fp"))
    shares = [v.value for name, v in found.estimates.items() if name.startswith("share_of_misses:")]
    assert np.sum(shares) == pytest.approx(1, abs=1e-9)
    check_every_cell(found)


def test_the_lists_of_the_last_stage_are_what_was_proposed(demo, demo_runs):
    plain = demo["plain"].families["attribution"]
    proposed = sum(map(len, runs.predictions(demo_runs, "plain").values()))
    assert len(plain.open("left:select:right")) + len(plain.open("left:select:wrong")) == proposed > 300


def test_oracles_bound_what_their_part_can_cost(demo):
    def figure(run, name):
        return demo[run].families["attribution"].estimates[name].value

    assert figure("candidates", "candidate_recall") == 1
    assert figure("assertions", "assertion_accuracy") == 1
    assert cells(demo["candidates"].families["attribution"], "funnel")["generate"][4].value == 1
    precision = {run: demo[run].estimate("micro_precision").value for run in demo}
    assert precision["plain"] < precision["sentences"]
    assert precision["plain"] < precision["assertions"]


def test_quick_counts_of_sentences_are_those_of_all_sentences(demo):
    """Pairs are counted without cutting every text; items are numbered by cutting it."""
    found = demo["plain"].families["attribution"]
    pairs = found.open("sentence_recall"), found.open("sentence_precision")
    values = [sum(i.outcome == "tp" for i in held) / len(held) for held in pairs]
    shown = [found.estimates[name].value for name in ("sentence_recall", "sentence_precision")]
    assert values == pytest.approx(shown, abs=1e-9)


def test_a_status_that_people_deny_is_not_confirmed(workspace):
    """The run's false positives are E on d1 and D on d2. Alpha rejects E and finds D denied, which is no word
    for a D that is affirmed: both stay true errors, 1 of 2 for each of their stages."""
    ids = fill(workspace)
    ward.review(workspace, ids)
    found = evaluate_run(workspace, ward.RUN, ward.GOLD, CHOSEN).before.families["attribution"]
    assert "nobody has said yet" not in " ".join(found.notes)
    true = [e.value for name, e in found.estimates.items() if name.startswith("share_of_true:")]
    apparent = [e.value for name, e in found.estimates.items() if name.startswith("share_of_apparent:")]
    assert true == apparent
    assert sum(true) == 1
    check_every_cell(found)


def test_after_review_what_people_did_is_a_stage_of_its_own(workspace):
    """Corrected by alpha, d1 holds A and B, d2 a denied D: nothing is wrong there but C, still uncertain and
    right; nothing is missed."""
    ids = fill(workspace)
    ward.review(workspace, ids)
    after = evaluate_run(workspace, ward.RUN, ward.GOLD, CHOSEN).after
    found = after.families["attribution"]
    assert (len(found.open("fn")), len(found.open("fp"))) == (
        after.families["corpus"].totals.fn,
        after.families["corpus"].totals.fp,
    )


def test_confirmed_false_positives_are_missing_gold():
    """FP: x and y, both brought in by generate; people found x there, and y denied. Apparent 2 of 2, true 1
    of 1."""
    gold = GoldSet("imported:g@1", {"d": {}}, frozenset(["d"]))
    steps = {c: [Step("generate", "candidate")] for c in "xy"}
    stages = Stages(("generate",), {"d": steps}, confirmed={"d": {"x": YES, "y": NO}})
    found = evaluate(gold, {"d": {"x": YES, "y": YES}}, CHOSEN, known=Known(stages=lambda: stages))
    made = found.families["attribution"]
    (row,) = cells(made, "stages").values()
    assert (row[2], row[5], row[6].value, row[6].n) == (2, 1, 1.0, 1)
    assert [i.id for i in made.open("stage:generate:missing")] == ["x"]
    assert [i.id for i in made.open("share_of_true:generate")] == ["y"]
    assert any("1 of 2" in note for note in made.notes)
    check_every_cell(made)
