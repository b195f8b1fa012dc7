"""The index of concept names, against plain NumPy over the same vectors."""

from __future__ import annotations

import numpy as np
import pytest

from core.encode import Encoder, Match, NameIndex
from core.encode.names import WORD_SHARE
from core.encode.words import WordView
from core.errors import InputError
from core.records import Concept, Synonym
from core.text.normalise import stem

CONCEPTS = (
    Concept(
        "HP:0001250", "Seizure", synonyms=(Synonym("Epileptic seizure", "EXACT"), Synonym("Fits", "BROAD"))
    ),
    Concept("HP:0002373", "Febrile seizure", synonyms=(Synonym("Fever-induced seizures", "EXACT"),)),
    Concept(
        "HP:0001945", "Fever", synonyms=(Synonym("Pyrexia", "EXACT"), Synonym("Hyperthermia", "RELATED"))
    ),
    Concept("HP:0004322", "Short stature", synonyms=(Synonym("Small  stature ", "EXACT"),)),
    Concept("HP:0000089", "Renal hypoplasia", synonyms=(Synonym("Hypoplasia of the kidney", "EXACT"),)),
    Concept("HP:0012210", "Abnormal renal morphology", synonyms=(Synonym("Kidney anomaly", "EXACT"),)),
    Concept("HP:0000001", "Fever of old", obsolete=True),
)
NAMES = ["epileptic fits", "high body temperature", "hypoplastic kidneys", "Fever", "small height", "--", ""]


@pytest.fixture(scope="module")
def index(encoder: Encoder) -> NameIndex:
    return NameIndex.build(CONCEPTS, encoder)


def pairs(rows: list[list[Match]]) -> list[list[tuple[str, float]]]:
    return [[(match.concept, match.score) for match in row] for row in rows]


def by_hand(encoder: Encoder, name: str, *, hybrid: bool) -> list[tuple[str, float]]:
    """Every live concept with the s of its nearest name, from squared distances of the vectors."""
    live = [c for c in CONCEPTS if not c.obsolete]
    texts = [[" ".join(t.split()) for t in (c.name, *(s.text for s in c.synonyms))] for c in live]
    words = WordView([text for row in texts for text in row], stem).cosines(name)
    shared = iter(words if hybrid else np.zeros(len(words)))
    share = WORD_SHARE if hybrid else 0.0
    query, result = encoder.encode([name])[0], []
    for concept, row in zip(live, texts, strict=True):
        cosines = [
            (1 - ((vector - query) ** 2).sum() / 2 + share * next(shared)) / (1 + share)
            for vector in encoder.encode(row)
        ]
        result.append((concept.curie, max(1 / (1 + 2 - 2 * cosine) for cosine in cosines)))
    return sorted(result, key=lambda pair: (-pair[1], pair[0]))


@pytest.mark.parametrize("name", NAMES[:5])
@pytest.mark.parametrize("hybrid", [False, True])
def test_nearest_is_what_distances_say(encoder: Encoder, name: str, hybrid: bool) -> None:
    index = NameIndex.build(CONCEPTS, encoder, word_class=stem if hybrid else None)
    expected = by_hand(encoder, name, hybrid=hybrid)
    for k in (1, 3, 6, 50):
        found = pairs(index.nearest([name], k))[0]
        assert [concept for concept, _ in found] == [concept for concept, _ in expected[:k]]
        assert [score for _, score in found] == pytest.approx([s for _, s in expected[:k]], abs=1e-5)


def test_a_name_of_a_concept_is_that_concept(index: NameIndex) -> None:
    match = index.nearest(["pyrexia"])[0][0]
    assert (match.concept, match.name) == ("HP:0001945", "Pyrexia")
    assert match.score == pytest.approx(1, abs=1e-5)


def test_names_without_a_letter_have_no_concept(index: NameIndex) -> None:
    rows = index.nearest(NAMES, 2)
    assert [len(row) for row in rows] == [2, 2, 2, 2, 2, 0, 0]
    assert index.nearest([]) == []
    assert index.nearest(["fever"], 0) == [[]]


def test_order_of_concepts_and_of_questions_makes_no_difference(encoder: Encoder, index: NameIndex) -> None:
    turned = NameIndex.build(reversed(CONCEPTS), encoder)
    together = index.nearest(NAMES, 4)
    for name, row in zip(NAMES, together, strict=True):
        assert [m.concept for m in index.nearest([name], 4)[0]] == [m.concept for m in row]
        assert [m.concept for m in turned.nearest([name], 4)[0]] == [m.concept for m in row]


def test_equal_names_are_told_apart_by_id(encoder: Encoder) -> None:
    twins = [Concept(f"HP:000000{n}", name) for n, name in ((4, "Fever"), (2, "fever"), (3, "FEVER"))]
    index = NameIndex.build([*twins, Concept("HP:0000001", "Cough")], encoder)
    assert [m.concept for m in index.nearest(["fever"], 2)[0]] == ["HP:0000002", "HP:0000003"]


def test_many_names_of_one_concept_crowd_out_no_other(encoder: Encoder) -> None:
    many = Concept("HP:0000009", "Fever", synonyms=tuple(Synonym(f"Fever {n}", "EXACT") for n in range(80)))
    index = NameIndex.build([many, *CONCEPTS], encoder)
    found = [m.concept for m in index.nearest(["fever"], 3)[0]]
    assert len(set(found)) == 3
    assert found[:2] == ["HP:0000009", "HP:0001945"]


def test_shared_words_count_in_a_hybrid_index(encoder: Encoder, index: NameIndex) -> None:
    """Both words are there in another form, which the encoder alone finds less alike."""
    hybrid = NameIndex.build(CONCEPTS, encoder, word_class=stem)
    plain, joined = (i.nearest(["kidney hypoplasia"])[0][0] for i in (index, hybrid))
    assert plain.concept == joined.concept == "HP:0000089"
    assert joined.score > plain.score
    assert hybrid.nearest(["Seizure"])[0][0].score == pytest.approx(1, abs=1e-5)
    assert 0 < hybrid.threshold < 1


def test_what_is_indexed(index: NameIndex, encoder: Encoder) -> None:
    assert len(index) == 14
    assert index.kind == "exact"
    assert all(m.concept != "HP:0000001" for m in index.nearest(["Fever of old"], 50)[0])
    with pytest.raises(InputError, match="no concept to match"):
        NameIndex.build(CONCEPTS[-1:], encoder)
    with pytest.raises(InputError, match="no index kind 'tree'"):
        NameIndex.build(CONCEPTS, encoder, "tree")  # type: ignore[arg-type]
