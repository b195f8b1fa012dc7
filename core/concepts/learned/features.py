"""What a head is told of one concept that the annotator found in a text: readable numbers, no vector."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from core.concepts.learned.counts import NEW, Count, Counts, LikeIds, log_odds, sure
from core.concepts.lexicon.drafts import Heard, Reading, Said, by_table
from core.concepts.lexicon.index import INEXACT, LEARNED, OWN
from core.concepts.lexicon.matching import Level
from core.concepts.lexicon.vocabulary import form
from core.learners.head import Rows
from core.ontology.lineage import Lineage
from core.records import PRESENT, Assertion, Curie
from core.text.spans import Memo, Words

BY_COUNTS = "confidence of the words (log-odds)"
NESTED = "inside a longer name only"
LIKE_IDS = "share of like ids kept (log-odds)"
FEATURES = (
    "said word for word",
    "but for plural or order",
    "by its stems",
    "by words of the same meaning",
    "by a derived name",
    "misspelt by one letter",
    "by a learned name",
    "by the concept's own name",
    "by a broad, narrow or related synonym",
    "words of the name (log)",
    "one word",
    "read out of a coordination",
    NESTED,
    "names other concepts too",
    "a short form",
    "concepts above (log)",
    "concepts below (log)",
    "a narrower concept in the text",
    "mentions in the text (log)",
    "place of the first mention",
    "words of the text (log)",
    "concepts in the text (log)",
    "uncertain",
    "in an introduction",
    "in methods",
    "in a discussion",
    BY_COUNTS,
    "confidence before counting (log-odds)",
    "documents with the words (log)",
    "share of the concept kept (log-odds)",
    "documents with the concept (log)",
    LIKE_IDS,
)
FEW = (BY_COUNTS, NESTED, LIKE_IDS)
"""What a head goes by where more would not tell surely more."""
_HEADING = re.compile(
    r"^[ \t]*(?:\d+\.?[ \t]*)?(?:"
    r"(?P<introduction>introduction|background|objectives?|aims?|purpose)"
    r"|(?P<methods>(?:patients|materials?|subjects)?(?: and )?methods?|design|study design)"
    r"|(?P<discussion>discussion|conclusions?|interpretation|review of the literature)"
    r"|(?P<other>results?|findings|case(?: reports?| presentations?| descriptions?)?|abstract"
    r"|clinical .{1,30})"
    r")[ \t]*(?::|\n|$)",
    re.IGNORECASE | re.MULTILINE,
)
_SECTIONS = ("introduction", "methods", "discussion")


class Describer:
    """Rows of features. Knows the lineage, and remembers what it has asked it."""

    def __init__(self, lineage: Lineage, counts: Counts) -> None:
        self._counts = counts
        self._seen: dict[tuple[Curie, str], Count] = {}
        self._ancestors = Memo(lineage.ancestors)
        self._below: Memo[float] = Memo(lambda curie: math.log1p(len(lineage.descendants(curie))))
        like = LikeIds(lineage, counts)
        self._like_ids: Memo[float] = Memo(lambda curie: log_odds(like.share(curie)))

    def count(self, heard: Heard, said: Said, reading: Reading) -> Count:
        """How often the words of a reading were right, and judged."""
        found, mention = heard.found, reading.mention
        written = said.concept.curie, found.text[found.starts[mention.first] : found.end(mention.last)]
        count = self._seen.get(written)
        if count is None:
            if len(self._seen) >= Memo.LIMIT:
                self._seen.clear()
            count = self._seen[written] = self._counts.of((written[0], form(written[1])))
        return count

    def sure_of(self, heard: Heard, said: Said, reading: Reading) -> float:
        """Confidence in one reading by the counts of its words."""
        return sure(self.count(heard, said, reading), prior(heard, said, reading))

    def most_seen(self, heard: Heard, said: Said) -> Count:
        """The counts of those of its words that were judged most often."""
        return max((self.count(heard, said, reading) for reading in said.readings), key=itemgetter(1))

    def rows(self, heard: Heard) -> Rows:
        """(number of concepts, number of features) of a text whose concepts are all present (`present`)."""
        here = {said.concept.curie for said in heard.said}
        broader: set[Curie] = set()
        for curie in here:
            broader |= self._ancestors[curie] & here - {curie}
        text = _Text.of(heard)
        rows = [self._row(heard, said, text, said.concept.curie in broader) for said in heard.said]
        return np.array(rows, dtype=float).reshape(len(rows), len(FEATURES))

    def _row(self, heard: Heard, said: Said, text: _Text, narrower_beside: bool) -> list[float]:
        curie, readings = said.concept.curie, said.readings
        graded = [(self.sure_of(heard, said, r), -i, r) for i, r in enumerate(readings)]
        confidence, _, best = max(graded, key=itemgetter(0, 1))
        mention, name = best.mention, best.name
        seen = self.count(heard, said, best)[1]
        kept_of, seen_of = self._counts.of_concept(curie)
        places = {(r.mention.first, r.mention.last) for r in readings}
        first = min(places)[0]
        section = text.section(heard.found.starts[first])
        learned = name.scope == LEARNED
        return [
            *(mention.level == level and not learned for level in Level),
            learned,
            name.scope == OWN and not name.swap,
            name.scope in INEXACT,
            math.log(name.size),
            name.size == 1,
            mention.split,
            all(r.outer is not None for r in readings),
            len(mention.names) > 1,
            mention.meaning is not None,
            math.log1p(len(self._ancestors[curie])),
            self._below[curie],
            narrower_beside,
            math.log(len(places)),
            first / max(1, len(heard.found.words)),
            text.length,
            text.concepts,
            any(heard.status[place] is Assertion.UNCERTAIN for place in places),
            *(section == known for known in _SECTIONS),
            log_odds(confidence),
            log_odds(prior(heard, said, best)),
            math.log1p(seen),
            log_odds((kept_of + 1) / (seen_of + 2)),
            math.log1p(seen_of),
            self._like_ids[curie],
        ]


class _Text(NamedTuple):
    """What a head is told of a text as a whole."""

    length: float
    concepts: float
    headings: list[int]
    sections: list[str]
    """Before the first heading and after each."""

    @classmethod
    def of(cls, heard: Heard) -> _Text:
        headings = [m for m in _HEADING.finditer(heard.found.text) if m.lastgroup]
        return cls(
            math.log1p(len(heard.found.words)),
            math.log1p(len(heard.said)),
            [m.start() for m in headings],
            ["", *(m.lastgroup or "" for m in headings)],
        )

    def section(self, place: int) -> str:
        return self.sections[bisect_right(self.headings, place)]


def present(heard: Heard) -> Heard:
    """What a text says to be there, affirmed or uncertain, of its own subject."""
    said = []
    for concept, readings in heard.said:
        there = [r for r in readings if heard.status[r.mention.first, r.mention.last] in PRESENT]
        if there:
            said.append(Said(concept, there))
    return heard._replace(said=said)


def words_of(found: Words, reading: Reading) -> str:
    """The words of a reading, as they are counted."""
    mention = reading.mention
    return form(found.text[found.starts[mention.first] : found.end(mention.last)])


def prior(heard: Heard, said: Said, reading: Reading) -> float:
    """Confidence in a reading before anything is counted."""
    return NEW if reading.name.scope == LEARNED else by_table(heard, said, reading)
