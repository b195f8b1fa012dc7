"""Findings that a text denies by calling something normal or not changed: "hearing was normal", "ALT was not
raised", so no hearing abnormality and no elevated ALT.

What is normal is neither abnormal nor, where no concept is called that, reduced or increased; where it is
neither, what stands right above both is denied, too. A name must say the whole phrase, so that "normal head
circumference" denies nothing of the head. A picture that is normal denies an abnormal shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from core.concepts.lexicon.index import OWN, Index, Name, measurement
from core.concepts.lexicon.matching import Level, Mention
from core.concepts.lexicon.substances import DOWN, UP, direction
from core.concepts.lexicon.vocabulary import STOP_WORDS, listed, rows
from core.text.assertion import FELT, negative, normal, unchanged
from core.text.spans import Words

_ABNORMAL = "abnormal"
_SHAPE = "morphology"
_LESS, _MORE = ("reduced", "impaired", "delayed", "low"), ("increased",)
_ENLARGED = "enlarged"
_POSITIVE = "positive"
"""What a test that "was negative" denies."""
_EXAMINED = listed(
    "assessment evaluation examination finding findings result results test testing tests studies study "
    "screening overall other rest all patient patients proband child s chromosomes"
)
"""Words that are left out: "hearing tests were normal". Normal chromosomes may be those of cells: they deny
no finding."""
_PICTURED = listed(
    "mri ct magnetic resonance computed tomography imaging scan scans ultrasound ultrasonography sonography "
    "radiograph radiographs radiography"
)
"""Words of a picture, left out, too: what it shows has a normal shape."""
_DENYING = {
    "afebrile": ("fever",),
    "apyrexial": ("fever",),
    "anicteric": ("jaundice",),
    "acyanotic": ("cyanosis",),
    "euthyroid": ("hypothyroidism", "hyperthyroidism"),
    "normotensive": ("hypertension", "hypotension"),
    "normocephalic": ("microcephaly", "macrocephaly"),
    "normoglycemic": ("hypoglycemia", "hyperglycemia"),
    "normoglycaemic": ("hypoglycemia", "hyperglycemia"),
    "painless": ("pain",),
}
"""Words that deny findings by themselves -> names of these."""
_MANY = 3
"""Concepts that one phrase denies at most, besides the one right above them."""


def denied(found: Words, index: Index) -> list[Mention]:
    """The mentions of what is denied by being normal, negative or unchanged."""
    result: list[Mention] = []
    for first, last in normal(found):
        phrase = _Phrase(found, index, first, last)
        result += phrase.mention(phrase.sound())
    for first, last in negative(found):
        phrase = _Phrase(found, index, first, last)
        result += phrase.mention(phrase.named(_POSITIVE))
    for (first, last), at in unchanged(found):
        phrase = _Phrase(found, index, first, last)
        change = _ENLARGED if found.words[at] == FELT else found.words[at]
        result += phrase.mention(phrase.named(change) or phrase.measured(direction(change)), at)
    for at in found.among(_DENYING.keys()):
        if found.words[at - 1 : at] != ["not"]:
            phrase = _Phrase(found, index, at, at)
            for name in _DENYING[found.words[at]]:
                result += phrase.mention(phrase.called(name), at)
    return result


@cache
def _said() -> dict[str, str]:
    """What texts call normal -> the finding that this denies, from `normal.tsv`."""
    cells = (line.split("\t") for line in rows("normal.tsv"))
    return {text: name for name, texts in cells for text in texts.split(" | ")}


class _Phrase:
    """The words of what is normal, without those that tell nothing."""

    def __init__(self, found: Words, index: Index, first: int, last: int) -> None:
        words = found.words
        places = [
            i for i in range(first, last + 1) if words[i] not in STOP_WORDS and words[i] not in _EXAMINED
        ]
        self.told = [i for i in places if words[i] not in _PICTURED]
        self.words = [words[i] for i in self.told]
        self._pictured = len(self.told) < len(places)
        self._index = index
        weights = [index.vocabulary.weights[word] for word in self.words]
        self._total = sum(weights) if weights and min(weights) >= 0 else 0

    def sound(self) -> list[Name]:
        """What is denied by being normal."""
        if self._pictured:
            return self.named(_ABNORMAL, _SHAPE)
        said = _said().get(" ".join(self.words))
        if said:
            return self.called(said)
        return self.named(_ABNORMAL) or self._less_or_more() or self.measured(UP, DOWN)

    def called(self, name: str) -> list[Name]:
        """What a name of one or more words says."""
        return self._of(sum(self._index.vocabulary.weights[word] for word in name.split()))

    def named(self, *changes: str) -> list[Name]:
        """What these words say together with the phrase."""
        weights = [self._index.vocabulary.weights[change] for change in changes]
        return self._of(self._total + sum(weights)) if self._total and min(weights) > 0 else []

    def measured(self, *ways: int) -> list[Name]:
        """What a change in these directions of the substance would be."""
        substances = self._index.substances
        return [measurement(*one) for one in substances.denied(self.words, ways)] if self.words else []

    def mention(self, names: Sequence[Name], end: int | None = None) -> list[Mention]:
        """One mention of names, none where there are none; with the words that deny it up to word `end`."""
        if not names:
            return []
        last, apart = (self.told[-1], False) if end is None else (end, True)
        told = tuple(names)
        return [Mention(self.told[0], last, told, Level.DERIVED, apart, False, normal=True, unchanged=apart)]

    def _less_or_more(self) -> list[Name]:
        less = {name.concept: name for change in _LESS for name in self.named(change)}
        more = {name.concept: name for change in _MORE for name in self.named(change)}
        either = less | more
        if len(either) > _MANY:
            return []
        concepts = self._index.concepts
        above = {p for n in less for p in concepts[n].parents} & {
            p for n in more for p in concepts[n].parents
        }
        return [*either.values(), *(measurement(n, concepts[n].name) for n in self._index.numbers(above))]

    def _of(self, total: int) -> list[Name]:
        """One name per concept that weighs `total`."""
        names: dict[int, Name] = {}
        for name in self._index.names.get(total, ()):
            if not name.acronym and name.scope in (OWN, "EXACT"):
                names.setdefault(name.concept, name)
        return list(names.values()) if len(names) <= _MANY else []
