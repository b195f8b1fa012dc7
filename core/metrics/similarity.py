"""What the similarities of concepts mean. The functions, with their formulas and sources in full, are in
`core.ontology.similarity`: they need an ontology, not gold.
"""

from __future__ import annotations

from core.metrics.definition import Family, Metric

_UNKNOWN = "A concept that the ontology does not hold: 1 with itself, 0 with any other."

FAMILY = Family(
    title="Similarity of concepts",
    item="a pair of concepts of one ontology",
    direction="none",
    undefined="No common ancestor: 0. " + _UNKNOWN,
    metrics={
        "lin": Metric(
            "Lin similarity",
            "Which share of what two concepts say is said by what they have in common?",
            "2 · IC(most informative common ancestor) / (IC(x) + IC(y)); 1 for x = x, the root included",
            source="Lin (1998); metric-definitions R49",
            undefined="No common ancestor, or neither says anything: 0. " + _UNKNOWN,
        ),
        "jiang_conrath": Metric(
            "Jiang-Conrath similarity",
            "How little do two concepts say that they do not have in common?",
            "1 / (1 + IC(x) + IC(y) - 2 · IC(most informative common ancestor)); at least 1/3 under one root",
            source="Jiang and Conrath (1997); metric-definitions R49",
        ),
        "lineage": Metric(
            "Lineage similarity",
            "How deep is what two concepts have in common, and how far are they from it?",
            "largest 2 · depth(c) / (2 · depth(c) + steps from x to c + steps from y to c) of the common"
            " ancestors c",
            source="Wu and Palmer (1994); Full-Text HPO Extraction Benchmarking Framework, section 5.2",
        ),
        "information": Metric(
            "Information content",
            "How much does it say that a text speaks of this concept rather than of any?",
            "IC(x) = 1 - ln m(x) / ln m(root), m(x) = Σ over x and its descendants of 1, or from a corpus of"
            " 1 + documents that hold it",
            source="Seco, Veale and Hayes (2004); from a corpus Resnik (1995), with add-one counts",
            undefined="A root: 0. A concept that the ontology does not hold: undefined.",
        ),
        "resnik": Metric(
            "Resnik information content",
            "How much do two concepts say in common?",
            "largest IC of the common ancestors; no similarity: of a concept with itself it is IC(x)",
            source="Resnik (1995); metric-definitions R49",
            undefined="No common ancestor, or a concept that the ontology does not hold: undefined.",
        ),
    },
)
