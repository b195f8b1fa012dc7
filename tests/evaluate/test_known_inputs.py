"""What metric families may ask for beyond concepts, from a workspace: raw and reviewed."""

import pytest

from core.evaluate import Scope, Settings, evaluate
from core.evaluate.concept_scope import scope
from core.evaluate.families.inputs import Known, Mention
from core.evaluate.inputs.gold import gold_of_workspace
from core.evaluate.inputs.of_run import known_after_review, known_of_run
from core.index.tree import LabelTree
from core.metrics.mem_syn_con import Training
from core.records import Action, Answer, ConceptClass, GoldSet, NewDecision, Span
from core.store import decisions, runs
from core.store.gold import corrected
from tests.evaluate import bedside
from tests.evaluate.bedside import COUGH, FEVER, OLD, RASH, TEXT, place
from tests.evaluate.ward import AFFIRMED, NEGATED, UNCERTAIN


@pytest.fixture
def filled(workspace):
    return bedside.fill(workspace)


def known(workspace):
    gold = gold_of_workspace(workspace, "imported:ward@1", "ward")
    return known_of_run(workspace, runs.find_run(workspace, "run"), gold, scope(workspace, "hp"))


def test_a_run_brings_its_places_confidences_and_texts(workspace, filled):
    found = known(workspace)
    assert found.predicted_mentions() == {
        "d1": [
            Mention(0, 5, FEVER, AFFIRMED, "Fever"),
            Mention(26, 31, FEVER, UNCERTAIN, "fever"),
            Mention(19, 24, COUGH, NEGATED, "cough"),
            Mention(None, None, RASH, AFFIRMED, "red skin"),
        ]
    }
    assert found.confidences() == {"d1": {FEVER: 0.9, RASH: 0.4}}
    assert found.texts() == {"d1": TEXT}
    assert found.gold_mentions() == {
        "d1": [Mention(0, 5, OLD, AFFIRMED, "Fever"), Mention(None, None, RASH, AFFIRMED)]
    }
    assert found.stages() is None  # the run has no stage records


def test_each_reader_reads_once(workspace, filled):
    found = known(workspace)
    assert found.predicted_mentions() is found.predicted_mentions()
    assert found.confidences() is found.confidences()
    assert found.texts() is found.texts()


def test_scored_are_current_ids_of_the_concepts_at_hand(workspace, filled):
    here = scope(workspace, "hp")
    chosen = known(workspace).of_scored({"d1": {FEVER: AFFIRMED}, "d2": {}}, {"d1": {COUGH: NEGATED}}, here)
    assert chosen.gold_mentions() == {"d1": [Mention(0, 5, FEVER, AFFIRMED, "Fever")], "d2": []}
    assert [m.concept for m in chosen.predicted_mentions()["d1"]] == [COUGH]
    assert chosen.confidences() == {"d1": {}}
    assert chosen.root == "HP:0"
    assert chosen.lineage().parents(RASH) == (FEVER,)


def test_two_ids_of_one_concept_keep_the_higher_confidence():
    either = Known(confidences=lambda: {"d": {OLD: 0.8, FEVER: 0.3}})
    chosen = either.of_scored({}, {"d": {FEVER: AFFIRMED}}, Scope({OLD: FEVER}))
    assert chosen.confidences() == {"d": {FEVER: 0.8}}


def test_training_and_index_are_read_under_current_ids():
    held = Known(training=Training.of(["fever"], [OLD], "t"), tree=LabelTree({OLD: (0,)}, "i"))
    chosen = held.of_scored({}, {}, Scope({OLD: FEVER}))
    assert chosen.training.concepts == frozenset({FEVER})
    assert dict(chosen.tree.indices) == {FEVER: (0,)}


def test_after_review_answers_bring_their_places_and_are_sure(workspace, filled):
    decisions.add_curator(workspace, "alpha", "Alpha")

    def decide(number, action, concept, status, spans=()):
        answer = Answer(concept, "x", status, ConceptClass.EXPLICIT, spans)
        return NewDecision(f"a{number}", "alpha", action, passage_id=filled, subject=concept, answer=answer)

    outcomes = decisions.append(
        workspace,
        [
            decide(1, Action.ACCEPT, FEVER, AFFIRMED, (Span(*place("fever", 5)),)),
            decide(2, Action.FIX, COUGH, AFFIRMED),
            decide(3, Action.ADD, "HP:0", AFFIRMED, (Span(*place("night")),)),
        ],
    )
    assert [o.refused for o in outcomes] == [None] * 3
    run, review = runs.find_run(workspace, "run"), "reviewed@3:curator=alpha"
    now = corrected(workspace, "run", "curator=alpha", 3)
    after = known_after_review(workspace, run, known(workspace), now, review)
    assert set(after.predicted_mentions()["d1"]) == {
        Mention(26, 31, FEVER, AFFIRMED, "fever"),  # where the curator marked it, and nowhere else
        Mention(19, 24, COUGH, AFFIRMED, "cough"),  # the machine's place, the curator's status
        Mention(None, None, RASH, AFFIRMED, "red skin"),  # nobody spoke of it
        Mention(9, 14, "HP:0", AFFIRMED, "night"),  # added
    }
    # cough was proposed without a confidence and has none; what was added is sure
    assert after.confidences() == {"d1": {FEVER: 0.9, RASH: 0.4, "HP:0": 1.0}}
    gold = gold_of_workspace(workspace, review, "ward")
    assert set(gold.mentions()["d1"]) == {
        Mention(26, 31, FEVER, AFFIRMED, "fever"),
        Mention(None, None, COUGH, AFFIRMED),
        Mention(9, 14, "HP:0", AFFIRMED, "night"),
    }


def test_undecided_proposals_and_open_documents_reach_no_family():
    gold = GoldSet(
        "reviewed@1:curator=alpha",
        {"open": {FEVER: AFFIRMED}, "closed": {FEVER: AFFIRMED}},
        frozenset({"closed"}),
        unsettled={"closed": frozenset({RASH})},
    )
    said = {d: {FEVER: AFFIRMED, RASH: AFFIRMED} for d in ("open", "closed", "elsewhere")}
    mentions = {d: [Mention(0, 5, c, AFFIRMED) for c in (FEVER, RASH)] for d in said}
    held = Known(gold_mentions=lambda: mentions, predicted_mentions=lambda: mentions)
    found = evaluate(gold, said, Settings(families=("spans",), bootstrap=0), known=held).families["spans"]
    # one document and one place are left: the rash is not settled, the other documents are open or no gold
    strict = found.estimates["strict_f1"]
    assert (strict.value, strict.n) == (1.0, 1)
    assert {(item.doc_id, item.id) for item in found.open("strict_f1")} == {("closed", FEVER)}
