"""Names of concepts, found by the weight of their words.

Besides the names that the ontology gives, names that follow from them: with a word that says nearly the
same (`alternatives.tsv`), and with another name of an ancestor where the concept's name holds the ancestor's
("mild hearing loss" for "Mild hearing impairment", as hearing impairment is also hearing loss). A derived
name never competes with a given one, nor is it used where two concepts derive it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.concepts.lexicon.vocabulary import Vocabulary, alternatives, family, tokens
from core.records import Concept
from core.text.spans import words

MAX_WORDS = 9
"""Longer names are not looked for: texts never say them in one piece."""

_ANCESTORS = 3
"""How many steps up an ancestor may stand whose other names are put into a name."""

OWN = "NAME"
"""Scope of a concept's own name; the others are the synonyms' scopes."""


@dataclass(frozen=True, slots=True)
class Name:
    """One way to write a concept."""

    concept: int
    text: str
    scope: str
    plain: str
    """Its words in lower case; empty for a derived name."""
    surface: int
    """Weight of its words in the singular."""
    stems: int
    """Weight of the stems of its words."""
    size: int
    """Words that weigh."""
    acronym: bool = False
    swap: tuple[str, str] | None = None
    """For a derived name: (words of `text`, what stands for them, "-" for nothing)."""


class Index:
    """What to look for in texts.

    Attributes:
        names: weight -> the names whose words weigh that much.
        pairs: weights of two words that stand together in some name; neighbours that are none part no name.
    """

    def __init__(self, concepts: Sequence[Concept]) -> None:
        self.concepts = concepts
        rows = [(i, *name) for i, concept in enumerate(concepts) for name in _given(concept)]
        self.vocabulary = Vocabulary([row[3] for row in rows])
        bags: list[tuple[Name, list[str]]] = []
        gathered: dict[int, list[Name]] = {}
        by_weight: dict[int, list[str]] = {}
        for concept, text, scope, written in rows:
            bag = self.vocabulary.bag(written)
            if 0 < len(bag) <= MAX_WORDS:
                forms = [self.vocabulary.forms[word] for word in written]
                surface, stems = sum(form[0] for form in forms), sum(form[1] for form in forms)
                acronym = len(text) <= 6 and text.isupper()
                name = Name(concept, text, scope, " ".join(written), surface, stems, len(bag), acronym)
                key = self.vocabulary.total(bag)
                by_weight[key] = bag
                gathered.setdefault(key, []).append(name)
                bags.append((name, bag))
        derived: dict[int, list[Name]] = {}
        for bag, name in self._derive(bags):
            key = self.vocabulary.total(bag)
            if key not in gathered:
                by_weight[key] = bag
                derived.setdefault(key, []).append(name)
        for key, several in derived.items():
            owned = [name for name in several if name.scope == OWN] or several
            if len({name.concept for name in owned}) == 1:
                gathered[key] = owned[:1]
        self.names = {key: tuple(several) for key, several in gathered.items()}
        self.pairs = self.vocabulary.pairs(by_weight[key] for key in gathered)
        self.vocabulary.weights.clear()

    def _derive(self, bags: Sequence[tuple[Name, list[str]]]) -> Iterator[tuple[list[str], Name]]:
        table = alternatives()
        for name, bag in bags:
            for i, token in enumerate(bag if len(bag) > 1 else ()):
                word, others = table.get(token, ("", ()))
                for alternative in others:
                    put = [] if alternative == "-" else [family(alternative)]
                    yield _swapped(name, bag[:i] + put + bag[i + 1 :], word, alternative)
        number = {concept.curie: i for i, concept in enumerate(self.concepts)}
        own: dict[int, tuple[Name, list[str]]] = {}
        exact: dict[int, list[tuple[Name, list[str]]]] = {}
        for name, bag in bags:
            if name.scope == OWN:
                own[name.concept] = name, bag
            elif name.scope == "EXACT" and not name.acronym:
                exact.setdefault(name.concept, []).append((name, bag))
        for name, bag in own.values():
            whole = Counter(bag)
            for ancestor in self._above(name.concept, number) if len(bag) > 1 else ():
                general, part = own.get(ancestor, (name, bag))
                if len(part) < len(bag) and ancestor in exact and not (inside := Counter(part)) - whole:
                    rest = list((whole - inside).elements())
                    for other, its_bag in exact[ancestor]:
                        if len(rest) + len(its_bag) <= MAX_WORDS:
                            yield _swapped(name, rest + its_bag, general.text, other.text)

    def _above(self, concept: int, number: dict[str, int]) -> set[int]:
        found: set[int] = set()
        level = {concept}
        for _ in range(_ANCESTORS):
            level = {number[p] for i in level for p in self.concepts[i].parents if p in number} - found
            found |= level
        return found


def _swapped(name: Name, bag: list[str], old: str, new: str) -> tuple[list[str], Name]:
    return bag, Name(name.concept, name.text, name.scope, "", -1, -1, len(bag), swap=(old, new))


def _given(concept: Concept) -> Iterator[tuple[str, str, list[str]]]:
    """The names of a concept as (text, scope, words), the own one first, none twice."""
    seen: set[tuple[str, ...]] = set()
    given: Iterable[tuple[str, str]] = ((s.text, s.scope) for s in concept.synonyms)
    for text, scope in ((concept.name, OWN), *given):
        written = tokens(words(text))
        if written and tuple(written) not in seen:
            seen.add(tuple(written))
            yield text, scope, written
