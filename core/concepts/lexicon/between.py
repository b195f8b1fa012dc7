"""Names with other words between their own: "coronary artery disease" for "coronary disease", "absent left
thumb", "short, broad thumbs"; and names whose modifier stands behind a comma: "murmur, systolic".

What stands between tells a side, degree or course (`_ASIDE`), or it makes a more general name with what
follows: artery disease is more general than coronary disease.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, compress
from typing import Protocol

from core.concepts.lexicon.derivation import ends_phrase
from core.concepts.lexicon.index import Index, Name
from core.concepts.lexicon.sequence import COMMA
from core.concepts.lexicon.sequence import Sequence as Weighed
from core.concepts.lexicon.vocabulary import listed
from core.text.spans import Words

_SIDE = 3
"""Words of a name on either side of what stands between."""
_ASIDE = listed(
    "left right bilateral unilateral mild moderate severe profound marked slight diffuse focal "
    "progressive persistent intermittent transient chronic acute subacute recurrent mildly moderately "
    "severely markedly slightly progressively"
)
_SHAPES = listed(
    "short long broad wide narrow thin thick flat high low small large big deep shallow round square "
    "prominent sparse dense dry coarse fine smooth rough soft stiff straight curly curved bowed tapered "
    "slender pointed upturned anteverted depressed hypoplastic dysplastic dystrophic absent malformed "
    "abnormal enlarged"
)
"""Adjectives that share a noun."""
_ADJECTIVAL = ("al", "ic", "ar", "ous", "ile", "ive", "ary", "ed")


class Piece(Protocol):
    """What a text says in one piece."""

    @property
    def first(self) -> int: ...
    @property
    def last(self) -> int: ...
    @property
    def names(self) -> tuple[Name, ...]: ...


Stretch = tuple[int, int, int]
"""First word, last word, weight."""


def parted_names(
    found: Words, sequence: Weighed, index: Index, mentions: Sequence[Piece]
) -> Iterator[list[int]]:
    """Word indices of every name with something between, ascending.

    Args:
        mentions: what the text says in one piece.
    """
    if not _ASIDE.isdisjoint(found.distinct):
        yield from _across(found, sequence, index)
    yield from _more_general(sequence, index, mentions)
    yield from _shared(found, sequence, index, mentions)
    yield from _inverted(found, sequence, index)


def _across(found: Words, sequence: Weighed, index: Index) -> Iterator[list[int]]:
    """ "absent left thumb"."""
    weights, marks = sequence.weights, sequence.marks
    for y in compress(range(1, len(weights) - 1), map(_ASIDE.__contains__, found.words[1:])):
        before = y - 1
        while before and not weights[before] and before + 1 not in marks:  # "of the left foot"
            before -= 1
        parted = not marks.keys().isdisjoint(range(before + 1, y + 2))
        both = weights[before] > 0 and weights[y + 1] > 0
        if both and not parted and weights[before] + weights[y + 1] in index.pairs:
            for right in _ahead(sequence, y + 1):
                for left in _back(sequence, y - 1):
                    if left[2] + right[2] in index.names:
                        yield [*range(left[0], y), *range(y + 1, right[1] + 1)]


def _more_general(sequence: Weighed, index: Index, mentions: Sequence[Piece]) -> Iterator[list[int]]:
    """ "coronary" before "artery disease"."""
    weights, names = sequence.weights, index.names
    for mention in mentions:
        first, last = mention.first, mention.last
        if first == last or not first or weights[first - 1] <= 0 or first in sequence.marks:
            continue
        tails = list(zip(range(last, first, -1), accumulate(weights[last:first:-1]), strict=True))
        for left in _back(sequence, first - 1):
            for z, tail in reversed(tails):
                said = names.get(left[2] + tail, ())
                if any(index.is_below(n.concept, m.concept) for n in said for m in mention.names):
                    yield [*range(left[0], first), *range(z, last + 1)]


def _shared(found: Words, sequence: Weighed, index: Index, mentions: Sequence[Piece]) -> Iterator[list[int]]:
    """ "short," before "broad thumbs"."""
    weights = sequence.weights
    for mention in mentions:
        first, last = mention.first, mention.last
        if sequence.marks.get(first) == COMMA and last > first and found.words[first - 1] in _SHAPES:
            for z in range(first + 1, last + 1):
                if weights[first - 1] + sum(weights[z : last + 1]) in index.names:
                    yield [first - 1, *range(z, last + 1)]


def _inverted(found: Words, sequence: Weighed, index: Index) -> Iterator[list[int]]:
    """ "murmur," before "systolic"."""
    weights = sequence.weights
    for i in sequence.commas:
        if weights[i - 1] <= 0 or weights[i] <= 0 or weights[i] in index.names:
            continue
        if weights[i - 1] + weights[i] not in index.pairs or not (
            found.words[i].endswith(_ADJECTIVAL) or found.words[i] in _SHAPES
        ):
            continue
        if ends_phrase(found, i):
            for left in _back(sequence, i - 1):
                if left[2] + weights[i] in index.names:
                    yield list(range(left[0], i + 1))


def _back(sequence: Weighed, last: int) -> Iterator[Stretch]:
    """Stretches that end with a word."""
    total = size = 0
    for at in range(last, -1, -1):
        total += sequence.weights[at]
        size += sequence.weights[at] > 0
        if sequence.weights[at] < 0 or size > _SIDE:
            return
        if sequence.weights[at]:
            yield at, last, total
        if at in sequence.marks:
            return


def _ahead(sequence: Weighed, first: int) -> Iterator[Stretch]:
    """Stretches that begin with a word."""
    total = size = 0
    for at in range(first, len(sequence.weights)):
        if (at > first and at in sequence.marks) or sequence.weights[at] < 0:
            return
        total += sequence.weights[at]
        size += sequence.weights[at] > 0
        if size > _SIDE:
            return
        if sequence.weights[at]:
            yield first, at, total
