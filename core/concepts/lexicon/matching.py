"""Where names stand in a text: windows of neighbouring words, and names split by a coordination."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from core.concepts.lexicon.coordination import split_names
from core.concepts.lexicon.index import MAX_WORDS, OWN, Index, Name
from core.concepts.lexicon.sequence import read
from core.concepts.lexicon.vocabulary import Memo, tokens
from core.text.spans import Words


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


_TIER = {Level.VERBATIM: 0, Level.FOLDED: 0, Level.STEMMED: 1, Level.CLASSED: 1, Level.DERIVED: 2}


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of words, `first` to `last`, that says `names` (more than one: it is ambiguous)."""

    first: int
    last: int
    names: tuple[Name, ...]
    level: Level
    split: bool = False
    """Read out of a coordination: other words stand in between."""


class Matcher:
    def __init__(self, index: Index) -> None:
        self._index = index
        self._chosen: Memo[tuple[tuple[Name, ...], Level]] = Memo(self._choose)

    def mentions(self, found: Words) -> list[Mention]:
        """All mentions, nested and overlapping ones too, in no particular order."""
        names = self._index.names
        sequence = read(found, self._index.vocabulary)
        result: list[Mention] = []
        for weights, firsts, lasts in sequence.runs():
            count = len(weights)
            for i in range(count):
                total = 0
                for j in range(i, min(count, i + MAX_WORDS)):
                    total += weights[j]
                    if total in names:
                        self._add(result, found, firsts[i], lasts[j], None)
        for indices in split_names(found, sequence, names, self._index.vocabulary.coordinator):
            self._add(result, found, indices[0], indices[-1], indices)
        return result

    def _add(
        self, result: list[Mention], found: Words, first: int, last: int, indices: Sequence[int] | None
    ) -> None:
        written = tokens(found, range(first, last + 1) if indices is None else indices)
        names, level = self._chosen[" ".join(written)]
        if any(name.acronym for name in names):
            quote = found.text[found.starts[first] : found.end(last)]
            names = tuple(name for name in names if not name.acronym or name.text == quote)
        if names:
            result.append(Mention(first, last, names, level, indices is not None))

    def _choose(self, plain: str) -> tuple[tuple[Name, ...], Level]:
        """The names that these words say, one per concept, and how they say them."""
        vocabulary = self._index.vocabulary
        written = plain.split(" ")
        forms = [vocabulary.forms[word] for word in written]
        surface, stems = sum(form[0] for form in forms), sum(form[1] for form in forms)
        graded = []
        for name in self._index.names.get(sum(vocabulary.weights[word] for word in written), ()):
            if name.swap:
                level = Level.DERIVED
            elif name.plain == plain:
                level = Level.VERBATIM
            elif name.surface == surface:
                level = Level.FOLDED
            else:
                level = Level.STEMMED if name.stems == stems else Level.CLASSED
            if name.size > 1 or level <= Level.FOLDED:  # "men" is no mania, "ear" no aura
                graded.append((level, name))
        if not graded:
            return (), Level.DERIVED
        tier = min(_TIER[level] for level, _ in graded)
        graded = [pair for pair in graded if _TIER[pair[0]] == tier]
        if any(name.scope == OWN for _, name in graded):
            owners = {name.concept for _, name in graded if name.scope == OWN}
            graded = [pair for pair in graded if pair[1].concept in owners]
        best: dict[int, tuple[Level, Name]] = {}
        for level, name in sorted(graded, key=lambda pair: (pair[0], pair[1].scope != OWN)):
            best.setdefault(name.concept, (level, name))
        return tuple(name for _, name in best.values()), min(level for level, _ in best.values())
