"""One exchange between the review page in a browser and the workspace.

The browser sends one message that holds all it wants: decisions not yet acknowledged, items it holds, where
it stands, what it looks up. The reply is computed from the message and the database and from nothing else,
so a message may be repeated, or reach a server that has just been restarted, without harm.
"""

from __future__ import annotations

import hashlib
import statistics
import time
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from itertools import chain
from typing import Any, Literal

import numpy as np
from pydantic import Field, ValidationError

from core.errors import WorkspaceError
from core.records import JUDGEMENTS
from core.review import lists, tray
from core.review.events import Question, Strict, Submission, stored_of
from core.review.submit import submit
from core.review.views import VIEWS, View
from core.review.walks.concept import Filters
from core.review.walks.listing import ListingFilters
from core.review.walks.pair import PairFilters
from core.review.walks.walk import ANYBODY, Ids, Show, Walk
from core.review.walks.walk import again as is_again
from core.store import Workspace, documents, queue, repeats
from core.store.sitting import sitting

AnyFilters = Filters | PairFilters | ListingFilters

LEASE_SECONDS = 90
"""Browsers renew every 30 s while visible; a hidden tab may be slowed to once a minute."""
MOST_WANTED, MOST_PLACES = 60, 40


class Message(Strict):
    t: int = 0
    """Running number of the message; comes back with the reply."""
    desk: str = Field(min_length=1, max_length=100)
    """The life of the component in a browser that leases belong to; comes back with the reply."""
    former: tuple[str, ...] = Field(default=(), max_length=20)
    """Lives of the same browser that have ended, as by a reload: it takes over their leases."""
    queue: str | None = None
    """Signature of the queue that `held` and `after` belong to; None at first."""
    current: int | None = None
    """Item on the screen, or the one a link asks for."""
    held: tuple[int, ...] = ()
    after: int | None = None
    places: dict[str, int] = Field(default={}, max_length=MOST_PLACES)
    """Signatures of queues -> the item where this curator was in each: there a queue is taken up again."""
    unsure: bool = False
    """Whether the curator goes through what was left as unsure, whatever the filters show."""
    want: int = Field(default=0, ge=0, le=MOST_WANTED)
    beat: bool = False
    """Time to renew the leases."""
    have: tuple[int, ...] = ()
    """Sheets (passages, pairs) that the browser holds already."""
    look: Any = None
    """A question of the page; checked apart, as are the events, so that a bad one holds up nothing else."""
    events: tuple[Any, ...] = ()


class Jump(Question):
    """A question for documents whose id holds a text; its corpus is the signature of the queue."""

    kind: Literal["document"]
    text: str = Field(min_length=1, max_length=1000)


def signature(filters: AnyFilters, curator: str) -> str:
    """Short name of a queue: what the browser holds of another one is dropped."""
    return hashlib.sha256(repr((filters, curator)).encode()).hexdigest()[:16]


def keep(workspace: Workspace, raw: Any, curator: str) -> None:
    """Store the events of a message and nothing more. `serve` tells what became of them; what cannot be
    stored now comes again."""
    with suppress(ValidationError, WorkspaceError):
        submit(workspace, list(Message.model_validate(raw).events), VIEWS, curator=curator)


def serve(workspace: Workspace, raw: Any, filters: AnyFilters, curator: str) -> dict[str, Any]:
    """Store the message's events, renew and take leases, and answer with all that the browser lacks."""
    try:
        message = Message.model_validate(raw)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        desk = raw.get("desk") if isinstance(raw, dict) else None
        return {"problem": f"The page sent something unreadable ({where}). Reload it.", "desk": desk}
    if message.unsure:
        filters = replace(filters, show=Show.UNSURE, listed=None)
    reply: dict[str, Any] = {
        "t": message.t,
        "desk": message.desk,
        "queue": signature(filters, curator),
        "problem": None,
    }
    outcome = _submit(workspace, message, curator, reply)
    view = VIEWS[filters.kind]
    walk = view.walk(workspace)
    order, passages = lists.order_of(workspace, view, walk, filters, curator)
    walk.needs(workspace, filters)  # what a first look costs is spent before anything is written
    page = _page(workspace, view, walk, order, passages, message, filters, curator, reply)
    times = view.pace(workspace, curator)
    at_end = not (page or message.held) and (message.queue is not None or message.want > 0)
    unclosed = view.unclosed(workspace, walk, order, curator) if at_end else []
    sheets = _sheets(workspace, view, message, page, passages, curator, reply["unknown"])
    on_screen = [*message.have, *(sheet["id"] for sheet in sheets)]
    history = view.history(workspace, curator)
    reply |= {
        "acks": {cid: [row.number, row.item_id] for cid, row in outcome.stored.items()},
        "refused": outcome.refused,
        "shared": [] if walk.varies(filters) else _shared(workspace, walk, message, outcome, curator),
        "page": page,
        "passages": sheets,
        "again": is_again(filters) and passages is None,
        "sitting": _sitting(workspace, view, walk, order, curator) if at_end else None,
        "silenced": view.silenced(workspace, walk, filters, curator) if at_end else 0,
        "unclosed": {"count": len(unclosed), "first": unclosed[0] if unclosed else None},
        "listed": lists.told(filters.listed, order, passages),
        "progress": _progress(workspace, walk, order, passages, filters, curator)
        | {"median": statistics.median(times) if times else None},
        "history": history,
        "muted": view.muted(workspace, walk, order, on_screen, curator, history),
        "look": _look(workspace, view, walk, message.look, filters, order, curator),
    }
    return reply


def _submit(workspace: Workspace, message: Message, curator: str, reply: dict[str, Any]) -> Submission:
    try:
        return submit(workspace, list(message.events), VIEWS, curator=curator)
    except WorkspaceError as error:
        reply["problem"] = str(error)
        return Submission(stored=stored_of(workspace, list(message.events)))


def _page(
    workspace: Workspace,
    view: View,
    walk: Walk[Any],
    order: Ids,
    passages: lists.Passages | None,
    message: Message,
    filters: AnyFilters,
    curator: str,
    reply: dict[str, Any],
) -> list[int]:
    """Items newly leased, in order; at first what is shown where a link asks for one comes before them."""
    same = message.queue == reply["queue"]
    asked = message.current if same or message.queue is None else None
    shown = lists.shown(workspace, view, passages, asked, message.have, order, curator)
    visible = view.visible(workspace, shown, curator)
    known = [item for item in shown if item in visible]
    reply["instead"] = [asked, known] if known and known != [asked] else None
    reply["elsewhere"], reply["unknown"] = [], None if known else asked
    keep = list(dict.fromkeys([*known, *(message.held if same else ())]))
    if not (message.want or message.beat or not same or reply["instead"]) or reply["problem"]:
        return []
    after, start = message.after if same else None, message.places.get(reply["queue"])
    repeating = repeats.originals(workspace.db, [one for one in (*keep, after, start) if one is not None])
    after, start = (repeating.get(one, one) if one is not None else None for one in (after, start))
    due = walk.due_again(workspace, filters, order, curator) if message.want else []
    try:
        # the write comes first: inside it nobody can decide or lease, so what is open stays open
        with _writing(workspace) as db, walk.lock:
            walk.refresh(workspace)
            needs = walk.needs(workspace, filters)
            again = repeats.items(db, due[:1])
            if message.former and not workspace.read_only:
                queue.hand_over(db, message.desk, message.former)
            taken, reply["elsewhere"] = (queue.peek if workspace.read_only else queue.lease)(
                db,
                message.desk,
                curator,
                keep=keep,
                candidates=chain(
                    ((one, ANYBODY) for one in again),
                    walk.open_items(order, filters, curator, after, start, needs),
                ),
                wanted=message.want,
                now=time.time(),
                seconds=LEASE_SECONDS,
                room_of_kept=lambda item: (
                    ANYBODY
                    if item in repeating
                    else max(item in known, walk.room(item, filters, curator, needs))
                ),
            )
    except WorkspaceError as error:
        reply["problem"] = str(error)
        return []
    if message.want:
        reply["end"] = len(taken) < message.want
    if taken and taken[0] in again:  # not always the first of what comes, nor the last, which is a place
        taken.insert(len(taken) // 2, taken.pop(0))
    return taken if same else [*known, *taken]


def _writing(workspace: Workspace) -> AbstractContextManager[Any]:
    """For leases; where nothing can be saved there are none."""
    return nullcontext(workspace.db) if workspace.read_only else workspace.write(bump=False)


def _sitting(
    workspace: Workspace, view: View, walk: Walk[Any], order: Ids, curator: str
) -> dict[str, Any] | None:
    """What came of the present sitting. `right`: share of this queue that was right as proposed, of all that
    the curator has judged in it, and of what was judged before the sitting."""
    found = sitting(workspace, curator)
    if found is None:
        return None
    told = {"answers": found.answers, "minutes": found.minutes, "stand": found.stand}
    if not view.accepts:
        return told
    now, before = walk.right(order, curator), walk.right(order, curator, found.held)
    return told | {"right": {"now": now.to_json(), "before": before.to_json()}}


def _progress(
    workspace: Workspace,
    walk: Walk[Any],
    order: Ids,
    passages: lists.Passages | None,
    filters: AnyFilters,
    curator: str,
) -> dict[str, Any]:
    """How far the queue has come, or the list of passages. Where only some items take two answers, a step
    that settles nothing would show which ones these are: what is settled is left out then."""
    if passages is not None:
        return passages.progress._asdict()
    found = walk.progress(order, filters, curator, walk.needs(workspace, filters))._asdict()
    return found | {"settled": None} if walk.varies(filters) else found


def _look(
    workspace: Workspace,
    view: View,
    walk: Walk[Any],
    asked: Any,
    filters: AnyFilters,
    order: Ids,
    curator: str,
) -> dict[str, Any] | None:
    if asked is None:
        return None
    if view.guided and isinstance(asked, dict) and asked.get("kind") == "guideline":
        with suppress(ValidationError):
            question = tray.Asked.model_validate(asked)
            return tray.answer(workspace, question, view.kind, filters.corpus, curator)
        return None
    try:
        jump = Jump.model_validate(asked)
    except ValidationError:
        return view.look(workspace, asked, walk, filters, order, curator)  # of this kind of item
    rows = []
    for found in documents.find(workspace, filters.corpus, jump.text.strip()):
        items = sorted(view.visible(workspace, view.items_of(workspace, found.passage), curator))
        queued = order[np.isin(order, items)]
        first = int(queued[0]) if len(queued) else next(iter(items), None)
        rows.append({"id": found.passage, "doc": found.doc_id, "title": found.title, "item": first})
    return {"id": jump.id, "rows": rows}


def _sheets(
    workspace: Workspace,
    view: View,
    message: Message,
    page: list[int],
    passages: lists.Passages | None,
    curator: str,
    unknown: int | None,
) -> list[dict[str, Any]]:
    """What the browser lacks of the sheets of these items and of the one on its screen, unless that is
    unknown."""
    wanted = [*page, *([message.current] if message.current not in (None, unknown) else [])]
    have = set(message.have)
    found = view.views(workspace, curator, [s for s in view.sheets(workspace, wanted) if s not in have])
    return found if passages is None else passages.ended(found)


def _shared(
    workspace: Workspace, walk: Walk[Any], message: Message, outcome: Submission, curator: str
) -> list[str]:
    """Judgements just stored on items that somebody else has answered, too. Said only now, and without what
    the other answer was; not of what was asked again, which would show it, nor of what was answered blind:
    of a concept in a list it would tell that it is proposed."""
    told = [e for e in message.events if isinstance(e, dict) and not e.get("blind")]
    judged = {e.get("cid") for e in told if e.get("action") in JUDGEMENTS}
    stored = {cid: row.item_id for cid, row in outcome.stored.items() if cid in judged}
    again = repeats.originals(workspace.db, stored.values())
    return [cid for cid, item in stored.items() if item not in again and walk.answers.others(item, curator)]
