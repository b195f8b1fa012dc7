"""The graph that a label tree is cut from: concepts, and how near two of them are (HI-ALD, section 3.3).

    osi(concepts, is_a)          the ontology: each link weighs 1 / number of parents
    ssi(names, encoder)          meaning: the k nearest names by the encoder, weight 1 / (1 + d²)
    ossi(one, other, "max")      both: where two concepts are linked twice, the larger weight or the sum

Graphs are undirected, and concepts and links are in the order of ids, so that nothing depends on the order in
which they came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from core.errors import InputError

if TYPE_CHECKING:
    from core.encode import Encoder, Progress

Kind = Literal["osi", "ssi", "ossi"]
KINDS: tuple[Kind, ...] = ("osi", "ssi", "ossi")
Rule = Literal["max", "sum"]
RULES: tuple[Rule, ...] = ("max", "sum")
NEIGHBOURS = 10
"""Concepts that a concept is linked to by meaning (HI-ALD, section 3.3)."""


@dataclass(frozen=True, slots=True)
class Graph:
    concepts: tuple[str, ...]
    """Ids, sorted, each once."""
    links: Mapping[tuple[int, int], float]
    """(place, later place) in `concepts` -> weight above 0, in the order of places."""

    @classmethod
    def of(cls, concepts: Iterable[str], weights: Mapping[tuple[str, str], float]) -> Graph:
        """From ids; links between unknown concepts, or of one with itself, are left out, and a link that is
        named in both directions weighs both together."""
        ids = tuple(sorted(set(concepts)))
        place = {concept: number for number, concept in enumerate(ids)}
        found: dict[tuple[int, int], float] = {}
        for (a, b), weight in sorted(weights.items()):
            if a in place and b in place and a != b:
                link = (min(place[a], place[b]), max(place[a], place[b]))
                found[link] = found.get(link, 0.0) + weight
        return cls(ids, {link: found[link] for link in sorted(found)})


def osi(concepts: Iterable[str], parents: Iterable[tuple[str, str]]) -> Graph:
    """Ontology structure: a link between a concept and each of its parents, 1 / number of its parents.

    Args:
        parents: (child, parent), of is_a and of whatever else shall count; those of concepts that are not
            asked for are passed over.
    """
    wanted = frozenset(concepts)
    links = {(c, p) for c, p in parents if c in wanted and p in wanted and c != p}
    count = Counter(child for child, _ in links)
    return Graph.of(wanted, {(child, parent): 1 / count[child] for child, parent in links})


def ssi(
    names: Mapping[str, str], encoder: Encoder, k: int = NEIGHBOURS, progress: Progress | None = None
) -> Graph:
    """Semantic similarity: links to the k nearest concepts by the vectors of their names, ties by id.

    Args:
        names: concept -> its primary name.

    Raises:
        InputError: fewer than one neighbour, or the encoder cannot be loaded.
    """
    from core.encode.names import similarity
    from core.encode.search import Searcher

    if k < 1:
        raise InputError(f"A concept is linked to at least 1 other, not to {k}. Give --neighbours 1 or more.")
    ids = sorted(names)
    if len(ids) < 2:
        return Graph.of(ids, {})
    vectors = encoder.encode([names[concept] for concept in ids], progress)
    _, rows = Searcher(vectors, "exact").top(vectors, k + 1 + _SPARE)
    weights: dict[tuple[str, str], float] = {}
    for place, found in enumerate(rows):
        near = found[(found >= 0) & (found != place)]
        # cosines are taken again in float64, because FAISS rounds otherwise for many queries than for one
        scores = similarity(vectors[near].astype("f8") @ vectors[place].astype("f8"))
        for score, other in sorted(zip((-scores).tolist(), near.tolist(), strict=True))[:k]:
            a, b = sorted((ids[place], ids[other]))
            weights[a, b] = -score
    return Graph.of(ids, weights)


_SPARE = 5
"""Neighbours looked at beyond k, so that ties by rounding are settled by id."""


def ossi(ontology: Graph, similarity: Graph, rule: Rule = "max") -> Graph:
    """Both graphs of the same concepts in one; a link of both weighs the larger weight, or their sum.

    Raises:
        InputError: an unknown rule, or the graphs are of different concepts.
    """
    if rule not in RULES:
        raise InputError(f"{rule!r} is no rule for weights. Choose from {', '.join(RULES)}.")
    if ontology.concepts != similarity.concepts:
        raise InputError("The two graphs hold different concepts. Make both from the same ontology.")
    one, other = ontology.links, similarity.links
    found = {}
    for link in sorted(one.keys() | other.keys()):
        a, b = one.get(link, 0.0), other.get(link, 0.0)
        found[link] = a + b if rule == "sum" else max(a, b)
    return Graph(ontology.concepts, found)
