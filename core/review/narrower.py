"""Concepts whose words stand in a text, so that nobody accepts a broad one where a narrow one fits.

    naming = Naming(ontologies.names(workspace, ontology))
    naming.standing("A focal seizure at night.")       # {Focal seizure, Seizure}
    nearest(lineage, ["HP:0001250"], found)            # those below Seizure, the nearest first

A name stands in a text where all its words do, wherever and in whatever order; case, plural, accents and
words that say nothing are folded as the search folds them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from core.ontology.lineage import Lineage
from core.records import Curie
from core.review.search.folding import spoken, telling

MOST = 5
"""Most narrower concepts of one."""
SAME_OR_NARROWER = ("NAME", "EXACT", "NARROW")
"""Scopes of the names that are looked for: what bears a related or a broader one need not be the concept."""


class Naming:
    """The names of one ontology version, each under the one of its words that the fewest names hold.

    Args:
        names: (concept, text, scope, type) of each name, as `ontologies.names` gives them.
    """

    def __init__(self, names: Iterable[tuple[Curie, str, str, str | None]]):
        told = {
            (curie, frozenset(telling(spoken(text))))
            for curie, text, scope, _ in names
            if scope in SAME_OR_NARROWER
        }
        held = Counter(word for _, words in told for word in words)
        self._under: dict[str, list[tuple[frozenset[str], Curie]]] = {}
        for curie, words in told:
            if words:
                rarest = min(words, key=lambda word: (held[word], word))
                self._under.setdefault(rarest, []).append((words, curie))

    def standing(self, text: str) -> frozenset[Curie]:
        """Concepts one of whose names has all its words in a text."""
        read = frozenset(telling(spoken(text)))
        return frozenset(
            curie for word in read for words, curie in self._under.get(word, ()) if words <= read
        )


def nearest(
    lineage: Lineage, concepts: Iterable[Curie], found: Iterable[Curie], most: int = MOST
) -> dict[Curie, list[Curie]]:
    """Concept -> those of what was found that are below it, the nearest first, then by id."""
    asked = set(concepts)
    below: dict[Curie, list[tuple[int, Curie]]] = {}
    for one in found:
        for above in asked & lineage.ancestors(one) if one in lineage else ():
            below.setdefault(above, []).append((lineage.distance(one, above) or 0, one))
    return {above: [one for _, one in sorted(rows)[:most]] for above, rows in below.items()}
