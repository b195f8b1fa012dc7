"""The hand-written queries against the real HPO, by words alone; with meaning: `quality_search.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.ontology.load import load
from core.records import Ontology
from core.review.search import Search
from core.review.search.names import OWN, Name

pytestmark = pytest.mark.shared_data

QUERIES = [
    line.split("\t")
    for line in Path(__file__).with_name("queries.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.fixture(scope="module")
def hpo(shared_data: Path) -> Ontology:
    return load(shared_data / "ontology" / "hp-2024-02-08-rebuilt.obo.gz", name="hp")


def test_the_right_concept_is_found(hpo: Ontology) -> None:
    names = [
        Name(concept.curie, text, scope)
        for concept in hpo.concepts
        for text, scope in ((concept.name, OWN), *((s.text, s.scope) for s in concept.synonyms))
    ]
    called = {concept.curie: concept.name for concept in hpo.concepts}
    search = Search(names)
    places = []
    for _, _, query, concept, name in QUERIES:
        assert called[concept] == name
        found = [row.curie for row in search.first(query).rows]
        places.append(found.index(concept) if concept in found else 99)
    assert len(places) >= 120
    assert sum(place == 0 for place in places) >= 90 / 120 * len(places)
    assert sum(place < 5 for place in places) >= 110 / 120 * len(places)
