"""Frames: units of a run in the order of their draw. A frame never changes; what it says is computed from the
decisions on its units (`core.store.frame_answers`)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from core.errors import InputError, NotFoundError
from core.records import Curie, ItemKind
from core.store.connect import now, sqlite3
from core.store.names import check_name
from core.store.proposals import Place, items
from core.store.workspace import Workspace


class Frame(NamedTuple):
    """What was drawn from, and how."""

    name: str
    run: str
    unit: str
    """`item` or `passage`."""
    scope: dict[str, Any]
    """Which proposals of the run: `assertions`, a list of statuses, and `root`, where only that concept and
    those below it are drawn from; or `kind`, `pair`. With strata also `by`, what they are, and `pilot`, the
    estimate that says how many are right in each. Of an audit set also `gold`, the pinned reference that
    lacks them, `by`, what its order is proportional to, and `size`, how many are audited."""
    policy: str
    """Where relative chances come from: `random`, `active`, `strata` or `size`."""
    counts: str
    """Which answer counts where there are several: `first` or `adjudicated`."""
    seed: str
    blind: float
    """Share of units that are answered before any machine answer is seen."""
    size: int
    after_decision: int
    sha256: str = ""
    opened_at: str = ""

    @property
    def is_audit(self) -> bool:
        """Whether its units are apparent false positives, and not proposals."""
        return "gold" in self.scope

    @property
    def is_of_pairs(self) -> bool:
        """Whether its units are claim pairs."""
        return self.scope.get("kind") == ItemKind.PAIR

    @property
    def noun(self) -> str:
        """What one unit is called: `item`, `pair` or `passage`."""
        return "pair" if self.is_of_pairs else self.unit


class Unit(NamedTuple):
    """One thing drawn."""

    position: int
    """From 1, in the order of the draw."""
    id: str
    """`corpus/doc_id/concept`, the id of a claim pair, or `corpus/doc_id` of a passage."""
    passage_id: int
    item_id: int | None
    u: float
    q: float
    f: float | None
    """The machine's probability that it is right."""
    blind: bool


# --- writing ----------------------------------------------------------------------------------------------


def add(
    workspace: Workspace, frame: Frame, units: Sequence[Unit], decoys: Sequence[tuple[int, Place]] = ()
) -> Frame:
    """Store a frame with all its units, in one write; returns it with its sha256.

    Args:
        decoys: (item of a blind unit, (passage, concept) that is asked about beside it).

    Raises:
        InputError: the name is taken, or names nothing.
    """
    with workspace.write() as db:
        check_new(db, frame.name)
        named = {x.item_id: x.id for x in units}
        asked = [(named[beside], concept) for beside, (_, concept) in decoys]
        made = frame._replace(sha256=digest(frame, units, asked), opened_at=now())
        row = made._replace(scope=json.dumps(made.scope, sort_keys=True))  # type: ignore[arg-type]
        names = ", ".join("run_id" if name == "run" else name for name in Frame._fields)
        made_as = db.execute(
            f"INSERT INTO frames ({names}) VALUES ({', '.join('?' * len(row))})", row
        ).lastrowid
        db.executemany(
            "INSERT INTO frame_units VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ((made_as, x.position, x.passage_id, x.item_id, x.u, x.q, x.f, int(x.blind)) for x in units),
        )
        made_of = items(db, ItemKind.CONCEPT, [place for _, place in decoys])
        db.executemany(
            "INSERT INTO frame_decoys VALUES (?, ?, ?)",
            ((made_as, made_of[place], beside) for beside, place in decoys),
        )
    return made


def check_new(db: sqlite3.Connection, name: str) -> None:
    """Raises InputError: the name is taken, or names nothing."""
    check_name("frame", name)
    if db.execute("SELECT 1 FROM frames WHERE name = ?", (name,)).fetchone():
        raise InputError(f"Frame {name!r} exists already. Choose another name.")


def digest(frame: Frame, units: Iterable[Unit], decoys: Iterable[tuple[str, Curie]] = ()) -> str:
    """sha256, hex, over what was drawn from and every unit in its order.

    Args:
        decoys: (id of a blind unit, concept that is asked about beside it), in that order, too.
    """
    found = hashlib.sha256()
    header = frame._replace(sha256="", opened_at="")._asdict()
    found.update(json.dumps(header, sort_keys=True, ensure_ascii=False).encode())
    for x in units:
        found.update(json.dumps([x.id, x.u, x.q, x.f, x.blind], ensure_ascii=False).encode())
    for asked in decoys:
        found.update(json.dumps(asked, ensure_ascii=False).encode())
    return found.hexdigest()


# --- reading ----------------------------------------------------------------------------------------------

_FRAME = (
    "SELECT name, run_id, unit, scope, policy, counts, seed, blind, size, after_decision, sha256, opened_at"
    " FROM frames"
)
_UNIT = (
    "SELECT n.position, CASE i.kind WHEN 'pair' THEN i.subject"
    " ELSE c.name || '/' || s.doc_id || ifnull('/' || i.subject, '') END, n.passage_id, n.item_id,"
    " n.u, n.q, n.f, n.blind FROM frame_units n JOIN frames r ON r.id = n.frame_id"
    " JOIN passages s ON s.id = n.passage_id JOIN corpora c ON c.id = s.corpus_id"
    " LEFT JOIN items i ON i.id = n.item_id"
)


_DECOYS = (
    "SELECT c.name || '/' || s.doc_id || '/' || b.subject, i.subject FROM frames r"
    " JOIN frame_units n ON n.frame_id = r.id JOIN frame_decoys k ON k.frame_id = r.id"
    " AND k.beside = n.item_id JOIN items b ON b.id = k.beside JOIN items i ON i.id = k.item_id"
    " JOIN passages s ON s.id = b.passage_id JOIN corpora c ON c.id = s.corpus_id"
    " WHERE r.name = ? ORDER BY n.position"
)


def _frame(row: sqlite3.Row) -> Frame:
    return Frame(*row)._replace(scope=json.loads(row["scope"]))


def _unit(row: sqlite3.Row) -> Unit:
    *values, blind = row
    return Unit._make([*values, bool(blind)])


def newest(workspace: Workspace) -> int:
    """Id of the frame that was opened last; 0: none is."""
    return int(workspace.db.execute("SELECT ifnull(max(id), 0) FROM frames").fetchone()[0])


def list_frames(workspace: Workspace, run: str | None = None, *, audits: bool = False) -> list[Frame]:
    """Frames of proposals of a run, or of all runs, in the order in which they were opened; or audit sets."""
    rows = workspace.db.execute(f"{_FRAME} WHERE ?1 IS NULL OR run_id = ?1 ORDER BY id", (run,))
    return [frame for frame in map(_frame, rows) if frame.is_audit == audits]


def find_frame(workspace: Workspace, name: str) -> Frame:
    """A frame of proposals.

    Raises:
        InputError: it is an audit set.
        NotFoundError: there is none; the known frames are listed.
    """
    frame = _found(workspace, name, "frame")
    if frame.is_audit:
        raise InputError(
            f"{name!r} is an audit set: it holds apparent false positives, so no whole run is estimated from "
            f"it. Ask for `touchstone audit show {name}`."
        )
    return frame


def find_audit(workspace: Workspace, name: str) -> Frame:
    """An audit set.

    Raises:
        InputError: it is a frame of proposals.
        NotFoundError: there is none; the known sets are listed.
    """
    frame = _found(workspace, name, "audit set")
    if not frame.is_audit:
        raise InputError(
            f"{name!r} is a frame of proposals, and no audit set. Ask for `touchstone budget show {name}`."
        )
    return frame


def _found(workspace: Workspace, name: str, what: str) -> Frame:
    row = workspace.db.execute(f"{_FRAME} WHERE name = ?", (name,)).fetchone()
    if row is None:
        known = list_frames(workspace, audits=what == "audit set")
        raise NotFoundError(what, name, [f.name for f in known])
    return _frame(row)


def units(workspace: Workspace, name: str, *, upto: int | None = None) -> Iterator[Unit]:
    """Units of a frame in the order of the draw, streamed.

    Args:
        upto: the last position; None: all.
    """
    rows = workspace.db.execute(
        f"{_UNIT} WHERE r.name = ? AND (?2 IS NULL OR n.position <= ?2) ORDER BY n.position", (name, upto)
    )
    return map(_unit, rows)


class Whole(NamedTuple):
    """Of all units of a frame."""

    mean_f: float | None
    """None where a unit has none."""
    equal: bool
    """Whether all have the same chance."""


def whole(workspace: Workspace, name: str) -> Whole:
    row = workspace.db.execute(
        "SELECT avg(n.f), count(*) = count(n.f), min(n.q) = max(n.q) FROM frame_units n"
        " JOIN frames r ON r.id = n.frame_id WHERE r.name = ?",
        (name,),
    ).fetchone()
    return Whole(row[0] if row[1] else None, bool(row[2]))


# --- proof ------------------------------------------------------------------------------------------------


def altered(db: sqlite3.Connection) -> Iterator[str]:
    """Frames that do not fit their sha256, as sentences."""
    for row in db.execute(f"{_FRAME} ORDER BY id").fetchall():
        frame = _frame(row)
        rows = db.execute(f"{_UNIT} WHERE r.name = ? ORDER BY n.position", (frame.name,))
        if digest(frame, map(_unit, rows), map(tuple, db.execute(_DECOYS, (frame.name,)))) != frame.sha256:
            yield f"Frame {frame.name} was altered: its units do not fit its sha256."
