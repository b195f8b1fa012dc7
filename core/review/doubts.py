"""Answers that an earlier review page may have saved with another concept than its curator chose.

Its fix panel chose the first row of its list as soon as class, status or evidence were touched. A digit
pressed after text was selected and *Add missing* was opened went into the search, behind the last word. The
store does not tell what was meant, so these are answers to look at, not faults. An answer is in doubt until
the curator gives it, or another one, on a page of today.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from core.records import Action
from core.store import Workspace, doubts
from core.text.normalise import stem
from core.text.spans import words

MADE_BY = "d2-"
"""How the client ids of a page begin that saves only what was chosen."""


class Doubts(NamedTuple):
    """Items on which one curator's answer is in doubt."""

    fixes: tuple[int, ...]
    """Words kept, concept changed: the evidence is what was proposed, or part of it, or holds it, and the
    concept is another one. Those that differ in class, status or evidence, too, come first."""
    additions: tuple[int, ...]
    """Added concepts whose names hold a word of the evidence, but not its last one."""

    @property
    def items(self) -> tuple[int, ...]:
        return self.fixes + self.additions


def in_doubt(workspace: Workspace, curator: str, items: Iterable[int] | None = None) -> Doubts:
    """The curator's own answers to look at.

    Args:
        items: only on these; None: on any.
    """
    plain: list[int] = []
    changed: list[int] = []
    added: list[int] = []
    for answer in doubts.given(workspace, curator, MADE_BY, items):
        if answer.action is Action.ADD:
            if _lost_its_last_word(workspace, answer):
                added.append(answer.item_id)
        elif (how := _kept_its_words(workspace, curator, answer)) is not None:
            (changed if how else plain).append(answer.item_id)
    return Doubts((*changed, *plain), tuple(added))


def _kept_its_words(workspace: Workspace, curator: str, answer: doubts.Given) -> bool | None:
    """Whether class, status or evidence differ from what was there; None: the evidence is another one."""
    said = answer.answer
    spans = frozenset((start, end) for start, end, _ in said.get("spans", ()))
    now = doubts.Before(said.get("class", ""), said.get("assertion", ""), spans)
    kept = [
        then
        for then in doubts.before(workspace, curator, answer)
        if spans <= then.spans or then.spans <= spans
    ]
    return now not in kept if kept else None


def _lost_its_last_word(workspace: Workspace, answer: doubts.Given) -> bool:
    said = answer.answer
    named = {word for name in doubts.names(workspace, said["concept"]) for word in _stems(name)}
    quotes = [_stems(quote) for _, _, quote in said.get("spans", ())]
    return any(quote and quote[-1] not in named and named & set(quote) for quote in quotes)


def _stems(text: str) -> list[str]:
    return [stem(word) for word in words(text).words]
