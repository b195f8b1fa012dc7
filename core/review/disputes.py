"""Where curators differ, and what an adjudicator has ruled: read from the log, whatever the kind of item.

    found = disputes(workspace, "cases", "concept")
    found.open                                     # items to settle, worst first
    ruled(found.of(item), {"assertion": "affirmed"})

Answers that say the same in every field are one, so an adjudicator sees differences only. Silence is an
answer as in gold: who closed a passage without naming what nobody had proposed by then says that it is not
there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from core.errors import InputError
from core.kinds import KINDS
from core.records import JUDGEMENTS, POSITIVE, Action, Answer, ConceptClass, Decision
from core.store import corpora, gold
from core.store.decisions import of_several, pinned
from core.store.workspace import Workspace

PRESENT, YES, NO = "present", "yes", "no"
"""The field that every answer has: whether the item stands at all."""


class State(StrEnum):
    """Of an item that more than one curator has answered, or should."""

    ACCEPTED = "accepted"
    """Adjudicated: it stands."""
    REJECTED = "rejected"
    """Adjudicated: it does not."""
    AGREED = "agreed"
    DISAGREE = "disagree"
    INCOMPLETE = "incomplete"
    """One curator has answered so far."""


class Voice(NamedTuple):
    """What one curator says of an item."""

    curator: str
    says: dict[str, str] | None
    """Field -> value, `PRESENT` first; None: unsure."""
    answer: Any
    """The record of a positive answer, else None."""
    note: str | None = None
    milliseconds: int | None = None
    number: int = 0
    """Of the decision; 0: none, who closed the passage said it."""


@dataclass(frozen=True)
class Dispute:
    """An item with what curators say of it."""

    item: int
    passage: int
    subject: str
    kind: str
    voices: tuple[Voice, ...]
    """In the order of their answers."""
    ruling: Decision | None = None

    @cached_property
    def answers(self) -> list[tuple[dict[str, str], list[Voice]]]:
        """Each answer once, with those who give it, in the order of the first; without the unsure."""
        found: list[tuple[dict[str, str], list[Voice]]] = []
        for voice in self.voices:
            if voice.says is None:
                continue
            same = next((given for says, given in found if says == voice.says), None)
            if same is None:
                found.append((voice.says, [voice]))
            else:
                same.append(voice)
        return found

    @cached_property
    def verdict(self) -> dict[str, str] | None:
        """What the ruling says, as `Voice.says`; None: there is none."""
        return _says(self.ruling) if self.ruling is not None else None

    @cached_property
    def state(self) -> State:
        if self.verdict is not None:
            of_it = self.verdict[PRESENT] == YES and self.verdict.get("concept", self.subject) == self.subject
            return State.ACCEPTED if of_it else State.REJECTED
        return self.unruled

    @cached_property
    def unruled(self) -> State:
        """The state but for a ruling."""
        if len(self.voices) < 2:
            return State.INCOMPLETE
        agreed = len(self.answers) == 1 and all(voice.says is not None for voice in self.voices)
        return State.AGREED if agreed else State.DISAGREE

    @cached_property
    def differing(self) -> list[str]:
        """Fields in which answers differ. Where some say that it does not stand, that comes before all."""
        positive = [says for says, _ in self.answers if says[PRESENT] == YES]
        mixed = 0 < len(positive) < len(self.answers)
        differ = (
            [name for name in positive[0] if len({says[name] for says in positive}) > 1] if positive else []
        )
        return [PRESENT, *differ] if mixed else differ

    @cached_property
    def agreement(self) -> float:
        """Share of the curators who give the commonest answer; those unsure give none."""
        return max((len(given) for _, given in self.answers), default=0) / len(self.voices)


@dataclass(frozen=True)
class Disputes:
    """Of one kind in one corpus, at a decision number."""

    number: int
    all: tuple[Dispute, ...]

    @cached_property
    def _by_item(self) -> dict[int, Dispute]:
        return {one.item: one for one in self.all}

    def of(self, item: int) -> Dispute | None:
        return self._by_item.get(item)

    @cached_property
    def counts(self) -> dict[State, int]:
        found = Counter(one.state for one in self.all)
        return {state: found[state] for state in State}

    @cached_property
    def fields(self) -> list[str]:
        """Fields of an answer, the one with the least agreement first."""
        same: dict[str, list[bool]] = defaultdict(list)
        for one in self.all:
            told = [voice.says for voice in one.voices if voice.says is not None]
            if len(told) < 2:
                continue
            same[PRESENT].append(len({says[PRESENT] for says in told}) == 1)
            positive = [says for says in told if says[PRESENT] == YES]
            for name in positive[0] if len(positive) > 1 else ():
                if name != PRESENT:
                    same[name].append(len({says[name] for says in positive}) == 1)
        return sorted(same, key=lambda name: sum(same[name]) / len(same[name]))

    @cached_property
    def differing(self) -> list[Dispute]:
        """Items on which curators differ, ruled or not: the least agreement first, then the field with the
        least, then in order of item."""
        rank = {name: at for at, name in enumerate(self.fields)}
        return sorted(
            (one for one in self.all if one.unruled is State.DISAGREE),
            key=lambda one: (
                one.agreement,
                min((rank[name] for name in one.differing), default=len(rank)),
                one.item,
            ),
        )

    @cached_property
    def open(self) -> list[Dispute]:
        """Those of them that nobody has ruled on."""
        return [one for one in self.differing if one.state is State.DISAGREE]

    def overturned(self, curator: str) -> list[tuple[Dispute, Voice]]:
        """Items that were ruled otherwise than this curator had answered, the latest ruling first."""
        said = [(one, voice) for one in self.all for voice in one.voices if voice.curator == curator]
        found = [(one, voice) for one, voice in said if one.ruling and voice.says != one.verdict]
        return sorted(found, key=lambda row: -row[0].ruling.number if row[0].ruling else 0)


def disputes(workspace: Workspace, corpus: str, kind: str, number: int | None = None) -> Disputes:
    """Items of a corpus that somebody has answered, in passages where more than one curator decided.

    Args:
        kind: of the items; see `core.kinds.KINDS`.
        number: of the last decision that counts; None: all.

    Raises:
        NotFoundError: no such corpus or decision.
    """
    number = pinned(workspace, "", number)
    standing: dict[tuple[object, ...], Decision] = {}
    for d in of_several(workspace, corpora.corpus(workspace, corpus).id, number):
        ruling = d.action is Action.ADJUDICATE  # one an item, whoever gives it
        if d.action is not Action.NOTE:
            standing[(d.item_id,) if ruling else (d.item_id, d.curator)] = d
    heard = _Heard(kind)
    for d in sorted(standing.values(), key=lambda d: d.number):
        heard.take(d)
    if KINDS[kind].denied_by_closing:
        heard.add_silent(workspace, corpus, number)
    return Disputes(number, tuple(heard.found()))


@dataclass
class _Heard:
    """What stands on the items of a kind."""

    kind: str
    items: dict[tuple[int, str], int] = field(default_factory=dict)
    """(passage, subject) -> item."""
    voices: dict[tuple[int, str], dict[str, Voice]] = field(default_factory=lambda: defaultdict(dict))
    rulings: dict[tuple[int, str], Decision] = field(default_factory=dict)
    closed: dict[tuple[int, str], int | None] = field(default_factory=dict)
    """(passage, curator) -> number of the decision that nothing is missing."""

    def take(self, d: Decision) -> None:
        """One decision that stands; in order of number, since the last word on a concept holds."""
        if d.action in (Action.CLOSE, Action.REOPEN):
            self.closed[d.passage_id, d.curator] = d.number if d.action is Action.CLOSE else None
        if d.kind != self.kind or d.subject is None:
            return
        key = d.passage_id, d.subject
        self.items[key] = d.item_id
        if d.action is Action.ADJUDICATE:
            self.rulings[key] = d
            if isinstance(d.answer, Answer):
                self.rulings[d.passage_id, d.answer.concept] = d
        elif d.action in JUDGEMENTS:
            self._hear(key, d, _says(d))
            if isinstance(d.answer, Answer) and d.answer.concept != d.subject and d.action in POSITIVE:
                self._hear((d.passage_id, d.answer.concept), d, _says(d))

    def _hear(self, key: tuple[int, str], d: Decision, says: dict[str, str] | None) -> None:
        by = self.voices[key]
        by.pop(d.curator, None)  # the order is that of the answers that hold
        answer = d.answer if says is not None and says[PRESENT] == YES else None
        by[d.curator] = Voice(d.curator, says, answer, d.note, d.milliseconds, d.number)

    def add_silent(self, workspace: Workspace, corpus: str, number: int) -> None:
        """Those who closed a passage without a word on what nobody had proposed by then."""
        shut = {passage for (passage, _), closed in self.closed.items() if closed is not None}
        if not shut:
            return
        proposed = gold.first_proposed(workspace, corpus, shut)
        doc_ids = {p: d for d, p in corpora.passage_ids(workspace, corpus).items()}
        of_passage: dict[int, list[tuple[int, str]]] = defaultdict(list)
        for key in self.voices:
            of_passage[key[0]].append(key)
        for (passage, curator), closed in self.closed.items():
            for key in of_passage[passage] if closed is not None else ():
                asked_after = proposed.get((doc_ids[passage], key[1]), number)
                if curator not in self.voices[key] and closed is not None and closed <= asked_after:
                    self.voices[key][curator] = Voice(curator, {PRESENT: NO}, None)

    def found(self) -> list[Dispute]:
        return [
            Dispute(item, *key, self.kind, tuple(self.voices[key].values()), self.rulings.get(key))
            for key, item in sorted(self.items.items(), key=lambda row: row[1])
            if self.voices.get(key)
        ]


def _says(d: Decision) -> dict[str, str] | None:
    if d.action is Action.UNSURE:
        return None
    if d.action is Action.REJECT or d.answer is None:
        return {PRESENT: NO}
    if isinstance(d.answer, Answer) and d.answer.concept_class is ConceptClass.NOT_RELEVANT:
        return {PRESENT: NO}
    return {PRESENT: YES, **KINDS[d.kind].fields(d.answer)}


def ruled(dispute: Dispute, chosen: Mapping[str, str]) -> Any:
    """The answer that a ruling gives; None: the item does not stand.

    Args:
        chosen: field -> the value of one of the curators. Where all who say that it stands are of one mind, a
            field may be left out.

    Raises:
        InputError: nobody said that, or a field is missing in which they differ.
    """
    given = {says[PRESENT] for says, _ in dispute.answers}
    present = chosen.get(PRESENT) or (given.pop() if len(given) == 1 else "")
    if present == NO and any(says[PRESENT] == NO for says, _ in dispute.answers):
        return None
    positive = [voice for voice in dispute.voices if voice.answer is not None]
    if present != YES or not positive:
        raise InputError("Say first whether it stands: choose one of the answers that curators gave.")
    values: dict[str, str] = {}
    for name in (name for name in positive[0].says or () if name != PRESENT):
        held = list(dict.fromkeys((voice.says or {})[name] for voice in positive))
        value = chosen.get(name) or (held[0] if len(held) == 1 else "")
        if value not in held:
            raise InputError(f"No curator gave {value!r} as {name}. Choose one of: {', '.join(held)}.")
        values[name] = value
    return KINDS[dispute.kind].composed([voice.answer for voice in positive], values)
