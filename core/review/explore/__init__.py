"""Looking around in a workspace: concepts and documents, without a queue.

entry        one concept: names, neighbours, ways to the root; the tree, of which only open branches are read
occurs       where a concept occurs: counts, each with the items behind it
changed      where concepts occur that a new release of the ontology changed
shelf        documents found by their words, narrowed by what is said of them
sheet        one document with all labels of runs, curators and gold
sight        what of all this a visitor may see
"""

from core.review.explore.changed import Touched, difference, touched
from core.review.explore.entry import Entry, Near, Node, entry, open_way, search, tree
from core.review.explore.occurs import Count, Occurrences, occurrences
from core.review.explore.sheet import Label, Layer, Row, Sheet, sheet
from core.review.explore.shelf import Asked, Results, look

__all__ = [
    "Asked",
    "Count",
    "Entry",
    "Label",
    "Layer",
    "Near",
    "Node",
    "Occurrences",
    "Results",
    "Row",
    "Sheet",
    "Touched",
    "difference",
    "entry",
    "look",
    "occurrences",
    "open_way",
    "search",
    "sheet",
    "touched",
    "tree",
]
