"""A workspace of one document whose labels have places, for what families may ask for."""

from core.records import Annotation, Concept, ConceptClass, Document, Draft, Evidence, Ontology, Span
from core.store import corpora, ontologies, proposals, runs
from tests.evaluate.ward import AFFIRMED, NEGATED, UNCERTAIN

FEVER, COUGH, RASH, OLD = "HP:1", "HP:2", "HP:3", "HP:9"
TEXT = "Fever at night, no cough, fever again; a rash."


def place(quote, start=0):
    at = TEXT.index(quote, start)
    return at, at + len(quote), quote


def fill(workspace) -> int:
    """One document. Gold: fever (by an old id, with a place), a rash (of the document). Run: fever twice, a
    quote that is not there, cough negated, each with a confidence but the last. Returns its passage id."""
    stored = ontologies.add_ontology(
        workspace,
        Ontology(
            "hp",
            "1",
            "HP:0",
            "0" * 64,
            (
                Concept("HP:0", "All"),
                Concept(FEVER, "Fever", parents=("HP:0",), alt_ids=(OLD,)),
                Concept(COUGH, "Cough", parents=("HP:0",)),
                Concept(RASH, "Rash", parents=(FEVER,)),
            ),
        ),
    )
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "ward")
        ((passage, _),) = corpora.insert_passages(db, corpus, [Document("d1", TEXT)])
        corpora.add_annotation_set(
            db,
            "ward",
            "1",
            corpus,
            [(passage, Annotation(OLD, span=Span(*place("Fever")))), (passage, Annotation(RASH))],
            exhaustive=True,
            sha256="1" * 64,
        )
        runs.begin_run(
            db,
            "run",
            kind="concepts",
            source="x",
            corpus_id=corpus,
            ontology_id=stored,
            settings={},
            fingerprint="f",
        )

        def quoted(start, end, quote, status=None):
            return Evidence(quote, start, end, True, status)

        drafts = [
            Draft(
                FEVER, "Fever", AFFIRMED, ConceptClass.EXPLICIT, 0.9, "",
                (quoted(*place("Fever")), quoted(*place("fever", 5), UNCERTAIN)),
            ),
            Draft(COUGH, "Cough", NEGATED, ConceptClass.EXPLICIT, None, "", (quoted(*place("cough")),)),
            Draft(
                RASH, "Rash", AFFIRMED, ConceptClass.EXPLICIT, 0.4, "", (Evidence("red skin", 3, 9, False),)
            ),
            Draft("HP:0", "All", AFFIRMED, ConceptClass.NOT_RELEVANT, 0.1, ""),
        ]  # fmt: skip
        proposals.add(db, "run", [(passage, drafts)])
        runs.finish_run(db, "run")
    return passage
