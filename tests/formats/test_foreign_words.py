"""Ids, statuses and scores as other tools write them."""

from __future__ import annotations

import json

import pytest

from core.formats import Notes, foreign
from core.formats.documents import curie
from core.records import Annotation

SHARED_IDS = "hi_ald/hpa_target_concept_id_list.json.gz"


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("HP:0001250", "HP:0001250"),
        ("HP_0001250", "HP:0001250"),
        (" HP_0001250\n", "HP:0001250"),
        ("http://purl.obolibrary.org/obo/HP_0001250", "HP:0001250"),
        ("https://purl.obolibrary.org/obo/GO_0008150", "GO:0008150"),
        ("http://purl.bioontology.org/ontology/HOIP/HOIP_0004006", "HOIP:0004006"),
        ("MESH_D009369", "MESH:D009369"),
        ("c_35delG", "c_35delG"),
        ("http://example.org/obo/HP_1", "http://example.org/obo/HP_1"),
        ("X_1.a-b:c", "X_1.a-b:c"),
        ("", ""),
    ],
)
def test_ids_become_curies(given: str, wanted: str) -> None:
    assert curie(given) == wanted


def test_any_format_reads_them(write, read) -> None:
    """JSON, CSV and PubTator have the id from one place."""
    ids = ("HP_0001945", "http://purl.obolibrary.org/obo/HP_0001945", "HP:0001945")
    for given in ids:
        row = {
            "doc_id": "1",
            "text": "A fever.",
            "annotations": [{"hpo_id": given, "assertion_status": "affirmed"}],
        }
        for path in (
            write("a.jsonl", json.dumps(row)),
            write("a.csv", f"doc_id,text,concept_id\n1,A fever.,{given}\n"),
            write("a.pubtator", f"1|t|A fever.\n1\t2\t7\tfever\tX\t{given}\n"),
        ):
            found = read(path)
            assert [a.concept for a in found.documents[0].annotations] == ["HP:0001945"], path


def test_several_ids_in_a_cell() -> None:
    assert foreign.curies("HP_0001250|HP:0001251;HP:0001252, HP:0001250") == [
        "HP:0001250",
        "HP:0001251",
        "HP:0001252",
    ]
    assert foreign.curies("1017;1018", "Gene") == ["NCBIGene:1017", "NCBIGene:1018"]
    assert foreign.curies("-") == foreign.curies("None") == foreign.curies("") == []
    with pytest.raises(ValueError, match="no prefix"):
        foreign.curies("1017", "Mutation")


def test_words_for_a_status() -> None:
    said = {word: foreign.status(word) for word in ("Affirmed", "present", None, "", "unknown")}
    assert set(said.values()) == {"affirmed"}
    assert {foreign.status(word) for word in ("negated", "absent", "excluded", "normal", " NO ")} == {
        "negated"
    }
    assert {foreign.status(word) for word in ("uncertain", "possible", "suspected")} == {"uncertain"}
    for word in ("perhaps not", 1, True, ["negated"]):
        with pytest.raises(ValueError, match="no status"):
            foreign.status(word)


def test_a_score_that_is_no_confidence_is_counted_and_a_word_refused() -> None:
    notes = Notes()
    assert [foreign.score(given, notes) for given in (0.5, "0.25", 1, "", None)] == [
        0.5,
        0.25,
        1.0,
        None,
        None,
    ]
    assert notes.left_out == {}
    assert [foreign.score(given, notes) for given in (-0.1, "7", 2**70)] == [None, None, None]
    assert notes.left_out == {"Scores outside 0 to 1": 3}
    for given in ("high", "nan", float("nan"), float("inf"), "9" * 5000, True, [1]):
        with pytest.raises(ValueError, match="no score"):
            foreign.score(given, notes)


@pytest.mark.shared_data
def test_the_targets_of_hi_ald_are_curies(shared_data, write, read) -> None:
    """All 18,354 addresses of the released list, as the labels of one document."""
    import gzip

    addresses = json.loads(gzip.decompress((shared_data / SHARED_IDS).read_bytes()))
    row = {"passage": "All.", "HPA concepts": addresses}
    (found,) = read(write("a.json", json.dumps([row])), "hi-ald").documents
    assert [a.concept for a in found.annotations] == ["HP:" + one[-7:] for one in addresses]
    assert found.annotations[0] == Annotation("HP:" + addresses[0][-7:])
    assert len(addresses) == 18_354
