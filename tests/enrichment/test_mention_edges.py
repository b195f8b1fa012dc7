"""Mentions with edges: which documents they come from, what is left out, and which part they are in."""

from __future__ import annotations

import hashlib

import pytest

from core.enrichment.mention_edges import link, split_of
from core.enrichment.releases import Releases
from core.records import Annotation, ConceptClass, Document, Span
from tests.enrichment.versions import LOGIC, NEW, OLD

PAIR = Releases(OLD, NEW, "X:1", LOGIC)
TEXT = " ".join(["left"] * 200) + " blue skin " + " ".join(["right"] * 3)


def document(doc_id: str, *named: tuple[str, str], split: str | None = None, **how) -> Document:
    """Annotations of (concept, quote), each at the first place of its quote."""
    found = tuple(
        Annotation(concept, span=Span(TEXT.index(quote), TEXT.index(quote) + len(quote), quote), **how)
        for concept, quote in named
    )
    return Document(doc_id, TEXT, found, meta={} if split is None else {"split": split})


def test_a_new_concept_is_nil_and_a_known_one_has_its_older_id() -> None:
    found = link([("c", [document("d", ("X:8", "blue skin"), ("X:4", "skin"))])], PAIR).mentions
    assert [(m.text, m.concept, m.now) for m in found] == [("blue skin", None, "X:8"), ("skin", "X:4", "X:4")]
    assert found[0].context_left == " ".join(["left"] * 128)
    assert found[0].context_right == "right right right"
    assert [edge.ends for edge in found[0].edges] == [("X:3", None)]


def test_what_cannot_be_used_is_counted() -> None:
    without = Document("e", TEXT, (Annotation("X:4"),))
    rows = [
        document("a", ("X:10", "skin"), ("X:99", "skin")),
        document("b", ("X:4", "skin"), concept_class=ConceptClass.NOT_RELEVANT),
        document("c", ("X:6", "skin"), ("X:6", "skin"), ("X:4", "skin")),
        without,
    ]
    found = link([("c", rows)], PAIR)
    assert found.left_out == {
        "of no concept of the branch": 2,
        "not relevant": 1,
        "said twice": 2,  # X:6 and X:4 are one concept now
        "without a place in the text": 1,
    }
    assert [m.concept for m in found.mentions] == ["X:6"]


def test_placement_is_tested_on_every_new_concept_and_trained_on_known_ones() -> None:
    rows = [
        document("a", ("X:8", "blue skin"), ("X:4", "skin"), split="train"),
        document("b", ("X:5", "skin"), split="train"),
        document("c", ("X:4", "skin"), split="devel"),
        document("d", ("X:5", "skin"), split="Test"),
    ]
    found = link([("c", rows)], PAIR)
    told = {
        split: [(m.doc_id, m.concept) for m in found.placement(split)] for split in ("train", "valid", "test")
    }
    assert told == {
        "train": [("a", "X:4"), ("b", "X:5")],
        "valid": [("c", "X:4")],
        "test": [("a", None), ("d", "X:5")],
    }
    assert [m.doc_id for m in found.placement("train", strict=True)] == ["b"]
    assert [m.doc_id for m in found.discovery("train")] == ["a", "a", "b"]
    counts = found.counts()
    assert counts["out-of-KB"] == {
        "mentions": 1,
        "pairs": 1,
        "complex_pairs": 0,
        "concepts": 1,
        "documents": 1,
    }
    assert counts["discovery, train"] == {"mentions": 3, "nil": 1}


@pytest.mark.parametrize("doc_id", ["a", "PMC1", "10.1000/x"])
def test_the_split_of_a_document_that_states_none(doc_id: str) -> None:
    share = int(hashlib.sha256(doc_id.encode()).hexdigest(), 16) / 2**256
    expected = "train" if share < 0.6 else "valid" if share < 0.8 else "test"
    assert split_of(Document(doc_id, "")) == expected


def test_splits_are_of_the_sizes_that_are_promised() -> None:
    splits = [split_of(Document(str(number), "")) for number in range(2000)]
    assert [round(splits.count(one) / 2000, 1) for one in ("train", "valid", "test")] == [0.6, 0.2, 0.2]
