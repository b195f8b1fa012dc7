"""Where a concept occurs: what runs propose, what people answer, what gold holds and what audits found.

A count holds only what its reader may see (`sight`); how many labels and answers are left out is told beside
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from core.records import Action, Curie
from core.review.explore.sight import Sight, sight
from core.store import Workspace
from core.store import occurrences as store
from core.store.occurrences import Answered, InGold, Item


class Of(StrEnum):
    RUN = "run"
    ANSWER = "answer"
    GOLD = "gold"
    ERROR = "error"


class Count(NamedTuple):
    """One number, and what is behind it."""

    of: Of
    name: str
    """A run, an action, `NAME@VERSION` of gold, or a type of error."""
    corpus: str
    number: int
    items: tuple[int | None, ...]
    """Under which item each is looked at, each once; None: there is nothing to review."""


@dataclass(frozen=True, slots=True)
class Occurrences:
    counts: tuple[Count, ...]
    """Runs, oldest first; answers, in the order of `Action`; gold; errors. One row for each corpus."""
    blind: int
    """Labels of which nothing is told, since they are to be answered blind."""
    withheld: int
    """Answers of others to what the reader has not answered."""


def occurrences(
    workspace: Workspace, ids: Iterable[Curie], curator: str | None, *, several: bool = False
) -> Occurrences:
    """Where the concept occurs that bears these ids, as far as a curator may see it.

    Args:
        several: whether they are ids of several concepts: then gold counts every label, and else documents.
    """
    wanted = frozenset(ids)
    items, gold = store.items_of(workspace, wanted), store.in_gold(workspace, wanted)
    passages = {one.passage_id for one in items.values()} | {one.passage_id for one in gold}
    view = sight(workspace, curator, items, passages)
    hidden = {items[item].passage_id for item in view.blind & items.keys()} | view.unlisted
    seen = {item: one for item, one in items.items() if one.passage_id not in hidden}
    counts = [
        Count(Of.RUN, run, corpus, len(rows), tuple(rows))
        for run, of in store.proposed(workspace, wanted).items()
        for corpus, rows in _by_corpus(seen, of).items()
    ]
    said = [one for one in store.answered(workspace, wanted) if one.item_id in seen]
    shown, withheld = _parted(view, said)
    counts += _answers(Of.ANSWER, seen, shown)
    counts += _gold([one for one in gold if one.passage_id not in hidden], seen, several)
    of_audits, found = store.audited(workspace, wanted)
    of_audits = {item: one for item, one in of_audits.items() if one.passage_id not in hidden}
    audited, more = _parted(view, [one for one in found if one.item_id in of_audits])
    counts += _answers(Of.ERROR, of_audits, audited)
    blind = sum(items[item].passage_id not in view.unlisted for item in view.blind & items.keys())
    return Occurrences(tuple(counts), blind, withheld + more)


def _parted(view: Sight, said: list[Answered]) -> tuple[list[Answered], int]:
    """The answers that may be seen, and how many may not. What another added is not there yet."""
    open_to = view.of_others((one.item_id, one.curator) for one in said)
    shown = [one for one in said if one.item_id in open_to]
    return shown, sum(one.item_id not in open_to and one.action is not Action.ADD for one in said)


def _by_corpus(seen: dict[int, Item], wanted: Iterable[int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for item in wanted:
        if item in seen:
            found.setdefault(seen[item].corpus, []).append(item)
    return found


def _answers(of: Of, items: dict[int, Item], said: list[Answered]) -> list[Count]:
    """By action, or by type of error; of one name, by corpus."""

    def name(one: Answered) -> str:
        return str(one.error) if one.error else str(one.action)

    numbers = Counter((name(one), items[one.item_id].corpus) for one in said)
    order = [str(action) for action in Action]
    found = []
    for key in sorted(numbers, key=lambda k: (order.index(k[0]) if k[0] in order else -1, k)):
        rows = dict.fromkeys(o.item_id for o in said if (name(o), items[o.item_id].corpus) == key)
        found.append(Count(of, *key, numbers[key], tuple(rows)))
    return found


def _gold(gold: list[InGold], seen: dict[int, Item], several: bool) -> list[Count]:
    """Each passage of a set once, or once for each id."""

    def key(one: Item | InGold) -> tuple[int, Curie]:
        return one.passage_id, one.concept if several else ""

    item_of = {key(one): one.id for one in seen.values()}
    found: dict[tuple[str, str], dict[tuple[int, Curie], int | None]] = {}
    for one in gold:
        found.setdefault((one.reference, one.corpus), {})[key(one)] = item_of.get(key(one))
    return [Count(Of.GOLD, *of, len(rows), tuple(rows.values())) for of, rows in found.items()]
