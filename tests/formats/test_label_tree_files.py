"""Index files: ids and addresses, and everything that is no index."""

import gzip

import pytest

from core.errors import InputError
from core.formats.label_trees import read_indices


def test_ids_and_addresses_are_read_alike(write):
    path = write(
        "tree.json",
        '{"HP:0000001": [0, 3], "http://purl.obolibrary.org/obo/HP_0000002": [1], "urn:x": [2, 0]}',
    )
    assert read_indices(path) == {"HP:0000001": (0, 3), "HP:0000002": (1,), "urn:x": (2, 0)}


def test_a_packed_file(write):
    assert read_indices(write("tree.json.gz", gzip.compress(b'{"A:1": [0]}'))) == {"A:1": (0,)}


def test_a_tree_that_breaks_rules_is_read_all_the_same(write):
    assert read_indices(write("tree.json", '{"A:1": [12], "A:2": [12, 7]}')) == {"A:1": (12,), "A:2": (12, 7)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "is no JSON object"),
        ("{}", "holds no concept"),
        ('{"A:1": []}', r"'A:1': \[\] is no index"),
        ('{"A:1": 3}', "is no index"),
        ('{"A:1": [0, -1]}', "is no index"),
        ('{"A:1": [0, 1.0]}', "is no index"),
        ('{"A:1": [true]}', "is no index"),
        ('{"A:1": ["0"]}', "is no index"),
        ('{"A:1": [0], "A:1": [1]}', "twice"),
        ('{"A:1": [0', "line 1"),
        (
            '{"http://purl.obolibrary.org/obo/HP_1": [0], "HP:1": [1]}',
            "gives 'HP:1' two indices",
        ),
        ('{"A:1": [' + "0," * 1000 + "0]}", "is no index"),
    ],
)
def test_what_is_no_index_file(write, text, message):
    with pytest.raises(InputError, match=message):
        read_indices(write("tree.json", text))
