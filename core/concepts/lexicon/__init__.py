"""The dictionary matcher: proposes concepts where a text says one of their names.

Words are brought to classes (`vocabulary`), names are found as bags of words (`index`, `matching`,
`coordination`, `abbreviations`), each mention gets a status (`core.text.assertion`), and a document gets one
draft per concept with its mentions as evidence (`drafts`, `grounds`). No model, no network; linear in the
characters of the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from core.concepts.lexicon.abbreviations import expand
from core.concepts.lexicon.drafts import drafts
from core.concepts.lexicon.index import Index
from core.concepts.lexicon.matching import Matcher
from core.concepts.lexicon.vocabulary import COORDINATORS, tokens
from core.ontology.lineage import Lineage
from core.records import Concept, Draft, Passage
from core.text.spans import Memo, words


class Lexicon:
    """Names of concepts, ready to be looked for. Make one with `build`."""

    def __init__(self, index: Index, lineage: Lineage, *, nested: bool) -> None:
        self._index = index
        self._ancestors = Memo(lineage.ancestors)
        self._matcher = Matcher(index)
        self._nested = nested

    @classmethod
    def build(cls, concepts: Iterable[Concept], *, root: str | None = None, nested: bool = True) -> Lexicon:
        """Index the live concepts below `root` (itself excluded; None: all live concepts).

        Args:
            nested: also propose a more general concept that is named inside the name of a more specific one
                (hearing loss in "sensorineural hearing loss"). Corpora such as GSC+ want it; False keeps the
                most specific concepts only.

        Raises:
            NotFoundError: `root` is not among the concepts.
        """
        live = [concept for concept in concepts if not concept.obsolete]
        lineage = Lineage((c.curie for c in live), ((c.curie, parent) for c in live for parent in c.parents))
        if root is not None:
            below = lineage.descendants(root)
            live = [concept for concept in live if concept.curie in below]
        return cls(Index(live), lineage, nested=nested)

    def annotate(self, text: str) -> list[Draft]:
        """One draft per concept that the text mentions, by first mention, its mentions as evidence."""
        found = words(text)
        mentions = self._matcher.mentions(found)
        if "(" in text:
            mentions = expand(found, mentions)
        return drafts(found, mentions, self._index.concepts, self._ancestors.__getitem__, nested=self._nested)

    def knows(self, word: str) -> bool:
        """Whether a word (in lower case) or one of its family occurs in some name and tells something."""
        vocabulary = self._index.vocabulary
        return vocabulary.weights[word] > 0 and word not in COORDINATORS

    def tells(self, words: Iterable[str]) -> bool:
        """Whether words (in lower case) may be a name freely said: one is a name by itself, or two of them
        stand together in some name."""
        names, pairs = self._index.names, self._index.pairs
        weights = [w for w in map(self._index.vocabulary.weights.__getitem__, words) if w > 0]
        return any(w in names for w in weights) or any(a + b in pairs for a, b in combinations(weights, 2))

    def families(self, text: str) -> frozenset[str]:
        """The classes of the words that tell something: equal for "renal cysts" and "cyst of the kidney"."""
        return frozenset(self._index.vocabulary.bag(tokens(words(text))))


def run(passages: Iterable[Passage], lexicon: Lexicon) -> Iterator[tuple[int, list[Draft]]]:
    """Annotate passages one by one: (passage id, drafts)."""
    for passage in passages:
        yield passage.id, lexicon.annotate(passage.text)
