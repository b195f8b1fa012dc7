"""Files that other annotators write. The forms are those of their sources (see the readers); texts and
labels are made up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.errors import InputError
from core.formats import Reading
from core.records import Annotation, Assertion, ConceptClass, Document, Evidence, Span

TEXT = "No fever. Later seizures,\nand\tataxia \U0001f600 of gait."
# offsets counted by hand: fever 3-8, seizures 16-24, ataxia 30-36
FEVER, SEIZURES, ATAXIA = Span(3, 8, "fever"), Span(16, 24, "seizures"), Span(30, 36, "ataxia")
NEGATED, UNCERTAIN = Assertion.NEGATED, Assertion.UNCERTAIN
READING = Reading(texts={"d1": TEXT, "d2.txt": TEXT}.get, keep_ungrounded=True)


# --- FastHPOCR --------------------------------------------------------------------------------------------

ROWS = "[16:24]\tHP:0001250\tSeizure\tseizures\n[20:36]\tHP:0001251\tAtaxia\tures,\nand\tataxia"


def test_fasthpocr_writes_a_file_for_each_text(write, read) -> None:
    found = read(write("d1.tsv", ROWS), "fasthpocr", READING)
    assert found.errors == []
    assert found.documents == [
        Document(
            "d1",
            TEXT,
            (
                Annotation("HP:0001250", "Seizure", span=SEIZURES),
                Annotation("HP:0001251", "Ataxia", span=Span(20, 36, "ures,\nand\tataxia")),
            ),
        )
    ]
    assert read(write("d2.txt", ""), "fasthpocr", READING).documents == [Document("d2.txt", TEXT)]


def test_fasthpocr_adds_categories_and_loses_far_places(write, read) -> None:
    rows = (
        "[16:24]\tHP:0001250\tSeizure\tseizures\t[HP:0000707 (Abnormality of the nervous system)]\n"
        "[20:36]\tHP:0001251\tAtaxia\tures,\nand\tataxia\t[HP:0000707 (A) | HP:0001 (B)]\n"
        "[-1:9]\tHP:0001945\tFever\t\n"
    )
    found = read(write("d1", rows), "fasthpocr", READING)
    assert [(a.concept, a.span) for a in found.documents[0].annotations] == [
        ("HP:0001250", SEIZURES),
        ("HP:0001251", Span(20, 36, "ures,\nand\tataxia")),
        ("HP:0001945", None),
    ]
    assert found.notes.sentences() == [
        "Top-level categories of concepts, left out: 2.",
        "Offsets below 0, of labels kept without a quote, left out: 1.",
    ]


def test_what_fasthpocr_did_not_write_is_refused(write, read) -> None:
    with pytest.raises(InputError, match=r"d1\.txt, line 1: expected \[start:end\]"):
        read(write("d1.txt", "HP:0001250\tSeizure\n"), "fasthpocr", READING)


# --- Phentrieve -------------------------------------------------------------------------------------------

CHUNKS = [
    {"chunk_idx": 0, "text": "No fever", "start_char": 0, "end_char": 8},
    {"chunk_idx": 1, "text": "Later seizures", "start_char": 10, "end_char": 24},
    {"chunk_idx": 2, "text": "ataxia of gait", "start_char": -1, "end_char": -1},
]


def term(concept: str, name: str, score: float, status: str | None, chunk: int) -> dict[str, Any]:
    return {
        "hpo_id": concept,
        "name": name,
        "confidence": score,
        "status": status,
        "top_evidence_chunk": chunk,
    }


SUMMARY = {
    "document": {
        "language": "en",
        "chunks": CHUNKS,
        "hpo_terms": [
            term("HP:0001945", "Fever", 0.9, "negated", 0),
            term("HP:0001250", "Seizure", 0.8, "affirmed", 1),
            term("HP:0001251", "Ataxia", 0.7, "uncertain", 2),
            term("HP:0001252", "Hypotonia", 0.4, "normal", -1),
            term("HP:0001263", "Delay", 3.5, None, -1),
        ],
    }
}
OF_CHUNKS = (
    Annotation("HP:0001945", "Fever", NEGATED, Span(0, 8, "No fever"), confidence=0.9),
    Annotation("HP:0001250", "Seizure", span=Span(10, 24, "Later seizures"), confidence=0.8),
    Annotation(
        "HP:0001251",
        "Ataxia",
        UNCERTAIN,
        confidence=0.7,
        ungrounded=Evidence("ataxia of gait", None, None, grounded=False),
    ),
    Annotation("HP:0001252", "Hypotonia", NEGATED, confidence=0.4),
    Annotation("HP:0001263", "Delay"),
)


def test_phentrieves_summary(write, read) -> None:
    found = read(write("d1.json", json.dumps(SUMMARY)), "phentrieve", READING)
    assert found.documents == [Document("d1", TEXT, OF_CHUNKS)]
    assert found.notes.left_out == {"Scores outside 0 to 1": 1}
    assert found.notes.ungrounded == 1


def test_phentrieves_lines(write, read) -> None:
    terms = [
        {
            "id": "HP:0001250",
            "name": "Seizure",
            "score": 0.8,
            "assertion_status": "affirmed",
            "chunks": [1],
            "text_attributions": [
                {"chunk_idx": 1, "start_char": 6, "end_char": 14, "matched_text_in_chunk": "seizures"}
            ],
        },
        {"id": "HP:0001945", "name": "Fever", "score": 0.9, "assertion_status": "negated", "chunks": [0]},
    ]
    chunks = [
        {**{("chunk_text" if k == "text" else k): v for k, v in c.items()}, "matches": []} for c in CHUNKS
    ]
    lines = [*terms, {"aggregated_hpo_terms": chunks}]
    found = read(write("d1.jsonl", "\n".join(map(json.dumps, lines))), "phentrieve", READING)
    assert found.errors == []
    assert found.documents[0].annotations == (
        Annotation("HP:0001250", "Seizure", span=SEIZURES, confidence=0.8),
        OF_CHUNKS[0],
    )


def test_the_service_of_phentrieve(write, read) -> None:
    answer = {
        "doc_id": "d1",
        "meta": {"extraction_backend": "llm"},
        "processed_chunks": [{"chunk_id": 1, "text": "No fever", "status": "negated", "start_char": 0}],
        "aggregated_hpo_terms": [
            {
                "id": "HP:0001945",
                "name": "Fever",
                "status": "absent",
                "confidence": 0.9,
                "source_chunk_ids": [1],
                "text_attributions": [
                    {"chunk_id": 1, "start_char": 3, "end_char": 8, "matched_text_in_chunk": "fever"}
                ],
            }
        ],
        "family_history_findings": [
            {"id": "HP:0002076", "name": "Migraine", "status": "present", "experiencer": "family_history"},
            {"id": "HP:0000822", "name": "Hypertension", "status": "absent"},
        ],
    }
    found = read(write("answer.json", json.dumps(answer)), "phentrieve", READING)
    assert found.documents[0].annotations == (
        Annotation("HP:0001945", "Fever", NEGATED, FEVER, confidence=0.9),
        Annotation("HP:0002076", "Migraine", Assertion.OTHER_PERSON),
        Annotation("HP:0000822", "Hypertension", Assertion.OTHER_PERSON),
    )
    assert not found.notes.left_out


def test_phentrieves_table(write, read) -> None:
    table = (
        "hpo_id,name,confidence,status,chunk_idx,chunk_text,start_char,end_char\r\n"
        "HP:0001945,Fever,0.9,negated,0,No fever,0,8\r\n"
        "HP:0001252,Hypotonia,0.4,normal,-1,,-1,-1\r\n"
    )
    found = read(write("d1.csv", table), "phentrieve", READING)
    assert found.documents == [Document("d1", TEXT, (OF_CHUNKS[0], OF_CHUNKS[3]))]


def test_phentrieves_phenopacket(write, read) -> None:
    def evidence(text: str) -> dict[str, Any]:
        return {"evidence": [{"reference": {"id": "phentrieve", "description": text}}]}

    said = "Phentrieve retrieval confidence: 0.9000 | Assertion: uncertain | Chunk: 1 | Source text: No fever"
    packet = {
        "id": "phentrieve-phenopacket-1",
        "phenotypicFeatures": [
            {"type": {"id": "HP:0001945", "label": "Fever"}, **evidence(said)},
            {
                "type": {"id": "HP:0001250", "label": "Seizure"},
                **evidence("Phentrieve retrieval confidence: 0.8000, Rank: 2"),
            },
        ],
    }
    found = read(write("d1.json", json.dumps(packet)), "phenopackets", READING)
    assert found.documents[0].annotations == (
        Annotation("HP:0001945", "Fever", UNCERTAIN, Span(0, 8, "No fever"), confidence=0.9),
        Annotation("HP:0001250", "Seizure", confidence=0.8),
    )


# --- HI-ALD -----------------------------------------------------------------------------------------------

PASSAGES = [
    {"passage": TEXT.replace("\n", "  "), "HPA concepts": [{"id": "HP_0001250", "name": "Seizures"}]},
    {"passage": "Gene expression.", "HoIP concepts": ["http://purl.obolibrary.org/obo/GO_0010467"]},
    {
        "doc_id": "d3",
        "text": "Hearing loss.",
        "concept_classification": [
            {
                "id": "HP:0000365",
                "entity": "Hearing impairment",
                "classification": "Logically implicit",
                "reason": "said",
            },
            {"key_observations": {"explicit_concepts": []}},
        ],
    },
]


def test_passages_of_hi_ald_are_found_by_their_text(write, read) -> None:
    texts = {"a": TEXT, "b": "Gene expression.", "d3": "Hearing loss."}

    def named(text: str) -> list[str]:
        return [name for name, known in texts.items() if known.split() == text.split()]

    reading = Reading(texts=texts.get, named=named)
    for content in (json.dumps(PASSAGES), "\n".join(map(json.dumps, PASSAGES))):
        found = read(write("a.json", content), "hi-ald", reading)
        assert found.errors == []
        assert [(d.doc_id, d.text, d.annotations) for d in found.documents] == [
            ("a", TEXT, (Annotation("HP:0001250", "Seizures"),)),
            ("b", "Gene expression.", (Annotation("GO:0010467"),)),
            (
                "d3",
                "Hearing loss.",
                (
                    Annotation(
                        "HP:0000365",
                        "Hearing impairment",
                        concept_class=ConceptClass.LOGICALLY_IMPLICIT,
                        reason="said",
                    ),
                ),
            ),
        ]
        assert found.notes.sentences() == [
            "Texts that differ by white space only, offsets moved (a): 1.",
            "Key observations of a classification, left out: 1.",
        ]


def test_a_passage_that_nobody_or_several_have_is_refused(write, read) -> None:
    for names, words in (([], "no document to label has this text"), (["a", "b"], "several documents")):
        reading = Reading(texts={"a": TEXT, "b": TEXT}.get, named=lambda text, names=names: names)
        found = read(write("a.json", json.dumps(PASSAGES[:1])), "hi-ald", reading)
        assert [e.field for e in found.errors] == ["text"]
        assert words in found.errors[0].cause


def test_as_a_corpus_its_passages_are_numbered(write, read) -> None:
    found = read(write("a.json", json.dumps(PASSAGES)), "hi-ald")
    assert [d.doc_id for d in found.documents] == ["1", "2", "d3"]


def test_what_else_hi_ald_released_is_told_apart(write, read) -> None:
    address = "http://purl.obolibrary.org/obo/HP_0000002"
    with pytest.raises(InputError, match="a list of concepts, without passages"):
        read(write("a.json", json.dumps([address])), "hi-ald")
    with pytest.raises(InputError, match="an index of concepts, without passages"):
        read(write("a.json", json.dumps({address: [5, 3, 2, 0]})), "hi-ald")


def test_the_tables_of_hi_ald_name_concepts_as_they_do(write, read) -> None:
    table = "doc_id\tlabel\tentity_id\nd1\tSeizures\thttp://purl.obolibrary.org/obo/HP_0001250\n"
    (found,) = read(write("a.tsv", table), None, READING).documents
    assert found.annotations == (Annotation("HP:0001250", "Seizures"),)


# --- folders ----------------------------------------------------------------------------------------------


def test_a_folder_is_read_file_by_file(tmp_path, read) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "d1.tsv").write_text(ROWS.partition("\n")[0] + "\nnothing", "utf-8")
    (folder / "d2.txt").write_text("[3:8]\tHP:0001945\tFever\tfever", "utf-8")
    (folder / "d9").write_text("[3:8]\tHP:0001945\tFever\tfever", "utf-8")
    (folder / ".hidden").write_text("x", "utf-8")
    with pytest.raises(InputError, match="out is a folder"):
        read(folder)
    found = read(folder, "fasthpocr", READING)
    assert [d.doc_id for d in found.documents] == ["d1", "d2.txt"]
    assert [str(e) for e in found.errors] == [
        "d9, line 1, document 'd9', doc_id: there is no document of this id to label"
    ]
    assert found.notes.ungrounded == 1  # the quote has a line that the text has not
    (folder / "more").mkdir()
    with pytest.raises(InputError, match="holds the folder 'more'"):
        read(folder, "fasthpocr", READING)
