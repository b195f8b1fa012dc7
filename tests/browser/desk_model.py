"""What actions at a review desk mean, whichever kind of item it shows.

Models of the desks are written from the help and the README, not from the code of the page. They follow every
action and say what the screen must show, and which decisions the store must hold in the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.records import Action


@dataclass(frozen=True)
class Saved:
    """One decision that the store must hold. `undoes` is the place of the decision that it takes back."""

    item: int
    """0 where a concept is added, which has no item before."""
    action: Action
    answer: Any = None
    note: str | None = None
    undoes: int | None = None


@dataclass
class DeskModel:
    notes: dict[int, str] = field(default_factory=dict)
    """Item -> a note that was written and not saved."""
    saved: list[Saved] = field(default_factory=list)
    panel: str | None = None
    """What covers the card: `note`, `help`..."""

    def say(self, item: int, action: Action, answer: Any = None) -> None:
        self._save(Saved(item, action, answer))
        self.moved()

    def _save(self, said: Saved) -> None:
        """What the item's last judgement, or its last note, says already is not stored again."""
        about = (self.saved[place] for place in self.standing() if self.saved[place].item == said.item)
        if next((one for one in about if (one.note is None) == (said.note is None)), None) != said:
            self.saved.append(said)

    def moved(self) -> None:
        """Another item is on the screen, or a panel opens: what was open is closed."""
        self.panel = None

    def note(self, item: int) -> None:
        self._save(Saved(item, Action.NOTE, note=self.notes.pop(item).strip()))

    def undo(self, place: int) -> None:
        self.saved.append(Saved(self.saved[place].item, Action.UNDO, undoes=place))

    def standing(self) -> list[int]:
        """Places of the decisions that can be taken back, the newest first."""
        undone = {one.undoes for one in self.saved}
        made = reversed(range(len(self.saved)))
        return [n for n in made if self.saved[n].action is not Action.UNDO and n not in undone]
