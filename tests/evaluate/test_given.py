"""Whatever somebody names, scored: files, ontology files, runs against files and files against gold."""

import json

import pytest

from core.errors import InputError
from core.evaluate import Options, Settings, score_given
from core.evaluate.concept_scope import scope_of_file
from core.evaluate.families.inputs import Mention
from core.evaluate.inputs.gold import corpus_of
from core.evaluate.inputs.statuses import read_statuses
from core.store import corpora
from tests.evaluate import bedside
from tests.evaluate.bedside import COUGH, FEVER, OLD, RASH, TEXT, place
from tests.evaluate.ward import AFFIRMED, NEGATED

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


@pytest.fixture
def filled(workspace):
    return bedside.fill(workspace)


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
    assert found.to_json()["labels"] == {FEVER: "Fever", RASH: "Rash"}


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
