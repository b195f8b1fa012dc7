"""Documents for property tests: any text that a store can hold, any spans, any further fields."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from core.formats import Metadata
from core.formats.documents import DocumentRow
from core.records import Annotation, Assertion, ConceptClass, Document, Span
from tests.repeats import times

EXAMPLES = times(50, 1000)
"""How many cases each property is tried on."""

LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
ODD = st.sampled_from(
    ["NA", "None", "null", "012", "1e5", "'", '"', '""', ",", ";", "\t", "\r", "\n", "\r\n"]
)
FORMULAS = st.sampled_from(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "'=1", "＝1", "\ufeff=1", " =1"])
WORDS = st.one_of(st.text(LETTERS, min_size=1, max_size=12), ODD, FORMULAS)
TEXTS = st.lists(WORDS, min_size=1, max_size=6).map("".join).filter(lambda text: text.strip() != "")
MAYBE = st.none() | WORDS
KNOWN = set(DocumentRow.model_fields)

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def annotations(draw: st.DrawFn, text: str) -> Annotation:
    span = None
    if draw(st.booleans()):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        span = Span(start, end, text[start:end])
    return Annotation(
        concept=draw(st.sampled_from(["HP:0001250", "MONDO:0005027", "OMIM:215600", "X_1.a-b:é=%,\"'"])),
        label=draw(MAYBE),
        assertion=draw(st.sampled_from(Assertion)),
        span=span,
        concept_class=draw(st.none() | st.sampled_from(ConceptClass)),
        confidence=draw(st.none() | st.floats(0, 1)),
        reason=draw(MAYBE),
        run=draw(MAYBE),
    )


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(TEXTS)
    return Document(
        doc_id=draw(TEXTS),
        text=text,
        annotations=tuple(draw(st.lists(annotations(text), max_size=4))),
        title=draw(MAYBE),
        article=draw(MAYBE),
        meta=draw(st.dictionaries(WORDS.filter(lambda name: name not in KNOWN), VALUES, max_size=3)),
    )


@st.composite
def document_sets(draw: st.DrawFn) -> tuple[Metadata, list[Document]]:
    known: dict[str, Any] = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "dataset_id": WORDS,
                "version": WORDS,
                "document_type": WORDS,
                "inter_annotator_kappa": st.floats(-1, 1),
                "is_exhaustively_annotated": st.booleans(),
                "further": VALUES.filter(lambda value: value is not None),
            },
        )
    )
    held = draw(st.lists(documents(), min_size=1, max_size=4, unique_by=lambda d: d.doc_id))
    return Metadata.model_validate(known), held
