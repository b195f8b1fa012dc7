"""What a kind of item says of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from core.records import Action, Kept, Stated

T = TypeVar("T")

FOR_ALL = frozenset({Action.NOTE, Action.UNDO})
"""Actions that every item takes."""


def _nothing_proposed(record: Any) -> Any:
    raise TypeError(f"Items of this kind have no proposals: {record!r}")


@dataclass(frozen=True, slots=True)
class Kind:
    """An item is its kind, its passage and its subject; the answer never is a part of what it is."""

    name: str
    """As the store and files spell it."""
    actions: frozenset[Action]
    """What a person can do with it, besides `FOR_ALL`."""
    form: Any = None
    """The record of an answer, with `to_json` and `from_json`; None: nothing is answered."""
    frames: Mapping[str, str] = field(default_factory=dict)
    """Field of the answer that holds spans -> the text they stand in, in words."""
    refusals: Callable[[Any, str, Action], list[str]] = lambda answer, subject, action: []
    """(answer, subject of its item, action) -> why it cannot stand, as sentences for a curator."""
    stated: Callable[[Any], Stated] = _nothing_proposed
    """The record of a proposal as it is stored."""
    proposal: Callable[[Kept], Any] = _nothing_proposed
    """The way back."""
    said: Callable[[Any], object] = lambda answer: answer
    """What two answers must share to agree."""
    fields: Callable[[Any], dict[str, str]] = lambda answer: {}
    """What curators may differ on: field -> what an answer says there, in the spelling of files."""
    composed: Callable[[Sequence[Any], Mapping[str, str]], Any] = lambda answers, chosen: answers[0]
    """(answers, field -> the value of one of them) -> the answer that says these values. What is no field of
    it, such as evidence, is theirs who say most of them."""
    prefix: str | None = None
    """What the subjects of its items begin with, where that tells them from a concept's."""
    free: bool = False
    """Whether a decision may be on what no run proposed."""
    runs: tuple[str, ...] = ()
    """Kinds of the runs that propose its items, as the store spells them."""
    plural: str = "items"
    """What several are called in messages."""
    unique: bool = False
    """Whether a subject names one item; items of other kinds are told apart by their passage, too."""
    denied_by_closing: bool = False
    """Whether who closes a passage denies what they gave no answer to there."""
    cannot: Mapping[Action, str] = field(default_factory=dict)
    """Why it does not take an action, where that needs more words than that it does not."""

    def refusal(self, action: Action) -> str | None:
        """Why this kind does not take an action, as a sentence for a curator; None where it does."""
        if action in self.actions | FOR_ALL:
            return None
        named = f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name.replace('_', ' ')}"
        return self.cannot.get(action, f"'{action}' does not apply to {named}.")


def most_like(answers: Sequence[T], chosen: Mapping[str, str], fields: Callable[[T], dict[str, str]]) -> T:
    """The first of those answers that say most of what was chosen."""
    return max(answers, key=lambda answer: sum(fields(answer).get(k) == v for k, v in chosen.items()))
