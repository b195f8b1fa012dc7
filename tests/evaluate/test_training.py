"""What a model was trained on, read from files of every kind."""

import json

import pytest

from core.errors import InputError
from core.evaluate.inputs.training import read_training, read_tree
from core.index.tree import LabelTree
from core.metrics.mem_syn_con import Training

DOCUMENTS = {
    "metadata": {},
    "documents": [
        {
            "doc_id": "d1",
            "text": "Skin tumour, not AT.",
            "annotations": [
                {
                    "concept_id": "A:1",
                    "text_span": "Skin tumour",
                    "start_offset": 0,
                    "end_offset": 11,
                    "assertion_status": "affirmed",
                },
                {
                    "concept_id": "A:2",
                    "text_span": "AT",
                    "start_offset": 17,
                    "end_offset": 19,
                    "assertion_status": "negated",
                },
                {"concept_id": "A:3", "assertion_status": "affirmed"},
                {
                    "concept_id": "A:4",
                    "text_span": "not",
                    "start_offset": 13,
                    "end_offset": 16,
                    "assertion_status": "affirmed",
                    "class": "not_relevant",
                },
            ],
        }
    ],
}


@pytest.fixture
def file(tmp_path):
    def make(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return make


def test_concept_documents_give_names_and_ids_whatever_the_status(file):
    assert read_training([file("train.json", json.dumps(DOCUMENTS))]) == Training(
        frozenset({"skin tumour", "at"}), frozenset({"A:1", "A:2", "A:3"}), "train.json"
    )


def test_pubtator_is_read_as_documents_though_it_is_a_text_file(file):
    rows = "7|t|Skin tumour\n7|a|More.\n7\t0\t11\tSkin tumour\tDisease\tD1\n"
    found = read_training([file("train.txt", rows)])
    assert (found.mentions, found.concepts) == ({"skin tumour"}, {"MESH:D1"})


def test_tags_and_their_ids(file):
    tags = file("train.txt", "Skin B\ntumour I\n. O\n\nAT B\n")
    ids = file("ids.txt", "Skin D1|D2\ntumour -\n. -\n\nAT -1\n")
    assert read_training([tags], [ids]) == Training(
        frozenset({"skin tumour", "at"}), frozenset({"D1", "D2"}), "train.txt + ids.txt"
    )


def test_lists_one_a_line(file):
    names, ids = file("names.txt", "Skin tumour\n\nA-T\n"), file("ids.txt", "D1\nD2+D3\n-1\n")
    assert read_training([names], [ids]) == Training(
        frozenset({"skin tumour", "a t"}), frozenset({"D1", "D2", "D3"}), "names.txt + ids.txt"
    )


def test_a_list_whose_second_words_are_no_tags_is_a_list(file):
    assert read_training([file("names", "breast cancer\nskin cancer\n")]).mentions == {
        "breast cancer",
        "skin cancer",
    }


def test_without_ids_there_are_none(file):
    assert read_training([file("names.txt", "AT\n")]).concepts is None
    assert read_training([file("tags.txt", "AT B\n")]).concepts is None


def test_several_files_are_one_training_set(file):
    found = read_training([file("a.txt", "AT\n"), file("b.json", json.dumps(DOCUMENTS))])
    assert found.mentions == {"at", "skin tumour"}
    assert found.concepts == {"A:1", "A:2", "A:3"}


def test_an_empty_training_set_is_refused(file):
    with pytest.raises(InputError, match=r"names\.txt holds no mention and no concept"):
        read_training([file("names.txt", "--\n\n")])


def test_ids_that_were_replaced_stand_for_the_ids_of_today():
    training = Training(frozenset({"at"}), frozenset({"A:1", "A:9"}), "t")
    assert training.current({"A:9": "A:2"}).concepts == {"A:1", "A:2"}
    assert training.current({}) is training
    assert Training(frozenset(), None).current({"A:9": "A:2"}).concepts is None


def test_an_index_of_a_replaced_id_is_that_of_the_id_of_today(file):
    tree = read_tree(file("tree.json", '{"A:8": [0], "A:9": [1], "A:1": [2], "A:7": [3]}'))
    assert tree.name == "tree.json"
    # A:1 has an index itself and keeps it; of A:8 and A:9, which both became A:2, the first gives its own
    assert tree.current({"A:7": "A:1", "A:8": "A:2", "A:9": "A:2"}) == LabelTree(
        {"A:1": (2,), "A:2": (0,)}, "tree.json"
    )
