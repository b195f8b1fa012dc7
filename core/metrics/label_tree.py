"""What a label tree is worth: its shape in numbers, and how well it agrees with the ontology
(metric-definitions 1.1).

    ontology_agreement(tree, lineage.parents).estimate
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from core.index.tree import LabelTree, lcp
from core.metrics.definition import Estimate, Family, Metric

_SOURCE = "HI-ALD (paper 000), section 3.3 and A.4; metric-definitions 1.1"
_EMPTY = "No concept in the tree: undefined."
_COUNT = "Always defined."


def _count(title: str, question: str, formula: str, source: str = _SOURCE) -> Metric:
    return Metric(title, question, formula, "[0, ∞)", "none", source, _COUNT)


FAMILY = Family(
    title="Label tree",
    item="a concept with an index",
    metrics={
        "concepts": _count("Concepts", "How many concepts does the tree hold?", "n"),
        "depth_min": Metric(
            "Least depth", "How long is the shortest index?", "min |I|", "[1, ∞)", "none", _SOURCE, _EMPTY
        ),
        "depth_mean": Metric(
            "Mean depth",
            "How many choices lead to a concept, on average?",
            "mean of |I| over the concepts",
            "[1, ∞)",
            "none",
            _SOURCE,
            _EMPTY,
        ),
        "depth_max": Metric(
            "Greatest depth", "How long is the longest index?", "max |I|", "[1, ∞)", "none", _SOURCE, _EMPTY
        ),
        "internal_nodes": _count(
            "Internal nodes",
            "How many nodes are no leaf, the root included?",
            "distinct proper prefixes of the indices",
        ),
        "most_children": _count(
            "Most children",
            "How wide is the widest node, where at most 10 children are allowed?",
            "max over internal nodes of the number of children",
        ),
        "over_limit": _count(
            "Nodes over the limit",
            "How many nodes break rule 3?",
            "internal nodes with more than 10 children",
        ),
        "single_child": _count(
            "Single-child nodes",
            "How many nodes break rule 4?",
            "internal nodes with one child, but for the root of a tree of one concept",
            _SOURCE + " (rule 4 is ours)",
        ),
        "gaps": _count(
            "Nodes with gaps",
            "How many nodes break rule 5?",
            "internal nodes whose children are not numbered 0 ... c - 1",
            _SOURCE + " (rule 5 is ours)",
        ),
        "shared": _count(
            "Concepts that share an index",
            "Is every index unique (rule 1)?",
            "concepts whose index is another's",
        ),
        "inner": _count(
            "Concepts that are no leaf",
            "Is every concept a leaf (rule 2)?",
            "concepts whose index is empty or a proper prefix of another's",
        ),
        "ontology_agreement": Metric(
            "Ontology agreement",
            "How much of a concept's index does it share with its parents in the ontology?",
            "mean over concepts c with an indexed is_a parent, of the mean over those parents p, of "
            "lcp(I_c, I_p) / |I_c|; at most 1 - 1/|I_c|, so compare trees only together with their depth",
            "[0, 1)",
            "higher",
            _SOURCE,
            "No indexed concept has an indexed parent: undefined.",
        ),
    },
)


@dataclass(frozen=True, slots=True)
class Agreement:
    estimate: Estimate
    """n: concepts that have an indexed parent."""
    concepts: Mapping[str, float] = field(default_factory=dict)
    """Each of them -> mean over its indexed parents of lcp / |I_c|, in [0, 1)."""


def ontology_agreement(tree: LabelTree, parents: Callable[[str], Iterable[str]]) -> Agreement:
    """How much of an index a concept shares with its is_a parents.

    Args:
        parents: is_a parents of a concept, none for one that the ontology does not hold.
    """
    found: dict[str, float] = {}
    for concept, index in tree.indices.items():
        near = [tree.indices[p] for p in dict.fromkeys(parents(concept)) if p in tree.indices]
        if near and index:
            found[concept] = sum(lcp(index, other) for other in near) / len(near) / len(index)
    if not found:
        return Agreement(Estimate(None, 0, reason="No indexed concept has an indexed is_a parent."))
    return Agreement(Estimate(sum(found.values()) / len(found), len(found)), found)
