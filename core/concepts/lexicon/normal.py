"""Findings that a text denies by calling something normal or not changed: "hearing was normal", "ALT was not
raised", so no hearing abnormality and no elevated ALT; and those that it tells by calling something abnormal.

What is normal is neither abnormal nor, where no concept is called that, reduced or increased; where it is
neither, what stands right above both is denied, too. A name must say the whole phrase, so that "normal head
circumference" denies nothing of the head. A picture that is normal denies an abnormal shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, zip_longest

from core.concepts.lexicon.derivation import ends_phrase
from core.concepts.lexicon.index import OWN, Index, Name, measurement
from core.concepts.lexicon.matching import Level, Mention
from core.concepts.lexicon.substances import DOWN, UP, direction
from core.concepts.lexicon.vocabulary import STOP_WORDS, listed, rows
from core.text.assertion import FELT, abnormal, free_of, negative, normal, unchanged
from core.text.spans import Words

_ABNORMAL = "abnormal"
_SHAPE = "morphology"
_LESS, _MORE = ("reduced", "impaired", "delayed", "low"), ("increased",)
_ENLARGED = "enlarged"
_POSITIVE = "positive"
"""What a test that "was negative" denies."""
_EXAMINED = listed(
    "assessment evaluation examination finding findings result results test testing tests studies study "
    "screening overall other rest all patient patients proband child s chromosomes analysis analyses profile "
    "panel screen series assay assays parameters investigation investigations needle workup own "
    "initial repeat repeated serial subsequent formal routine baseline previous bilateral deprived video "
    "awake interictal plain contrast enhanced remaining"
)
"""Words that are left out: "hearing tests were normal". Normal chromosomes may be those of cells: they deny
no finding."""
_SILENT = _EXAMINED | STOP_WORDS
_PICTURES = listed(
    "mri ct magnetic resonance computed tomography imaging scan scans ultrasound ultrasonography sonography "
    "radiograph radiographs radiography x ray rays xray neuroimaging"
)
"""Words of a picture, left out, too: what it shows has a normal shape."""
_SHOWN = {
    "cranial": "brain",
    "intracranial": "brain",
    "head": "brain",
    "neuroimaging": "brain",
    "spinal": "spinal cord",
    "spine": "spinal cord",
    "chest": "lung",
}
"""What a picture shows, where it says less or more."""
_WITHIN = listed("of in on at for from with to obtained performed done taken recorded")
"""Words with which something begins that tells no more of what is normal."""
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
_URINE = frozenset(("urine", "urinalysis", "dipstick", "urinary"))
_OF_URINE = {
    "blood": "hematuria",
    "protein": "proteinuria",
    "glucose": "glycosuria",
    "ketones": "ketonuria",
}
"""What urine may be "negative for" -> the finding that this denies."""
_MANY = 3
"""Concepts that one phrase denies at most, besides the one right above them."""


def denied(found: Words, index: Index) -> list[Mention]:
    """The mentions of what is denied by being normal, negative or unchanged, and of what is abnormal."""
    result: list[Mention] = []
    for places, by, at in normal(found):
        phrases = [_Phrase(found, index, range(first, last + 1)) for first, last in places]
        for phrase, after in zip_longest(phrases, phrases[1:]):
            both = phrase.with_end_of(after) if after else phrase
            if names := both.sound(by):
                result += both.mention(names, at, split=True)
            elif after:
                result += phrase.mention(phrase.sound(by), at)
    for (first, last), at in abnormal(found):
        phrase = _Phrase(found, index, range(first, last + 1))
        if names := phrase.named(_ABNORMAL):
            result.append(Mention(phrase.told[0], at, tuple(names), Level.CLASSED, True, False))
    for first, last in negative(found):
        phrase = _Phrase(found, index, range(first, last + 1))
        result += phrase.mention(phrase.named(_POSITIVE))
    for at in free_of(found, _URINE, _OF_URINE.keys()):
        if ends_phrase(found, at):  # "negative for blood", not "for blood cells"
            result += _Phrase(found, index, (at,)).denying(_OF_URINE[found.words[at]], at)
    for (first, last), at in unchanged(found):
        phrase = _Phrase(found, index, range(first, last + 1))
        change = _ENLARGED if found.words[at] == FELT else found.words[at]
        names = phrase.changed(change) or phrase.measured(direction(change))
        result += phrase.mention(names, at)
    for at in found.among(_DENYING.keys()):
        if found.words[at - 1 : at] != ["not"]:
            for name in _DENYING[found.words[at]]:
                result += _Phrase(found, index, (at,)).denying(name, at)
    return result


@cache
def _said() -> dict[str, list[str]]:
    """What texts call normal, without what tells nothing -> the findings that this denies, from
    `normal.tsv`."""
    said: dict[str, list[str]] = {}
    for line in rows("normal.tsv"):
        name, texts = line.split("\t")
        for text in texts.split(" | "):
            told = " ".join(word for word in text.split() if word not in _SILENT)
            said.setdefault(told, []).append(name)
    return said


class _Phrase:
    """The words of what is normal, without those that tell nothing.

    Args:
        places: of its words, ascending.
    """

    def __init__(self, found: Words, index: Index, places: Iterable[int]) -> None:
        words = found.words
        self._kept = [i for i in places if words[i] not in _SILENT]
        pictured = not _PICTURES.isdisjoint([words[i] for i in self._kept])
        self.told = [i for i in self._kept if words[i] not in _PICTURES or words[i] in _SHOWN]
        shown = [(_SHOWN.get(words[i], words[i]) if pictured else words[i]).split() for i in self.told]
        self.words = list(chain.from_iterable(shown))
        self._pictured, self._found, self._index = pictured, found, index
        weights = [index.vocabulary.weights[word] for word in self.words]
        self._total = sum(weights) if weights and min(weights) >= 0 else 0

    def with_end_of(self, other: _Phrase) -> _Phrase:
        """With the end of another one: "renal" before "liver function"."""
        return _Phrase(self._found, self._index, [*self._kept, *other.told[1:]])

    def _head(self) -> _Phrase:
        """Without what stands behind a preposition: "power" of "power in all limbs"."""
        words, first, last = self._found.words, self._kept[0], self._kept[-1]
        end = next((i for i in range(first + 1, last + 1) if words[i] in _WITHIN), last + 1)
        return _Phrase(self._found, self._index, [i for i in self._kept if i < end])

    def sound(self, by: str) -> list[Name]:
        """What is denied by being normal.

        Args:
            by: a word that says so of some things alone, such as "clear"; else nothing.
        """
        if not self.told:
            return []
        names = self._sound(by)
        head = self if names else self._head()
        return head._sound(by) if 0 < len(head.told) < len(self.told) else names

    def _sound(self, by: str) -> list[Name]:
        text = " ".join(self.words)
        if by:
            return self._called(_said().get(f"{text} = {by}", ()))
        if self._pictured:
            return self.named(_ABNORMAL, _SHAPE)
        said = self._called(_said().get(text, ()))
        return said or self.named(_ABNORMAL) or self._less_or_more() or self.measured(UP, DOWN)

    def _called(self, names: Iterable[str]) -> list[Name]:
        return [one for name in names for one in self.called(name)]

    def called(self, name: str) -> list[Name]:
        """What a name of one or more words says."""
        return self._of(sum(self._index.vocabulary.weights[word] for word in name.split()))

    def denying(self, name: str, at: int) -> list[Mention]:
        """That word `at` denies what a name says."""
        return self.mention(self.called(name), at)

    def changed(self, change: str) -> list[Name]:
        """What they say together with a change."""
        return self.named(change) or self._called(_said().get(f"{' '.join(self.words)} = {change}", ()))

    def named(self, *changes: str) -> list[Name]:
        """What these words say together with the phrase."""
        weights = [self._index.vocabulary.weights[change] for change in changes]
        return self._of(self._total + sum(weights)) if self._total and min(weights) > 0 else []

    def measured(self, *ways: int) -> list[Name]:
        """What a change in these directions of the substance would be."""
        substances = self._index.substances
        return [measurement(*one) for one in substances.denied(self.words, ways)] if self.words else []

    def mention(self, names: Sequence[Name], end: int | None = None, *, split: bool = False) -> list[Mention]:
        """One mention of names, none where there are none; with the words that deny it up to word `end`."""
        if not names:
            return []
        last, apart = (self.told[-1], split) if end is None else (end, True)
        told, unchanged = tuple(names), end is not None
        return [
            Mention(self.told[0], last, told, Level.DERIVED, apart, False, normal=True, unchanged=unchanged)
        ]

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
