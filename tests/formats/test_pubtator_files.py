"""PubTator: titles and abstracts, several ids, prefixes, offsets, and faults by line."""

from __future__ import annotations

import pytest

from core.formats import Reading
from core.records import Annotation, Document, Span

# offsets counted by hand: the title has 16 characters, so the abstract starts at 17
ONE = """12|t|Seizures in RTT.
12|a|A girl with microcephaly.
12\t0\t8\tSeizures\tDisease\tMESH:D012640
12\t12\t15\tRTT\tDisease\tD015518|OMIM:312750
12\t29\t41\tmicrocephaly\tPhenotype\tHP:0000252
12\t19\t23\tgirl\tSpecies\t9606
"""
TEXT = "Seizures in RTT.\nA girl with microcephaly."


def test_a_document(write, read) -> None:
    found = read(write("a.pubtator", ONE))
    assert found.errors == []
    assert found.documents == [
        Document(
            "12",
            TEXT,
            (
                Annotation("MESH:D012640", span=Span(0, 8, "Seizures")),
                Annotation("MESH:D015518", span=Span(12, 15, "RTT")),
                Annotation("OMIM:312750", span=Span(12, 15, "RTT")),
                Annotation("HP:0000252", span=Span(29, 41, "microcephaly")),
                Annotation("NCBITaxon:9606", span=Span(19, 23, "girl")),
            ),
            title="Seizures in RTT.",
        )
    ]


def test_documents_follow_with_and_without_an_empty_line(write, read) -> None:
    content = (
        "1|t|A.\n1|a|B.\n\n\n2|t|C|d|\n3|t|E.\r\n3|a|\u2028F\x85G.\r\n3\t3\t7\t\u2028F\x85G\tX\tHP:1\r\n"
    )
    found = read(write("a.txt.PubTator", content))
    assert [(d.doc_id, d.text) for d in found.documents] == [
        ("1", "A.\nB."),
        ("2", "C|d|"),
        ("3", "E.\n\u2028F\x85G."),
    ]
    assert found.documents[2].annotations[0].span == Span(3, 7, "\u2028F\x85G")


def test_what_names_no_concept_is_counted(write, read) -> None:
    lines = [
        "1|t|A fever.",
        "1|a|B.",
        "1\t2\t7\tfever\tDisease\t-",
        "1\t2\t7\tfever\tDisease",
        "1\tCID\tD1\tD2",
    ]
    found = read(write("a.pubtator", "\n".join(lines)))
    assert found.documents[0].annotations == ()
    assert (found.notes.without_concept, found.notes.relations) == (2, 1)


def test_a_mention_across_title_and_abstract(write, read) -> None:
    """Offsets count one character between the two; a quote that runs across says that it was a space."""
    found = read(write("a.pubtator", "1|t|loss of\n1|a|hearing.\n1\t0\t15\tloss of hearing\tX\tHP:1\n"))
    assert found.documents[0].text == "loss of hearing."
    assert found.documents[0].annotations[0].span == Span(0, 15, "loss of hearing")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1\t3\t7\tfever\tDisease\tMESH:D1", "found 'ever'"),
        ("1\t2\t7\tFever\tDisease\tMESH:D1", "expected 'Fever'"),
        ("1\t2\t90\tfever\tDisease\tMESH:D1", "mark no part"),
        ("1\tx\t7\tfever\tDisease\tMESH:D1", "expected an offset"),
        ("1\t2\t7\tfever", "separated by tabs"),
        ("1 2 7 fever Disease D1", "separated by tabs"),
        ("1\t2\t7\tfever\tMutation\tc.35delG", "no prefix"),
        ("1|a|again", "a second"),
    ],
)
def test_a_bad_line_is_named(write, read, line, words) -> None:
    found = read(write("a.pubtator", f"1|t|A fever.\n1|a|B.\n{line}\n\n2|t|Fine.\n"))
    assert words in found.errors[0].cause
    assert found.errors[0].line == 3
    assert [d.doc_id for d in found.documents][-1] == "2"


def test_labels_without_texts(write, read) -> None:
    path = write("a.pubtator", "12\t0\t8\tSeizures\tX\tHP:1\n13\t0\t5\tFever\tX\tHP:2\n")
    found = read(path, reading=Reading(texts={"12": TEXT, "13": "Fever."}.get))
    assert [(d.doc_id, len(d.annotations)) for d in found.documents] == [("12", 1), ("13", 1)]
    assert [e.field for e in read(path).errors] == ["text", "text"]
