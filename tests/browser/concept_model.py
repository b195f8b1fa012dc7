"""What a curator's actions at the desk of concept labels mean: the card, the fix panel, and what is saved."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from core.records import Action
from tests.browser.desk_model import DeskModel

CLASSES = ("explicit", "logically_implicit", "pragmatically_implicit", "not_relevant")
ASSERTIONS = ("affirmed", "negated", "uncertain", "other_person")
FOUND = "Found by the words"
MEANT = {
    "cataract": "HP:0000518",
    "epileptic fit": "HP:0001250",
    "abnormality eye": "HP:0000478",
    "hp:0001252": "HP:0001252",
    "hypotona": None,
    "xyzzy": None,
}
"""A name, a synonym, two words of a name and an id choose their concept. A typing error lists what is
like it, and what nothing bears chooses nothing."""
GROUPS = {"b": "Broader", "d": "Narrower"}
"""Key that asks for a group of candidates, and the group's heading."""


@dataclass(frozen=True)
class Answer:
    concept: str
    kind: str
    """Class."""
    assertion: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Panel:
    """The fix panel of an item, or the panel that adds a concept (`item` 0)."""

    item: int
    answer: Answer
    """What holds when it opens, with what was changed in it since; its concept is the one that is kept."""
    group: str | None = None
    typed: str = ""
    picked: str | None = None
    missed: bool = False
    """Whether a digit was pressed that no row bears: then nothing is chosen."""
    writing: bool = False
    """Whether the search box has the focus, so that digits are text."""

    def chosen(self, rows: list[tuple[str, str]]) -> str | None:
        """The concept that is saved, given the rows on the screen as (concept, heading): the one picked, else
        the one kept, unless something is typed or a group asked for; then the first one that bears it."""
        if self.missed or self.picked:
            return None if self.missed else self.picked
        if not self.typed and not self.group:
            return self.answer.concept or None
        if self.typed in MEANT:
            return MEANT[self.typed]
        wanted = FOUND if self.typed else self.group
        return next((concept for concept, heading in rows if heading == wanted), None)


@dataclass
class ConceptModel(DeskModel):
    proposed: dict[int, Answer] = field(default_factory=dict)
    """Item -> what is proposed."""
    cards: dict[int, tuple[str, str]] = field(default_factory=dict)
    """Item -> class and status that were set on its card."""
    open: Panel | None = None
    selection: tuple[int, int] | None = None

    def moved(self) -> None:
        super().moved()
        self.open = self.selection = None

    # --- the card -----------------------------------------------------------------------------------------

    def card(self, item: int) -> tuple[str, str]:
        return self.cards.get(item, (self.proposed[item].kind, self.proposed[item].assertion))

    def set_class(self, item: int, kind: str) -> None:
        self.cards[item] = (kind, self.card(item)[1])

    def set_status(self, item: int, assertion: str) -> None:
        self.cards[item] = (self.card(item)[0], assertion)

    def turn_status(self, item: int) -> None:
        at = ASSERTIONS.index(self.card(item)[1])
        self.set_status(item, ASSERTIONS[(at + 1) % len(ASSERTIONS)])

    def accept(self, item: int) -> None:
        kind, assertion = self.card(item)
        self._answer(item, replace(self.proposed[item], kind=kind, assertion=assertion))

    def say(self, item: int, action: Action, answer: Answer | None = None) -> None:
        super().say(item, action, answer)
        self.cards.pop(item, None)

    def _answer(self, item: int, answer: Answer) -> None:
        """An answer that says what is proposed accepts it."""
        self.say(item, Action.ACCEPT if answer == self.proposed[item] else Action.FIX, answer)

    def own(self, item: int) -> Answer | None:
        """The curator's answer that stands, None also where it is a rejection or unsure."""
        said = [n for n in self.standing() if self.saved[n].item == item]
        judged = [self.saved[n] for n in said if self.saved[n].action is not Action.NOTE]
        return judged[0].answer if judged else None

    # --- the panel ----------------------------------------------------------------------------------------

    def fix(self, item: int, group: str | None = None) -> None:
        held = self.own(item) or self.proposed[item]
        kind, assertion = self.cards.get(item, (held.kind, held.assertion))
        spans = (self.selection,) if self.selection else held.spans
        self.panel = "fix"
        self.open = Panel(item, Answer(held.concept, kind, assertion, spans), group)
        self.selection = None

    def add(self, words: str) -> None:
        spans = (self.selection,) if self.selection else ()
        self.panel = "add"
        self.open = Panel(0, Answer("", "explicit", "affirmed", spans), typed=words, writing=not words)
        self.selection = None

    def leave(self) -> None:
        self.panel = self.open = None

    def type(self, text: str) -> None:
        self._set(typed=text.strip(), picked=None, missed=False, writing=True)

    def stop_writing(self) -> None:
        self._set(writing=False)

    def pick(self, concept: str) -> None:
        self._set(picked=concept, missed=False)

    def miss(self) -> None:
        self._set(picked=None, missed=True)

    def set_in_panel(self, **fields: str) -> None:
        assert self.open
        self._set(answer=replace(self.open.answer, **fields), writing=False)  # type: ignore[arg-type]

    def remove_span(self, span: tuple[int, int]) -> None:
        assert self.open
        spans = tuple(one for one in self.open.answer.spans if one != span)
        self._set(answer=replace(self.open.answer, spans=spans), writing=False)

    def add_span(self, span: tuple[int, int]) -> None:
        assert self.open
        spans = tuple(sorted({*self.open.answer.spans, span}))
        self._set(answer=replace(self.open.answer, spans=spans), writing=False)

    def save(self, rows: list[tuple[str, str]]) -> str | None:
        """What is saved of a fix, or the concept that is to be added. None: nothing is chosen."""
        assert self.open
        concept = self.open.chosen(rows)
        if concept and self.open.item:
            self._answer(self.open.item, replace(self.open.answer, concept=concept))
        return concept

    def _set(self, **fields: object) -> None:
        assert self.open
        self.open = replace(self.open, **fields)  # type: ignore[arg-type]
