"""What a browser sends when a curator does something, of whichever kind of item, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from core.errors import InputError
from core.records import Action, AnyAnswer, NewDecision
from core.store import Workspace, learned, queue

Id = Annotated[int, Field(gt=0)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Question(Strict):
    """What a page looks up."""

    id: str = Field(max_length=100)
    """Comes back with the answer."""
    corpus: str = ""
    """Of the queue, or whatever else tells a question apart from an earlier one."""
    concept: str = ""
    final: bool = False
    """Whether rows that take longer are wanted, too: asked again after a first answer."""


class Sent(Strict):
    """One thing a curator did, and where."""

    cid: str = Field(min_length=1, max_length=100)
    workspace: str
    curator: str


class Said(Sent):
    """A decision. Item, passage and concept are all sent, so that an event from a screen that shows another
    workspace, or another state of this one, is noticed."""

    kind: str = "concept"
    """Name in `core.review.views.VIEWS`."""
    action: Action
    passage: Id
    """Of a pair: that of its side A."""
    item: Id | None = None
    """None where a concept is added or the passage as a whole is meant."""
    concept: str | None = None
    """Of a pair: its pair id."""
    shown: tuple[Id, ...] = ()
    proposal: Id | None = None
    """The one of `shown` that is accepted or fixed."""
    note: str | None = Field(default=None, max_length=10_000)
    undoes: Id | None = None
    undoes_cid: str | None = None
    """Names the decision to undo where the browser does not know its number yet."""
    blind: bool = False
    ms: int | None = Field(default=None, ge=0)


@dataclass(slots=True)
class Submission:
    stored: dict[str, queue.Answering] = field(default_factory=dict)
    """Client ids that the database holds now, whenever they came."""
    refused: dict[str, str] = field(default_factory=dict)
    """Client id -> why nothing was stored."""


def identity(workspace: Workspace) -> str:
    """What events name the workspace by: another file, or this one before a restore, is not it."""
    key = workspace.key()
    return f"{key.uuid}.{key.restore_nonce}"


def check_origin(event: Sent, here: str, curator: str) -> None:
    """Refuse what was decided elsewhere, or by somebody else."""
    if event.workspace != here:
        raise InputError(
            "This was decided on a screen of another workspace, or of this one before a backup was restored. "
            "Nothing was stored; reload the page and decide anew."
        )
    if event.curator != curator:
        raise InputError(
            f"This was decided by {event.curator!r}, but the curator here is {curator!r}. Nothing was stored;"
            " choose the curator again and decide anew."
        )


def not_as_shown(event: Said) -> InputError:
    return InputError(
        f"Item {event.item} is not what the screen showed. Nothing was stored; reload the page."
    )


def not_of_item(event: Said) -> InputError:
    return InputError(
        f"The proposal on the screen does not belong to item {event.item}. Nothing was stored; reload the"
        " page."
    )


def no_answer(event: Said) -> InputError:
    return InputError(f"'{event.action}' came without the answer it gives. Reload the page.")


def undone(workspace: Workspace, event: Said) -> int | None:
    """Number of the decision that an undo cancels."""
    if event.action is not Action.UNDO:
        return None
    number = event.undoes
    if number is None and event.undoes_cid is not None:
        found = queue.answering(workspace, [event.undoes_cid]).get(event.undoes_cid)
        number = found.number if found else None
    if number is None:
        raise InputError("The decision to undo was not stored, so there is nothing to undo.")
    if event.item is not None and queue.item_of(workspace, number) != event.item:
        raise InputError(f"Decision {number} is not about item {event.item}. Nothing was undone.")
    return number


def new_decision(workspace: Workspace, event: Said, action: Action, answer: AnyAnswer | None) -> NewDecision:
    return NewDecision(
        client_id=event.cid,
        curator=event.curator,
        action=action,
        item_id=event.item,
        passage_id=None if event.item else event.passage,
        subject=None if event.item else event.concept,
        shown=() if event.blind else event.shown,
        answer=answer,
        note=event.note,
        undoes=undone(workspace, event),
        blind=event.blind,
        milliseconds=event.ms,
    )


def stored_of(workspace: Workspace, sent: list[Any]) -> dict[str, queue.Answering]:
    """Client ids among these events that the database holds."""
    cids = [raw["cid"] for raw in sent if isinstance(raw, dict) and isinstance(raw.get("cid"), str)]
    mutes = dict.fromkeys(learned.mutes_stored(workspace, cids), queue.Answering(0, 0)) if cids else {}
    return queue.answering(workspace, cids) | mutes
