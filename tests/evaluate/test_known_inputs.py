"""What metric families may ask for beyond concepts: from files and from a workspace, raw and reviewed."""

import json

import pytest

from core.errors import InputError
from core.evaluate import Options, Scope, Settings, evaluate, score_given
from core.evaluate.files import read_statuses
from core.evaluate.gold_sources import corpus_of, gold_of_workspace
from core.evaluate.inputs import Known, Mention
from core.evaluate.run_inputs import known_after_review, known_of_run
from core.evaluate.settings import scope, scope_of_file
from core.metrics.label_tree import LabelTree
from core.metrics.mem_syn_con import Training
from core.records import (
    Action,
    Annotation,
    Answer,
    Concept,
    ConceptClass,
    Document,
    Draft,
    Evidence,
    GoldSet,
    NewDecision,
    Ontology,
    Span,
)
from core.store import corpora, decisions, ontologies, runs
from core.store.gold import corrected
from tests.evaluate.ward import AFFIRMED, NEGATED, UNCERTAIN

FEVER, COUGH, RASH, OLD = "HP:1", "HP:2", "HP:3", "HP:9"
TEXT = "Fever at night, no cough, fever again; a rash."
OBO = """format-version: 1.2
data-version: 2
ontology: x

[Term]
id: HP:0
name: All

[Term]
id: HP:1
name: Fever
alt_id: HP:9
is_a: HP:0

[Term]
id: HP:2
name: Cough
is_a: HP:0

[Term]
id: HP:3
name: Rash
is_a: HP:1
"""


def place(quote, start=0):
    at = TEXT.index(quote, start)
    return at, at + len(quote), quote


@pytest.fixture
def filled(workspace):
    """One document. Gold: fever (by an old id, with a place), a rash (of the document). Run: fever twice, a
    quote that is not there, cough negated, each with a confidence but the last."""
    stored = ontologies.add_ontology(
        workspace,
        Ontology(
            "hp",
            "1",
            "HP:0",
            "0" * 64,
            (
                Concept("HP:0", "All"),
                Concept(FEVER, "Fever", parents=("HP:0",), alt_ids=(OLD,)),
                Concept(COUGH, "Cough", parents=("HP:0",)),
                Concept(RASH, "Rash", parents=(FEVER,)),
            ),
        ),
    )
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "ward")
        ((passage, _),) = corpora.insert_passages(db, corpus, [Document("d1", TEXT)])
        corpora.add_annotation_set(
            db,
            "ward",
            "1",
            corpus,
            [(passage, Annotation(OLD, span=Span(*place("Fever")))), (passage, Annotation(RASH))],
            exhaustive=True,
            sha256="1" * 64,
        )
        runs.begin_run(
            db,
            "run",
            kind="concepts",
            source="x",
            corpus_id=corpus,
            ontology_id=stored,
            settings={},
            fingerprint="f",
        )

        def quoted(start, end, quote, status=None):
            return Evidence(quote, start, end, True, status)

        drafts = [
            Draft(
                FEVER, "Fever", AFFIRMED, ConceptClass.EXPLICIT, 0.9, "",
                (quoted(*place("Fever")), quoted(*place("fever", 5), UNCERTAIN)),
            ),
            Draft(COUGH, "Cough", NEGATED, ConceptClass.EXPLICIT, None, "", (quoted(*place("cough")),)),
            Draft(
                RASH, "Rash", AFFIRMED, ConceptClass.EXPLICIT, 0.4, "", (Evidence("red skin", 3, 9, False),)
            ),
            Draft("HP:0", "All", AFFIRMED, ConceptClass.NOT_RELEVANT, 0.1, ""),
        ]  # fmt: skip
        runs.add_proposals(db, "run", [(passage, drafts)])
        runs.finish_run(db, "run")
    return passage


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
        return NewDecision(f"a{number}", "alpha", action, passage_id=filled, concept=concept, answer=answer)

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


# --- files ------------------------------------------------------------------------------------------------


def write(path, *documents):
    path.write_text(json.dumps({"metadata": {}, "documents": documents}), "utf-8")
    return path


def row(concept, **more):
    return {"concept_id": concept, **more}


def test_a_file_brings_places_confidences_and_texts(tmp_path):
    start, end, quote = place("cough")
    path = write(
        tmp_path / "said.json",
        {
            "doc_id": "d1",
            "text": TEXT,
            "annotations": [
                row(COUGH, text_span=quote, start_offset=start, end_offset=end, confidence=0.4),
                row(COUGH, confidence=0.7, assertion_status="negated"),
                row(FEVER),
                row(RASH, **{"class": "not_relevant"}),
            ],
        },
        {"doc_id": "d2", "annotations": [row(FEVER)]},
    )
    found = read_statuses(path)
    assert found.mentions == {
        "d1": [
            Mention(start, end, COUGH, AFFIRMED, quote),
            Mention(None, None, COUGH, NEGATED),
            Mention(None, None, FEVER, AFFIRMED),
        ],
        "d2": [Mention(None, None, FEVER, AFFIRMED)],
    }
    assert found.confidences == {"d1": {COUGH: 0.7}}
    assert found.texts == {"d1": TEXT}


def test_without_a_text_places_stand_as_the_file_states_them(tmp_path):
    path = write(
        tmp_path / "said.json",
        {
            "doc_id": "d1",
            "annotations": [
                row(COUGH, text_span="cough", start_offset=19, end_offset=24),
                row(FEVER, start_offset=0, end_offset=5),
                row(RASH, text_span="rash"),
            ],
        },
    )
    assert read_statuses(path).mentions["d1"] == [
        Mention(19, 24, COUGH, AFFIRMED, "cough"),
        Mention(0, 5, FEVER, AFFIRMED, ""),
        Mention(None, None, RASH, AFFIRMED, "rash"),
    ]


def test_an_ontology_file_gives_ids_names_and_is_a(tmp_path):
    path = tmp_path / "x.obo"
    path.write_text(OBO, "utf-8")
    whole = scope_of_file(path)
    assert (whole.name, whole.root, dict(whole.alt_ids)) == ("x.obo@2", "HP:0", {OLD: FEVER})
    assert whole.labels[COUGH] == "Cough"
    assert whole.lineage().ancestors(RASH) == {FEVER, "HP:0"}
    part = scope_of_file(path, OLD)
    assert part.name == "HP:1 and below, x.obo@2"
    assert [part.current(c) for c in (OLD, RASH, COUGH)] == [FEVER, RASH, None]
    with pytest.raises(InputError, match="'HP:404'"):
        scope_of_file(path, "HP:404")


def test_files_are_scored_below_a_root_of_an_ontology_file(tmp_path):
    path = tmp_path / "x.obo"
    path.write_text(OBO, "utf-8")
    gold = write(tmp_path / "gold.json", {"doc_id": "d", "annotations": [row(OLD), row(COUGH)]})
    said = write(tmp_path / "said.json", {"doc_id": "d", "annotations": [row(FEVER), row(RASH)]})
    found = score_given(None, str(said), str(gold), Options(ontology=str(path), root=FEVER))
    (outcome,) = found.outcomes
    assert (outcome.tp, outcome.fp, outcome.fn) == ((FEVER,), (RASH,), ())  # cough is elsewhere
    assert found.labels == {FEVER: "Fever", RASH: "Rash"}


# --- whatever is named ------------------------------------------------------------------------------------


def test_a_run_against_a_file_and_a_file_against_gold_of_the_workspace(workspace, filled, tmp_path):
    gold = write(tmp_path / "gold.json", {"doc_id": "d1", "annotations": [row(FEVER), row(RASH)]})
    options = Options(ontology="hp")
    of_run = score_given(workspace, "run", str(gold), options).before
    against_import = score_given(workspace, str(gold), "imported:ward", options)
    assert of_run.gold.startswith("file:gold.json@")
    assert [(o.tp, o.fp, o.fn) for o in of_run.outcomes] == [((FEVER, RASH), (), ())]
    assert against_import.gold == "imported:ward@1"
    assert against_import.exhaustive is True
    assert against_import.estimate("macro_f1").value == 1.0
    stranger = write(tmp_path / "other.json", {"doc_id": "x", "annotations": []})
    with pytest.raises(InputError, match=r"other\.json names no document"):
        score_given(workspace, "run", str(stranger))
    with pytest.raises(InputError, match="share no document"):
        score_given(workspace, str(stranger), "imported:ward@1")


def test_gold_of_several_corpora_is_no_gold_of_a_file(workspace, filled):
    assert corpus_of(workspace, "reviewed@now:agreed") == "ward"
    with workspace.write() as db:
        corpora.create_corpus(db, "second")
    assert corpus_of(workspace, "imported:ward@1") == "ward"
    with pytest.raises(InputError, match="several corpora"):
        corpus_of(workspace, "reviewed@now:agreed")


def test_what_cannot_be_scored_is_refused_in_a_sentence(workspace, filled, tmp_path):
    gold = write(tmp_path / "gold.json", {"doc_id": "d1", "annotations": [row(FEVER)]})
    for words, options, said in (
        (("missing.json", str(gold)), Options(), "There is no file missing.json"),
        ((str(gold), str(gold)), Options(root=FEVER), "--ontology"),
        ((str(gold), str(gold)), Options(ontology="hp"), "no ontology file hp"),
        ((str(gold), str(gold)), Options(ontology="x.obo"), "There is no file x.obo"),
        (("run", str(gold)), Options(), "not both files"),
        ((str(gold), str(gold)), Options(families="f1"), "'f1' is no metric family"),
        ((str(gold), str(gold)), Options(counting={"by": "colour"}), "'colour' is no slice"),
    ):
        with pytest.raises(InputError, match=said):
            score_given(None, *words, options)


def test_slices_need_one_of_two_options_only():
    assert Settings.parse(by="length").families == ("corpus", "slices")
    assert Settings.parse(families="slices").by == ("branch", "length", "assertion")
    assert Settings.parse(families="corpus").by == ()
