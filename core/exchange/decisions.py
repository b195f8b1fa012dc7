"""An exported log of decisions comes in: what people decided elsewhere, or before a workspace was made anew.

Items are found by corpus, document and concept or pair, so corpora and runs of pairs come in first. A
decision is known by its client id: the same log again, or one that has grown since, adds what is new. What a
curator has decided here besides is never decided over: the log's decisions on that item are named, and left
out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path

from core.errors import InputError, NotFoundError
from core.exchange.accepting import EVERY, Progress, of_faults, rejected_lines, write_rejects
from core.formats import format_of
from core.formats.decisions import DecisionRow, read_decisions
from core.formats.rows import BadRows, RowError, shown
from core.kinds import kind_of
from core.records import Action, NewDecision
from core.store import Workspace, corpora
from core.store.connect import sqlite3
from core.store.curators import insert_curator
from core.store.decisions import append_one, decided_on, find_item


@dataclass(frozen=True, slots=True)
class DecisionsReport:
    """What came in."""

    stored: int
    known: int
    """Decisions that were here already, or say again what holds."""
    curators: tuple[str, ...]
    """Ids of those who were not known here."""
    rejected: tuple[str, ...]
    """The first faults in what was left out on request; the file holds all."""
    faults: int
    """How many there were, conflicts included."""
    rejects: str | None
    """File that holds what was left out."""

    def __str__(self) -> str:
        lines = [f"Added {self.stored} decisions; {self.known} were here already."]
        if self.curators:
            lines.append(f"New curators: {', '.join(self.curators)}.")
        return "\n".join([*lines, *rejected_lines(self.faults, self.rejects, self.rejected)])


def add_decisions(
    workspace: Workspace,
    path: Path | str,
    *,
    format: str | None = None,
    skip_bad: bool = False,
    progress: Progress | None = None,
) -> DecisionsReport:
    """Add the decisions of a log that `export` wrote, in one write: all of them or nothing.

    They get numbers and links of this history, after what it holds, and keep who, when, how long and their
    client ids. Which proposals were on screen is not taken over, for their ids are another workspace's.
    Curators are known by their ids; one who is not is added under the id.

    Args:
        format: json, jsonl or csv; None: told by the extension.
        skip_bad: leave out what cannot be stored, and what is at odds with decisions made here, instead of
            refusing the log, and write it to `<file>.rejects.jsonl` beside it.

    Raises:
        InputError: the file is no log of decisions, or something in it cannot be stored. Nothing was stored.
        WorkspaceError: the workspace cannot be written. Nothing was stored.
    """
    path = Path(path)
    name = format_of(path, format)
    rejects = path.with_name(path.name + ".rejects.jsonl")
    ids = frozenset(row.client_id for row in read_decisions(path, name))
    with workspace.write() as db:
        taking = _Taking(workspace, db, path.name, ids)
        for count, row in enumerate(read_decisions(path, name), 1):
            taking.take(row)
            if progress is not None and count % EVERY == 0:
                progress(count)
        if not skip_bad:
            taking.bad.refuse(
                "Nothing was stored. Correct this, or leave such decisions out with --skip-bad."
            )
        write_rejects(rejects, taking.left)
    return DecisionsReport(
        stored=taking.counts["stored"],
        known=taking.counts["known"],
        curators=tuple(taking.curators),
        **of_faults(taking.bad, rejects),
    )


class _Refused(Exception):
    """Why a decision is not stored."""


@dataclass(slots=True)
class _Taking:
    """A log on its way in."""

    workspace: Workspace
    db: sqlite3.Connection
    file: str
    ids: frozenset[str]
    """Client ids of the log."""
    bad: BadRows = field(default_factory=BadRows)
    left: list[RowError] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    curators: list[str] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)
    """Number in the log -> number here."""
    others: dict[tuple[int, str | None, str], str | None] = field(default_factory=dict)
    """(passage, concept, curator) -> what the curator decided here that is not of the log, in words."""
    passages: Callable[[str], dict[str, int]] = field(init=False)

    def __post_init__(self) -> None:
        self.passages = cache(lambda corpus: corpora.passage_ids(self.workspace, corpus))

    def take(self, row: DecisionRow) -> None:
        try:
            self.counts["known" if self._store(row) else "stored"] += 1
        except (_Refused, NotFoundError) as cause:
            error = RowError(self.file, None, row.doc_id, f"decision {row.number}", str(cause), row.value())
            self.bad.add(error)
            self.left.append(error)

    def _store(self, row: DecisionRow) -> bool:
        """Whether it was known.

        Raises:
            _Refused: it was not stored.
            NotFoundError: there is no such corpus.
        """
        new = self._decision(row)
        try:
            new_curator = insert_curator(self.db, row.curator, row.curator)
        except InputError as error:
            raise _Refused(str(error)) from None
        if new_curator:
            self.curators.append(row.curator)
        self.db.execute("SAVEPOINT taken")
        outcome = append_one(self.db, new)
        cause = outcome.refused and outcome.refused.partition(" Reload ")[0]  # what follows is for a page
        if not cause and not outcome.repeat and (held := self._other(row)):
            cause = (
                f"{row.curator} decided otherwise here, or at another time: {held}. Take it back on the "
                "review page first if the log is to hold."
            )
            self.db.execute("ROLLBACK TO taken")
        self.db.execute("RELEASE taken")
        if cause or outcome.number is None:
            raise _Refused(cause)
        self.numbers[row.number] = outcome.number
        return outcome.repeat

    def _decision(self, row: DecisionRow) -> NewDecision:
        passage = self.passages(row.corpus).get(row.doc_id)
        if passage is None:
            raise _Refused(f"corpus {row.corpus} has no such document. Add its passages first.")
        try:
            datetime.fromisoformat(row.decided_at)
        except ValueError:
            raise _Refused(f"decided_at: {shown(row.decided_at)} is no time.") from None
        if row.kind is not None and row.kind != (known := kind_of(row.concept).name):
            raise _Refused(f"it is said to be on a {row.kind}, and {shown(row.concept)} names a {known}.")
        item, undoes = self._item(row, passage), None
        if row.undoes is not None and (undoes := self.numbers.get(row.undoes)) is None:
            raise _Refused(f"it cancels decision {row.undoes}, which is not in the log or was left out.")
        form, said = kind_of(row.concept).form, row.value()["answer"]
        return NewDecision(
            client_id=row.client_id,
            curator=row.curator,
            action=Action(row.action),
            item_id=item,
            passage_id=None if item else passage,
            subject=None if item else row.concept,
            answer=form.from_json(said) if form and said else None,
            note=row.note,
            undoes=undoes,
            blind=row.blind,
            milliseconds=row.milliseconds,
            guideline_revision=row.guideline_revision,
            cause=row.cause,
            update_guideline=row.update_guideline,
            decided_at=row.decided_at,
        )

    def _item(self, row: DecisionRow, passage: int) -> int | None:
        """The item that a decision is on; None where it makes one, or is on the passage as a whole."""
        found = find_item(self.db, passage, row.concept) if row.concept else None
        kind = kind_of(row.concept)
        if found is None and not kind.free:
            what = f"there is no {kind.name} {shown(row.concept)} here"
            raise _Refused(f"{what}. Add its run, or its {kind.name}s, first.")
        return found

    def _other(self, row: DecisionRow) -> str | None:
        """What the curator decided on this item that is not of the log, in words."""
        passage = self.passages(row.corpus)[row.doc_id]
        key = (passage, row.concept, row.curator)
        if key not in self.others:
            held = [
                f"decision {number}, {action}"
                for number, client_id, action in decided_on(self.db, passage, row.concept, row.curator)
                if client_id not in self.ids
            ]
            self.others[key] = held[-1] if held else None
        return self.others[key]
