"""The guideline at the desk: its text, its revision, and the answers that were given under an older one.

An item is judged by the guideline of the profile of the newest run that proposes it; one that no such run
proposes, by that of the newest run over its corpus. The revision in force is computed here and stored with
each decision; the browser has no say in it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import Field

from core.concepts.profile import load_profile, profiles
from core.errors import InputError
from core.kinds import KINDS
from core.review.events import Question, Said
from core.store import Workspace, guided, guidelines, queue
from core.store.guided import Named
from core.store.guidelines import InForce

MOST_ID = 2**63 - 1
"""The database knows no higher one."""


class Asked(Question):
    """The desk's question for the guideline of an item."""

    kind: Literal["guideline"]
    text: str = Field(default="", max_length=20, pattern=r"^[0-9]*$")
    """The item, in digits; empty: the guideline of the corpus."""


class Older(NamedTuple):
    """Answers of one curator under a revision that is not in force, as far as the log was read."""

    whose: tuple[str, str, str]
    """Workspace, curator, kind of the items."""
    in_force: frozenset[str]
    upto: int
    """Number of the last decision that was read."""
    items: dict[int, int]
    """Item -> number of the decision, oldest first."""


def answer(workspace: Workspace, asked: Asked, kind: str, corpus: str, curator: str) -> dict[str, Any]:
    """The guideline as the tray shows it.

    Args:
        kind: of the items on the desk.
        corpus: of its queue.
    """
    runs = KINDS[kind].runs
    item = int(asked.text) if asked.text else None
    known = queue.items(workspace, [item], kind) if item is not None and item <= MOST_ID else {}
    row = known.get(item or 0)
    if row is not None:
        named = _of(workspace, row.id, row.passage_id, runs)
    else:
        named = guided.of_corpus(workspace, corpus, runs)
    found = _in_force(workspace, named) if named else None
    told = {
        "profile": named.profile if named else None,
        "reference": found.reference if found else None,
        "text": found.text if found else "",
        "revision": found.revision if found else None,
        "older": len(guided.older(workspace, curator, kind, in_force(workspace, kind))),
    }
    return {"id": asked.id, "rows": [{"id": told["revision"] or "", **told}]}


def revision_of(workspace: Workspace, event: Said, kind: str) -> str | None:
    """The revision in force for what an event is about; None where it has no guideline.

    Args:
        kind: of the items that its page shows.
    """
    named = _of(workspace, event.item, event.passage, KINDS[kind].runs)
    return _in_force(workspace, named).revision if named else None


def in_force(workspace: Workspace, kind: str) -> frozenset[str]:
    """Revisions of all guidelines that items of a kind are judged by today."""
    found = (_in_force(workspace, named).revision for named in guided.profiles(workspace, KINDS[kind].runs))
    return frozenset(revision for revision in found if revision)


def older(workspace: Workspace, identity: str, curator: str, kind: str, known: Older | None = None) -> Older:
    """The curator's answers under a revision that is not in force. None counts where no guideline is.

    Args:
        identity: of the workspace.
        known: what an earlier call found; only what has been said since is read then.
    """
    whose, revisions = (identity, curator, kind), in_force(workspace, kind)
    upto = queue.last_number(workspace)
    if known is None or (known.whose, known.in_force) != (whose, revisions):
        items = guided.older(workspace, curator, kind, revisions) if revisions else {}
        return Older(whose, revisions, upto, items)
    if known.upto == upto:
        return known
    said = guided.touched(workspace, curator, known.upto) if revisions else []
    items = dict(known.items)
    for item in said:
        items.pop(item, None)
    if now := guided.older(workspace, curator, kind, revisions, said):
        items = dict(sorted((items | now).items(), key=lambda row: row[1]))
    return Older(whose, revisions, upto, items)


def _of(workspace: Workspace, item: int | None, passage: int, runs: tuple[str, ...]) -> Named | None:
    if max(item or 0, passage) > MOST_ID:
        return None  # there is no such item; the store refuses what is said of it
    proposed = guided.of_item(workspace, item, runs) if item is not None else None
    return proposed or guided.of_passage(workspace, passage, runs)


def _in_force(workspace: Workspace, named: Named) -> InForce:
    return guidelines.in_force(workspace, named.profile, _own(named))


def _own(named: Named) -> str:
    """The profile's own text; empty where its file is gone or can no longer be read."""
    path = profiles().get(named.source, Path(named.source))
    try:
        return _read(path, path.stat().st_mtime_ns)
    except OSError:
        return ""


@lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> str:
    try:
        return load_profile(path).guideline
    except InputError:
        return ""
