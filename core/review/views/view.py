"""What every kind of item shares on the desk. A kind says how its items are walked, shown and answered."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from core.kinds.repeat import SUFFIX, repeated
from core.records import ANSWERING, JUDGEMENTS, Action, Decision, NewDecision
from core.review.events import Said, new_decision, not_as_shown, not_of_item
from core.review.lists import Passages
from core.review.walks.walk import Ids, Walk
from core.store import Workspace, decisions, proposals, queue
from core.store.blind import blind_among
from core.store.queue import ItemRow
from core.store.repeats import about, originals

OF_WHOLE = (Action.CLOSE, Action.REOPEN, Action.UNDO)
"""Actions that may be about a passage; the store checks what they name."""


class View(ABC):
    """One kind of item on the desk."""

    kind: ClassVar[str]
    told: ClassVar[tuple[str, ...]]
    """Kinds of the items that its list of last decisions is about."""
    Event: ClassVar[type[Said]]
    """The form of what its page sends."""
    rules: ClassVar[bool] = False
    """Whether it adjudicates."""
    adds: ClassVar[bool] = False
    """Whether a curator may speak of what no run proposed, and of the passage as a whole."""
    accepts: ClassVar[bool] = False
    """Whether to accept an item is to say that the machine was right."""
    guided: ClassVar[bool] = False
    """Whether its curators go by the guideline of a task profile, which its page shows."""

    # --- which ones ---------------------------------------------------------------------------------------

    @abstractmethod
    def walk(self, workspace: Workspace) -> Walk[Any]:
        """The kind's own queue, up to date."""

    @abstractmethod
    def order(self, workspace: Workspace, walk: Any, filters: Any, curator: str) -> Ids:
        """Every item that passes the filters, answered or not, in queue order."""

    @abstractmethod
    def items_of(self, workspace: Workspace, passage: int) -> list[int]:
        """Items of a passage, whoever may see them."""

    def visible(self, workspace: Workspace, items: Iterable[int], curator: str) -> set[int]:
        """Those of these items that a curator may see; asked again only what they have answered."""
        asked = list(items)
        again = originals(workspace.db, asked)
        answered = {one.item_id for one in queue.said_by(workspace, curator, list(again.values()))}
        return queue.visible(workspace, asked, curator, self.kind) | {
            item for item, first in again.items() if first in answered
        }

    def instead(self, workspace: Workspace, items: Iterable[int], order: Ids, curator: str) -> list[int]:
        """What a curator is shown where these items are asked for, none twice: here the items themselves.

        Args:
            order: every item of the queue.
        """
        return list(dict.fromkeys(items))

    def passages(
        self, workspace: Workspace, walk: Any, passages: Sequence[int], corpus: str, curator: str
    ) -> Passages:
        """What is open to a curator in these passages of a corpus: here none is shown as a whole."""
        return Passages({}, {}, len(passages))

    def rows(self, workspace: Workspace, items: Iterable[int]) -> dict[int, ItemRow]:
        """Items of this kind by id; one that is asked again stands as what it is about."""
        asked = list(items)
        found = queue.items(workspace, asked, self.kind)
        if lacking := [item for item in asked if item not in found]:
            for item, row in queue.items(workspace, lacking, self.kind + SUFFIX).items():
                found[item] = row._replace(subject=repeated(row.subject))
        return found

    def unclosed(self, workspace: Workspace, walk: Any, order: Ids, curator: str) -> list[int]:
        """First items of what this curator has decided all of, but not marked as done. An item that stands
        alone is done with its answer."""
        return []

    def pace(self, workspace: Workspace, curator: str) -> list[int]:
        """Milliseconds of a curator's latest judgements, newest first."""
        return queue.pace(workspace, curator, kinds=(self.kind,))

    # --- what is shown ------------------------------------------------------------------------------------

    def sheets(self, workspace: Workspace, items: list[int]) -> list[int]:
        """What these items come in: here each stands alone; or a passage with all its items."""
        known = self.rows(workspace, items)
        return list(dict.fromkeys(item for item in items if item in known))

    @abstractmethod
    def views(self, workspace: Workspace, curator: str, sheets: list[int]) -> list[dict[str, Any]]:
        """Sheets as plain JSON, in the order asked for; never anybody else's answers."""

    def held(self, workspace: Workspace, items: list[int]) -> dict[int, list[Any]]:
        """Item -> what runs say of it, in the order in which its page shows it."""
        first = about(workspace.db, items)
        found = self.proposals(workspace, list(dict.fromkeys(first.values())))
        return {item: found[one] for item, one in first.items() if one in found}

    def proposals(self, workspace: Workspace, items: list[int]) -> dict[int, list[Any]]:
        """As `held`, of items that runs speak of themselves."""
        return proposals.of_items(workspace, items)

    def look(
        self, workspace: Workspace, asked: Any, walk: Any, filters: Any, order: Ids, curator: str
    ) -> dict[str, Any] | None:
        """The answer to a question of the page; None: the page of this kind asks nothing.

        Args:
            order: every item of the queue.
        """
        return None

    def muted(
        self,
        workspace: Workspace,
        walk: Any,
        order: Ids,
        sheets: Sequence[int],
        curator: str,
        history: Sequence[dict[str, Any]],
    ) -> dict[str, Any] | None:
        """What of these sheets need not be decided, as somebody has muted its name; None: no such thing here.

        Args:
            history: the curator's last decisions, newest first.
        """
        return None

    def silenced(self, workspace: Workspace, walk: Any, filters: Any, curator: str) -> int:
        """Items that a queue leaves out, as somebody has muted their name."""
        return 0

    def history(self, workspace: Workspace, curator: str) -> list[dict[str, Any]]:
        """A curator's last ten decisions, newest first, each with what it says and what it takes to reopen
        it."""
        last = decisions.history(workspace, curator, kinds=self.told, rulings=self.rules)
        unseen = blind_among(workspace, curator, [d.item_id for d in last])
        held = self.held(workspace, [d.item_id for d in last if d.item_id not in unseen])
        names = self.named(workspace, last)
        return [
            {
                "number": d.number,
                "cid": d.client_id,
                "item": d.item_id if d.subject else None,
                "passage": d.passage_id,
                "concept": repeated(d.subject) if d.subject else None,
                "action": d.action.value,
                "blind": d.blind,
                **self.said(d, held.get(d.item_id, [])),
                "doc": names.get(d.item_id, ""),
            }
            for d in last
        ]

    @abstractmethod
    def named(self, workspace: Workspace, last: list[Decision]) -> dict[int, str]:
        """Item -> the document or documents that it is of, as a curator knows them."""

    @abstractmethod
    def said(self, decision: Decision, held: list[Any]) -> dict[str, Any]:
        """What a decision says in the list of the last ones: `label`, and whatever else its page shows.

        Args:
            held: proposals of its item, unless they are not to be seen yet.
        """

    # --- what is answered ---------------------------------------------------------------------------------

    def decision(self, workspace: Workspace, event: Any) -> NewDecision:
        """What an event stands for. Whether it is consistent, and stands in the texts, the store checks.

        Raises:
            InputError: the event does not fit the item that it names.
        """
        row = self.rows(workspace, [event.item]).get(event.item) if event.item else None
        if row is not None and (row.passage_id != event.passage or row.subject != event.concept):
            raise not_as_shown(event)
        if row is None and not (self.adds and (event.item is None or event.action in OF_WHOLE)):
            raise not_as_shown(event)
        action, answer = event.action, None
        if action in ANSWERING:
            known = self.held(workspace, [row.id]).get(row.id, []) if row else []
            shown = {one.id: one for one in known if one.id in event.shown}
            chosen = shown.get(event.proposal or 0)
            given_alone = event.proposal is None and (
                action is not Action.ACCEPT or getattr(event, "answer", None)
            )
            if chosen is None and action in (Action.ACCEPT, Action.FIX) and not given_alone:
                raise not_of_item(event)
            as_it_is = chosen is not None and action in (Action.ACCEPT, Action.FIX)
            proposed = self.proposed(workspace, chosen) if as_it_is else None
            answer = (
                proposed if as_it_is and action is Action.ACCEPT else self.given(workspace, event, row, shown)
            )
            if action is Action.FIX and answer == proposed:
                action = Action.ACCEPT  # nothing was changed after all
        return new_decision(workspace, event, action, answer)

    @abstractmethod
    def proposed(self, workspace: Workspace, chosen: Any) -> Any:
        """The answer that accepting a proposal gives."""

    @abstractmethod
    def given(self, workspace: Workspace, event: Any, row: ItemRow | None, shown: Mapping[int, Any]) -> Any:
        """The answer that an event gives itself.

        Args:
            row: its item; None where it adds one.
            shown: the proposals that were on the screen, by id.

        Raises:
            InputError: it gives none, or one that cannot stand.
        """


def own_words(
    workspace: Workspace,
    curator: str,
    items: list[int],
    *,
    rulings: bool = False,
    in_force: frozenset[str] = frozenset(),
) -> dict[int, list[dict[str, Any]]]:
    """Item -> what this curator has said on it and not taken back, oldest first, as the page shows it.

    Args:
        rulings: whether this is what they ruled as an adjudicator, or else what they answered.
        in_force: revisions of guidelines; what was said under another one is marked as `older`.
    """
    said: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    hidden = JUDGEMENTS if rulings else (Action.ADJUDICATE,)
    for one in queue.said_by(workspace, curator, items):
        if one.action in hidden:
            continue
        said[one.item_id].append(
            {
                "number": one.number,
                "cid": one.client_id,
                "action": one.action.value,
                "answer": one.answer,
                "note": one.note,
                **({"older": True} if in_force and one.revision not in (None, *in_force) else {}),
            }
        )
    return said


def asked_again(
    workspace: Workspace, curator: str, sheet: dict[str, Any], name: int, first: int, repeat: int
) -> dict[str, Any]:
    """A sheet that asks once more about one of its items, as if for the first time. Beside it stand, as they
    are, those that the curator has answered: nothing else is to be done there.

    Args:
        name: id of the sheet that is made.
        first: the item that is asked about.
        repeat: the item under which the second answer is stored.
    """
    said = own_words(workspace, curator, [repeat])[repeat]
    items = [
        {**item, "id": repeat, "sheet": name, "mine": said, "doubted": False, "inside": None}
        if item["id"] == first
        else {**item, "inside": None}
        for item in sheet["items"]
        if item["id"] == first or item["mine"]
    ]
    return {**sheet, "id": name, "passage": items[0]["passage"], "items": items}
