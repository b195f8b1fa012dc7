"""Names of concepts, found by the weight of their words.

Besides the names that the ontology gives, names that follow from them by a word that says nearly the same
(`alternatives.tsv`: "renal disorder" for "Abnormality of the kidney") or by a pattern (`processes`). A
derived name never competes with a given one, nor is it used where two concepts derive it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import chain

from core.concepts.lexicon.processes import PREFIX, SHORT, in_other_words
from core.concepts.lexicon.sequence import read
from core.concepts.lexicon.sizes import Sizes
from core.concepts.lexicon.substances import Substances
from core.concepts.lexicon.typos import Typos
from core.concepts.lexicon.vocabulary import Vocabulary, alternatives, family, implied, tokens
from core.records import Concept
from core.text.spans import words

_MARKED = re.compile(r"[,/:;()]")
MAX_WORDS = 9
"""Longer names are not looked for: texts never say them in one piece."""

OWN = "NAME"
"""Scope of a concept's own name; the others are the synonyms' scopes."""
LEARNED = "LEARNED"
"""Scope of a name that gold or decisions taught."""
INEXACT = frozenset(("BROAD", "NARROW", "RELATED"))
"""Scopes of synonyms that say more, less or something else than the concept."""
PATTERNED = frozenset((OWN, "EXACT"))
"""Scopes of the names from which others follow by a pattern."""


@dataclass(frozen=True, slots=True)
class Name:
    """One way to write a concept."""

    concept: int
    text: str
    scope: str
    plain: str
    """Its words in lower case."""
    surface: int
    """Weight of its words in the singular."""
    stems: int
    """Weight of the stems of its words."""
    size: int
    """Words that weigh."""
    acronym: bool
    swap: tuple[str, str] | None = None
    """For a derived name: (words of `text`, what stands for them, "-" for nothing)."""
    patterned: bool = False
    """Derived by a pattern of processes: `plain`, `surface` and `stems` are those of the words as changed."""


def measurement(concept: int, text: str) -> Name:
    """The name of what a measurement says, which is read from no name as it stands."""
    return Name(concept, text, "EXACT", "", 0, 0, 2, acronym=False)


class Index:
    """What to look for in texts.

    Attributes:
        names: weight -> the names whose words weigh that much.
        substances: what the concepts measure.
        sizes: which concepts are sizes of the body.
        pairs: weights of two words that stand together in some name; neighbours that are none part no name.
        acts: whether the concepts are processes: an adjective then tells one wherever it stands ("apoptotic
            cells"), while a finding is told of the noun that it describes.
        across: weights of two words of some name with a comma or slash between them: names are read across
            it nowhere else.
    """

    def __init__(self, concepts: Sequence[Concept]) -> None:
        self.concepts = concepts
        self._numbers = {concept.curie: number for number, concept in enumerate(concepts)}
        self.acts = any(concept.curie.startswith(PREFIX) for concept in concepts)
        rows = [(i, *name) for i, concept in enumerate(concepts) for name in _given(concept)]
        names = [row[3] for row in rows]
        defined = [concept.definition for concept in concepts if concept.definition]
        typos = Typos({word for name in names for word in name}, defined)
        self.vocabulary = vocabulary = Vocabulary(names, typos.right)
        given: dict[int, list[Name]] = {}
        bags: dict[int, list[str]] = {}
        said: list[tuple[Name, list[str], list[str]]] = []
        for concept, text, scope, written in rows:
            bag = vocabulary.bag(written)
            if 0 < len(bag) <= MAX_WORDS:
                name = _name(vocabulary, concept, text, scope, written, len(bag))
                key = vocabulary.total(bag)
                bags[key] = bag
                given.setdefault(key, []).append(name)
                said.append((name, bag, written))
        derived: dict[int, list[Name]] = {}
        for name, bag, written in said:
            for key, changed, other in chain(self._derive(name, bag), self._patterned(name, written)):
                if key not in given:
                    bags[key] = changed
                    derived.setdefault(key, []).append(other)
        for key, several in derived.items():
            owned = [name for name in several if name.scope == OWN] or several
            if len({name.concept for name in owned}) == 1:
                given[key] = owned[:1]
        self.names = {key: tuple(several) for key, several in given.items()}
        self.pairs = vocabulary.pairs(bags[key] for key in given)
        self.substances = Substances(concepts)
        self.sizes = Sizes(concepts)
        vocabulary.weights.clear()
        self.across = frozenset(
            pair for row in rows if _MARKED.search(row[1]) for pair in self._across(row[1])
        )

    def numbers(self, curies: Iterable[str]) -> list[int]:
        """The numbers of those concepts that are here, in order."""
        return sorted(self._numbers[curie] for curie in curies if curie in self._numbers)

    def is_below(self, concept: int, other: int) -> bool:
        """Whether the first concept is more specific than the second one."""
        waiting, seen = [self.concepts[concept]], set()
        while waiting:
            for parent in waiting.pop().parents:
                if parent == self.concepts[other].curie:
                    return True
                if parent in self._numbers and parent not in seen:
                    seen.add(parent)
                    waiting.append(self.concepts[self._numbers[parent]])
        return False

    def _across(self, text: str) -> Iterator[int]:
        sequence = read(words(text), self.vocabulary)
        for i in sequence.marks:
            before = next(filter(None, reversed(sequence.weights[:i])), 0)
            yield before + next(filter(None, sequence.weights[i:]), 0)

    def taught(self, names: Iterable[tuple[int, str]]) -> Index:
        """Another index with more names: (number of the concept, text). This one stays as it is.

        A learned name stands beside given ones of the same words, and in place of derived ones.
        """
        made = copy(self)
        made.vocabulary = vocabulary = self.vocabulary.copy()
        made.names = dict(self.names)
        bags = []
        for concept, text in names:
            written = tokens(words(text))
            bag = vocabulary.bag(written)
            if not 0 < len(bag) <= MAX_WORDS:
                continue
            name = _name(vocabulary, concept, text, LEARNED, written, len(bag))
            key = vocabulary.total(bag)
            beside = tuple(n for n in made.names.get(key, ()) if not n.swap)
            if not any(n.concept == concept and n.plain == name.plain for n in beside):
                made.names[key] = (*beside, name)
                bags.append(bag)
        made.pairs = self.pairs | vocabulary.pairs(bags)
        return made

    def _derive(self, name: Name, bag: list[str]) -> Iterator[tuple[int, list[str], Name]]:
        """Names with one word changed: (weight, bag, name). The last word left is never given up."""
        table = alternatives()
        for i, token in enumerate(bag if len(bag) > 1 else ()):
            word, others = table.get(token, ("", ()))
            for other in others:
                changed = bag[:i] + ([] if other == "-" else [family(other)]) + bag[i + 1 :]
                swapped = replace(name, size=len(changed), acronym=False, swap=(word, other))
                yield self.vocabulary.total(changed), changed, swapped
        for silent, told in implied():
            if family(silent) in bag and family(told) in bag:
                changed = [token for token in bag if token != family(silent)]
                shorter = replace(name, size=len(changed), acronym=False, swap=(silent, "-"))
                yield self.vocabulary.total(changed), changed, shorter

    def _patterned(self, name: Name, written: Sequence[str]) -> Iterator[tuple[int, list[str], Name]]:
        """Names of processes that follow by a pattern: (weight, bag, name)."""
        if name.scope not in PATTERNED or not self.concepts[name.concept].curie.startswith(PREFIX):
            return
        for made in in_other_words(written):
            bag = self.vocabulary.bag(made.words)
            if (1 if made.family == SHORT else 2) <= len(bag) <= MAX_WORDS:
                other = _name(self.vocabulary, name.concept, name.text, name.scope, made.words, len(bag))
                swap = made.old, made.new
                yield (
                    self.vocabulary.total(bag),
                    bag,
                    replace(other, acronym=False, swap=swap, patterned=True),
                )


def _name(
    vocabulary: Vocabulary, concept: int, text: str, scope: str, written: Sequence[str], size: int
) -> Name:
    forms = [vocabulary.forms[word] for word in written]
    surface, stems = sum(form[0] for form in forms), sum(form[1] for form in forms)
    acronym = len(text) <= 6 and text.isupper()
    return Name(concept, text, scope, " ".join(written), surface, stems, size, acronym)


def _given(concept: Concept) -> Iterator[tuple[str, str, list[str]]]:
    """The names of a concept as (text, scope, words), the own one first, none twice."""
    seen: set[tuple[str, ...]] = set()
    for text, scope in ((concept.name, OWN), *((s.text, s.scope) for s in concept.synonyms)):
        written = tokens(words(text))
        if written and tuple(written) not in seen:
            seen.add(tuple(written))
            yield text, scope, written
