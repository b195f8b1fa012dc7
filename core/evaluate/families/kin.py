"""What families share beyond both sides: the similarity that was asked for, confidences, and words."""

from __future__ import annotations

from collections import Counter

from core.evaluate.families.inputs import Inputs
from core.ontology.similarity import Similarity
from core.records import Curie

NO_LINEAGE = (
    "Nothing was scored: how alike two concepts are is read from the lineages of an ontology. Name the"
    " ontology."
)


def kin(inputs: Inputs) -> Similarity | None:
    """None where no lineage is known.

    Information from a corpus comes from the gold: in how many of its complete documents a concept stands.
    """
    if inputs.known.lineage is None:
        return None
    chosen = inputs.settings
    documents = None
    if chosen.information == "corpus":
        documents = Counter(concept for concepts in inputs.gold.values() for concept in concepts)
    return Similarity(inputs.known.lineage(), chosen.similarity, documents)


def with_confidences(inputs: Inputs) -> dict[str, list[tuple[Curie, float | None]]]:
    """Predictions of the complete documents with their confidence; None where they bear none."""
    confidences = inputs.known.confidences() if inputs.known.confidences else {}
    nothing: dict[Curie, float] = {}
    found = {}
    for doc_id, concepts in inputs.predicted.items():
        of = confidences.get(doc_id, nothing).get
        found[doc_id] = [(concept, of(concept)) for concept in concepts]
    return found


def described(inputs: Inputs) -> str:
    """The similarity in words, as a sentence."""
    chosen = inputs.settings
    name = {"lin": "Lin", "jiang_conrath": "Jiang-Conrath", "lineage": "lineage (depth and path)"}
    source = {"structure": "the ontology's structure", "corpus": "the gold documents"}
    if chosen.similarity == "lineage":
        return f"Similarity of concepts: {name[chosen.similarity]}."
    return (
        f"Similarity of concepts: {name[chosen.similarity]}, information from {source[chosen.information]}."
    )


def named(inputs: Inputs, concept: Curie) -> str:
    """A concept with its name, as far as known."""
    label = inputs.labels.get(concept)
    return f"{concept} ({label})" if label else concept
