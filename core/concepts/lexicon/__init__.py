"""The dictionary matcher: proposes concepts where a text says one of their names.

Words are brought to classes (`vocabulary`), names (`index`; of processes also by pattern, `processes`) are
found as bags of words (`matching`, `coordination`, `abbreviations`), each mention gets a status
(`core.text.assertion`), and a document gets one draft per concept with its mentions as evidence (`drafts`,
`grounds`). No model, no network; linear in the characters of the text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import combinations, islice, tee

from core.concepts.lexicon.abbreviations import expand
from core.concepts.lexicon.drafts import Heard, Judge, drafts, hear
from core.concepts.lexicon.index import Index
from core.concepts.lexicon.laboratory import measured
from core.concepts.lexicon.matching import Matcher, Muted
from core.concepts.lexicon.normal import denied
from core.concepts.lexicon.vocabulary import COORDINATORS, form, tokens
from core.ontology.lineage import Lineage
from core.records import Concept, Curie, Draft, Passage
from core.text.spans import Memo, words

RULES = 7
"""Version of the rules and word tables of this package and of `core.text`: part of a run's fingerprint, so
that no run goes on under other rules. Count it up with every change of what is found."""
TOGETHER = 64
"""Texts that are judged at once, where something was learned: one pass over the trees of a head for all."""


class Lexicon:
    """Names of concepts, ready to be looked for. Make one with `build`."""

    def __init__(
        self,
        index: Index,
        lineage: Lineage,
        *,
        nested: bool,
        muted: Muted = None,
        judge: Judge | None = None,
    ) -> None:
        self.index = index
        self.lineage = lineage
        self._ancestors = Memo(lineage.ancestors)
        self._matcher = Matcher(index, muted)
        self._nested = nested
        self._judge = judge

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

    def taught(
        self,
        names: Iterable[tuple[Curie, str]],
        muted: Collection[tuple[Curie | None, str]],
        judge: Judge | None = None,
    ) -> Lexicon:
        """Another lexicon with what was learned; this one stays as it is.

        Args:
            names: (concept, text) to be looked for, too; concepts that are not here are left out.
            muted: (concept, words by `form`) that shall not say this concept; None: nor any other.
            judge: says what of all that is found is proposed; None: all.
        """
        concepts = self.index.concepts
        numbers = {concept.curie: number for number, concept in enumerate(concepts)}
        said = ((numbers[curie], text) for curie, text in names if curie in numbers)
        silent = {(numbers[curie], text) for curie, text in muted if curie in numbers}
        nothing = {text for curie, text in muted if curie is None}

        def is_muted(number: int, quote: str) -> bool:
            text = form(quote)
            return text in nothing or (number, text) in silent

        return Lexicon(
            self.index.taught(said),
            self.lineage,
            nested=self._nested,
            muted=is_muted if muted else None,
            judge=judge,
        )

    def says(self, text: str) -> frozenset[Curie]:
        """The concepts that these words, taken as a whole, name."""
        return frozenset(self.index.concepts[n.concept].curie for n in self._matcher.named(text))

    def annotate(self, text: str) -> list[Draft]:
        """One draft per concept that the text mentions, by first mention, its mentions as evidence."""
        return next(self.annotate_all((text,)))

    def annotate_all(self, texts: Iterable[str]) -> Iterator[list[Draft]]:
        """The same for many texts, `TOGETHER` of which are judged at a time. Streams."""
        if self._judge is None:
            for text in texts:
                yield drafts(self.hear(text))
            return
        waiting = iter(texts)
        while heard := [self.hear(text) for text in islice(waiting, TOGETHER)]:
            yield from self._judge.drafts(heard)

    def hear(self, text: str) -> Heard:
        """All that a text says, before anything is judged."""
        found = words(text)
        mentions = self._matcher.mentions(found)
        if "(" in text:
            mentions = expand(found, mentions)
        mentions += denied(found, self.index)
        mentions += measured(found, self.index)
        concepts, ancestors = self.index.concepts, self._ancestors.__getitem__
        return hear(found, mentions, concepts, ancestors, nested=self._nested)

    def knows(self, word: str) -> bool:
        """Whether a word (in lower case) or one of its family occurs in some name and tells something."""
        vocabulary = self.index.vocabulary
        return vocabulary.weights[word] > 0 and word not in COORDINATORS

    def tells(self, words: Iterable[str]) -> bool:
        """Whether words (in lower case) may be a name freely said: one is a name by itself, or two of them
        stand together in some name."""
        names, pairs = self.index.names, self.index.pairs
        weights = [w for w in map(self.index.vocabulary.weights.__getitem__, words) if w > 0]
        return any(w in names for w in weights) or any(a + b in pairs for a, b in combinations(weights, 2))

    def families(self, text: str) -> frozenset[str]:
        """The classes of the words that tell something: equal for "renal cysts" and "cyst of the kidney"."""
        return frozenset(self.index.vocabulary.bag(tokens(words(text))))


def run(passages: Iterable[Passage], lexicon: Lexicon) -> Iterator[tuple[int, list[Draft]]]:
    """Annotate passages one by one: (passage id, drafts)."""
    some, others = tee(passages)
    drafted = lexicon.annotate_all(passage.text for passage in some)
    for passage, made in zip(others, drafted, strict=True):
        yield passage.id, made
