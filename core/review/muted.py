"""Names that a curator mutes while reviewing, and the proposals that leave the queue with them.

    offer(workspace, walk, order, "ada")     # {"words": "spell", "rejected": 3, "pending": 14, ...} or None
    without(workspace, walk, order, filters, "ada")

A mute is a word on a learned set (`core.store.learned`), with its curator; the word on it that came last
holds. Proposals that nothing but muted words speak for are not decided by it: they are left out of a queue of
what is undecided, and come back when the mute ends. Lists are shown as they are, and blind units stay, so
that no frame loses what it asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from core.concepts.lexicon.vocabulary import form
from core.errors import InputError
from core.records import Action, Curie
from core.review.events import Sent, check_origin, identity
from core.review.walks.concept import Filters, Index
from core.review.walks.kept import Recent, Walks
from core.review.walks.walk import Ids, Show
from core.store import Workspace, curators, learned, named, ontologies, runs
from core.store.names import check_name

OFTEN = 3
"""Rejections of a name without one that keeps it, from which on it is asked whether to mute it."""
UNNAMED = "learned"
"""The set that mutes are put beside where none was learned yet; `Runs` proposes the same name."""
CONCEPTS_KEPT = 500
KIND = "mute"


class Mute(Sent):
    """What the desk sends."""

    kind: Literal["mute"]
    set: str = Field(min_length=1, max_length=200)
    concept: Curie = Field(min_length=1, max_length=200)
    words: str = Field(min_length=1, max_length=1000)
    muted: bool


def is_mute(raw: Any) -> bool:
    return isinstance(raw, dict) and raw.get("kind") == KIND


def store(workspace: Workspace, sent: Sequence[dict[str, Any]], curator: str) -> dict[str, str]:
    """Store what is new of these mutes; client id -> why it was refused."""
    refused: dict[str, str] = {}
    known = learned.mutes_stored(workspace, [str(raw.get("cid")) for raw in sent]) if sent else set()
    for raw in sent:
        if raw.get("cid") in known:
            continue
        try:
            one = Mute.model_validate(raw)
            check_origin(one, identity(workspace), curator)
            check_name("learned set", one.set)
            curators.find_curator(workspace, curator)
        except ValidationError:
            refused[str(raw.get("cid"))] = "The page sent something unreadable. Reload it and try again."
        except InputError as error:
            refused[str(raw.get("cid"))] = str(error)
        else:
            with workspace.write() as db:
                learned.mute(
                    db,
                    one.set,
                    one.words,
                    concept=one.concept,
                    muted=one.muted,
                    curator=curator,
                    client_id=one.cid,
                )
    return refused


class Muted:
    """What is muted in one workspace, kept from one message to the next."""

    def __init__(self) -> None:
        self.items: NDArray[np.int64] = np.empty(0, np.int64)
        """Ids of items that nothing but muted words speak for."""
        self._rests_on = (0, 0)
        self._named: Recent[dict[int, frozenset[str]]] = Recent(CONCEPTS_KEPT)

    def refresh(self, workspace: Workspace) -> None:
        newest = learned.last_mute(workspace)
        if not newest:
            return
        rests_on = newest, named.last_proposal(workspace)
        if rests_on == self._rests_on:
            return
        silent: dict[Curie, set[str]] = {}
        for one in learned.mutes(workspace):
            if one.muted and one.concept is not None:
                silent.setdefault(one.concept, set()).add(one.words)
        found = [
            item
            for concept, words in silent.items()
            for item, forms in self.named(workspace, concept).items()
            if forms and forms <= words
        ]
        self.items, self._rests_on = np.array(sorted(found), np.int64), rests_on

    def named(self, workspace: Workspace, concept: Curie) -> dict[int, frozenset[str]]:
        """Item of a concept -> the words of its evidence, as they are counted."""

        def read() -> dict[int, frozenset[str]]:
            quotes = named.quotes(workspace, concept)
            return {item: frozenset(map(form, said)) for item, said in quotes.items()}

        return self._named.of((concept, named.last_proposal(workspace)), read)


_walks = Walks(Muted)


def hidden(workspace: Workspace, walk: Index, curator: str) -> NDArray[np.int64]:
    """Items that a curator need not decide, for their words are muted: neither answered nor blind."""
    items = _walks.of(workspace).items
    if not len(items):
        return items
    with walk.lock:
        walk.answers.reach(int(items[-1]))
        return cast(Ids, items[(walk.answers.by(curator)[items] == 0) & ~np.isin(items, walk.unseen.items)])


def without(workspace: Workspace, walk: Index, order: Ids, filters: Filters, curator: str) -> Ids:
    """A queue without what is muted, where it is one of what is undecided."""
    if filters.show is not Show.UNDECIDED or filters.listed is not None:
        return order
    gone = hidden(workspace, walk, curator)
    return order[~np.isin(order, gone)] if len(gone) else order


def told(
    workspace: Workspace, walk: Index, order: Ids, sheets: Sequence[int], curator: str, newest: Any
) -> dict[str, Any]:
    """What the desk is told: `silent`, items of these passages that are muted, and `offer`.

    Args:
        newest: the curator's last decision that holds, as the desk's list has it; None where there is none.
    """
    gone = hidden(workspace, walk, curator)
    silent = named.inside(workspace, gone.tolist(), sheets) if len(gone) else []
    rejected = newest and newest["action"] == Action.REJECT and newest["item"] and not newest["blind"]
    return {"silent": silent, "offer": _offer(workspace, walk, order, curator, newest) if rejected else None}


def _offer(
    workspace: Workspace, walk: Index, order: Ids, curator: str, newest: dict[str, Any]
) -> dict[str, Any] | None:
    """The name that was rejected last, where it was rejected often, never kept, and is still asked about."""
    concept, item = newest["concept"], newest["item"]
    forms = _walks.of(workspace).named(workspace, concept)
    same = {one for one, said in forms.items() if said == forms.get(item)}
    said = {one: action for one, action in named.judged(workspace, concept, curator).items() if one in same}
    counted = list(said.values())
    if len(forms.get(item, ())) != 1 or counted.count(Action.REJECT) < OFTEN:
        return None
    if Action.ACCEPT in counted or Action.FIX in counted:
        return None
    with walk.lock:
        open_now = order[walk.answers.by(curator)[order] == 0]
        pending = np.isin(open_now, list(same)) & ~np.isin(open_now, walk.unseen.items)
    if not pending.any():
        return None
    (words,) = forms[item]
    return {
        "set": _beside(workspace, item),
        "concept": concept,
        "label": newest["label"],
        "words": words,
        "rejected": counted.count(Action.REJECT),
        "pending": int(pending.sum()),
    }


def _beside(workspace: Workspace, item: int) -> str:
    """The set that a mute is put beside: the one that the newest run which proposes the item used, else the
    one learned last for its ontology."""
    run = runs.find_run(workspace, named.proposed_by(workspace, item))
    if used := run.settings.get("learned"):
        return str(used["set"]).rpartition("@")[0]
    known = {row.id: row.reference for row in ontologies.list_ontologies(workspace)}
    name = known.get(run.ontology_id or 0, "").rpartition("@")[0]
    fitting = [
        row
        for row in learned.list_sets(workspace)
        if learned.read(workspace, row).ontology.rpartition("@")[0] == name
    ]
    return max(fitting, key=lambda row: row.created_at).name if fitting else UNNAMED
