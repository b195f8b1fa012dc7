"""From what a browser sends to decisions in the store, of whichever kind of item.

The browser keeps each event until its client id comes back, so an event may arrive any number of times, late,
after a restart, or in another session. What is stored is told by the database alone. What cannot be stored is
refused with a sentence for the curator, and never holds up the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from core.errors import InputError, NotFoundError
from core.records import Action, ItemKind, NewDecision
from core.review import muted, tray
from core.review.events import Said, Submission, check_origin, identity, stored_of
from core.review.views.view import View
from core.store import Workspace, decisions, queue


def submit(workspace: Workspace, sent: list[Any], views: Mapping[str, View], *, curator: str) -> Submission:
    """Store what is new in `sent`, in its order. Any page takes events of every kind: what one page could not
    send before it was left, the next one sends.

    Raises:
        WorkspaceError: the store cannot be written (disk full...). Ask `stored_of` what is in it.
    """
    outcome = Submission()
    mutes = [raw for raw in sent if muted.is_mute(raw)]
    events = [event for raw in sent if raw not in mutes and (event := _parsed(raw, views, outcome))]
    known = queue.answering(workspace, (e.cid for e in events))
    waiting: list[NewDecision] = []
    here = identity(workspace)
    for event in events:
        if event.cid in known:
            continue
        try:
            again = any(
                one.item_id == event.item if event.item else one.action is Action.REOPEN for one in waiting
            )
            if event.undoes_cid is not None or again:  # what comes before must be stored to be known of
                _store(workspace, waiting, outcome)
            check_origin(event, here, curator)
            view = views[event.kind]
            revision = tray.revision_of(workspace, event, view.kind) if view.guided else None
            waiting.append(replace(view.decision(workspace, event), guideline_revision=revision))
        except (InputError, NotFoundError) as error:
            outcome.refused[event.cid] = str(error)
    _store(workspace, waiting, outcome)
    outcome.refused |= muted.store(workspace, mutes, curator)
    outcome.stored = stored_of(workspace, sent)
    return outcome


def _parsed(raw: Any, views: Mapping[str, View], outcome: Submission) -> Said | None:
    sent = raw if isinstance(raw, dict) else {}
    view = views.get(str(sent.get("kind", ItemKind.CONCEPT.value)))
    where = "kind"
    if view is not None:
        try:
            return view.Event.model_validate(raw)
        except ValidationError as error:
            where = ".".join(str(part) for part in error.errors()[0]["loc"])
    if isinstance(cid := sent.get("cid"), str):
        outcome.refused[cid] = f"The page sent something unreadable ({where}). Reload it and decide anew."
    return None


def _store(workspace: Workspace, waiting: list[NewDecision], outcome: Submission) -> None:
    for done in decisions.append(workspace, waiting):
        if done.refused is not None:
            outcome.refused[done.client_id] = done.refused
    waiting.clear()
