"""One exchange between the review page in a browser and the workspace.

The browser sends one message that holds all it wants: decisions not yet acknowledged, items it holds, where
it stands, what it looks up. The reply is computed from the message and the database and from nothing else,
so a message may be repeated, or reach a server that has just been restarted, without harm.
"""

from __future__ import annotations

import contextlib
import hashlib
import statistics
import time
from typing import Any, Literal

from pydantic import Field, ValidationError

from core.errors import WorkspaceError
from core.records import JUDGEMENTS
from core.review.index import Filters, Index, index_of
from core.review.submit import Strict, Submission, ontology_of, stored_of, submit
from core.review.terms import terms_of
from core.review.view import history, passage_views
from core.store import Workspace, queue

LEASE_SECONDS = 90
"""Browsers renew every 30 s while visible; a hidden tab may be slowed to once a minute."""
MOST_WANTED = 60


class LookUp(Strict):
    """What the fix panel asks for. `id` comes back with the answer."""

    id: str = Field(max_length=100)
    kind: Literal["around", "search"]
    corpus: str
    concept: str = ""
    text: str = Field(default="", max_length=1000)


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
    want: int = Field(default=0, ge=0, le=MOST_WANTED)
    beat: bool = False
    """Time to renew the leases."""
    have: tuple[int, ...] = ()
    """Passages the browser holds already."""
    look: Any = None
    """A `LookUp`; checked apart, as are the events, so that a bad one holds up nothing else."""
    events: tuple[Any, ...] = ()


def signature(filters: Filters, curator: str) -> str:
    """Short name of a queue: what the browser holds of another one is dropped."""
    return hashlib.sha256(repr((filters, curator)).encode()).hexdigest()[:16]


def keep(workspace: Workspace, raw: Any, curator: str) -> None:
    """Store the events of a message and nothing more. `serve` tells what became of them; what cannot be
    stored now comes again."""
    with contextlib.suppress(ValidationError, WorkspaceError):
        submit(workspace, list(Message.model_validate(raw).events), curator=curator)


def serve(workspace: Workspace, raw: Any, filters: Filters, curator: str) -> dict[str, Any]:
    """Store the message's events, renew and take leases, and answer with all that the browser lacks."""
    try:
        message = Message.model_validate(raw)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        desk = raw.get("desk") if isinstance(raw, dict) else None
        return {"problem": f"The page sent something unreadable ({where}). Reload it.", "desk": desk}
    reply: dict[str, Any] = {
        "t": message.t,
        "desk": message.desk,
        "queue": signature(filters, curator),
        "problem": None,
    }
    outcome = _submit(workspace, message, curator, reply)
    index = index_of(workspace)
    page = _page(workspace, index, message, filters, curator, reply)
    order = index.order(filters, lambda c: _branch(workspace, filters.corpus, c))
    done, total = index.progress(order, filters, curator)
    times = queue.pace(workspace, curator)
    reply |= {
        "acks": {cid: [row.number, row.item_id] for cid, row in outcome.stored.items()},
        "refused": outcome.refused,
        "shared": _shared(index, message, outcome, curator),
        "page": page,
        "passages": _passages(workspace, message, page, curator, reply),
        "progress": {
            "done": done,
            "total": total,
            "median": statistics.median(times) if times else None,
        },
        "history": history(workspace, curator),
        "look": _look(workspace, message.look),
    }
    return reply


def _submit(workspace: Workspace, message: Message, curator: str, reply: dict[str, Any]) -> Submission:
    try:
        return submit(workspace, list(message.events), curator=curator)
    except WorkspaceError as error:
        reply["problem"] = str(error)
        return Submission(stored=stored_of(workspace, list(message.events)))


def _branch(workspace: Workspace, corpus: str, concept: str) -> frozenset[str]:
    ontology = ontology_of(workspace, corpus)
    return terms_of(workspace, ontology).branch(concept) if ontology is not None else frozenset()


def _page(
    workspace: Workspace,
    index: Index,
    message: Message,
    filters: Filters,
    curator: str,
    reply: dict[str, Any],
) -> list[int]:
    """Items newly leased, in order; at first the one that a link asks for comes before them."""
    same = message.queue == reply["queue"]
    asked = message.current if same or message.queue is None else None
    known = [asked] if asked is not None and queue.visible(workspace, asked, curator) else []
    reply["elsewhere"], reply["unknown"] = [], None if known else asked
    keep = list(dict.fromkeys([*known, *(message.held if same else ())]))
    if not (message.want or message.beat or not same) or reply["problem"]:
        return []
    order = index.order(filters, lambda c: _branch(workspace, filters.corpus, c))
    now = time.time()
    try:
        # the write comes first: inside it nobody can decide or lease, so what is open stays open
        with workspace.write(bump=False) as db, index.lock:
            index.refresh(workspace)
            if message.former:
                queue.hand_over(db, message.desk, message.former)
            taken, reply["elsewhere"] = queue.lease(
                db,
                message.desk,
                curator,
                keep=keep,
                candidates=index.open_items(order, filters, curator, message.after if same else None),
                wanted=message.want,
                now=now,
                expires=now + LEASE_SECONDS,
                room_of_kept=filters.answers,
            )
    except WorkspaceError as error:
        reply["problem"] = str(error)
        return []
    reply["end"] = len(taken) < message.want
    return taken if same else [*known, *taken]


def _passages(
    workspace: Workspace, message: Message, page: list[int], curator: str, reply: dict[str, Any]
) -> list[dict[str, Any]]:
    wanted = [*page, *([message.current] if message.current is not None else [])]
    rows = queue.items(workspace, wanted)
    lacking = dict.fromkeys(rows[i].passage_id for i in wanted if i in rows)
    return passage_views(workspace, curator, [p for p in lacking if p not in set(message.have)])


def _shared(index: Index, message: Message, outcome: Submission, curator: str) -> list[str]:
    """Judgements just stored on items that somebody else has answered, too. Said only now, and without what
    the other answer was."""
    judged = {e.get("cid") for e in message.events if isinstance(e, dict) and e.get("action") in JUDGEMENTS}
    return [
        cid
        for cid, row in outcome.stored.items()
        if cid in judged and index.answers.others(row.item_id, curator)
    ]


def _look(workspace: Workspace, asked: Any) -> dict[str, Any] | None:
    if asked is None:
        return None
    try:
        question = LookUp.model_validate(asked)
    except ValidationError:
        return None
    ontology = ontology_of(workspace, question.corpus)
    if ontology is None:
        return {"id": question.id, "rows": [], "ontology": None}
    terms = terms_of(workspace, ontology)
    if question.kind == "around":
        rows = terms.around(workspace, question.concept, question.text)
    else:
        rows = terms.search(workspace, question.text)
    return {"id": question.id, "rows": rows, "ontology": terms.row.reference}
