"""Two small versions of an ontology: what the newer one knows in addition is placed in the older one."""

from __future__ import annotations

from core.records import Concept, Ontology

OLD = Ontology(
    "toy",
    "1",
    "X:1",
    "0" * 64,
    (
        Concept("X:1", "root"),
        Concept("X:2", "finding", "What is found.", parents=("X:1",)),
        Concept("X:3", "skin finding", parents=("X:2",)),
        Concept("X:4", "red skin", parents=("X:3",)),
        Concept("X:5", "pale skin", parents=("X:3",)),
        Concept("X:6", "reddish skin", parents=("X:3",)),
    ),
)
LOGIC = {
    "X:3": ((None, "PATO:1"), ("inheres_in", "U:1")),
    "X:9": ((None, "PATO:1"), ("inheres_in", "U:1"), ("towards", "U:2")),
}
NEW = Ontology(
    "toy",
    "2",
    "X:1",
    "1" * 64,
    (
        Concept("X:1", "root"),
        Concept("X:2", "finding", parents=("X:1",)),
        Concept("X:3", "skin finding", parents=("X:2",)),
        Concept("X:4", "red skin", parents=("X:7",), alt_ids=("X:6",)),
        Concept("X:5", "pale skin", parents=("X:7",)),
        Concept("X:7", "colour of the skin", parents=("X:3",)),
        Concept("X:8", "blue skin", parents=("X:7",)),
        Concept("X:9", "warm skin", parents=("X:3",)),
        Concept("X:10", "nothing old above", parents=()),
    ),
)
"""X:6 is merged; X:7 stands between X:3 and two of its children; X:8 is new below what is new."""
