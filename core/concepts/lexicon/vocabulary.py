"""From words to numbers: every class of words weighs a random integer, a name weighs the sum of its words.

Sums know no order: "hypoplasia of the kidneys" weighs as much as "renal hypoplasia". Words of a text with the
weight of a name are that name's bag of words, but for a chance of one in 10^10 per text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cache
from hashlib import blake2b
from itertools import combinations, pairwise
from pathlib import Path

from core.text.normalise import fold, singular, stem
from core.text.spans import Memo, Words, words


def listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


STOP_WORDS = listed(
    "a an the this these his her its their both of in on at to for by from into within is are was were be "
    "been as sided usually often sometimes typically commonly also very relatively quite somewhat extremely "
    "particularly mainly mostly generally"
)
"""Weigh nothing: a name is found across them, whether it has them or not."""

COORDINATORS = frozenset(("and", "or"))

PREFIXES = listed(
    "ante anti bi brachy cardio co cranio de dys endo epi extra fronto gastro hemi hyper hypo infra inter "
    "intra iso macro micro mid multi musculo naso neo neuro non oculo oligo oro over para peri poly post pre "
    "pseudo re retro semi sub supra tachy temporo tri ultra un under"
)
"""Joined to the word behind their hyphen: pre-auricular is preauricular."""

APOSTROPHES = ("'", "’")

UNKNOWN = -3
"""What a word weighs that occurs in no name."""

AND = "and"


def weight(token: str) -> int:
    """A positive integer of at most 57 bits, the same in every process."""
    return int.from_bytes(blake2b(token.encode(), digest_size=7).digest(), "big") + 1


def rows(file: str) -> list[str]:
    """The lines of a table of this package that say something."""
    lines = (Path(__file__).parent / file).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@cache
def classes() -> dict[str, str]:
    """Stem -> the stem that stands for its class, from `classes.txt`."""
    table: dict[str, str] = {}
    for line in rows("classes.txt"):
        stems = [stem(word) for word in line.split()]
        table.update(dict.fromkeys(stems, next((table[s] for s in stems if s in table), stems[0])))
    return table


@cache
def family(word: str) -> str:
    """The class of a word, or its stem where it is in no class."""
    root = stem(word)
    return classes().get(root, root)


@cache
def alternatives() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Class of a name's word -> (the word, words that texts may put in its place), from `alternatives.tsv`.

    "-" stands for nothing: the word may be left out.
    """
    table = {}
    for line in rows("alternatives.tsv"):
        word, others = line.split("\t")
        if " " in word:
            continue
        table[family(word)] = word, tuple(others.split())
    return table


@cache
def implied() -> tuple[tuple[str, str], ...]:
    """(word that names may leave out, word beside it that says it already), from `alternatives.tsv`."""
    named = (line.split("\t")[0].split() for line in rows("alternatives.tsv"))
    return tuple((words[0], words[1]) for words in named if len(words) == 2)


def is_letter(found: Words, i: int) -> bool:
    """Whether an "a" is no article but a letter, as in "vitamin A deficiency"."""
    return i > 0 and found.gaps[i] in " -" and found.text[found.starts[i]] == "A"


def is_form(word: str) -> bool:
    """Whether a word is the Greek or Latin first half of a compound: tracheo, vesico, arterio."""
    return len(word) > 3 and word[-1] == "o"


def is_prefix(word: str) -> bool:
    """Whether a word is joined to the one behind its hyphen."""
    return word in PREFIXES or is_form(word)


def is_numbered(word: str, number: str) -> bool:
    """Whether a letter or two and a number make one word over a hyphen: A-1 is A1."""
    return len(word) <= 2 and word.isalpha() and number.isdigit()


def compound(first: str, second: str) -> str:
    """Two parts as one word; "gastro-oesophageal" is gastroesophageal, not gastrooesophageal."""
    return first + second[1:] if first[-1] == "o" and second.startswith("oe") else first + second


def tokens(
    found: Words, indices: Iterable[int] | None = None, halves: Mapping[int, tuple[str, int]] | None = None
) -> list[str]:
    """Words, all or some: prefixes joined over a hyphen, a slash read as "or", a possessive s left out.

    Args:
        halves: first halves of words, with the words that they stand for first (`sequence`).
    """
    result: list[str] = []
    before = -2
    for i in range(len(found.words)) if indices is None else indices:
        word, gap = found.words[i], found.gaps[i] if i == before + 1 else " "
        if halves and i in halves:
            word = halves[i][0]
        elif word == "a" and is_letter(found, i):
            word = "A"
        if result and ((gap == "-" and is_prefix(result[-1])) or (gap == " - " and is_form(result[-1]))):
            result[-1] = compound(result[-1], word)
        elif result and gap == "-" and is_numbered(result[-1], word):
            result[-1] = result[-1].lower() + word
        elif word == "s" and gap in APOSTROPHES:
            pass
        else:
            if gap == "/" and result:
                result.append("or")
            result.append(word)
        before = i
    return result


def form(quote: str) -> str:
    """Words as they are counted when names are learned: in lower case, American, in the singular."""
    return _FORMS[quote]


_FORMS: Memo[str] = Memo(lambda quote: " ".join(singular(fold(word)) for word in tokens(words(quote))))


class Vocabulary:
    """The words of all names, and what any word of a text weighs against them.

    Args:
        right: word -> the word that it stands for, where it is misspelt, else itself (`typos`).
    """

    def __init__(self, names: Sequence[Sequence[str]], right: Mapping[str, str]) -> None:
        self._right = right
        single = {word for name in names for word in name}
        self._compounds = {  # "eyelid" is "eye lid" where names write it both ways
            a + b: (a, b)
            for name in names
            for a, b in pairwise(name)
            if len(a) > 2 and len(b) > 2 and a + b in single and not {a, b} & STOP_WORDS
        }
        self._known = {AND: weight(AND)}
        self.coordinator = self._known[AND]
        self.weights: Memo[int] = Memo(self._weight)
        self.forms: Memo[tuple[int, int]] = Memo(self._forms)

    def copy(self) -> Vocabulary:
        """The same words, to which others can be added without a change here."""
        made = copy(self)
        made._known = dict(self._known)
        made.weights = Memo(made._weight)  # forms depend on compounds alone, which both have
        return made

    def bag(self, name: Iterable[str]) -> list[str]:
        """The classes of those words of a name that weigh."""
        bag = []
        for word in name:
            if word in COORDINATORS:
                bag.append(AND)
            elif word not in STOP_WORDS:
                bag += [family(part) for part in self._parts(word)]
        return bag

    def total(self, bag: Iterable[str]) -> int:
        """The weight of a name, whose words are known from now on."""
        known = self._known
        for token in bag:
            if token not in known:
                known[token] = weight(token)
        return sum(known[token] for token in bag)

    def pairs(self, bags: Iterable[Sequence[str]]) -> frozenset[int]:
        """Weights of every two words of a name, of a compound ("eyelid") and another word too."""
        known = self._known
        compounds = {frozenset(map(family, parts)) for parts in self._compounds.values()}
        result: set[int] = set()
        for bag in bags:
            weights = [known[token] for token in bag]
            result.update(map(sum, combinations(weights, 2)))
            if len(bag) > 2:
                for one, other in combinations(bag, 2):
                    if frozenset((one, other)) in compounds:
                        both = known[one] + known[other]
                        result.update(both + known[token] for token in bag if token not in (one, other))
        return frozenset(result)

    def _parts(self, word: str) -> tuple[str, ...]:
        return self._compounds.get(word) or (word,)

    def spelt(self, word: str) -> str:
        """The word that a misspelt one stands for; any other word itself."""
        return word if all(family(part) in self._known for part in self._parts(word)) else self._right[word]

    def _weight(self, word: str) -> int:
        if word in STOP_WORDS:
            return 0
        if word in COORDINATORS:
            return self.coordinator
        weights = [self._known.get(family(part)) for part in self._parts(word)]
        if None not in weights:
            return sum(w for w in weights if w)
        right = self._right[word]
        return UNKNOWN if right == word else self._weight(right)

    def _forms(self, word: str) -> tuple[int, int]:
        """Weights of a word's singular and of its stem: how nearly a text says what the name says."""
        if word in STOP_WORDS:
            return 0, 0
        if word in COORDINATORS:
            return self.coordinator, self.coordinator
        parts = self._parts(word)
        return sum(weight(singular(fold(part))) for part in parts), sum(weight(stem(part)) for part in parts)
