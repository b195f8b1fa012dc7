"""Search takes words from people, never query syntax."""

from __future__ import annotations

import pytest

from core.records import Concept, Document, Ontology, Synonym
from core.store import Workspace, corpora, ontologies

HOSTILE = (
    *(
        '"',
        '""',
        'a"b',
        "seizure\x00x",
        "\ud800",
        "*",
        "AND",
        "NOT",
        "NEAR(a b)",
        "-",
        "text:b",
        "^x",
        "(",
        " ",
    ),
    *("{a}", "🧠", "'", "seiz* OR", "); DROP TABLE texts; --", "x" * 10_000, "a " * 2000),
)


@pytest.fixture
def ontology(workspace: Workspace) -> int:
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "cases")
        bodies = ("Seizures at night.", "No seizure, ataxia.", "Nothing; AND then 'NEAR' the end.")
        list(corpora.insert_passages(db, corpus, (Document(f"d{n}", b) for n, b in enumerate(bodies))))
    names = (("HP:0001250", "Seizure", "Epileptic fit"), ("HP:0001251", "Ataxia", "Gait seizure-like ataxia"))
    return ontologies.add_ontology(
        workspace,
        Ontology(
            "hp",
            "1",
            None,
            "0" * 64,
            tuple(Concept(c, n, synonyms=(Synonym(s, "EXACT"),)) for c, n, s in names),
        ),
    )


@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: ascii(query[:12]))
def test_query_syntax_is_only_words(workspace: Workspace, ontology: int, query: str) -> None:
    assert isinstance(corpora.search_passages(workspace, query), list)
    assert isinstance(ontologies.search(workspace, ontology, query), list)


def test_words_that_are_operators_are_found_as_words(workspace: Workspace, ontology: int) -> None:
    assert [p for p, _ in corpora.search_passages(workspace, "AND NEAR")] == [3]
    assert corpora.search_passages(workspace, "seizure OR ataxia") == []


def test_passages_are_found_by_stem_and_all_words(workspace: Workspace, ontology: int) -> None:
    assert {p for p, _ in corpora.search_passages(workspace, "seizure")} == {1, 2}
    assert {p for p, _ in corpora.search_passages(workspace, "ataxia, seizures!")} == {2}
    assert corpora.search_passages(workspace, "") == []


def test_concepts_are_found_by_id_name_prefix_and_synonym(workspace: Workspace, ontology: int) -> None:
    for query in ("HP:0001250", "hp:0001250", "seizure", "epil", "fit epileptic"):
        assert ontologies.search(workspace, ontology, query)[0].curie == "HP:0001250", query
    assert [m.curie for m in ontologies.search(workspace, ontology, "seizure")] == [
        "HP:0001250",
        "HP:0001251",
    ]
