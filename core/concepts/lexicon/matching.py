"""Where names stand in a text: windows of neighbouring words, and names split by a coordination."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from enum import IntEnum
from itertools import compress
from operator import add, itemgetter
from typing import NamedTuple

from core.concepts.lexicon.between import parted_names
from core.concepts.lexicon.coordination import split_names
from core.concepts.lexicon.derivation import derived, describes
from core.concepts.lexicon.index import INEXACT, LEARNED, MAX_WORDS, OWN, Index, Name
from core.concepts.lexicon.sequence import SLASH, Sequence, read
from core.concepts.lexicon.vocabulary import COORDINATORS, STOP_WORDS, form, implied, tokens
from core.text.normalise import fold, singular
from core.text.spans import Memo, Words, words


class Level(IntEnum):
    """How a text says a name, the surest first."""

    VERBATIM = 0
    FOLDED = 1
    """The same words but for plural, spelling, hyphens, stop words or order."""
    STEMMED = 2
    """Other words of the same stems: hypoplastic for hypoplasia."""
    CLASSED = 3
    """Words of the same class: kidney for renal."""
    DERIVED = 4
    """A name that follows from a given one."""
    MISSPELT = 5
    """A name with a word misspelt by one letter, else the same words but for plural or order."""


class Mention(NamedTuple):
    """A stretch of words, `first` to `last`, that says `names` (more than one: it is ambiguous)."""

    first: int
    last: int
    names: tuple[Name, ...]
    level: Level
    split: bool
    """Read out of a coordination: other words stand in between."""
    coordinated: bool
    """The words hold a coordination, and so do the names ("cleft lip/palate")."""
    meaning: str | None = None
    """For an abbreviation that the text defines: the words it stands for."""
    normal: bool = False
    """The text calls it normal, and so denies the concept."""
    unchanged: bool = False
    """Its own words deny the concept: "liver was not enlarged"."""
    measured: bool = False
    """Said of a substance or size by a direction or a number."""


_BY_STEM = (Level.STEMMED, Level.CLASSED)
_ABSENCE = frozenset(("absence",))
"""In "in the absence of ataxia" it is part of no name."""
_PARTING = frozenset(("but", "without"))
"""Words across which no name is read: "skin without rash or ulcers"."""
_ABSENT = re.compile(r"\babsen(?:t|ce of)\b")
_OF_ABSENCES = re.compile(r"\babsence (?!of\b|or\b)\w")
"""An absence of seizures is no absence seizure."""
_VERBAL = ("ed", "es", "ing")
_Place = tuple[int, int]
_Choice = tuple[tuple[Name, ...], Level, bool]
Muted = Callable[[int, str], bool] | None


class Matcher:
    def __init__(self, index: Index, muted: Muted = None) -> None:
        """`muted`: whether words, as they stand in a text, shall not say a concept of this number."""
        self._index = index
        self._muted = muted
        self._choices: Memo[_Choice] = Memo(self._choose)

    def mentions(self, found: Words) -> list[Mention]:
        """All mentions, nested and overlapping ones too, in no particular order."""
        choices, text, starts, written = self._choices, found.text, found.starts, found.words
        sequence = read(found, self._index.vocabulary)
        halves = sequence.halves
        absences = {i for i in found.among(_ABSENCE) if written[i - 2 : i] == ["in", "the"]}
        result: list[Mention] = []
        splits: list[list[int]] = []
        for first, last in windows(sequence, self._index):
            if halves and not halves.keys().isdisjoint(range(first, last + 1)):
                splits.append(list(range(first, last + 1)))
                continue
            if absences and not absences.isdisjoint(range(first, last + 1)):
                continue
            quote = text[starts[first] : starts[last] + len(written[last])]
            chosen, level, coordinated = choices[quote]
            if not chosen or (", " in quote and describes(found, last)):  # "clefts, lip pseudoclefts"
                continue
            derived_alone = first == last and level in _BY_STEM and not self._index.acts
            if not (derived_alone and describes(found, first)):
                result.append(Mention(first, last, chosen, level, False, coordinated))
        splits += split_names(found, sequence, self._index)
        splits += parted_names(found, sequence, self._index, result)
        wholes: dict[int, list[_Place]] = {}
        for mention in sorted(result, key=itemgetter(0, 1)) if splits else ():
            for name in mention.names:
                wholes.setdefault(name.concept, []).append((mention.first, mention.last))
        for indices in splits:
            between = written[indices[0] : indices[-1]]
            if not (_PARTING.isdisjoint(between) and absences.isdisjoint(range(indices[0], indices[-1]))):
                continue
            chosen, level, _ = choices[" ".join(tokens(found, indices, halves))]
            first, last = indices[0], max(indices[-1], *(halves[i][1] for i in indices if i in halves), 0)
            if _ABSENT.search(text, starts[first], starts[last]):  # "the absence of ataxia and seizures"
                chosen = tuple(name for name in chosen if not _OF_ABSENCES.search(name.plain))
            if chosen and not all(_within(wholes.get(name.concept, []), first, last) for name in chosen):
                result.append(Mention(first, last, chosen, level, True, False))
        return result

    def named(self, quote: str) -> tuple[Name, ...]:
        """The names that these words say, taken as a whole."""
        return self._choices[quote][0]

    def _choose(self, quote: str) -> _Choice:
        """The names that these words say, one per concept; how they say them; whether with a coordination."""
        vocabulary = self._index.vocabulary
        given = tokens(words(quote))
        written = [vocabulary.spelt(word) for word in given]
        misspelt = written != given
        if misspelt and quote[1:] != quote[1:].lower():  # a symbol, or part of a title or proper name
            return (), Level.MISSPELT, False
        plain = " ".join(written)
        forms = [vocabulary.forms[word] for word in written]
        surface, stems = (sum(column) for column in zip(*forms, strict=True)) if forms else (0, 0)
        graded: list[tuple[Level, Name]] = []
        for name in self._index.names.get(sum(vocabulary.weights[word] for word in written), ()):
            if name.swap:
                level = Level.DERIVED
            elif name.plain == plain:
                level = Level.VERBATIM
            elif name.surface == surface:
                level = Level.FOLDED
            else:
                level = Level.STEMMED if name.stems == stems else Level.CLASSED
            unfit = name.size == 1 and level > Level.FOLDED  # "men" is no mania, "ear" no aura
            if name.swap and name.patterned:
                unfit = not all(any(_is_act(word, new) for word in written) for new in _acts(name.swap[1]))
            elif unfit and level in _BY_STEM and name.scope not in INEXACT:
                unfit = not derived(plain, name.plain)
            elif unfit and name.swap:  # "diabetes" for "diabetes mellitus"; "diabetic" tells another noun
                unfit = name.swap[1] != "-" or form(plain) != form(dict(implied()).get(name.swap[0], ""))
            silent = self._muted is not None and self._muted(name.concept, quote)
            denied = _ABSENT.search(plain) and _OF_ABSENCES.search(name.plain)
            if not unfit and not silent and not denied and (not name.acronym or name.text == quote):
                graded.append((level, name))
        if misspelt:
            graded = [(Level.MISSPELT, name) for level, name in graded if level <= Level.FOLDED]
        best = _best(graded)
        surest = min((level for level, _ in best), default=Level.DERIVED)
        return tuple(name for _, name in best), surest, not COORDINATORS.isdisjoint(written)


def _acts(swapped: str) -> list[str]:
    """The words that stand in a name for others."""
    return [word for word in swapped.split() if word.isalnum() and word not in STOP_WORDS]


def _is_act(word: str, noun: str) -> bool:
    """Whether a word says an act as its noun or its verb do: "activated" tells activation, "active" not."""
    return singular(fold(word)) == singular(noun) or (word.endswith(_VERBAL) and derived(word, noun))


def _within(places: list[_Place], first: int, last: int) -> bool:
    """Whether one of these places, which are in order, lies between two words: said in one piece in there."""
    for at in range(bisect_left(places, (first, first)), len(places)):
        if places[at][0] > last:
            return False
        if places[at][1] <= last:
            return True
    return False


def _best(graded: list[tuple[Level, Name]]) -> list[tuple[Level, Name]]:
    """One name per concept. Among concepts those whose own name it is, then those whose name is nearest.

    A concept's own name, however freely said, tells more than a synonym that two concepts could share. A
    learned name stands beside both: how often it was right is told by its counts.
    """
    own = {name.concept: level for level, name in graded if name.scope == OWN and not name.swap}
    owners = set(own)
    if Level.FOLDED in own.values():  # "cone-rod dystrophy" is no rod-cone dystrophy
        owners |= {n.concept for level, n in graded if n.scope == "EXACT" and level is Level.VERBATIM}
    if owners:
        owners |= {n.concept for level, n in graded if n.scope == LEARNED and level <= Level.FOLDED}
    graded = sorted((pair for pair in graded if not owners or pair[1].concept in owners), key=_rank)
    nearest = [pair for pair in graded if _rank(pair)[:2] == _rank(graded[0])[:2]]
    best: dict[int, tuple[Level, Name]] = {}
    for level, name in nearest:
        best.setdefault(name.concept, (level, name))
    return list(best.values())


def _rank(pair: tuple[Level, Name]) -> tuple[bool, Level, bool]:
    level, name = pair
    return name.scope in INEXACT, level, name.scope != OWN


def windows(sequence: Sequence, index: Index) -> list[tuple[int, int]]:
    """First and last word of every stretch of text with the weight of a name.

    A stretch may hold stop words. Every two neighbours in it stand together in some name: most words of a
    text have no such neighbour, so that few sums are made.
    """
    names, pairs, marks = index.names, index.pairs, sequence.marks
    places = list(compress(range(len(sequence.weights)), sequence.weights))
    weights = list(filter(None, sequence.weights))
    result = [(i, i) for i in compress(places, map(names.__contains__, weights))]
    begins: list[int] = []
    totals: list[int] = []
    for k in compress(range(len(places)), map(pairs.__contains__, map(add, weights, weights[1:]))):
        before, i, weight = places[k], places[k + 1], weights[k + 1]
        slash = 0
        if i in marks or (i - before > 1 and not marks.keys().isdisjoint(range(before + 1, i))):
            if weights[k] + weight not in index.across:
                begins = []
                continue
            slash = index.vocabulary.coordinator * [*map(marks.get, range(before + 1, i + 1))].count(SLASH)
            totals = [total + slash for total in totals]
        if not begins or begins[-1] != before:
            total = weights[k] + slash + weight
            if total in names:
                result.append((before, i))
            begins, totals = [before, i], [total, weight]
            continue
        if len(begins) == MAX_WORDS:
            del begins[0], totals[0]
        totals = [total + weight for total in totals]
        for begin, total in zip(begins, totals, strict=True):
            if total in names:
                result.append((begin, i))
        begins.append(i)
        totals.append(weight)
    if sequence.joined or sequence.bound:
        return [(sequence.begin(first), last) for first, last in result if first not in sequence.bound]
    return result
