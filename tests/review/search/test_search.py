"""The right concept first, why it is there, and what cannot be answered answered quickly."""

from __future__ import annotations

import pytest

from core.review.search import LIKENESS, Search, Why
from core.store import Workspace, ontologies
from tests.review.search.ward import ROWS, ontology

HOSTILE = (
    *(
        '"',
        'a"b',
        "seizure\x00x",
        "\ud800",
        "*",
        "NEAR(a b)",
        "-",
        "(",
        "{a}",
        "🧠",
        "'",
        "seiz* OR",
        "\x1b[31m",
    ),
    *(
        "); DROP TABLE names; --",
        "x" * 10_000,
        "a " * 5_000,
        "seizure " * 2_000,
        "..",
        "\u202eezies",
        "1" * 400,
    ),
)


@pytest.fixture
def search(workspace: Workspace) -> Search:
    return Search.of(workspace, ontologies.add_ontology(workspace, ontology()))


def first(search: Search, query: str) -> tuple[str, str]:
    row = search.first(query).rows[0]
    return row.name, row.why.value


@pytest.mark.parametrize(
    ("query", "name", "why"),
    [
        ("hypotonia", "Hypotonia", "exact"),
        ("SEIZURES", "Seizure", "exact"),
        ("low set ear", "Low-set ears", "exact"),
        ("pre-auricular pits", "Preauricular pit", "exact"),
        ("pre auricular pit", "Preauricular pit", "exact"),
        ("palate, cleft", "Cleft palate", "exact"),
        ("café au lait spots", "Cafe-au-lait spot", "exact"),
        ("gastro-oesophageal reflux", "Gastroesophageal reflux", "exact"),
        ("haematuria", "Hematuria", "exact"),
        ("tumour", "Neoplasm", "synonym"),
        ("blood in the urine", "Hematuria", "synonym"),
        ("muscle tone, low", "Hypotonia", "synonym"),
        ("drooping upper eyelids", "Ptosis", "synonym"),
        ("droopy eyelid", "Ptosis", "synonym"),
        ("water on the brain", "Hydrocephalus", "synonym"),
        ("floppy baby", "Hypotonia", "synonym"),
        ("HTN", "Hypertension", "abbreviation"),
        ("htn", "Hypertension", "abbreviation"),
        ("SOB", "Dyspnea", "abbreviation"),
        ("GERD", "Gastroesophageal reflux", "abbreviation"),
        ("LVH", "Left ventricular hypertrophy", "abbreviation"),
        ("VSD", "Ventricular septal defect", "abbreviation"),
        ("VSDs", "Ventricular septal defect", "abbreviation"),
        ("PAH", "Pulmonary arterial hypertension", "abbreviation"),
        ("CP", "Cleft palate", "abbreviation"),
        ("muscular VSD", "Muscular ventricular septal defect", "abbreviation"),
        ("microcephly", "Microcephaly", "spelling"),
        ("sezure", "Seizure", "spelling"),
        ("hypotona", "Hypotonia", "spelling"),
        ("hepatomegally", "Hepatomegaly", "spelling"),
        ("fibrile seisure", "Febrile seizure", "spelling"),
        ("hypotonic", "Hypotonia", "spelling"),
        ("hepato megaly", "Hepatomegaly", "exact"),
        ("HP:0000252", "Microcephaly", "exact"),
        ("hp:0000252", "Microcephaly", "exact"),
        ("HP0000252", "Microcephaly", "exact"),
        ("hp_0000252", "Microcephaly", "exact"),
        ("HP 0000252", "Microcephaly", "exact"),
        ("0000252", "Microcephaly", "exact"),
        ("http://purl.obolibrary.org/obo/HP_0000252", "Microcephaly", "exact"),
        ("HP:0009999", "Seizure", "exact"),
    ],
)
def test_what_is_meant_stands_first_and_says_why(search: Search, query: str, name: str, why: str) -> None:
    assert first(search, query) == (name, why)


def test_whole_names_come_before_names_with_more_words(search: Search) -> None:
    assert [row.name for row in search.first("seizure").rows][:2] == ["Seizure", "Febrile seizure"]
    assert [row.name for row in search.first("VSD").rows] == [
        "Ventricular septal defect",
        "Muscular ventricular septal defect",
        "Double outlet right ventricle with ventricular septal defect",
    ]


def test_a_word_may_be_half_typed(search: Search) -> None:
    assert first(search, "hydroceph") == ("Hydrocephalus", "exact")
    assert first(search, "atrial sept") == ("Atrial septal defect", "exact")
    assert [row.name for row in search.first("septal atr").rows] == ["Atrial septal defect"]


def test_likeness_comes_last_and_each_concept_once(search: Search) -> None:
    for query in (
        "microcephaly",
        "hypertension",
        "septal defect",
        "seizures",
        "epileptic fit",
        "renal cysts",
    ):
        rows = search.first(query).rows
        alike = [row.why in LIKENESS for row in rows]
        assert alike == sorted(alike), query
        assert len({row.curie for row in rows}) == len(rows)


def test_a_row_names_what_was_found_and_its_scope(search: Search) -> None:
    row = search.first("epileptic fits").rows[0]
    assert row == ("HP:0001250", "Seizure", "Epileptic fit", "EXACT", Why.SYNONYM)
    assert search.first("HP0009999").rows[0][2:4] == ("HP:0009999", "ID")
    assert search.first("water on the brain").rows[0][2:4] == ("water on the brain", "LAY")


def test_obsolete_concepts_are_never_found(search: Search) -> None:
    assert "HP:1" not in {row.curie for query in ("old cyst", "HP:1") for row in search.first(query).rows}


def test_a_sentence_brings_the_names_that_stand_in_it(search: Search) -> None:
    text = (
        "The boy had two febrile seizures before the age of five, and marked hypotonia of the limbs was seen."
    )
    names = [row.name for row in search.in_sentence(text)]
    assert {"Febrile seizure", "Hypotonia"} <= set(names[:3])
    assert all(row.why in LIKENESS for row in search.in_sentence(text))


@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: ascii(query[:12]))
def test_what_nobody_means_is_answered_all_the_same(search: Search, query: str) -> None:
    found = search.first(query)
    assert {row.curie for row in found.rows} <= ROWS.keys()


@pytest.mark.parametrize("query", ["", " ", "?!", "🧠", "---"])
def test_without_a_word_nothing_is_found_and_nothing_more_will_come(search: Search, query: str) -> None:
    assert search.first(query) == ([], True, False)


def test_without_vectors_the_answer_is_not_complete(search: Search) -> None:
    assert not search.first("seizure").complete
    assert not search.all("seizure").complete
