"""How a model's answers find back to candidates, passages and concepts.

What an answer says of no candidate, or in no known word, is left out and leaves a record: a stray answer as
unmatched, everything else as a note on the candidate, which is flagged as repaired then. What the client
repaired in the form of an answer (fences, words around the JSON) touches no label and flags none; it stays in
the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from core.concepts.tools import Tools
from core.encode import Match
from core.llm import Checked
from core.llm.fields import Reply, plain, shortened
from core.records import Candidate, Curie, Evidence, Labelling, Verdict

A = TypeVar("A")
R = TypeVar("R", bound=Reply)

LONGEST_REASON = 1000
"""Characters of a model's reason that are kept; the whole of it stays in the stored call."""
_LONGEST_STATED = 80
"""Characters of a label or id that was not understood, in a note."""


class Sorted(Generic[A]):
    """Usable answers by candidate, and what was wrong with the others."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self.candidates = {candidate.concept: candidate for candidate in candidates}
        self.answers: dict[Curie, A] = {}
        self.notes: dict[Curie, list[str]] = {}
        self.strays: list[str] = []
        """What the model wrote where the id of a candidate should stand."""
        self._loose = {_bare(curie): curie for curie in self.candidates}
        self._names = {plain(candidate.label): curie for curie, candidate in self.candidates.items()}

    def find(self, stated: str) -> Curie | None:
        """The candidate that `stated` means; a stray for all else.

        Repairs, noted: another way of writing the id (`hp_0001250`, the address of the concept), or the name
        of the candidate in place of its id.
        """
        if stated in self.candidates:
            return stated
        found = self._loose.get(_bare(stated.rsplit("/", 1)[-1])) or self._names.get(plain(stated))
        if found is None:
            self.strays.append(shortened(stated, _LONGEST_STATED))
        else:
            self.note(found, f"the id {shown(stated)} was read as {found}")
        return found

    def note(self, concept: Curie, note: str) -> None:
        self.notes.setdefault(concept, []).append(note)

    def put(self, concept: Curie, answer: A) -> None:
        """The first answer on a candidate stands; another one is noted if it differs."""
        if self.answers.setdefault(concept, answer) != answer:
            self.note(concept, "answered more than once; the first answer stands")

    @property
    def missing(self) -> list[Curie]:
        return [curie for curie in self.candidates if curie not in self.answers]

    def checked(self, reply: R, problems: Iterable[str] = ()) -> Checked[R]:
        """The reply with its repairs; to be asked again for `problems`, or if more than half of the
        candidates are missing."""
        notes = [f"{curie}: {note}" for curie, said in self.notes.items() for note in said]
        notes += [f"{curie}: no usable answer" for curie in self.missing]
        notes += [f"{stray!r} is no candidate" for stray in self.strays]
        few = len(self.missing) * 2 > len(self.candidates)
        problem = f"There is no usable answer for these ids of the list: {', '.join(self.missing)}."
        return Checked(reply, tuple(notes), (*problems, *([problem] if few else [])))

    def payload(self, concept: Curie) -> dict[str, Any]:
        """`notes` for the record of a candidate, where there are any."""
        notes = [*self.notes.get(concept, ()), *(["no usable answer"] if concept in self.missing else [])]
        return {"notes": notes} if notes else {}

    def record_strays(self, labelling: Labelling, stage: str, call: int) -> Labelling:
        for stray in self.strays:
            reason = "The answer speaks of something that is not among the candidates."
            labelling = labelling.record(
                stage, Verdict.UNMATCHED, None, reason, call, name=stray, score=None, nearest=None
            )
        return labelling


def _bare(curie: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", curie.lower())


def shown(stated: str) -> str:
    """What a model wrote, in quotes and not too long, for a note."""
    return repr(shortened(stated, _LONGEST_STATED))


def placed(words: str, text: str) -> Evidence | None:
    """The first place where these very words stand, up to case; None if there is none."""
    found = (
        re.search(rf"(?<!\w){re.escape(words.strip())}(?!\w)", text, re.IGNORECASE) if words.strip() else None
    )
    return Evidence(found.group(), found.start(), found.end(), grounded=True) if found else None


def with_evidence(known: tuple[Evidence, ...], new: Evidence | None) -> tuple[Evidence, ...]:
    """The new quote first, then what was known; each place once."""
    if new is None:
        return known
    rest = (e for e in known if (e.start, e.end, e.quote) != (new.start, new.end, new.quote))
    return (new, *rest)


def unmatched(
    labelling: Labelling,
    stage: str,
    name: str,
    match: Match | None,
    tools: Tools,
    call: int,
    claim: int | None,
) -> Labelling:
    """The record of a name that no concept is near enough to."""
    if match is None:
        reason = "The ontology has no name to compare with."
    else:
        reason = (
            f"The nearest name is “{match.name}” with s = {match.score:.2f}; {tools.threshold:.2f} is needed."
        )
    return labelling.record(
        stage,
        Verdict.UNMATCHED,
        None,
        reason,
        call,
        name=name,
        score=None if match is None else float(match.score),
        nearest=None if match is None else match.concept,
        claim=claim,
    )
