"""Whether the words of a phrase bear out what its vector says.

Vectors of short names are near when they share a part of the body or a scale: "lower limbs" is nearest to
"Short lower limbs". So a phrase counts when it shares a word with a name of the concept that is a finding by
itself, says
"""

from __future__ import annotations

from functools import cached_property

from core.concepts.tools import Tools
from core.records import Concept, Curie
from core.text.spans import Memo

_MAKING = (
    "abnormal abnormality absent agenesis aplasia decreased increased reduced delayed delay loss lack "
    "failure deficiency excess low high small large short long broad narrow thin thick enlarged persistent "
    "double duplicated hypoplasia hyperplasia impaired poor dysfunction disease disorder morphology "
    "physiology severe profound"
)
"""Words without which a name tells of a part of the body, or of another degree."""


class Support:
    """Built once per run."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._families: Memo[frozenset[str]] = Memo(tools.lexicon.families)
        self._making = frozenset[str]().union(*(self._families[word] for word in _MAKING.split()))

    @cached_property
    def _findings(self) -> frozenset[str]:
        """Words that are a name by themselves."""
        single = (
            self._families[name]
            for concept in self._tools.concepts
            for name in _names(concept)
            if len(name.split()) == 1
        )
        return frozenset(next(iter(words)) for words in single if len(words) == 1)

    def missing(self, phrase: str, concept: Curie) -> str | None:
        """What speaks against taking the phrase for the concept, as a sentence; None where nothing does."""
        said = self._families[phrase]
        doubts = [self._doubt(said, self._families[name]) for name in _names(self._tools.by_id[concept])]
        return None if None in doubts else min(d for d in doubts if d is not None)

    def _doubt(self, said: frozenset[str], name: frozenset[str]) -> str | None:
        if not said & name & self._findings:
            return "Near in meaning only: the words share no finding."
        if said - name:
            return "Near in meaning only: the words say something else too."
        unsaid = name - said
        if len(unsaid) > 1 or unsaid & self._making:
            return "Near in meaning only: the words leave unsaid what makes the concept."
        return None


def _names(concept: Concept) -> tuple[str, ...]:
    return concept.name, *(synonym.text for synonym in concept.synonyms)
