"""How far a cue reaches inside its sentence, forwards and backwards."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter

from core.records import Assertion
from core.text.assertion.cues import openers
from core.text.assertion.persons import KIN, kindred
from core.text.assertion.predicates import DOUBTED, NEGATED, SOUND
from core.text.assertion.sentence import Place, Sentence
from core.text.assertion.tables import Cue, words_of
from core.text.spans import Words

REACH = 12
"""Words a cue reaches forwards at most, from itself and from every item of a list under it."""
_BACK = 4
"""Words that may stand between a finding and a cue behind it."""
LIST = 30
"""Words that a list of findings before a cue may have."""
_ITEM = 4
"""Words of a list item that is no finding, over which a cue still reaches ("no trauma of knees, fever")."""
_NOUN = 2
"""Words from "normal" or "versus" to the finding that it speaks of."""

_FORWARDS = {"negates": Assertion.NEGATED, "doubts": Assertion.UNCERTAIN, "kindred": Assertion.OTHER_PERSON}
_NOUNS = {"normals": Assertion.NEGATED, "seeming": Assertion.UNCERTAIN}
_BACKWARDS = {NEGATED: Assertion.NEGATED, DOUBTED: Assertion.UNCERTAIN, SOUND: Assertion.NEGATED}
_WEIGHT = (Assertion.AFFIRMED, Assertion.UNCERTAIN, Assertion.OTHER_PERSON, Assertion.NEGATED)
"""Of cues that reach the same mention: a later one outweighs an earlier one."""
_VERBAL = frozenset(("not", "cannot", "never", "t", "if", "unless", "should"))
"""Cues of a verb or clause, not of a noun: they reach over a comma only from a finding."""
_BE = frozenset(("are", "is", "was", "were"))
_JOINS = words_of("joins")
_FINITE = words_of("finite")
_DESCRIBED, _VERBS = words_of("described"), words_of("finite", "led", "placed", "joins", "informs")
_TURNED = frozenset(
    ("a", "an", "normal", "positive", "some", "marked", "markedly", "poor", "subsequent", "with")
)
"""Words by which a list under a negation ends: "no scoliosis, a high palate"."""

_DEGREES = frozenset(("mild", "moderate", "severe"))
_RELATIONS, _NOW, _EXAMPLES = words_of("relations"), words_of("now"), words_of("examples")
_BREAKS = _JOINS | words_of("strong")
_OF = frozenset(("of", "in", "for"))
_OPENING = frozenset(("despite", "notwithstanding", "in", "given", "with", "instead", "rather"))
"""Words by which a sentence tells first what its subject comes with."""
_BEHIND, _LED, _COURSE = words_of("behind"), words_of("led"), words_of("course")
_OPAQUE, _OWNERS = _COURSE | words_of("opaque"), words_of("owners") | {"the", "this", "these"}
_ANAPHORS = frozenset(("both", "it", "these", "they", "this", "which"))
"""Subjects that stand for the finding before them."""
_EITHER = frozenset(("doubts", DOUBTED))
"""Kinds of a verb that speaks of its object, where it has one, and of its subject, where it has none."""
_INITIAL = "initial"
"""Kind of cues that count at the beginning of a clause: "should ataxia develop"."""
_SPEAKING = _FORWARDS.keys() | _BACKWARDS.keys() | _NOUNS.keys()


class Reach(Sentence):
    """How far the cues of a sentence reach."""

    def __init__(
        self, found: Words, near: Sequence[Place], begin: int, end: int, verdict: dict[Place, Assertion]
    ) -> None:
        super().__init__(found, near, begin, end)
        self.verdict = verdict

    def judge(self) -> None:
        """Write the status of every mention that a cue reaches, and of those that are said of relatives."""
        words = self.found.words[self.begin : self.end]
        for at, cue in enumerate(() if openers().isdisjoint(words) else self.cues):
            if not _SPEAKING.isdisjoint(cue.kinds):
                self._spread(at, cue)
        if not KIN.isdisjoint(words):
            for mention in kindred(self.found, self.near, self.clauses):
                self.verdict[mention] = Assertion.OTHER_PERSON

    def _spread(self, at: int, cue: Cue) -> None:
        for kind in cue.kinds:
            if len(cue.kinds & _EITHER) == 2 and (kind in _BACKWARDS) != self._ends_phrase(cue):
                continue
            if kind in _BACKWARDS:
                reached, status = [*self._listed(at), *self._as_well(cue)], _BACKWARDS[kind]
            elif kind in _NOUNS:
                reached, status = self._noun(at), _NOUNS[kind]
            elif kind == "either":
                reached, status = self._opposed(cue), Assertion.UNCERTAIN
            elif kind in _FORWARDS and (_INITIAL not in cue.kinds or self._opens_clause(cue)):
                reached, status = self._ahead(at), _FORWARDS[kind]
            else:
                continue
            for mention in reached:
                self._write(mention, status, cue)

    def _ends_phrase(self, cue: Cue) -> bool:
        """Whether no object follows: "blindness may develop in children", not "he may develop blindness"."""
        i = cue.last + 1
        return i >= self.end or self.found.gaps[i] != " " or self.found.words[i] in _BEHIND

    def _write(self, mention: Place, status: Assertion, cue: Cue) -> None:
        inside = mention[0] <= cue.first and cue.last <= mention[1]
        shielded = any(a <= mention[0] < b and not a - 1 <= cue.last < b for a, b in self.shields)
        before = self.verdict.get(mention, Assertion.AFFIRMED)
        if not inside and not shielded and _WEIGHT.index(status) > _WEIGHT.index(before):
            self.verdict[mention] = status

    def _opens_clause(self, cue: Cue) -> bool:
        return cue.first == self.clause(cue.first)[0] or "," in self.found.gaps[cue.first]

    # --- forwards -------------------------------------------------------------------------------------------

    def _ahead(self, at: int) -> list[Place]:
        cue = self.cues[at]
        ahead = self.near[bisect_right(self.starts, cue.last) :]
        if not ahead or ("negates" in cue.kinds and self._of_a_relation(cue.last + 1, ahead[0][0])):
            return []
        limit = self._limit(ahead, at)
        if "negates" in cue.kinds and self._until(limit):
            return []
        known = self.found.words[cue.last] in ("whether", "that")  # "whether the ataxia is part of it"
        return [m for m in ahead if m[0] < limit and not (known and self._definite(m, cue.last + 1))]

    def _definite(self, mention: Place, begin: int) -> bool:
        """Whether it is known to be there: "the ataxia", "his severe ataxia"."""
        words = self.found.words[max(begin, mention[0] - _NOUN - 1) : mention[0]]
        owned = [i for i, word in enumerate(words) if word in _OWNERS]
        return bool(owned) and _VERBS.isdisjoint(words[owned[-1] :])

    def _of_a_relation(self, begin: int, end: int) -> bool:
        """Whether words name what stands between findings or what becomes of one: "no effect on ataxia", "no
        evidence of worsening of ataxia"."""
        words = self.found.words[begin : min(end, begin + REACH)]
        if not _RELATIONS.isdisjoint(words):
            return True
        return any(word in _COURSE and after in _OF for word, after in pairwise(words))

    def _until(self, i: int) -> bool:
        """Whether what was denied came later: "no seizures until the age of five"; not "until now"."""
        words = self.found.words[i : min(i + 4, self.end)]
        return words[:1] == ["until"] and _NOW.isdisjoint(words)

    def _limit(self, ahead: Sequence[Place], at: int) -> int:
        """The first word that a cue does not reach any more."""
        cue, words, gaps = self.cues[at], self.found.words, self.found.gaps
        begin = cue.last + 1
        stop = self._ends(ahead, at)
        limit = min(stop, begin + REACH)
        listed = max((i for i in range(begin, stop) if words[i] in ("or", "nor")), default=-1)
        opening = words[cue.last] in ("of", "than") and words[self.clause(cue.first)[0]] in _OPENING
        item, i = begin, begin
        while i + 1 < limit:
            i += 1
            gap = gaps[i]
            if ";" in gap or (":" in gap and i > begin and words[i - 1] != "following"):
                return i
            if words[i] == "than" and "other" in words[begin:i]:  # "no other symptoms than fatigue"
                return i
            if (words[i] in _TURNED or (words[i] in _DEGREES and i > listed)) and (
                "," in gap or words[i - 1] in ("and", "but")
            ):
                return i
            if words[i] in _OWNERS and "," in gap:  # "without aids, his hearing loss"
                return i
            if (
                words[i] in _BE
                and words[cue.last] in _VERBAL
                and ahead[0][0] > i
                and "clausal" not in cue.kinds
            ):
                return i
            if "," not in gap:
                continue
            if words[i] in _EXAMPLES and "negates" in cue.kinds:
                item, limit = i, min(stop, max(limit, i + REACH))
                continue
            finding = any(a < i and item <= b for a, b in ahead)
            first = item == begin
            apart = words[cue.last] == "without" and cue.first == self.clause(cue.first)[0]
            strict = first and (apart or words[cue.last] in _VERBAL)  # "without surgery, ataxia worsens"
            if not finding and (strict or (i - item > _ITEM and i > listed)):
                return i
            if first and words[i] == "and":  # a list of two has no comma: here begins something else
                return i
            if first and opening and i > listed:  # "despite the absence of ataxia, tremor was marked"
                return i
            item = i
            limit = min(stop, max(limit, i + REACH))
        return limit

    def _ends(self, ahead: Sequence[Place], at: int) -> int:
        """Where something else begins behind a cue: a clause, or a word that ends its reach."""
        cue, found = self.cues[at], self.found
        begin = cue.last + 1
        stop = self.clause(cue.last)[1]
        for other in self.cues[at + 1 :]:
            if other.first >= stop:
                break
            if "ends" not in other.kinds or other.first <= begin or found.words[other.first - 1] == "to":
                continue  # "did not have" goes on, and so does "was not found to have"
            between = range(begin, other.first + 1)
            joined = any("," in found.gaps[i] or found.words[i] in _BREAKS for i in between)
            if "clausal" not in cue.kinds or joined or ahead[0][0] < other.first:
                return other.first
        return stop

    def _noun(self, at: int) -> list[Place]:
        """The mention that "normal" or "thought to be" describes; without one, what is thought to be so."""
        cue = self.cues[at]
        behind = self.near[bisect_right(self.starts, cue.last) :]
        for mention in behind[:1]:
            between = range(cue.last + 1, mention[0] + 1)
            plain = all(self.found.gaps[i].isspace() for i in between)
            light = self.found.words[cue.last + 1 : mention[0]]
            if plain and len(light) <= _NOUN and _BEHIND.isdisjoint(light):
                return [m for m in behind if m[0] == mention[0]]
        return self._listed(at) if self.found.words[cue.last] == "be" else []

    def _opposed(self, cue: Cue) -> list[Place]:
        """The mention right before a "versus", where another one stands right behind it."""
        at = bisect_right(self.starts, cue.last)
        light = self.found.words[cue.last + 1 : self.near[at][0]] if at < len(self.near) else None
        if light is None or len(light) > _NOUN or not _LED.isdisjoint(light):
            return []
        return [m for m in self.near[:at] if m[1] + 1 == cue.first]

    # --- backwards ------------------------------------------------------------------------------------------

    def _listed(self, at: int) -> list[Place]:
        """Mentions that a cue reaches backwards: the nearest one and those listed before it."""
        cue = self.cues[at]
        begin = max(self.clause(cue.first)[0], cue.first - LIST)
        if self.found.words[begin] == "whether":  # "whether the ataxia belongs to it is unclear"
            return []
        subject = edge = self._subject(cue, begin)
        for other in reversed(self.cues[:at]):
            if other.first < begin:
                break
            if "ends" in other.kinds and other.first < edge:
                begin = other.last + 1
                break
        if self.found.words[edge - 1] in _ANAPHORS and SOUND not in cue.kinds:  # "but this was ruled out"
            known = [m for m in self.near if m[1] < edge - 1]
            begin, edge = self.begin, max(known, key=itemgetter(1))[1] + 1 if known else edge
            subject = edge
        before = self.near[bisect_left(self.starts, begin) : bisect_left(self.starts, edge)]
        reached: list[Place] = []
        for mention in sorted((m for m in before if m[1] < edge), key=itemgetter(1), reverse=True):
            if not self._reaches(mention[1], edge, subject):
                break
            reached.append(mention)
            edge = min(edge, mention[0])
        return [] if reached and self._of_another(edge) else reached

    def _as_well(self, cue: Cue) -> list[Place]:
        """Mentions of which the same is said: "ataxia was absent, as were tremor and chorea"."""
        words = self.found.words
        again = range(cue.last + 1, self.end - 1)
        begin = next((i + 1 for i in again if words[i] == "as" and words[i + 1] in _BE), None)
        if begin is None:
            return []
        end = self.clause(begin)[1]
        return [mention for mention in self.near if begin < mention[0] < end]

    def _of_another(self, i: int) -> bool:
        """Whether the subject is not the finding at word `i`: "the cause of her ataxia was not found"."""
        words = self.found.words
        of = next((k for k in range(i - 1, max(self.begin, i - _BACK), -1) if words[k] in ("of", "for")), i)
        return of < i and words[of - 1] in _OPAQUE

    def _subject(self, cue: Cue, begin: int) -> int:
        """The word behind the subject of a predicate: of "was sought but was not found", the first verb."""
        words = self.found.words
        if cue.first == begin or words[cue.first - 1] not in _BREAKS:
            return cue.first
        return next((i for i in range(begin, cue.first) if words[i] in _FINITE), cue.first)

    def _reaches(self, last: int, edge: int, subject: int) -> bool:
        """Whether a cue, or what it reaches from `edge` on, takes in the mention that ends at `last`.

        Args:
            subject: the word behind the subject of the cue.
        """
        words, gaps = self.found.words, self.found.gaps
        commas = [i for i in range(last + 1, edge) if "," in gaps[i]]
        aside = edge == subject and commas == [last + 1] and "," in gaps[edge]
        described = words[last + 1] in _DESCRIBED  # "the ataxia described in the classical form was absent"
        if edge - last - 1 > _BACK * (1 + described) + aside:
            return False
        between = range(last + 1, edge + (edge != subject))
        if any(";" in gaps[i] or ":" in gaps[i] for i in between):
            return False
        if edge == subject:  # "apart from ataxia, the eyes were normal"; "ataxia, seen before, was absent"
            tail = words[commas[-1] : edge] if commas else []
            return not commas or aside or not _JOINS.isdisjoint(tail)
        return _FINITE.isdisjoint(words[last + 1 : edge])  # "ataxia was mild and tremor absent"
