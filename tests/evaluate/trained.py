"""A training set beside the ward: one document that names anaemia, and a cough that is not relevant."""

from core.records import Annotation, Assertion, ConceptClass, Document, Span
from core.store import corpora
from tests.evaluate.ward import A, C


def add_training(workspace):
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "train")
        text = "Anaemia and (at) Cough."
        ((passage, _),) = list(corpora.insert_passages(db, corpus, [Document("t1", text)]))
        rows = [
            (A, "Anaemia", ConceptClass.EXPLICIT),
            (C, "Cough", ConceptClass.NOT_RELEVANT),
        ]
        corpora.add_annotation_set(
            db,
            "train",
            "1",
            corpus,
            [
                (
                    passage,
                    Annotation(
                        concept,
                        assertion=Assertion.AFFIRMED,
                        span=Span(text.index(quote), text.index(quote) + len(quote), quote),
                        concept_class=of_class,
                    ),
                )
                for concept, quote, of_class in rows
            ],
            exhaustive=True,
            sha256="2" * 64,
        )
